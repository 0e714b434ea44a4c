"""Options of a check, as the library takes them."""

import collections.abc
import ctypes
import operator
from typing import Any, Iterable, List, Mapping, NoReturn, Optional, Tuple, Union

from . import _library
from ._library import encoded as encoded
from ._service import FOUND, OnFinding, Service

Patterns = Union[str, Iterable[str]]
# Names of files, each with its bytes; None: the file of this name.
Companions = Mapping[str, Any]

_SEVERITIES = {"note": 1, "warning": 2, "error": 3, "off": 4}


def refuse(name: str, expected: str, value: object) -> NoReturn:
    """Raises the TypeError for an argument."""
    raise TypeError(f"{name} must be {expected}, not {type(value).__name__}") from None


def _number(name: str, value: Optional[int]) -> int:
    if value is None:
        return 0
    if isinstance(value, bool):
        refuse(name, "an int or None", value)
    try:
        number = operator.index(value)
    except TypeError:
        refuse(name, "an int or None", value)
    if not 0 < number <= _library.UNKNOWN:
        raise ValueError(f"{name} must be from 1 to {_library.UNKNOWN}, not {number}")
    return number


def pattern_list(name: str, patterns: Optional[Patterns]) -> List[str]:
    """The patterns of select or ignore, or the words of readers, each a str. Takes None as none."""
    if patterns is None:
        return []
    if isinstance(patterns, str):
        return [patterns]
    expected = "a str or an iterable of str"
    if isinstance(patterns, (bytes, bytearray, memoryview)):
        refuse(name, expected, patterns)
    try:
        listed = list(patterns)
    except TypeError:
        refuse(name, expected, patterns)
    for one in listed:
        if not isinstance(one, str):
            raise TypeError(f"{name} must be {expected}; it has a {type(one).__name__}")
    return listed


def text_pairs(name: str, value: Optional[Mapping[str, str]]) -> List[Tuple[str, str]]:
    """The items of severities or settings, each of two str."""
    if value is None:
        return []
    expected = "a mapping of str to str"
    if not isinstance(value, collections.abc.Mapping):
        refuse(name, expected, value)
    pairs = list(value.items())
    for pair in pairs:
        for one in pair:
            if not isinstance(one, str):
                raise TypeError(f"{name} must be {expected}; it has a {type(one).__name__}")
    return pairs


def _companion(name: str, content: Any, kept: List[Any]) -> _library.Companion:
    """A companion, which points to what is added to `kept`."""
    companion = _library.Companion(encoded("companions", name))
    if content is None:
        return companion
    if not isinstance(content, bytes):
        try:
            content = bytes(memoryview(content))
        except TypeError:
            raise TypeError(
                f"companions must have bytes, an object with a buffer or None; it has a {type(content).__name__}"
            ) from None
    buffer = ctypes.c_char_p(content)
    kept.append((content, buffer))
    companion.bytes = ctypes.cast(buffer, ctypes.c_void_p)
    companion.length = len(content)
    return companion


def _companions(value: Optional[Companions], kept: List[Any]) -> List[_library.Companion]:
    if value is None:
        return []
    if not isinstance(value, collections.abc.Mapping):
        refuse("companions", "a mapping of names to bytes, buffers or None", value)
    return [_companion(name, content, kept) for name, content in value.items()]


class Options:
    """Holds the struct, and alive what it points to."""

    def __init__(
        self,
        format: Optional[str],
        file_name: Optional[str],
        select: Optional[Patterns],
        ignore: Optional[Patterns],
        severities: Optional[Mapping[str, str]],
        settings: Optional[Mapping[str, str]],
        max_memory: Optional[int],
        max_record: Optional[int],
        max_per_rule: Optional[int],
        on_finding: Optional[OnFinding] = None,
        readers: Optional[Patterns] = None,
        companions: Optional[Companions] = None,
        growing: bool = False,
    ) -> None:
        if format == "":
            raise ValueError("format must not be empty")
        struct = _library.Options()
        struct.size = ctypes.sizeof(struct)
        struct.format = None if format is None else encoded("format", format)
        struct.file_name = None if file_name is None else encoded("file_name", file_name)
        for name, patterns in (("select", select), ("ignore", ignore)):
            texts = [encoded(name, one) for one in pattern_list(name, patterns)]
            self._set_list(struct, name, name + "_count", ctypes.c_char_p, texts)
        choices = [
            _library.Choice(encoded("severities", rules), self._severity(word))
            for rules, word in text_pairs("severities", severities)
        ]
        self._set_list(struct, "severities", "severity_count", _library.Choice, choices)
        chosen = [
            _library.Setting(encoded("settings", name), encoded("settings", value))
            for name, value in text_pairs("settings", settings)
        ]
        self._set_list(struct, "settings", "setting_count", _library.Setting, chosen)
        struct.max_memory = _number("max_memory", max_memory)
        struct.max_record = _number("max_record", max_record)
        struct.max_per_rule = _library.UNKNOWN if max_per_rule is None else _number("max_per_rule", max_per_rule)
        words = [encoded("readers", one) for one in pattern_list("readers", readers)]
        self._set_list(struct, "readers", "reader_count", ctypes.c_char_p, words)
        self._kept: List[Any] = []
        given = _companions(companions, self._kept)
        self._set_list(struct, "companions", "companion_count", _library.Companion, given)
        if not isinstance(growing, bool):
            refuse("growing", "True or False", growing)
        struct.growing = growing
        self.service = None
        if on_finding is not None:
            if not callable(on_finding):
                refuse("on_finding", "a function or None", on_finding)
            self.service = Service(on_finding)
            struct.on_finding = FOUND
            struct.user = self.service.number
        self.struct = struct

    @staticmethod
    def _severity(word: str) -> int:
        if word not in _SEVERITIES:
            raise ValueError(f"severities: unknown severity {word!r}; expected note, warning, error or off")
        return _SEVERITIES[word]

    @staticmethod
    def _set_list(struct: _library.Options, name: str, count: str, of: Any, elements: List[Any]) -> None:
        if elements:
            setattr(struct, name, (of * len(elements))(*elements))
            setattr(struct, count, len(elements))
