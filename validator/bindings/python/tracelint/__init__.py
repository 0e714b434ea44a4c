"""Checks binary traces of XRay, jitdump, gperftools, perf and Mono's log profiler against their formats.

    import tracelint

    report = tracelint.check("perf.dump")
    for finding in report.findings:
        print(finding.offset, finding.severity, finding.message)

check() takes paths, bytes and file objects, Session takes pieces; rules() and explain() describe what is checked.
tracelint.pytest has assert_trace_ok() for the tests of programs that write traces.
"""

from ._check import check
from ._library import version as _version
from ._report import Finding, Reader, Report, Severity, Verdict
from ._rules import Rule, explain, rules
from ._session import Session

__version__ = _version()
__all__ = ["Finding", "Reader", "Report", "Rule", "Session", "Severity", "Verdict", "check", "explain", "rules"]
