"""Checks many traces with Dask. Each task is a shard of a manifest, which the command `tracelint` checks.

    import tracelint.dask

    with tracelint.dask.check("manifest.txt", client) as run:
        print(run.summary())
        frame = run.dataframe()      # one row per file

Workers need this package with its extra `dask`, the command in the same version, and what fsspec needs for the protocol of
URLs. A malformed trace is a row, and so is a file that cannot be read, or that crashes or hangs the check.
"""

import concurrent.futures
import glob
import importlib
import json
import operator
import os
import re
import shutil
import subprocess
import sysconfig
import tempfile
import time
import uuid
import zlib
from collections import Counter
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _library

__all__ = ["Row", "Run", "check"]

Path = Union[str, "os.PathLike[str]"]

_FEW_SHARDS, _MOST_SHARDS, _SHARDS_PER_THREAD = 16, 100_000, 4
_SHARD_FILES, _SHARD_URLS = 100_000, 1000  # URLs are fetched before the first one is checked
_FETCHES = 8  # at a time
_VERDICTS = ("error", "warning", "note", "clean", "unreadable")
_COLUMNS = {
    "entry": "int64", "path": "object", "format": "object", "verdict": "object", "failure": "object",
    "errors": "int64", "warnings": "int64", "notes": "int64", "first_error": "object", "first_error_rule": "object",
    "first_error_offset": "float64", "size": "float64", "limited": "bool",
}  # fmt: skip


class Row(NamedTuple):
    """What is known of one file."""

    entry: int
    """Its place in the list, from 1; empty lines of a manifest count."""
    path: str
    format: Optional[str]
    """The id of the format; None if it was not recognised."""
    verdict: str
    """"clean", "note", "warning", "error", or "unreadable": then `failure` says why, and findings may be missing."""
    failure: Optional[str]
    errors: int
    warnings: int
    notes: int
    first_error: Optional[str]
    """The message of the error that comes first in the file."""
    first_error_rule: Optional[str]
    first_error_offset: Optional[int]
    size: Optional[int]
    """Bytes, decompressed; None if the file was not read to its end."""
    limited: bool
    """Whether a limit left something unchecked."""


class _Storage(Dict[str, Any]):
    """The options of fsspec. Dask prints the arguments of a task that raises, but no keys to a store."""

    def __repr__(self) -> str:
        return "..."


class _Job(NamedTuple):
    """What all tasks of a run have in common."""

    name: str
    shards: int
    command: Sequence[str]
    """The program and its options."""
    version: str
    folder: Optional[str]
    """Where parts are kept; None: nowhere."""
    has_urls: bool
    storage: "_Storage"
    retries: int


def _place_manifest(job: _Job, manifest: bytes) -> str:
    """The file with the manifest, which the tasks of a worker share."""
    path = os.path.join(_local_folder(), job.name)
    if not os.path.exists(path):
        with tempfile.NamedTemporaryFile(dir=_local_folder(), delete=False) as file:
            file.write(zlib.decompress(manifest))
        os.rename(file.name, path)
    return path


def _forget(name: str) -> None:
    path = os.path.join(_local_folder(), name)
    if os.path.exists(path):
        os.unlink(path)


def _local_folder() -> str:
    """That of the worker, which it removes at its end."""
    return str(importlib.import_module("distributed").get_worker().local_directory)


def _check_shard(job: _Job, number: int, manifest: bytes) -> Tuple[bytes, Dict[str, Any]]:
    """The rows of a shard, as compressed JSON, and the last line of its part."""
    listed = _place_manifest(job, manifest)
    with tempfile.TemporaryDirectory(prefix="tracelint-", dir=_local_folder()) as scratch:
        part = os.path.join(job.folder or scratch, f"part-{number}.ndjson")
        arguments = ["--manifest", listed, "--shard", f"{number}/{job.shards}"]
        if job.has_urls:
            # The command knows which files belong to the shard, and finds that they are missing.
            fetched, first = tempfile.mkdtemp(dir=scratch), os.path.join(scratch, "first.ndjson")
            arguments += ["--fetched", fetched]
            if os.path.exists(part):
                shutil.copyfile(part, first)  # if it is finished, nothing is missing
            _run(job, arguments, first)
            _fetch(job, first, fetched)
        _run(job, arguments, part)
        rows, end = _read(part)
    if end["tool"]["version"] != job.version:
        raise RuntimeError(f"the command on this worker is tracelint {end['tool']['version']}; the client has {job.version}")
    return zlib.compress(json.dumps(rows).encode(), 1), end


def _run(job: _Job, arguments: Sequence[str], part: str) -> None:
    """Has the command write a part, unless it is finished. Raises ValueError for what the command does not take."""
    scripts = sysconfig.get_path("scripts")
    program = shutil.which(job.command[0], path=os.pathsep.join([scripts, os.environ.get("PATH", os.defpath)]))
    if program is None:
        raise FileNotFoundError(f"the command {job.command[0]} is not installed on this worker")
    before = os.stat(part).st_ino if os.path.exists(part) else None
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen([program, *arguments, "--output", f"ndjson={part}", *job.command[1:]],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=messages)
        status = _wait_for(process, job.name)
        messages.seek(0)
        logged = messages.read()
    is_there = os.path.exists(part) and (os.stat(part).st_ino != before or b" is finished: " in logged)
    if status in (0, 3, 4) and is_there:  # 3 and 4: files of the part could not be read, or not to their end
        return
    text = logged[-2000:].decode("utf-8", "replace").strip()
    if status == 2:
        raise ValueError(text)
    raise RuntimeError(f"the command ended with status {status}, without a part: {text}")


def _wait_for(process: "subprocess.Popen[bytes]", name: str) -> int:
    """The status of the command, which is ended if the run is cancelled."""
    try:
        while True:
            try:
                return process.wait(1)
            except subprocess.TimeoutExpired:
                if importlib.import_module("distributed").Event(name).is_set():
                    process.terminate()
    finally:
        process.kill()  # if this is interrupted
        process.wait()


def _fetch(job: _Job, part: str, folder: str) -> None:
    """Fetches the URLs that a part has not read to where --fetched looks for them."""
    with open(part, "rb") as lines:
        files = [json.loads(line) for line in lines if line.startswith(b'{"type":"file"') and b'"unreadable"' in line]
    with concurrent.futures.ThreadPoolExecutor(_FETCHES) as pool:
        list(pool.map(lambda file: _fetch_one(job, file, os.path.join(folder, str(file["entry"]))), files))


def _fetch_one(job: _Job, file: Dict[str, Any], to: str) -> None:
    url = _path_of(file)
    failure = ""
    for attempt in range(job.retries + 1 if "://" in url else 0):
        time.sleep(min(0.1 * 2**attempt, 10) if attempt else 0)
        try:
            system, name = importlib.import_module("fsspec.core").url_to_fs(url, **job.storage)
            failure = _etag_fault(file["etag"], system.info(name)) if "etag" in file else ""
            if not failure:
                system.get_file(name, to + ".part")
                os.rename(to + ".part", to)
            break
        except ImportError:
            raise  # the worker lacks what fsspec needs: no fault of the file
        except Exception as error:  # whatever a file system or a server comes up with
            failure = f"cannot fetch: {error or type(error).__name__}"
            if isinstance(error, (FileNotFoundError, PermissionError, ValueError)):
                break  # no second attempt changes it
    if failure:
        with open(to + ".failure", "w", encoding="utf-8", errors="replace") as reason:
            reason.write(failure)


def _etag_fault(wanted: str, details: Dict[str, Any]) -> str:
    def bare(etag: str) -> str:
        return etag.removeprefix("W/").strip('"')

    for name, stored in details.items():  # a store that tells none has nothing to compare with
        if name.lower() == "etag" and stored and bare(str(stored)) != bare(wanted):
            return f"changed: its etag is {bare(str(stored))}, in the manifest {wanted}"
    return ""


def _path_of(file: Mapping[str, Any]) -> str:
    if "path_bytes" in file:
        return os.fsdecode(bytes.fromhex(file["path_bytes"]))
    path: str = file["path"]
    # Where something looks like the escape of a byte, backslashes are doubled.
    return path.replace("\\\\", "\\") if re.search(r"\\x[89a-f][0-9a-f]", path) else path


def _read(part: str) -> Tuple[List[Row], Dict[str, Any]]:
    """The rows of a part, and its last line."""
    rows: List[Row] = []
    error: Dict[str, Any] = {}  # the first one of the next file
    with open(part, "rb") as lines:
        for line in lines:
            if line.startswith(b'{"type":"file"'):
                file = json.loads(line)
                counts = file["counts"]
                rows.append(Row(file["entry"], _path_of(file), file["format"], file["verdict"], file.get("failure"),
                                counts["error"], counts["warning"], counts["note"], error.get("message"), error.get("rule"),
                                error.get("offset"), file["size"], file.get("limited", False)))
                error = {}
            elif not error and b'"severity":"error"' in line:
                finding = json.loads(line)
                error = finding if finding.get("severity") == "error" else {}
    return rows, json.loads(line)


def _rows(outcome: Tuple[bytes, Dict[str, Any]]) -> List[Row]:
    return [Row(*row) for row in json.loads(zlib.decompress(outcome[0]))]


def _frame(rows: List[Row]) -> Any:
    return importlib.import_module("pandas").DataFrame(rows, columns=list(_COLUMNS)).astype(_COLUMNS)


class Run:
    """A check of many files, started by check(). It continues in the background.

    Rows stay on the workers until the run is closed; if a worker is lost, its rows are computed again. Leaving the run as a
    context manager closes it.
    """

    def __init__(self, client: Any, owned: Any, job: _Job, manifest: bytes) -> None:
        self._client = client
        self._owned = owned
        self._name = job.name
        self._is_cancelled = False
        # A task, so that Dask hands the manifest to workers, and again if one is lost with it.
        given = client.submit(bytes, zlib.compress(manifest, 1), key=job.name)
        self.futures = [
            client.submit(_check_shard, job, number, given, key=f"{job.name}-shard-{number}-of-{job.shards}",
                          retries=job.retries)
            for number in range(1, job.shards + 1)
        ]
        """Of the shards, for distributed.progress() and the like."""

    def wait(self, timeout: Optional[float] = None) -> bool:
        """Waits until all files are checked. Returns False after `timeout` seconds.

        Raises ValueError for a wrong option or manifest, RuntimeError for a run that was cancelled or a part that could not
        be written, ConnectionError for a scheduler that is gone, and whatever Dask raises for a shard whose workers die.
        """
        distributed = importlib.import_module("distributed")
        if not self.futures and not self._is_cancelled:
            raise ValueError("the run is closed")
        try:
            distributed.wait(self.futures, timeout)
            for future in self.futures:
                if future.status == "error":
                    future.result()
        except distributed.TimeoutError:
            return False
        except concurrent.futures.CancelledError:
            if not self._is_cancelled:
                raise ConnectionError("the scheduler lost the tasks; was it restarted?") from None
        if self._is_cancelled:
            raise RuntimeError("the run was cancelled")
        return True

    def cancel(self) -> None:
        """Drops the shards that wait, and ends those that run. wait() raises RuntimeError then."""
        self._is_cancelled = True
        importlib.import_module("distributed").Event(self._name, client=self._client).set()
        self._client.cancel(self.futures)

    def summary(self) -> Dict[str, Any]:
        """What is known of all files together, when they are checked: "files", "bytes", "limited", how many files have
        each of "verdicts" and "formats" ("" is unknown), how many "findings" there are by severity and by "rules", and how
        many entries are "left_out", as their path was listed before or is excluded."""
        self.wait()
        sums: "Dict[str, Counter[str]]" = {name: Counter() for name in ("all", "verdicts", "formats", "findings", "rules")}
        for end in self._client.gather(self._client.map(operator.itemgetter(1), self.futures, pure=False)):
            sums["all"].update({name: end[name] for name in ("files", "bytes", "limited")}, left_out=end["part"]["left_out"])
            for one in end["formats"]:
                sums["formats"][one["format"] or ""] += one["files"]
                sums["verdicts"].update({verdict: one[verdict] for verdict in _VERDICTS if one[verdict]})
            for one in end["totals"]:
                sums["findings"][one["severity"]] += one["findings"]
                sums["rules"][one["rule"]] += one["findings"]
        return {**sums.pop("all"), **{name: dict(sorted(counts.items())) for name, counts in sums.items()}}

    def rows(self) -> List[Row]:
        """All rows in the order of the list. For many millions, use dataframe()."""
        self.wait()
        return sorted(row for future in self.futures for row in _rows(future.result()))

    def dataframe(self) -> Any:
        """The same as a dask.dataframe with a column for each member of Row, and a partition for each shard. Needs pandas."""
        self.wait()
        delayed = importlib.import_module("dask").delayed
        partitions = [delayed(_frame)(delayed(_rows)(future)) for future in self.futures]
        return importlib.import_module("dask.dataframe").from_delayed(partitions, meta=_frame([]))

    def close(self) -> None:
        """Cancels what is not finished, and lets the workers forget the rows."""
        try:
            if any(future.status == "pending" for future in self.futures):
                self.cancel()
            self._client.run(_forget, self._name, on_error="ignore")
        except Exception:
            pass  # a scheduler that is gone keeps nothing
        self.futures = []
        if self._owned is not None:
            self._owned.close()
            self._owned = None

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def check(
    files: Union[Path, Iterable[Path]],
    client: Optional[Any] = None,
    *,
    options: Sequence[str] = (),
    shards: Optional[int] = None,
    folder: Optional[Path] = None,
    max_seconds: Optional[int] = 600,
    storage_options: Optional[Mapping[str, Any]] = None,
    retries: int = 2,
    null: bool = False,
    program: str = "tracelint",
) -> Run:
    """Starts a check of many files on the workers of a Dask cluster, and returns the run at once.

    files: the path or URL of a manifest, which is read here; a pattern with *, ? or [, unless a file has this very name; or
        a list of paths and URLs. A manifest is what the command's --manifest takes: on each line a path, or path,
        size, etag and format with tabs between them. Workers open the paths. Those with :// are URLs, which they fetch with
        fsspec.
    client: a distributed.Client; None takes that of this process, or starts a cluster on this machine.
    options: of the command, such as ["--select", "jitdump/", "--max-memory", "1G"]. No configuration is read.
    shards: into how many tasks the files are divided; None: some for each thread of a worker, or, with `folder`, as many as
        the files demand. A worker needs disk for all URLs of a shard in its local directory.
    folder: where workers, which all see it under this path, keep the part of each shard, part-I.ndjson, for `tracelint
        merge`. A finished part is not checked again, so an interrupted run continues. None: parts are not kept.
    max_seconds: how long one file may take; it is unreadable then. None: any time.
    storage_options: for fsspec.
    retries: further attempts to fetch a URL, and to run a task that raised.
    null: whether entries of the manifest end with a zero byte, so that paths may have newlines.
    program: the command on the workers; a name is looked for where this package's scripts are, then in PATH.

    Raises ValueError if there is no file to check, ImportError if distributed is missing.
    """
    manifest, null = _manifest_of(files, dict(storage_options or {}), null)
    owned = None
    if client is None:
        distributed = importlib.import_module("distributed")
        try:
            client = distributed.get_client()
        except ValueError:  # threads suffice, as each waits for a process that checks
            client = owned = distributed.Client(processes=False, dashboard_address=":0")
    has_urls = b"://" in manifest
    if shards is None:
        listed = manifest.count(b"\0" if null else b"\n") + 1
        wanted = max(_FEW_SHARDS, listed // (_SHARD_URLS if has_urls else _SHARD_FILES))
        if folder is None:  # else another number of workers would make parts of another number of shards
            wanted = max(wanted, _SHARDS_PER_THREAD * sum(client.nthreads().values()))
        shards = min(wanted, listed, _MOST_SHARDS)
    command = [program, "--no-config", "--exit-zero", "--quiet", *(["--null"] if null else []),
               *(["--max-seconds", str(max_seconds)] if max_seconds is not None else []), *options]
    job = _Job(f"tracelint-{uuid.uuid4().hex}", shards, command, _library.version(),
               None if folder is None else os.path.abspath(folder), has_urls, _Storage(storage_options or {}), retries)
    return Run(client, owned, job, manifest)


def _manifest_of(files: Union[Path, Iterable[Path]], storage: Dict[str, Any], null: bool) -> Tuple[bytes, bool]:
    """The bytes of a manifest, and whether its entries end with zero bytes."""
    if isinstance(files, (str, os.PathLike)):
        name = os.fspath(files)
        paths = _matches(name, storage) if isinstance(files, str) else None
        if paths is None:
            with importlib.import_module("fsspec").open(name, "rb", **storage) if "://" in name else open(name, "rb") as file:
                return bytes(file.read()), null
    else:
        paths = [os.fspath(path) for path in files]
    if not paths:
        raise ValueError(f"no file has a name like {files}" if isinstance(files, str) else "there are no files to check")
    # Three tabs at the end say that those before are the path's.
    return b"".join(os.fsencode(path) + (b"\t\t\t\0" if "\t" in path else b"\0") for path in paths), True


def _matches(name: str, storage: Dict[str, Any]) -> Optional[List[str]]:
    """The files whose names match a pattern; None if `name` is not a pattern."""
    if "://" not in name:
        if not glob.has_magic(name) or os.path.isfile(name):
            return None
        return sorted(path for path in glob.iglob(name, recursive=True) if not os.path.isdir(path))
    # "?" begins a query, and the host of an address may have brackets.
    path = name.partition("://")[2].partition("?")[0].partition("/")[2]
    if "*" not in path and "[" not in path:
        return None
    system, pattern = importlib.import_module("fsspec.core").url_to_fs(name, **storage)
    return sorted(system.unstrip_protocol(found) for found in system.glob(pattern))
