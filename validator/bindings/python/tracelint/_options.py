"""Options of a check, as the library takes them."""

import ctypes
from typing import Any, Iterable, List, Mapping, Optional, Union

from . import _library
from ._library import encoded as encoded
from ._telling import OnFinding, Telling

Patterns = Union[str, Iterable[str]]

_SEVERITIES = {"note": 1, "warning": 2, "error": 3, "off": 4}


def _number(name: str, value: Optional[int]) -> int:
    if value is None:
        return 0
    if not 0 < value <= _library.UNKNOWN:
        raise ValueError(f"{name} must be positive")
    return value


def _texts(patterns: Patterns) -> List[bytes]:
    return [encoded(one) for one in ([patterns] if isinstance(patterns, str) else patterns)]


class Options:
    """Holds the struct, and alive what it points to."""

    def __init__(
        self,
        format: Optional[str],
        file_name: Optional[str],
        select: Patterns,
        ignore: Patterns,
        severities: Optional[Mapping[str, str]],
        settings: Optional[Mapping[str, str]],
        max_memory: Optional[int],
        max_record: Optional[int],
        max_per_rule: Optional[int],
        on_finding: Optional[OnFinding] = None,
    ) -> None:
        if format == "":
            raise ValueError("format must not be empty")
        struct = _library.Options()
        struct.size = ctypes.sizeof(struct)
        struct.format = None if format is None else encoded(format)
        struct.file_name = None if file_name is None else encoded(file_name)
        self._set_list(struct, "select", "select_count", ctypes.c_char_p, _texts(select))
        self._set_list(struct, "ignore", "ignore_count", ctypes.c_char_p, _texts(ignore))
        choices = [_library.Choice(encoded(rules), self._severity(word)) for rules, word in (severities or {}).items()]
        self._set_list(struct, "severities", "severity_count", _library.Choice, choices)
        chosen = [_library.Setting(encoded(name), encoded(value)) for name, value in (settings or {}).items()]
        self._set_list(struct, "settings", "setting_count", _library.Setting, chosen)
        struct.max_memory = _number("max_memory", max_memory)
        struct.max_record = _number("max_record", max_record)
        struct.max_per_rule = _library.UNKNOWN if max_per_rule is None else _number("max_per_rule", max_per_rule)
        self.telling = None if on_finding is None else Telling(on_finding)
        if self.telling is not None:
            struct.on_finding = self.telling.function
        self.struct = struct

    @staticmethod
    def _severity(word: str) -> int:
        if word not in _SEVERITIES:
            raise ValueError(f"unknown severity {word!r}; expected note, warning, error or off")
        return _SEVERITIES[word]

    @staticmethod
    def _set_list(struct: _library.Options, name: str, count: str, of: Any, elements: List[Any]) -> None:
        if elements:
            setattr(struct, name, (of * len(elements))(*elements))
            setattr(struct, count, len(elements))
