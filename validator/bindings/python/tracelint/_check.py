"""Checks of whole inputs."""

import ctypes
import io
import os
from typing import TYPE_CHECKING, Any, Mapping, Optional, Protocol, Union

from . import _library
from ._options import Options, Patterns
from ._report import Report
from ._telling import OnFinding

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as ReadableBuffer
else:
    ReadableBuffer = Any


class Readable(Protocol):
    """A binary file object, as far as check() needs one. It is read by readinto() if it has that as well."""

    def read(self, size: int, /) -> Optional[bytes]: ...


Path = Union[str, "os.PathLike[str]", "os.PathLike[bytes]"]
Input = Union[Path, ReadableBuffer, Readable]

DEFAULT_PER_RULE = 20


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
) -> Report:
    """Checks one input and returns its report. A malformed trace is a report with findings, never an exception.

    source: the path of a file as str or os.PathLike; the bytes of a trace, or any object with a contiguous buffer, such
        as an mmap; or a binary file object, which is read from where it stands.
    format: the id of the format; None recognises it.
    file_name: the name of what is no path, for rules about names and for reports.
    select, ignore: rules that are enabled or not, by id or by a prefix that ends in a slash or dash ("jitdump/load-").
    severities: rules by id or prefix, to "note", "warning", "error" or "off".
    settings: options of formats, as {"samply-260": "inline"}.
    max_memory, max_record: bytes of everything that grows with an input (None: 512 MiB), and of one record (64 MiB).
    max_per_rule: findings of each rule to keep (all are counted); None keeps all.
    on_finding: is called with each Finding when it is made, kept or not, in the order of discovery, on the thread that
        calls check(). What it raises is raised when the check is over; it is not called again.

    The interpreter's lock is released while the library checks. Any number of threads may check at a time.

    Raises OSError if a path cannot be opened, ValueError if an option is wrong, and whatever a file object or on_finding
    raises. A file that cannot be read to its end has the verdict "unreadable".
    """
    options = None
    given = (format, file_name, severities, settings, max_memory, max_record, on_finding)
    if given != _NONE_GIVEN or select or ignore or max_per_rule != DEFAULT_PER_RULE:
        options = Options(
            format, file_name, select, ignore, severities, settings, max_memory, max_record, max_per_rule, on_finding
        )
    report = _check(source, None if options is None else ctypes.byref(options.struct))
    if options is not None and options.telling is not None:
        options.telling.raise_kept()
    return report


_NONE_GIVEN = (None,) * 7


def _check(source: Any, pointer: Any) -> Report:
    if isinstance(source, bytes):
        return _report(_library.check_memory, source, len(source), pointer)
    if isinstance(source, (str, os.PathLike)):
        return _check_path(source, pointer)
    if hasattr(source, "read") and not hasattr(source, "find"):  # an mmap has both
        return _check_file_object(source, pointer)
    return _check_buffer(source, pointer)


def _report(function: Any, *arguments: Any) -> Report:
    handle = ctypes.c_void_p()
    error = function(*arguments, ctypes.byref(handle))
    if error:
        _library.fail(error)
    return Report(handle)


def check_options(options: Options) -> None:
    """Raises ValueError if the library refuses the options."""
    _report(_library.check_memory, b"", 0, ctypes.byref(options.struct))


def _check_path(path: Path, options: Any) -> Report:
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError("embedded null byte")
    report = _report(_library.check_file, name, options)
    if report.failure is not None and report.failure.startswith(("cannot open", "is a directory")):
        open(path, "rb").close()  # raises what the matter is
    return report


def _check_buffer(source: Any, options: Any) -> Report:
    with memoryview(source) as view:
        if not view.c_contiguous:
            return _report(_library.check_memory, view.tobytes(), view.nbytes, options)
        if view.nbytes == 0:
            return _report(_library.check_memory, None, 0, options)
        with view.cast("B") as data:
            if data.readonly:  # ctypes has no pointer to such a buffer
                return _check_file_object(_View(data), options)
            buffer = (ctypes.c_char * data.nbytes).from_buffer(data)
            try:
                return _report(_library.check_memory, ctypes.addressof(buffer), data.nbytes, options)
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


class _Reading:
    """Reads a file object for the library, and keeps what it raises."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._start = 0
        self.raised: Optional[BaseException] = None
        # The functions must live as long as the struct.
        self.struct = _library.Source()
        self.struct.size = ctypes.sizeof(self.struct)
        self.struct.read = _library.READ(self._read)
        self.struct.total = _library.UNKNOWN
        if isinstance(file, _SIZED) and file.seekable():
            self._start = file.tell()
            self.struct.total = max(0, file.seek(0, io.SEEK_END) - self._start)
            file.seek(self._start)
            self.struct.seek = _library.SEEK(self._seek)

    def _read(self, user: Any, to: int, size: int) -> int:
        try:
            if hasattr(self._file, "readinto"):
                got = self._file.readinto(memoryview((ctypes.c_char * size).from_address(to)).cast("B"))
                if got is None:
                    raise BlockingIOError("the file object has no bytes yet")
                return int(got)
            data = self._file.read(size)
            if not isinstance(data, (bytes, bytearray, memoryview)):
                if data is None:
                    raise BlockingIOError("the file object has no bytes yet")
                raise TypeError(f"read() returned {type(data).__name__}; open the file in binary mode")
            if len(data) > size:
                raise ValueError("read() returned more bytes than it was asked for")
            ctypes.memmove(to, bytes(data), len(data))
            return len(data)
        except BaseException as error:  # KeyboardInterrupt as well: nothing can pass through the library
            self.raised = error
            return -1

    def _seek(self, user: Any, offset: int) -> int:
        try:
            # No file object takes more than a signed number, and between the end and there nothing is read.
            self._file.seek(min(self._start + offset, _library.LAST_OFFSET))
            return 1
        except BaseException as error:
            self.raised = error
            return 0


def _check_file_object(file: Any, options: Any) -> Report:
    reading = _Reading(file)
    report = _report(_library.check_callback, ctypes.byref(reading.struct), options)
    del reading.struct  # its functions refer to what it is part of: a circle that would keep the file
    if reading.raised is not None:
        raise reading.raised
    return report
