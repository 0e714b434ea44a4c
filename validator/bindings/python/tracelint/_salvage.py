"""From a broken trace to one without errors."""

import contextlib
import ctypes
import functools
import os
from typing import Any, BinaryIO, Callable, List, Literal, Mapping, NamedTuple, Optional, Tuple, Union

from . import _library
from ._check import Path, ReadableBuffer
from ._options import Options, refuse
from ._service import WRITE, Service, Write

SalvageVerdict = Literal["clean", "salvaged", "impossible", "limited", "unreadable"]

_VERDICTS: Tuple[SalvageVerdict, ...] = ("clean", "salvaged", "impossible", "limited", "unreadable")  # from 0
_KINDS: Tuple[Literal["left out", "set", "inserted"], ...] = ("left out", "set", "inserted")  # from 0


class Change(NamedTuple):
    """A place where what was written differs from the input."""

    kind: Literal["left out", "set", "inserted"]
    offset: int
    """Bytes from the start of the input, decompressed."""
    length: int
    """Bytes that were left out or replaced."""
    new_offset: int
    """Where that is in what was written."""
    records: int
    """Records that were left out."""
    rule: Optional[str]
    """The id of the rule that is broken; None: other changes made this one necessary."""
    data: bytes
    """The bytes that took the place."""


class Salvaged(NamedTuple):
    """How a salvage ended."""

    verdict: SalvageVerdict
    """"clean": the input has no error and was copied. "salvaged": what was written has no error. Otherwise nothing was
    written: "impossible" (an error remains whatever is left out), "limited" (a limit was reached), "unreadable"."""
    why: Optional[str]
    """Why nothing was written."""
    format: Optional[str]
    """The id of the format; None if it was not recognised."""
    container: Optional[str]
    """How the input is compressed: "gzip" or "zstd", or None. What is salvaged is not compressed."""
    size: int
    """Bytes of the input, decompressed."""
    new_size: int
    """Bytes that were written."""
    records_kept: int
    """Records, where something was left out; otherwise this and the next are 0."""
    records_left_out: int
    changes: List[Change]
    """In the order of their offsets."""

    @property
    def is_written(self) -> bool:
        """Whether a trace without errors was written."""
        return self.verdict in ("clean", "salvaged")


def salvage(
    source: Union[Path, ReadableBuffer],
    to: Union[Path, BinaryIO],
    *,
    format: Optional[str] = None,
    file_name: Optional[str] = None,
    settings: Optional[Mapping[str, str]] = None,
    max_memory: Optional[int] = None,
    max_record: Optional[int] = None,
) -> Salvaged:
    """Writes the part of a trace that can be trusted, as a trace without errors: records that have an error are left out, with
    those that depend on them, and numbers that count what is left are set. All else comes from the input, byte by byte.

    source: the path of a file, or bytes, or any object with a contiguous buffer.
    to: the path of another file, which gets its name when all of it is written; or a binary file object. Nothing is written
        before the result is known to have no error.
    format, file_name, settings, max_memory, max_record: as for check().

    Raises OSError if a path cannot be opened or written, ValueError if an option is wrong, and whatever a file object raises.
    """
    options = Options(format, file_name, None, None, None, settings, max_memory, max_record, 1)
    if not isinstance(to, (str, bytes, os.PathLike)):
        if not hasattr(to, "write"):
            refuse("to", "a path or a binary file object", to)
        return _salvage(source, to.write, options)
    path = os.fsencode(to)
    if isinstance(source, (str, os.PathLike)) and os.path.exists(path) and os.path.samefile(source, path):
        raise ValueError("to must be another file than source")
    temporary = path + b"." + os.urandom(4).hex().encode()
    try:
        with open(temporary, "xb") as file:
            salvaged = _salvage(source, file.write, options)
        if salvaged.is_written:
            os.replace(temporary, path)
        return salvaged
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)


def _salvage(source: Any, write: Write, options: Options) -> Salvaged:
    service = Service()
    service.write_by = functools.partial(_write_all, write)
    sink = _library.Sink(ctypes.sizeof(_library.Sink), service.number, WRITE)
    handle = ctypes.c_void_p()
    rest = (ctypes.byref(options.struct), ctypes.byref(sink), ctypes.byref(handle))
    if isinstance(source, (str, os.PathLike)):
        name = os.fsencode(source)
        if b"\0" in name:
            raise ValueError("source must not have a null byte: it is a path")
        call = functools.partial(_call, _library.salvage_file, name, *rest)
    else:
        data = _bytes_of(source)
        call = functools.partial(_call, _library.salvage_memory, data, len(data), *rest)
    try:
        service.run(call)
        salvaged = _result_of(handle)
    finally:
        _library.salvaged_free(handle)
    if salvaged.why is not None and salvaged.why.startswith(("cannot open", "is a directory")):
        open(source, "rb").close()  # raises what the matter is
    return salvaged


def _call(function: Callable[..., int], *arguments: Any) -> None:
    """Raises the error where it is made: each thread has an error of its own."""
    error = function(*arguments)
    if error:
        _library.fail(error)


def _bytes_of(source: Any) -> bytes:
    if isinstance(source, bytes):
        return source
    try:
        return bytes(memoryview(source))
    except TypeError:
        refuse("source", "a path or an object with a buffer", source)


def _write_all(write: Write, data: bytes) -> None:
    count = write(data)
    if isinstance(count, int) and count != len(data):
        raise OSError(f"write() took {count} of {len(data)} bytes")


def _result_of(handle: ctypes.c_void_p) -> Salvaged:
    summary = _library.SalvageSummary(ctypes.sizeof(_library.SalvageSummary))
    error = _library.salvaged_summary(handle, ctypes.byref(summary))
    if error:
        _library.fail(error)
    text = _library.text_or_none
    return Salvaged(
        verdict=_VERDICTS[summary.verdict],
        why=text(summary.why),
        format=text(summary.format),
        container=text(summary.container),
        size=summary.input_size,
        new_size=summary.new_size,
        records_kept=summary.records_kept,
        records_left_out=summary.records_left_out,
        changes=[_change_of(handle, index) for index in range(summary.change_count)],
    )


def _change_of(handle: ctypes.c_void_p, index: int) -> Change:
    struct = _library.Change(ctypes.sizeof(_library.Change))
    error = _library.salvaged_change(handle, index, ctypes.byref(struct))
    if error:
        _library.fail(error)
    return Change(
        kind=_KINDS[struct.kind],
        offset=struct.offset,
        length=struct.length,
        new_offset=struct.new_offset,
        records=struct.records,
        rule=_library.text_or_none(struct.rule),
        data=ctypes.string_at(struct.bytes, struct.byte_count) if struct.bytes else b"",
    )
