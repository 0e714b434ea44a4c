"""What checks files for tracelint.dask, in a process of its own: no file takes the worker along.

serve() reads orders from standard input and writes frames to standard output. A frame is a line of JSON and, after it,
as many bytes as its member "length" says.
"""

import ctypes
import gc
import json
import os
import pickle
import re
import resource
import signal
import sys
import time
from typing import Any, BinaryIO, Dict, List, NamedTuple, Optional, Tuple

from . import _library
from ._check import DEFAULT_PER_RULE, _check_file_object, _report
from ._manifest import Entry, fsspec
from ._options import Options
from ._part import PartSums
from ._report import SEVERITIES, VERDICTS, Report

DEFAULT_MEMORY = 512 << 20
DEFAULT_RECORD = 64 << 20
HELD_SECONDS = 0.05
HELD_BYTES = 256 << 10
_PR_SET_PDEATHSIG = 1
_FAILURE = re.compile(rb'"failure":"[^"]*"')
_UNOPENED = ("cannot open", "is a directory")
# What no second attempt changes.
_LASTING = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError)


class Order(NamedTuple):
    """Files to check, and how."""

    entries: List[Tuple[Any, ...]]
    """The members of each, as plain tuples are handed on faster."""
    options: Dict[str, Any]
    """Those of tracelint.check(), but format and file_name."""
    storage: Dict[str, Any]
    """Those of fsspec."""
    retries: int
    """Further attempts to read a remote file."""
    memory: int
    """Bytes of data that the process may have."""
    large: Optional[int]
    """A local file of unknown size that has so many bytes is not checked but named, for a task of its own."""
    careful: bool = False
    """Whether each file is told at once, so that it is known which one ends the process."""
    failure: Optional[str] = None
    """If not None, no file is opened: each has this failure."""
    as_lines: bool = False
    """Whether frames hold lines of a part instead of rows."""


class Row(NamedTuple):
    """What is known of one file."""

    entry: int
    """Its place in the list, from 1."""
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
    seconds: float
    """How long the check took."""


class Sums:
    """What is added up over files."""

    def __init__(self) -> None:
        self.files = self.bytes = self.limited = 0
        self.verdicts: Dict[str, int] = {}
        self.formats: Dict[str, int] = {}
        self.findings = dict.fromkeys(SEVERITIES, 0)
        self.rules: Dict[str, int] = {}

    def add_file(self, row: Row, rules: Dict[str, int]) -> None:
        self.files += 1
        self.bytes += row.size or 0
        self.limited += row.limited
        self.verdicts[row.verdict] = self.verdicts.get(row.verdict, 0) + 1
        format = row.format or ""
        self.formats[format] = self.formats.get(format, 0) + 1
        self.findings["error"] += row.errors
        self.findings["warning"] += row.warnings
        self.findings["note"] += row.notes
        for rule, number in rules.items():
            self.rules[rule] = self.rules.get(rule, 0) + number

    def add(self, other: Dict[str, Any]) -> None:
        """Adds the dictionary of another one."""
        for name, number in other.items():
            mine = getattr(self, name)
            if isinstance(number, dict):
                for key, value in number.items():
                    mine[key] = mine.get(key, 0) + value
            else:
                setattr(self, name, mine + number)


def options_of(chosen: Dict[str, Any], format: Optional[str] = None, file_name: Optional[str] = None) -> Options:
    """Options as the library takes them, from those that were given by name."""
    given = chosen.get
    return Options(format, file_name, given("select", ()), given("ignore", ()), given("severities"), given("settings"),
                   given("max_memory"), given("max_record"), DEFAULT_PER_RULE)


class _Changed(Exception):
    """The file is not the one that the manifest names."""


class _Malformed(Exception):
    """There can be no file of this name."""


def _etag(details: Any) -> Optional[str]:
    """Of what fsspec knows of a file."""
    if not isinstance(details, dict):
        return None
    return next((_bare(str(value)) for name, value in details.items() if name.lower() == "etag" and value), None)


def _bare(etag: str) -> str:
    """Without quotation marks, and whether it is weak."""
    return (etag[2:] if etag.startswith("W/") else etag).strip('"')


class _Checker:
    """Checks the files of an order."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._options_by_format: Dict[Optional[str], Options] = {}

    def lines(self, entry: Entry) -> bytes:
        """What a part says of a file."""
        report, failure = self._checked(entry)
        if report is not None:
            return report.lines(entry.path, entry.number, entry.etag)
        # The library knows how to write a path of any bytes; the reason alone is another one.
        absent = _report(_library.check_file, b"/dev/null/absent", None)
        lines = absent.lines(entry.path, entry.number, entry.etag)
        reason = json.dumps(failure, ensure_ascii=False).encode()
        lines = _FAILURE.sub(lambda _: b'"failure":' + reason, lines, count=1)
        return lines.replace(b'"size":0,', b'"size":null,', 1)  # as it was not opened

    def row(self, entry: Entry) -> Tuple[Row, Dict[str, int]]:
        """The row of a file, and its counts of findings by rule."""
        begun = time.perf_counter()
        report, failure = self._checked(entry)
        seconds = time.perf_counter() - begun
        if report is None:
            return Row(entry.number, entry.path, entry.format, "unreadable", failure, 0, 0, 0, None, None, None, None,
                       False, seconds), {}
        summary = report._summary  # its members cost less than properties, of which each file would take a dozen
        first = report.first_error() if summary.errors else None
        rules = report.rules if summary.rule_count else {}
        row = Row(entry.number, entry.path, _library.text_or_none(summary.format), VERDICTS[summary.verdict],
                  _library.text_or_none(summary.failure), summary.errors, summary.warnings, summary.notes, first and first.message,
                  first and first.rule, first and first.offset,
                  None if summary.input_size == _library.UNKNOWN else summary.input_size, bool(summary.limit_hit), seconds)
        return row, rules

    def _checked(self, entry: Entry) -> Tuple[Optional[Report], Optional[str]]:
        """The report of a file, or why there is none."""
        failure = self._order.failure or self._changed(entry)
        report: Optional[Report] = None
        if failure is None:
            try:
                report = self._remote(entry) if entry.is_remote else self._local(entry)
            except (ImportError, ValueError):  # of the installation and of the options: no fault of the file
                raise
            except MemoryError:
                failure = f"the check needs more than {self._order.memory} bytes of memory"
            except _Changed as changed:
                failure = f"changed: {changed}"
            except Exception as error:  # whatever a file system or a server comes up with
                failure = f"cannot read: {error or type(error).__name__}"
        if report is not None and report._summary.failure is not None:
            failure = report.failure
            if failure is not None and failure.startswith(_UNOPENED):
                return None, failure
        return report, failure

    def _options(self, format: Optional[str], file_name: Optional[str] = None) -> Options:
        return options_of(self._order.options, format, file_name)

    def _local(self, entry: Entry) -> Report:
        if "\0" in entry.path:
            raise OSError("the path has a null character")
        options = self._options_by_format.get(entry.format)
        if options is None:
            options = self._options_by_format[entry.format] = self._options(entry.format)
        return _report(_library.check_file, os.fsencode(entry.path), ctypes.byref(options.struct))

    def _remote(self, entry: Entry) -> Report:
        for attempt in range(self._order.retries + 1):
            try:
                return self._fetched(entry)
            except (*_LASTING, _Changed, _Malformed, MemoryError, ImportError):
                raise
            except Exception:
                if attempt == self._order.retries:
                    raise
            time.sleep(min(0.1 * 2**attempt, 10))
        raise AssertionError("unreachable")

    def _fetched(self, entry: Entry) -> Report:
        options = self._options(entry.format, entry.path)
        try:
            opened = fsspec().open(entry.path, "rb", **self._order.storage)
            with opened as file:
                self._compare(entry, opened, file)
                return _check_file_object(file, ctypes.byref(options.struct))
        except ValueError as error:  # options were tried before, so this is about the URL or what is read
            raise _Malformed(str(error) or type(error).__name__) from error

    @staticmethod
    def _compare(entry: Entry, opened: Any, file: Any) -> None:
        """Whether the file is the one of the manifest, as far as its file system knows."""
        stored = getattr(file, "size", None)
        if entry.size is not None and stored is not None and stored != entry.size:
            raise _Changed(f"its size is {stored}, in the manifest {entry.size}")
        if entry.etag is None:
            return
        # Files of http know no etag, which a request of its own tells.
        etag = _etag(getattr(file, "details", None)) or _etag(opened.fs.info(opened.path))
        if etag is not None and etag != _bare(entry.etag):
            raise _Changed(f"its etag is {etag}, in the manifest {entry.etag}")

    @staticmethod
    def _changed(entry: Entry) -> Optional[str]:
        if entry.size is None or entry.is_remote:
            return None
        try:
            size = os.stat(entry.path).st_size
        except OSError:
            return None  # opening it says why
        return None if size == entry.size else f"changed: its size is {size}, in the manifest {entry.size}"

    def is_large(self, entry: Entry) -> Optional[int]:
        """The size of a file that is left to a task of its own."""
        if self._order.large is None or entry.size is not None or "://" in entry.path:
            return None
        try:
            size = os.stat(entry.path).st_size
        except (OSError, ValueError):
            return None
        return size if size >= self._order.large else None


class _Rows:
    """A frame of rows."""

    def __init__(self, checker: _Checker) -> None:
        self._checker = checker
        self._sums = Sums()
        self._rows: List[Row] = []

    def check(self, entry: Entry) -> None:
        row, rules = self._checker.row(entry)
        self._sums.add_file(row, rules)
        self._rows.append(row)

    def held(self) -> int:
        return len(self._rows) * 200

    def payload(self) -> bytes:
        return json.dumps(self._rows)[1:-1].encode()

    def sums(self) -> Dict[str, Any]:
        return vars(self._sums)


class _Lines:
    """A frame of lines for a part."""

    def __init__(self, checker: _Checker) -> None:
        self._checker = checker
        self._sums = PartSums()
        self._text = bytearray()

    def check(self, entry: Entry) -> None:
        lines = self._checker.lines(entry)
        self._sums.add_line(lines[lines.rfind(b"\n", 0, -1) + 1 :])
        self._text += lines

    def held(self) -> int:
        return len(self._text)

    def payload(self) -> bytes:
        return bytes(self._text)

    def sums(self) -> Dict[str, Any]:
        return self._sums.pack()


def _carry_out(order: Order, to: BinaryIO) -> None:
    kind = _Lines if order.as_lines else _Rows
    checker = _Checker(order)
    frame: Any = kind(checker)
    large: List[Tuple[int, int]] = []
    done = 0
    sent = time.monotonic()
    last = len(order.entries) - 1
    for index, members in enumerate(order.entries):
        entry = Entry(*members)
        size = checker.is_large(entry)
        if size is not None:
            large.append((entry.number, size))
        else:
            frame.check(entry)
        done += 1
        now = time.monotonic()
        if order.careful or now - sent >= HELD_SECONDS or frame.held() >= HELD_BYTES or index == last:
            payload = frame.payload()
            head = {"done": done, "large": large, "sums": frame.sums(), "length": len(payload)}
            to.write(json.dumps(head).encode() + b"\n" + payload)
            to.flush()
            frame, large, done, sent = kind(checker), [], 0, now


def _die_with(parent: int) -> None:
    """Has this process killed when its parent's thread ends, whatever ends it."""
    try:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    except (AttributeError, OSError):
        return  # not Linux
    if os.getppid() != parent:
        os._exit(1)


def _limit_memory(bytes: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (bytes if hard < 0 else min(bytes, hard), hard))


def serve(parent: int) -> None:
    """Carries out orders until there are no more."""
    _die_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the worker ends this process
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what others print belongs into no frame
    answers.write(b"ready\n")
    answers.flush()
    gc.freeze()
    gc.set_threshold(50_000)  # a check leaves no cycles behind
    while True:
        try:
            order: Order = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        _limit_memory(order.memory)
        try:
            _carry_out(order, answers)
        except Exception as error:
            answers.write(json.dumps({"error": str(error) or type(error).__name__, "type": type(error).__name__}).encode() + b"\n")
            answers.flush()
