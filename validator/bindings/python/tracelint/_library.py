"""The shared library, as its header tracelint.h describes it."""

import ctypes
import os
import pathlib
from ctypes import POINTER, Structure, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import NoReturn, Optional, Type

ABI = 0
NAME = f"libtracelint_c.so.{ABI}"
UNKNOWN = 2**64 - 1
LAST_OFFSET = 2**63 - 1

OK = 0
ERROR_INVALID_OPTION = 3
ERROR_WRONG_ORDER = 5
ERROR_NOT_FOUND = 7
ERROR_OUT_OF_MEMORY = 8


class Choice(Structure):
    _fields_ = [("rules", c_char_p), ("severity", c_int32)]


class Setting(Structure):
    _fields_ = [("name", c_char_p), ("value", c_char_p)]


class Finding(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("rule", c_char_p),
        ("severity", c_int32),
        ("has_related", c_uint32),
        ("offset", c_uint64),
        ("length", c_uint64),
        ("field", c_char_p),
        ("message", c_char_p),
        ("help", c_char_p),
        ("related_offset", c_uint64),
        ("related_length", c_uint64),
        ("about_container", c_uint64),
        ("related_file", c_char_p),
    ]


class Companion(Structure):
    _fields_ = [("name", c_char_p), ("bytes", c_void_p), ("length", c_size_t)]


ON_FINDING = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Finding))


class Options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("format", c_char_p),
        ("file_name", c_char_p),
        ("select", POINTER(c_char_p)),
        ("select_count", c_size_t),
        ("ignore", POINTER(c_char_p)),
        ("ignore_count", c_size_t),
        ("severities", POINTER(Choice)),
        ("severity_count", c_size_t),
        ("settings", POINTER(Setting)),
        ("setting_count", c_size_t),
        ("max_memory", c_uint64),
        ("max_record", c_uint64),
        ("max_per_rule", c_uint64),
        ("on_finding", ON_FINDING),
        ("user", c_void_p),
        ("readers", POINTER(c_char_p)),
        ("reader_count", c_size_t),
        ("companions", POINTER(Companion)),
        ("companion_count", c_size_t),
        ("growing", c_int32),
    ]


READ = ctypes.CFUNCTYPE(c_int64, c_void_p, c_void_p, c_size_t)
SEEK = ctypes.CFUNCTYPE(c_int32, c_void_p, c_uint64)


class Source(Structure):
    _fields_ = [("size", c_size_t), ("user", c_void_p), ("read", READ), ("seek", SEEK), ("total", c_uint64)]


WRITE = ctypes.CFUNCTYPE(c_int32, c_void_p, c_void_p, c_size_t)


class Sink(Structure):
    _fields_ = [("size", c_size_t), ("user", c_void_p), ("write", WRITE)]


class SalvageSummary(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("verdict", c_int32),
        ("format", c_char_p),
        ("container", c_char_p),
        ("why", c_char_p),
        ("input_size", c_uint64),
        ("new_size", c_uint64),
        ("records_kept", c_uint64),
        ("records_left_out", c_uint64),
        ("change_count", c_size_t),
    ]


class Change(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("kind", c_uint32),
        ("byte_count", c_uint32),
        ("offset", c_uint64),
        ("length", c_uint64),
        ("new_offset", c_uint64),
        ("records", c_uint64),
        ("rule", c_char_p),
        ("bytes", c_void_p),
    ]


class Summary(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("verdict", c_int32),
        ("limit_hit", c_int32),
        ("format", c_char_p),
        ("container", c_char_p),
        ("failure", c_char_p),
        ("input_size", c_uint64),
        ("format_version", c_uint64),
        ("byte_order", c_uint32),
        ("word_size", c_uint32),
        ("errors", c_uint64),
        ("warnings", c_uint64),
        ("notes", c_uint64),
        ("finding_count", c_size_t),
        ("statistic_count", c_size_t),
        ("rule_count", c_size_t),
        ("reader_count", c_size_t),
        ("companion_count", c_size_t),
    ]


class Count(Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("number", c_uint64)]


class Reader(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("version", c_char_p),
        ("outcome", c_char_p),
        ("evidence", c_char_p),
        ("rule", c_char_p),
        ("offset", c_uint64),
        ("unit", c_char_p),
        ("total", c_uint64),
        ("lost", c_uint64),
        ("sentence", c_char_p),
    ]


class Rule(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("id", c_char_p),
        ("format", c_char_p),
        ("statement", c_char_p),
        ("why", c_char_p),
        ("spec", c_char_p),
        ("since", c_char_p),
        ("status", c_char_p),
        ("severity", c_int32),
        ("milder_severity", c_int32),
        ("milder_when", c_char_p),
    ]


def _path() -> str:
    """The library that TRACELINT_LIBRARY names, else the one of the wheel, else the one that the system has."""
    named = os.environ.get("TRACELINT_LIBRARY")
    if named:
        return named
    own = pathlib.Path(__file__).with_name(NAME)
    return str(own) if own.exists() else NAME


def _load(kind: Type[ctypes.CDLL]) -> ctypes.CDLL:
    path = _path()
    try:
        return kind(path)
    except OSError as error:
        raise ImportError(
            f"tracelint's library cannot be loaded: {error}; install the wheel, which has it, or Debian's package of the "
            "library for C, or set TRACELINT_LIBRARY to its path"
        ) from None


# Checks give the interpreter's lock back while they run. Everything else is short and keeps it, which also keeps two
# threads from using one handle at a time.
_checks = _load(ctypes.CDLL)
_rest = _load(ctypes.PyDLL)


def _function(library: ctypes.CDLL, name: str, *arguments: object) -> "ctypes._NamedFuncPointer":
    function = getattr(library, "tracelint_" + name)
    function.argtypes = arguments
    function.restype = c_int32
    return function  # type: ignore[no-any-return]


_abi = _rest.tracelint_abi
_abi.restype = c_uint32
if _abi() != ABI:
    raise ImportError(f"{_path()} has ABI {_abi()}; this package needs {ABI}")

_version = _rest.tracelint_version
_version.restype = c_char_p
_error_string = _rest.tracelint_error_string
_error_string.argtypes = (c_int32,)
_error_string.restype = c_char_p
_error_detail = _rest.tracelint_error_detail
_error_detail.restype = c_char_p
rule_count = _rest.tracelint_rule_count
rule_count.restype = c_size_t

check_file = _function(_checks, "check_file", c_char_p, c_void_p, c_void_p)
check_memory = _function(_checks, "check_memory", c_void_p, c_size_t, c_void_p, c_void_p)
check_callback = _function(_checks, "check_callback", c_void_p, c_void_p, c_void_p)
salvage_file = _function(_checks, "salvage_file", c_char_p, c_void_p, c_void_p, c_void_p)
salvage_memory = _function(_checks, "salvage_memory", c_void_p, c_size_t, c_void_p, c_void_p, c_void_p)
session_open = _function(_checks, "session_open", c_void_p, c_void_p)
session_feed = _function(_checks, "session_feed", c_void_p, c_void_p, c_size_t, c_void_p)
session_finish = _function(_checks, "session_finish", c_void_p, c_void_p)
session_free = _function(_checks, "session_free", c_void_p)
report_summary = _function(_rest, "report_summary", c_void_p, c_void_p)
report_finding = _function(_rest, "report_finding", c_void_p, c_size_t, c_void_p)
report_statistic = _function(_rest, "report_statistic", c_void_p, c_size_t, c_void_p)
report_rule = _function(_rest, "report_rule", c_void_p, c_size_t, c_void_p)
report_json = _function(_rest, "report_json", c_void_p, c_char_p, c_void_p, c_void_p)
report_reader = _function(_rest, "report_reader", c_void_p, c_size_t, c_void_p)
report_companion = _function(_rest, "report_companion", c_void_p, c_size_t, c_void_p)
report_document = _function(_rest, "report_document", c_void_p, c_char_p, c_void_p, c_void_p)
report_html = _function(_checks, "report_html", c_void_p, c_void_p, c_size_t, c_void_p, c_void_p)
report_free = _function(_rest, "report_free", c_void_p)
salvaged_summary = _function(_rest, "salvaged_summary", c_void_p, c_void_p)
salvaged_change = _function(_rest, "salvaged_change", c_void_p, c_size_t, c_void_p)
salvaged_free = _function(_rest, "salvaged_free", c_void_p)
rule_at = _function(_rest, "rule_at", c_size_t, c_void_p)
rule_find = _function(_rest, "rule_find", c_char_p, c_void_p)


def encoded(name: str, text: str) -> bytes:
    """The text of an argument for C, where a zero byte would end it."""
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a str, not {type(text).__name__}")
    if "\0" in text:
        raise ValueError(f"{name} must not have a null character")
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise ValueError(f"{name} must not have a lone surrogate that stands for no byte") from None


def version() -> str:
    return text(_version())


def text(value: Optional[bytes]) -> str:
    """A string of the library that is never null."""
    return (value or b"").decode("utf-8", "replace")


def text_or_none(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else text(value)


class InUse(RuntimeError):
    """A call for a session that is in the middle of another one."""


def fail(error: int) -> NoReturn:
    """Raises what an error of the library is in Python."""
    message = text(_error_string(error))
    detail = text(_error_detail())
    if error == ERROR_OUT_OF_MEMORY:
        raise MemoryError
    if error == ERROR_INVALID_OPTION:
        raise ValueError(detail or message)
    if error == ERROR_WRONG_ORDER:
        raise InUse(f"{message}: {detail}") if detail else ValueError(message)
    raise RuntimeError(f"{message}: {detail}" if detail else message)
