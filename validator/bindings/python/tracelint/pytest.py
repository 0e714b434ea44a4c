"""Tests of programs that write traces.

    from tracelint.pytest import assert_trace_ok

    def test_profile(tmp_path):
        write_profile(tmp_path / "out.prof")
        assert_trace_ok(tmp_path / "out.prof")

With the package installed, `assert_trace_ok` is also a fixture.
"""

import os
from typing import Callable, Literal, Mapping, Optional

import pytest

from ._check import DEFAULT_PER_RULE, Input, check
from ._options import Patterns
from ._rendered import rendered
from ._report import SEVERITIES, Report, Severity
from ._text import printable

SHOWN = 5  # findings in a message

__all__ = ["assert_trace_ok"]


def assert_trace_ok(
    source: Input,
    fail_on: Literal["note", "warning", "error"] = "warning",
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
) -> Report:
    """Asserts that a trace can be read and has no finding of the severity `fail_on` or a worse one. Takes what check()
    takes, and returns its report. The message shows the first findings with their offset, field and effect."""
    __tracebackhide__ = True
    if fail_on not in SEVERITIES:
        raise ValueError(f"unknown severity {fail_on!r}; expected note, warning or error")
    report = check(
        source,
        format=format,
        file_name=file_name,
        select=select,
        ignore=ignore,
        severities=severities,
        settings=settings,
        max_memory=max_memory,
        max_record=max_record,
        max_per_rule=max_per_rule,
    )
    problem = _problem(_name(source), report, fail_on)
    if problem:
        raise AssertionError(problem)
    return report


@pytest.fixture(name="assert_trace_ok")
def _assert_trace_ok_fixture() -> Callable[..., Report]:
    """The function assert_trace_ok(path, fail_on="warning", **options)."""
    return assert_trace_ok


def _name(source: Input) -> str:
    if isinstance(source, (str, os.PathLike)):
        return printable(os.fsdecode(source))
    return printable(str(getattr(source, "name", "the trace")))


def _problem(name: str, report: Report, fail_on: Severity) -> str:
    """What is wrong with the trace, in lines; empty if nothing is."""
    if report.failure is not None:
        return f"{name} cannot be checked: {printable(report.failure)}"
    if report.limit_hit:
        return f"{name} was not checked to its end: it needs more than max_memory or max_record"
    return rendered(name, report, fail_on, SHOWN) if report.at_least(fail_on) else ""
