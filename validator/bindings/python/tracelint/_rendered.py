"""Reports as text for people: Report.text(), and the message of assert_trace_ok()."""

import textwrap
from typing import List, Optional

from ._report import SEVERITIES, Finding, Report, Severity
from ._text import printable

_WIDTH = 96


def rendered(name: str, report: Report, least: Severity = "note", most: Optional[int] = None) -> str:
    """A line that counts the findings from a severity on, then these, the worst first, and at most so many."""
    severities = tuple(reversed(SEVERITIES[SEVERITIES.index(least) :]))
    counts = ", ".join(_counted(report.counts[one], one) for one in severities if report.counts[one])
    lines = [f"{name} ({report.format or 'no known format'}): {counts or 'ok'}"]
    if report.failure is not None:
        lines.append(f"  not read to its end: {printable(report.failure)}")
    if report.limit_hit:
        lines.append("  not checked to its end: it needs more than max_memory or max_record")
    wanted = [one for one in report.findings if one.severity in severities]
    shown = sorted(wanted, key=lambda finding: severities.index(finding.severity))[:most]
    for finding in shown:
        lines += _described(finding)
    left = sum(report.counts[one] for one in severities) - len(shown)
    if left:
        lines.append(f"and {left} more")
    return "\n".join(lines)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _described(finding: Finding) -> List[str]:
    place = f"0x{finding.offset:x}" + (f", {finding.field}" if finding.field else "")
    sentence = f"{finding.severity}: {printable(finding.message)} [{finding.rule}]"
    return [
        f"  at {place}",
        textwrap.fill(sentence, _WIDTH, initial_indent="    ", subsequent_indent="      "),
        textwrap.fill(f"help: {finding.help}", _WIDTH, initial_indent="    ", subsequent_indent="      "),
    ]
