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
import stat
import sys
import time
from typing import Any, BinaryIO, Dict, List, NamedTuple, Optional, Tuple

from . import _library
from ._check import DEFAULT_PER_RULE, check_file_object
from ._manifest import Entry, fsspec
from ._options import Options
from ._part import SUMMED_VERDICTS, PartSums
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
    """Whether each file is handed to the process alone, so that it is known which one ends it."""
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
    """The id of the format; None if it was not recognised, or the file not opened."""
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

    def add_found(self, sums: Dict[str, Any]) -> None:
        """Adds what tracelint_check_files() says of files."""
        self.bytes += sums["bytes"]
        self.limited += sums["limited"]
        for format, (files, _, *verdicts) in sums["formats"].items():
            self.files += files
            self.formats[format] = self.formats.get(format, 0) + files
            for verdict, number in zip(SUMMED_VERDICTS, verdicts):
                if number:
                    self.verdicts[verdict] = self.verdicts.get(verdict, 0) + number
        for rule, _, severity, number, *_ in sums["findings"]:
            self.findings[severity] += number
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
        absent = Report._of(_library.check_file, b"/dev/null/absent", None)
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
            return Row(entry.number, entry.path, None, "unreadable", failure, 0, 0, 0, None, None, None, None,
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

    def is_plain(self, path: str) -> bool:
        """Whether the library may check the file together with others."""
        return "://" not in path and "\0" not in path

    def run(self, begin: int) -> "Optional[_Run]":
        """The files from here on that one call can check; None if the first one needs a check of its own."""
        if self._order.failure is not None:
            return None
        entries = self._order.entries[begin:]
        format = entries[0][4]
        paths: List[bytes] = []
        for entry in entries:
            if entry[4] != format or not self.is_plain(entry[1]):
                break
            try:
                paths.append(entry[1].encode())
            except UnicodeEncodeError:  # other bytes than UTF-8, which rows have in Python's way
                break
        if not paths:
            return None
        return _Run(self._order, entries[: len(paths)], paths, self._options_of(format))

    def _options_of(self, format: Optional[str]) -> Options:
        options = self._options_by_format.get(format)
        if options is None:
            options = self._options_by_format[format] = self._options(format)
        return options

    def _options(self, format: Optional[str], file_name: Optional[str] = None) -> Options:
        return options_of(self._order.options, format, file_name)

    def _local(self, entry: Entry) -> Report:
        if "\0" in entry.path:
            raise OSError("the path has a null character")
        options = self._options_of(entry.format)
        return Report._of(_library.check_file, os.fsencode(entry.path), ctypes.byref(options.struct))

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
                return check_file_object(file, ctypes.byref(options.struct))
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
            status = os.stat(entry.path)
        except (OSError, ValueError):
            return None  # opening it says why
        if not stat.S_ISREG(status.st_mode) or status.st_size == entry.size:
            return None
        return f"changed: its size is {status.st_size}, in the manifest {entry.size}"

    def is_large(self, entry: Entry) -> Optional[int]:
        """The size of a file that is left to a task of its own."""
        if self._order.large is None or entry.size is not None or "://" in entry.path:
            return None
        try:
            size = os.stat(entry.path).st_size
        except (OSError, ValueError):
            return None
        return size if size >= self._order.large else None


class _Run:
    """Files that follow each other in an order, and that the library checks by one call."""

    def __init__(self, order: Order, entries: List[Tuple[Any, ...]], paths: List[bytes], options: Options) -> None:
        count = len(paths)
        # The arrays must live as long as the struct.
        self._paths = (ctypes.c_char_p * count)(*paths)
        self._numbers = (ctypes.c_uint64 * count)(*[entry[0] for entry in entries])
        self._sizes = self._etags = None
        if any(entry[2] is not None for entry in entries):
            self._sizes = (ctypes.c_uint64 * count)(
                *[_library.UNKNOWN if entry[2] is None else entry[2] for entry in entries])
        if any(entry[3] is not None for entry in entries):
            self._etags = (ctypes.c_char_p * count)(
                *[None if entry[3] is None else entry[3].encode("utf-8", "surrogateescape") for entry in entries])
        self._options = options
        self._count = count
        self._done = 0
        self._struct = _library.FileList(
            ctypes.sizeof(_library.FileList), large=order.large or 0, most_milliseconds=int(HELD_SECONDS * 1000),
            most_bytes=HELD_BYTES, as_rows=not order.as_lines)

    @property
    def is_finished(self) -> bool:
        return self._done == self._count

    def check(self) -> Tuple[int, bytes, Dict[str, Any]]:
        """Checks the next files, for a while. Returns how many, what is to be said of them, and their sums."""
        def at(array: Any) -> Optional[int]:
            return None if array is None else ctypes.addressof(array) + 8 * self._done

        struct = self._struct
        struct.paths, struct.entries, struct.sizes, struct.etags = map(at, (self._paths, self._numbers, self._sizes, self._etags))
        struct.count = self._count - self._done
        handle = ctypes.c_void_p()
        error = _library.check_files(ctypes.byref(struct), ctypes.byref(self._options.struct), ctypes.byref(handle))
        if error:
            _library.fail(error)
        try:
            result = _library.FilesResult(ctypes.sizeof(_library.FilesResult))
            error = _library.files_read(handle, ctypes.byref(result))
            if error:
                _library.fail(error)
            self._done += result.done
            sums: Dict[str, Any] = json.loads(ctypes.string_at(result.sums, result.sums_length))
            return result.done, ctypes.string_at(result.text, result.text_length), sums
        finally:
            _library.files_free(handle)


class _Rows:
    """A frame of rows."""

    def __init__(self, checker: _Checker) -> None:
        self._checker = checker
        self._sums = Sums()
        self._rows: List[bytes] = []
        self._held = 0

    def check(self, entry: Entry) -> None:
        row, rules = self._checker.row(entry)
        self._sums.add_file(row, rules)
        self._add(json.dumps(row).encode())

    def add(self, rows: bytes, sums: Dict[str, Any]) -> None:
        self._sums.add_found(sums)
        if rows:
            self._add(rows)

    def _add(self, rows: bytes) -> None:
        self._rows.append(rows)
        self._held += len(rows)

    def held(self) -> int:
        return self._held

    def payload(self) -> bytes:
        return b",".join(self._rows)

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

    def add(self, lines: bytes, sums: Dict[str, Any]) -> None:
        self._sums.add_found(sums)
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
    run: Optional[_Run] = None
    large: List[Tuple[int, int]] = []
    index = done = 0  # files; those that no frame has told of
    sent = time.monotonic()
    while index < len(order.entries):
        if run is None or run.is_finished:
            run = checker.run(index)
        checked = 0
        if run is not None:
            try:
                checked, text, sums = run.check()
                large += [(number, size) for number, size in sums.pop("large")]
                frame.add(text, sums)
            except MemoryError:
                run = None  # alone, the file may have enough; else the reason is known
        if checked == 0:
            entry = Entry(*order.entries[index])
            size = checker.is_large(entry)
            if size is not None:
                large.append((entry.number, size))
            else:
                frame.check(entry)
            checked = 1
            run = None
        index += checked
        done += checked
        now = time.monotonic()
        is_last = index == len(order.entries)
        if now - sent >= HELD_SECONDS or frame.held() >= HELD_BYTES or is_last:
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
