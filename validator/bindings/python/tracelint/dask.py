"""Checks many traces with Dask.

    import tracelint.dask

    with tracelint.dask.check("manifest.txt", client) as run:
        print(run.summary())
        frame = run.dataframe()      # one row per file

Needs `distributed` (tracelint[dask]); URLs need fsspec and what it takes for their protocol. A malformed trace is a row.
What no file is to blame for, such as a scheduler that is gone, raises.
"""

import importlib
import json
import os
import queue
import sys
import threading
import time
import uuid
import zlib
from types import TracebackType
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Set, TextIO, Tuple, Type, Union

from . import _child
from ._batch import DEFAULT_MEMORY, DEFAULT_RECORD, Order, Row, Sums, options_of
from ._check import check_options
from ._flight import UNFINISHED, Flight, cancel, is_of_lost_workers
from ._manifest import Entry, FileList, Files, batches, opened, packed, parts, unpacked
from ._options import Patterns, pattern_list, text_pairs
from ._shard import shards_of
from ._shard_run import ShardRun

__all__ = ["Entry", "Row", "Run", "check", "check_shards"]

_COLUMNS = {
    "entry": "int64", "path": "object", "format": "object", "verdict": "object", "failure": "object",
    "errors": "int64", "warnings": "int64", "notes": "int64", "first_error": "object", "first_error_rule": "object",
    "first_error_offset": "float64", "size": "float64", "limited": "bool", "seconds": "float64",
}  # fmt: skip
_PIECES = 8
"""Into how many a batch is split to find the file that takes its worker along."""


class _Outcome(NamedTuple):
    """What a task leaves on its worker."""

    rows: bytes
    """Compressed JSON: the rows of 10^7 files would else fill the workers' memory."""
    large: Dict[int, int]
    sums: Dict[str, Any]


class _News(NamedTuple):
    """What the client learns of it."""

    large: Dict[int, int]
    sums: Dict[str, Any]


def _check_batch(entries_packed: bytes, order: Order, seconds: float) -> _Outcome:
    entries = unpacked(entries_packed)
    rows: List[bytes] = []
    large: Dict[int, int] = {}
    sums = Sums()
    for frame in _child.carry_out(order._replace(entries=entries), seconds):
        if frame.payload:
            rows.append(frame.payload)
        large.update(frame.large)
        sums.add(frame.sums)
    return _Outcome(zlib.compress(b"[%s]" % b",".join(rows), 1), large, vars(sums))


def _news(outcome: _Outcome) -> _News:
    return _News(outcome.large, outcome.sums)


def _rows(outcome: _Outcome) -> List[Row]:
    return [Row(*row) for row in json.loads(zlib.decompress(outcome.rows))]


def _frame(rows: List[Row]) -> Any:
    pandas = importlib.import_module("pandas")
    return pandas.DataFrame(rows, columns=list(_COLUMNS)).astype(_COLUMNS)


def _frame_of(outcome: _Outcome) -> Any:
    return _frame(_rows(outcome))


class _Task:
    """A batch that was given to the scheduler."""

    def __init__(self, entries: Sequence[Entry], outcome: Any, news: Any) -> None:
        self.entries = entries
        """Of a finished task the first one alone."""
        self.is_single = len(entries) == 1
        self.outcome = outcome
        self.news = news
        self.was_alone = False


class Run:
    """A check of many files that goes on in the background. Made by check().

    Rows stay on the workers until they are asked for, and as long as the run is not closed. Leaving it as a context
    manager closes it.
    """

    def __init__(self, files: FileList, client: Any, owns_client: bool, order: Order, batch_bytes: int, batch_files: Optional[int],
                 seconds: float, in_flight: Optional[int], progress: bool) -> None:
        self._files = files
        self._client = client
        self._owns_client = owns_client
        self._order = order
        self._batch_bytes = batch_bytes
        self._batch_files = batch_files
        self._seconds = seconds
        self._flight = Flight(client, in_flight)
        self._sums = Sums()
        self._finished: List[_Task] = []
        self._lost: List[Row] = []
        self._flying: Set[_Task] = set()
        self._suspects: List[Sequence[Entry]] = []
        self._answers: "queue.Queue[_Task]" = queue.Queue()
        self._error: Optional[BaseException] = None
        self._cancelled = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._drive, name="tracelint", daemon=True)
        self._thread.start()
        if progress:
            threading.Thread(target=self._tell, args=(sys.stderr,), daemon=True).start()

    # What is done with a run.

    def wait(self, timeout: Optional[float] = None) -> bool:
        """Waits until all files are checked. Returns False after `timeout` seconds. Raises what ended the run early:
        RuntimeError, ConnectionError, or what a task raised."""
        self._thread.join(timeout)
        if self._thread.is_alive():
            return False
        if self._error is not None:
            raise self._error
        return True

    def cancel(self) -> None:
        """Gives no further tasks to the workers; those that run finish their batch. wait() raises RuntimeError then."""
        self._cancelled = True
        self._thread.join()

    def summary(self) -> Dict[str, Any]:
        """What is known of all files together, when they are checked: "files", "bytes", "limited", how many files have
        each of "verdicts" and "formats" ("" is unknown), how many "findings" there are by severity and by "rules", and how
        many entries are "repeated", as their path was listed before."""
        self.wait()
        return self._totals()

    def bag(self) -> Any:
        """A dask.bag of rows, a partition for each batch. Partitions, and rows in them, have the order of the list;
        files that were too large for a batch have a partition of their own at its end."""
        bag = importlib.import_module("dask.bag")
        delayed = importlib.import_module("dask").delayed
        self.wait()
        partitions = [delayed(_rows)(task.outcome) for task in self._in_order()] + [delayed(list)(self._lost)]
        return bag.from_delayed(partitions)

    def dataframe(self) -> Any:
        """The same as a dask.dataframe with a column for each member of Row. Needs pandas."""
        frames = importlib.import_module("dask.dataframe")
        delayed = importlib.import_module("dask").delayed
        self.wait()
        partitions = [delayed(_frame_of)(task.outcome) for task in self._in_order()]
        if self._lost or not partitions:
            partitions.append(delayed(_frame)(self._lost))
        return frames.from_delayed(partitions, meta=_frame([]))

    def rows(self) -> Iterator[Row]:
        """All rows in the order of the list. Fetches one batch at a time."""
        self.wait()
        tasks = self._in_order()
        single = list(self._lost)
        for task in tasks:
            if task.is_single:
                single += _rows(task.outcome.result())
        single.sort(key=lambda row: -row.entry)
        for task in tasks:
            for row in [] if task.is_single else _rows(task.outcome.result()):
                while single and single[-1].entry < row.entry:
                    yield single.pop()
                yield row
        while single:
            yield single.pop()

    def close(self) -> None:
        """Cancels what is not finished, and lets the workers forget the rows."""
        if self._thread.is_alive():
            self.cancel()
        self._finished = []
        if self._owns_client:
            self._client.close()
            self._owns_client = False

    def __enter__(self) -> "Run":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]
    ) -> None:
        self.close()

    # The thread that gives out tasks.

    def _drive(self) -> None:
        try:
            for entry in self._files.survey(self._batch_bytes):
                self._submit([entry])
            for batch in batches(self._files.chunks(), self._batch_bytes, self._next_batch_files):
                self._submit(batch)
            self._land()
            while self._suspects:  # alone, so that nothing else ends the worker
                self._give_out(self._suspects.pop()).was_alone = True
                self._land()
            self._stop_if_cancelled()
        except BaseException as error:  # wait() raises it
            self._error = error
            self._drop_flying()

    def _next_batch_files(self, before: int) -> int:
        return self._batch_files or self._flight.batch_files(self._files, before)

    def _land(self) -> None:
        while self._flying:
            self._take_one()

    def _submit(self, entries: Sequence[Entry]) -> None:
        """Gives out a task, when there are few enough of them."""
        while len(self._flying) >= self._flight.most():
            self._take_one()
        self._stop_if_cancelled()
        self._give_out(entries)

    def _give_out(self, entries: Sequence[Entry]) -> _Task:
        order = self._order if len(entries) > 1 else self._order._replace(large=None)
        outcome = self._client.submit(
            _check_batch, packed(entries), order, self._seconds, pure=False, retries=order.retries)
        news = self._client.submit(_news, outcome, pure=False)
        task = _Task(entries, outcome, news)
        self._flying.add(task)
        news.add_done_callback(lambda _: self._answers.put(task))
        return task

    def _take_one(self) -> None:
        """Waits for a task, and sees what has become of it."""
        while True:
            self._stop_if_cancelled()
            try:
                task = self._answers.get(timeout=0.5)
                break
            except queue.Empty:
                if self._client.status in ("closed", "closing"):
                    raise ConnectionError("the client was closed") from None
        if task.news.status in UNFINISHED:  # a worker was lost with the result; the task runs again
            task.news.add_done_callback(lambda _: self._answers.put(task))
            return
        self._flying.discard(task)
        if task.news.status == "finished":
            self._finish(task, task.news.result())
        elif task.news.status == "error":
            self._fail(task, task.news.exception())
        else:
            raise ConnectionError("the scheduler lost a task; was it restarted?")

    def _finish(self, task: _Task, news: _News) -> None:
        with self._lock:
            self._sums.add(news.sums)
            self._finished.append(task)
        if news.large:
            left = [entry for entry in task.entries if entry.number in news.large]
            for entry in sorted(left, key=lambda entry: -news.large[entry.number]):
                self._give_out([entry])
        task.entries = task.entries[:1]
        task.news = None

    def _fail(self, task: _Task, error: Any) -> None:
        if not is_of_lost_workers(error):
            raise error
        # Each worker that had the batch was lost. One of its files may be the reason, or another task of the same workers.
        suspects = task.entries
        if not task.was_alone:
            self._suspects.append(suspects)
        elif len(suspects) > 1:
            self._suspects += parts(suspects, _PIECES)
        else:
            self._lose(suspects[0])

    def _lose(self, entry: Entry) -> None:
        row = Row(entry.number, entry.path, None, "unreadable", "each worker that checked it was lost", 0, 0, 0,
                  None, None, None, None, False, 0.0)
        with self._lock:
            self._lost.append(row)
            self._sums.add_file(row, {})

    def _stop_if_cancelled(self) -> None:
        if self._cancelled:
            raise RuntimeError("the run was cancelled")

    def _drop_flying(self) -> None:
        flying = [future for task in self._flying for future in (task.news, task.outcome)]
        self._flying.clear()
        cancel(self._client, flying)

    # What is told of it.

    def _totals(self) -> Dict[str, Any]:
        with self._lock:
            totals = dict(vars(self._sums))
        for name in ("verdicts", "formats", "rules"):
            totals[name] = dict(sorted(totals[name].items()))
        totals["repeated"] = self._files.repeated
        return totals

    def _in_order(self) -> List[_Task]:
        if not self._finished and self._sums.files > len(self._lost):
            raise ValueError("the run is closed")
        for task in self._finished:
            if task.outcome.status == "error":  # its rows went with the workers that another task ended
                task.outcome.retry()
        small = [task for task in self._finished if not task.is_single]
        single = [task for task in self._finished if task.is_single]
        return [task for tasks in (small, single) for task in sorted(tasks, key=lambda task: task.entries[0].number)]

    def _tell(self, to: TextIO) -> None:
        begin, end = ("\r", "") if to.isatty() else ("", "\n")
        while self._thread.is_alive():
            self._thread.join(0.5 if to.isatty() else 10)
            totals = self._totals()
            of = "" if self._files.files is None else f" of {self._files.files}"
            line = f"{totals['files']}{of} files, {totals['bytes'] / 1e6:.0f} MB, {totals['verdicts'].get('error', 0)} with errors"
            print(f"{begin}tracelint: {line}", end=end, file=to, flush=True)
        if begin:
            print(file=to)


def _default_client() -> Any:
    """The client of this process, if there is one."""
    distributed = importlib.import_module("distributed")
    try:
        return distributed.get_client()
    except ValueError:
        return None


def _local_client() -> Any:
    """A cluster on this machine. Threads suffice, as each has a process that checks."""
    return importlib.import_module("distributed").Client(processes=False, dashboard_address=None)


def check(
    files: Files,
    client: Optional[Any] = None,
    *,
    select: Patterns = (),
    ignore: Patterns = (),
    severities: Optional[Mapping[str, str]] = None,
    settings: Optional[Mapping[str, str]] = None,
    max_memory: Optional[int] = None,
    max_record: Optional[int] = None,
    storage_options: Optional[Mapping[str, Any]] = None,
    batch_bytes: int = 64 << 20,
    batch_files: Optional[int] = None,
    file_seconds: float = 300,
    file_memory: int = 2 << 30,
    retries: int = 2,
    in_flight: Optional[int] = None,
    progress: bool = False,
    null: bool = False,
) -> Run:
    """Checks many files on the workers of a Dask cluster, and returns at once with the run.

    files: the path or URL of a manifest; a pattern with *, ? or [, unless there is a file of this very name (in a URL only
        * and [ after the host and before a query); or a list of paths, URLs and entries. A line of a manifest is a path, or
        path, size, etag and format with tabs between them; all but the path may be empty. A path that is listed twice is
        checked once; it is a fault if its fields differ.
    client: a distributed.Client; None takes that of this process, or starts a cluster on this machine.
    select, ignore, severities, settings, max_memory, max_record: as for tracelint.check().
    storage_options: for fsspec, which opens URLs and a manifest that is one.
    batch_bytes, batch_files: what a task checks. A file of so many bytes has a task of its own; those whose size the
        manifest states start first. If batch_files is None, a batch has half of what is left for each thread of a worker,
        but 100 to 5000 files (at most 1000 if there are URLs), so that all threads end together.
    file_seconds, file_memory: what one file may take. Files are checked in a process next to the worker: one that ends
        it, or takes longer, is unreadable, and the others go on. Large files may take a second more for each 10 MiB.
    retries: further attempts to read a remote file, and to run a task that was lost.
    in_flight: tasks that wait or run at a time; None gives each thread of a worker three.
    progress: whether to tell on standard error how far the run is.
    null: whether entries of the manifest end with a zero byte, so that paths may have newlines.

    Raises ValueError if an option is wrong or a pattern fits no file, ImportError if distributed is missing. That a manifest
    is faulty or lists no file is what wait() raises.
    """
    order = _order(select, ignore, severities, settings, max_memory, max_record, storage_options, file_seconds,
                   file_memory, retries)
    if batch_bytes <= 0 or (batch_files is not None and batch_files <= 0):
        raise ValueError("batches must be positive")
    listed = FileList(files, order.storage, null)
    chosen = client if client is not None else _default_client()
    return Run(listed, chosen or _local_client(), chosen is None, order._replace(large=batch_bytes), batch_bytes,
               batch_files, file_seconds, in_flight, progress)


def check_shards(
    manifest: Union[str, "os.PathLike[str]"],
    folder: Union[str, "os.PathLike[str]"],
    shards: int,
    client: Optional[Any] = None,
    *,
    select: Patterns = (),
    ignore: Patterns = (),
    severities: Optional[Mapping[str, str]] = None,
    settings: Optional[Mapping[str, str]] = None,
    max_memory: Optional[int] = None,
    max_record: Optional[int] = None,
    storage_options: Optional[Mapping[str, Any]] = None,
    file_seconds: float = 300,
    file_memory: int = 2 << 30,
    retries: int = 2,
    in_flight: Optional[int] = None,
    progress: bool = False,
    null: bool = False,
) -> List[str]:
    """Checks a manifest on the workers of a Dask cluster, and returns the paths of the parts when all are written.

    A part holds the findings of one shard as `tracelint --manifest --shard I/N --output ndjson=PART` writes them; `tracelint
    merge` takes parts of either. Workers write part-I.ndjson in `folder`, which all of them see under this path. What is
    lost when the client, the scheduler or a worker ends is the shards that were being checked: the next call leaves
    finished parts as they are, unless a file of theirs was unreadable.

    manifest: its path or URL. The client alone reads it.
    shards: how many tasks. A thousand files or more for each keep the cost of a task small.
    The other arguments are those of check().

    Raises ValueError if an option or the manifest is wrong, ImportError if distributed is missing, OSError if a part cannot
    be written, and ConnectionError if the scheduler is lost.
    """
    if shards <= 0:
        raise ValueError("shards must be positive")
    order = _order(select, ignore, severities, settings, max_memory, max_record, storage_options, file_seconds,
                   file_memory, retries)
    with opened(os.fspath(manifest), order.storage) as file:
        listed = shards_of(file, shards, null)
    chosen = client if client is not None else _default_client()
    owned = _local_client() if chosen is None else None
    try:
        run = uuid.uuid4().hex
        tasks = ((shard, os.path.join(os.fspath(folder), f"part-{shard.number}.ndjson"), order, _options_json(order),
                  file_seconds, run) for shard in listed)
        return ShardRun(chosen or owned, tasks, shards, in_flight, progress).paths()
    finally:
        if owned is not None:
            owned.close()


def _order(select: Patterns, ignore: Patterns, severities: Optional[Mapping[str, str]],
           settings: Optional[Mapping[str, str]], max_memory: Optional[int], max_record: Optional[int],
           storage_options: Optional[Mapping[str, Any]], seconds: float, memory: int, retries: int) -> Order:
    """An order without files. Raises ValueError if an option is wrong."""
    options: Dict[str, Any] = {
        "select": pattern_list("select", select), "ignore": pattern_list("ignore", ignore),
        "severities": dict(text_pairs("severities", severities)), "settings": dict(text_pairs("settings", settings)),
        "max_memory": max_memory, "max_record": max_record,
    }
    check_options(options_of(options))
    options = {name: value for name, value in options.items() if value}
    if seconds <= 0 or memory <= 0 or retries < 0:
        raise ValueError("limits and retries must be positive")
    return Order([], options, dict(storage_options or {}), retries, memory, None)


def _options_json(order: Order) -> Dict[str, Any]:
    """What findings depend on, as the command states it in a part: what options do, however they are spelt."""
    options = dict(order.options)
    for name in ("select", "ignore"):
        if name in options:
            options[name] = sorted(set(options[name]))
    for name, standard in (("max_memory", DEFAULT_MEMORY), ("max_record", DEFAULT_RECORD)):
        if options.get(name) == standard:
            del options[name]
    severities = options.pop("severities", None)
    options.update({name.replace("-", "_"): value for name, value in options.pop("settings", {}).items()})
    if severities:
        patterns = sorted(severities)
        if not any(after.startswith(before) for before, after in zip(patterns, patterns[1:])):
            severities = {pattern: severities[pattern] for pattern in patterns}  # else their order matters
        options["overrides"] = [{"files": "**", "severities": severities}]
    return dict(sorted(options.items()))
