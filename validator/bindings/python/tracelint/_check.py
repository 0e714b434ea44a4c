"""Checks of whole inputs."""

import ctypes
import functools
import io
import operator
import os
from typing import TYPE_CHECKING, Any, Mapping, Optional, Protocol, Union

from . import _library
from ._options import Companions, Options, Patterns, refuse
from ._report import Report
from ._service import READ, SEEK, OnFinding, Service

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as ReadableBuffer
else:
    ReadableBuffer = Any


class Readable(Protocol):
    """A binary file object, as far as check() needs one. If it also has readinto(), that is used."""

    def read(self, size: int, /) -> Optional[bytes]: ...


Path = Union[str, "os.PathLike[str]", "os.PathLike[bytes]"]
Input = Union[Path, ReadableBuffer, Readable]

DEFAULT_PER_RULE = 20
_SMALL = 256 << 10
"""Bytes of a file object that is read as a whole, which is faster than to have the library ask for them."""


def check(
    source: Input,
    *,
    format: Optional[str] = None,
    file_name: Optional[str] = None,
    select: Patterns = (),
    ignore: Patterns = (),
    severities: Optional[Mapping[str, str]] = None,
    settings: Optional[Mapping[str, str]] = None,
    max_memory: Optional[int] = None,
    max_record: Optional[int] = None,
    max_per_rule: Optional[int] = DEFAULT_PER_RULE,
    on_finding: Optional[OnFinding] = None,
    readers: Patterns = (),
    companions: Optional[Companions] = None,
    growing: bool = False,
) -> Report:
    """Checks one input and returns its report. A malformed trace is a report with findings, never an exception.

    source: the path of a file as str or os.PathLike; the bytes of a trace, or any object with a contiguous buffer, such
        as an mmap; or a binary file object, which is read from where it stands.
    format: the id of the format; None recognises it.
    file_name: the name of what is no path, for rules about names and for reports.
    select, ignore: rules that are enabled or not, by id or by a prefix that ends in a slash or dash ("jitdump/load-").
    severities: rules by id or prefix, to "note", "warning", "error" or "off".
    settings: options of formats, as {"samply-260": "tier"}.
    max_memory, max_record: bytes of everything that grows with an input (None: 512 MiB), and of one record (64 MiB).
    max_per_rule: findings of each rule to keep (all are counted); None keeps all.
    on_finding: is called with each Finding when it is made, kept or not, in the order of discovery, on the thread that
        calls check(). What it raises is raised when the check is over; it is not called again.
    readers: programs that read the input: "perf" (its newest version), "perf@6.1", or "any". Report.readers predicts what
        each does with the input. The findings are those that affect at least one of the readers, with the severity that
        they have for it; on_finding is called for those that are kept, when the check is over.
    companions: files that belong to the input, such as the jitdump or perf map of a recording. Maps the name of each to
        its bytes, to a buffer, or to None, which opens the file of this name. Each has a report of its own
        (Report.companions). A mismatch between two files is a finding of one of them.
    growing: the input is still being written: what would be reported for a file that ends where the writer has come to is
        one note, input/growing. Excludes readers.

    What a signal handler raises meanwhile, such as KeyboardInterrupt, is raised when the check is over; that of a file object
    ends at once. With a file object or on_finding, the library runs on a thread of its own; both are called on this one.

    The interpreter's lock is released while the library checks. Any number of threads may check at a time.

    Raises OSError if a path cannot be opened, ValueError if an option is wrong, and whatever a file object or on_finding
    raises. A file that cannot be read to its end has the verdict "unreadable".
    """
    pointer = service = None
    given = (format, file_name, severities, settings, max_memory, max_record, on_finding, companions)
    if given != _NONE_GIVEN or (select, ignore, readers, growing) != ((), (), (), False) or max_per_rule != DEFAULT_PER_RULE:
        options = Options(
            format,
            file_name,
            select,
            ignore,
            severities,
            settings,
            max_memory,
            max_record,
            max_per_rule,
            on_finding,
            readers,
            companions,
            growing,
        )
        pointer, service = ctypes.byref(options.struct), options.service
    if isinstance(source, bytes):
        return _report(service, _library.check_memory, source, len(source), pointer)
    if isinstance(source, (str, os.PathLike)):
        return _check_path(source, pointer, service)
    if hasattr(source, "read") and not hasattr(source, "find"):  # an mmap has both
        return check_file_object(source, pointer, service)
    return _check_buffer(source, pointer, service)


_NONE_GIVEN = (None,) * 8


def _report(service: Optional[Service], function: Any, *arguments: Any) -> Report:
    """What a function of the library gives, by way of `service` if it calls back."""
    if service is None:
        return Report._of(function, *arguments)
    return service.run(functools.partial(Report._of, function, *arguments))


def _check_path(path: Path, options: Any, service: Optional[Service]) -> Report:
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError("source must not have a null byte: it is a path")
    report = _report(service, _library.check_file, name, options)
    if report.failure is not None and report.failure.startswith(("cannot open", "is a directory")):
        open(path, "rb").close()  # raises what the matter is
    return report


def _check_buffer(source: Any, options: Any, service: Optional[Service]) -> Report:
    try:
        view = memoryview(source)
    except TypeError:
        refuse("source", "a path, an object with a buffer or a binary file object", source)
    with view:
        if not view.c_contiguous or view.nbytes == 0 or (view.readonly and view.nbytes <= _SMALL):
            return _report(service, _library.check_memory, view.tobytes(), view.nbytes, options)
        with view.cast("B") as data:
            if data.readonly:  # ctypes has no pointer to such a buffer
                return check_file_object(_View(data), options, service)
            buffer = (ctypes.c_char * data.nbytes).from_buffer(data)
            try:
                return _report(service, _library.check_memory, ctypes.addressof(buffer), data.nbytes, options)
            finally:
                del buffer


class _View(io.RawIOBase):
    """A buffer as a file. Unlike io.BytesIO it copies only what is read."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: len(self._data)}[whence]
        self._at = start + offset
        return self._at

    def readinto(self, to: Any) -> int:
        piece = self._data[self._at : self._at + len(to)]
        to[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)


# Files that know where they end without reading up to there.
_SIZED = (io.BufferedReader, io.BufferedRandom, io.BytesIO, io.FileIO, _View)


class _File:
    """A file object, as the library reads it."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._reads_into = hasattr(file, "readinto")
        # A file of the system or memory, read by the interpreter's own code, which neither waits nor minds the thread.
        self.is_plain = False
        self._start = 0
        self.size: Optional[int] = None
        """Bytes that are left; None: only reading tells, and it cannot be sought."""
        if isinstance(file, _SIZED) and file.seekable():
            self._start = file.tell()
            self.size = max(0, file.seek(0, io.SEEK_END) - self._start)
            file.seek(self._start)
            raw = file.raw if isinstance(file, (io.BufferedReader, io.BufferedRandom)) else file
            self.is_plain = type(file) in _SIZED and type(raw) in (io.FileIO, io.BytesIO, _View)

    def small(self) -> Optional[bytes]:
        """All of it, if it is small and whole. Else nothing has happened."""
        if self.size is None or self.size > _SMALL or not self.is_plain:
            return None
        data: Optional[bytes] = self._file.read(self.size)
        if data is not None and len(data) == self.size:
            return data
        self._file.seek(self._start)
        return None

    def read(self, to: int, size: int, offset: Optional[int]) -> int:
        if offset is not None:
            # No file object takes more than a signed number, and between the end and there nothing is read.
            self._file.seek(min(self._start + offset, _library.LAST_OFFSET))
        return self._read_into(to, size) if self._reads_into else self._read_bytes(to, size)

    def _read_into(self, to: int, size: int) -> int:
        with memoryview((ctypes.c_char * size).from_address(to)).cast("B") as room:
            got = self._file.readinto(room)
        if got is None:
            raise BlockingIOError("the file object has no bytes yet")
        try:
            count = operator.index(got)
        except TypeError:
            raise TypeError(f"readinto() must return an int, not {type(got).__name__}") from None
        if not 0 <= count <= size:
            raise ValueError(f"readinto() returned {count}; there was room for {size} bytes")
        return count

    def _read_bytes(self, to: int, size: int) -> int:
        data = self._file.read(size)
        if data is None:
            raise BlockingIOError("the file object has no bytes yet")
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"read() must return bytes, not {type(data).__name__}; open the file in binary mode")
        data = bytes(data)
        if len(data) > size:
            raise ValueError(f"read() returned {len(data)} bytes; it was asked for {size}")
        ctypes.memmove(to, data, len(data))
        return len(data)


def check_file_object(file: Any, options: Any, service: Optional[Service] = None) -> Report:
    source = _File(file)
    data = source.small()
    if data is not None:
        return _report(service, _library.check_memory, data, len(data), options)
    if service is None:
        service = Service()
    service.read_by = source.read
    service.may_read_on_any_thread = source.is_plain
    struct = _library.Source(ctypes.sizeof(_library.Source), service.number, READ)
    struct.total = _library.UNKNOWN
    if source.size is not None:
        struct.seek = SEEK
        struct.total = source.size
    return _report(service, _library.check_callback, ctypes.byref(struct), options)
