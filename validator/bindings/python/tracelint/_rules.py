"""The catalogue of rules."""

import ctypes
import textwrap
from typing import List, NamedTuple, Optional

from . import _library
from ._options import encoded
from ._report import SEVERITIES, Severity


class Rule(NamedTuple):
    """What a format requires, and what a violation does. str() describes it for people."""

    id: str
    """"jitdump/bad-magic"; never given to another rule."""
    format: Optional[str]
    """The id of its format; None: about inputs and containers."""
    severity: Severity
    statement: str
    """What the format requires."""
    why: str
    """What a violation does to the tools that read the file."""
    spec: str
    """Headings of the specification."""
    since: str
    """The first version that has the rule."""
    status: str
    """"stable", "preview" or "deprecated"."""
    milder_severity: Optional[Severity]
    """The severity where `milder_when` holds; None: there is no such condition."""
    milder_when: Optional[str]
    """Reads on after "when"."""

    def __str__(self) -> str:
        severity: str = self.severity
        if self.milder_when is not None:
            severity += f"; {self.milder_severity} when {self.milder_when}"
        lines = [
            ("rule", self.statement),
            ("severity", severity),
            ("why", self.why),
            ("see", self.spec),
            ("since", self.since),
        ]
        wrapped = [
            textwrap.fill(text, 72, initial_indent=f"{name:<11}", subsequent_indent=" " * 11) for name, text in lines
        ]
        return "\n".join([self.id, "", *wrapped])


def _rule_of(struct: _library.Rule) -> Rule:
    text = _library.text
    has_milder = struct.milder_severity != 0
    return Rule(
        id=text(struct.id),
        format=_library.text_or_none(struct.format),
        severity=SEVERITIES[struct.severity - 1],
        statement=text(struct.statement),
        why=text(struct.why),
        spec=text(struct.spec),
        since=text(struct.since),
        status=text(struct.status),
        milder_severity=SEVERITIES[struct.milder_severity - 1] if has_milder else None,
        milder_when=_library.text_or_none(struct.milder_when),
    )


def rules() -> List[Rule]:
    """All rules: those about inputs and containers, then those of each format."""
    found = []
    struct = _library.Rule()
    struct.size = ctypes.sizeof(struct)
    for index in range(_library.rule_count()):
        error = _library.rule_at(index, ctypes.byref(struct))
        if error:
            _library.fail(error)
        found.append(_rule_of(struct))
    return found


def explain(id: str) -> Rule:
    """The rule of an id, such as that of a finding. Raises KeyError if no rule has the id."""
    struct = _library.Rule()
    struct.size = ctypes.sizeof(struct)
    error = _library.rule_find(encoded("id", id), ctypes.byref(struct))
    if error == _library.ERROR_NOT_FOUND:
        raise KeyError(id)
    if error:
        _library.fail(error)
    return _rule_of(struct)
