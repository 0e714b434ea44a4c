"""A program of a user, for the type checker."""

import io
import pathlib
from typing import Optional

import tracelint
import tracelint.dask
from tracelint.pytest import assert_trace_ok


def worst(path: pathlib.Path) -> Optional[tracelint.Finding]:
    report: tracelint.Report = tracelint.check(path, severities={"jitdump/": "note"}, max_per_rule=None)
    errors = [finding for finding in report.findings if finding.severity == "error"]
    return errors[0] if errors else None


def fed(pieces: "list[bytes]") -> tracelint.Verdict:
    with tracelint.Session(select=["jitdump/"]) as session:
        for piece in pieces:
            session.feed(piece)
        return session.finish().verdict


def failures(manifest: pathlib.Path) -> "list[str]":
    with tracelint.dask.check(manifest, batch_files=100, storage_options={"anon": True}) as run:
        files: int = run.summary()["files"]
        found = [row.failure for row in run.rows() if row.failure is not None]
        assert len(found) <= files
    return found + tracelint.dask.check_shards(manifest, "out", 3)


def test_all() -> None:
    with open("a.dump", "rb") as file:
        size: Optional[int] = tracelint.check(file).size
    assert size == tracelint.check(io.BytesIO(b"")).size
    rule: tracelint.Rule = tracelint.explain("jitdump/bad-magic")
    assert rule in tracelint.rules()
    assert_trace_ok(pathlib.Path("a.dump"), fail_on="error")
