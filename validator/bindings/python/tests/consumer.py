"""A program of a user, for the type checker."""

import array
import gzip
import io
import mmap
import pathlib
import socket
from typing import Optional

import tracelint
import tracelint.dask
from tracelint.pytest import assert_trace_ok


def worst(path: pathlib.Path) -> Optional[tracelint.Finding]:
    report: tracelint.Report = tracelint.check(path, severities={"jitdump/": "note"}, max_per_rule=None)
    errors = [finding for finding in report.findings if finding.severity == "error"]
    return errors[0] if errors else None


def in_company(recording: bytes, dump: bytes) -> "tuple[Optional[tracelint.Reader], list[tracelint.Report]]":
    report = tracelint.check(recording, companions={"jit-4.dump": dump, "perf-4.map": None}, readers=["perf", "samply"])
    related: Optional[str] = report.findings[0].related_file
    print(report.document(related), report.text(), report.html(), report.html(memoryview(recording)))
    return (report.readers[0] if report.readers else None), report.companions


def fed(pieces: "list[bytes]") -> tracelint.Verdict:
    with tracelint.Session(select=["jitdump/"]) as session:
        for piece in pieces:
            session.feed(piece)
        return session.finish().verdict


def every_input(path: pathlib.Path, connection: socket.socket) -> "list[tracelint.Report]":
    data = path.read_bytes()
    with open(path, "rb") as file, open(path, "rb", buffering=0) as raw, gzip.open(path) as packed:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        session = tracelint.Session(on_finding=lambda finding: print(finding.offset, finding.about_container))
        session.feed(mapped)
        session.feed(array.array("B", data))
        return [
            tracelint.check(str(path)),
            tracelint.check(data),
            tracelint.check(bytearray(data)),
            tracelint.check(memoryview(data)),
            tracelint.check(array.array("B", data)),
            tracelint.check(mapped),
            tracelint.check(file),
            tracelint.check(raw),
            tracelint.check(packed),
            tracelint.check(gzip.GzipFile(path)),
            tracelint.check(connection.makefile("rb")),
            tracelint.check(io.BytesIO(data), on_finding=found_one),
            session.finish(),
        ]


def found_one(finding: tracelint.Finding) -> None:
    print(finding)


def failures(manifest: pathlib.Path) -> "list[str]":
    with tracelint.dask.check(manifest, options=["--max-memory", "1G"], folder="out", storage_options={"anon": True}) as run:
        files: int = run.summary()["files"]
        found = [row.failure for row in run.rows() if row.failure is not None]
        assert len(found) <= files
    return found


def test_all() -> None:
    with open("a.dump", "rb") as file:
        size: Optional[int] = tracelint.check(file).size
    assert size == tracelint.check(io.BytesIO(b"")).size
    rule: tracelint.Rule = tracelint.explain("jitdump/bad-magic")
    assert rule in tracelint.rules()
    assert_trace_ok(pathlib.Path("a.dump"), fail_on="error", max_per_rule=3)


# What the type checker must reject: an ignored line without an error is one of its own.
def mistakes(report: tracelint.Report) -> None:
    assert_trace_ok("a.dump", max_per_rules=3)  # type: ignore[call-arg]
    tracelint.check(io.StringIO("text"))  # type: ignore[arg-type]
    tracelint.check(5)  # type: ignore[arg-type]
    tracelint.Session().feed("text")  # type: ignore[arg-type]
    report.json(path=5)  # type: ignore[arg-type]
