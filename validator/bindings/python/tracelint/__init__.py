"""Checks binary traces of runtimes and profilers against their formats: perf, jitdump, XRay, pprof, nettrace and others.

    import tracelint

    report = tracelint.check("perf.dump")
    for finding in report.findings:
        print(finding.offset, finding.severity, finding.message)

check() takes paths, bytes and file objects, Session takes pieces; rules() and explain() describe what is checked. salvage()
writes the part of a broken trace that can be trusted.
tracelint.pytest has assert_trace_ok() for the tests of programs that write traces.
"""

from ._check import check
from ._library import version as _version
from ._report import Finding, Reader, Report, Severity, Verdict
from ._rules import Rule, explain, rules
from ._salvage import Change, Salvaged, salvage
from ._session import Session

__version__ = _version()
__all__ = [
    "Change",
    "Finding",
    "Reader",
    "Report",
    "Rule",
    "Salvaged",
    "Session",
    "Severity",
    "Verdict",
    "check",
    "explain",
    "rules",
    "salvage",
]
