"""Readers of an input, and files that belong together."""

import json

import pytest
import tracelint
from conftest import BROKEN, CORPUS

PAIR = CORPUS / "siblings" / "real" / "c-writer"
RECORDING = PAIR / "perf.data"
DUMP = PAIR / "jit-4.dump"


def broken_recording():
    data = bytearray(RECORDING.read_bytes())
    data[0xA3] = 0x61  # use_clockid is 0
    return bytes(data)


def test_readers():
    report = tracelint.check(BROKEN, readers="perf")
    assert [reader["sentence"] for reader in report.to_dict()["readers"]] == [str(reader) for reader in report.readers]
    reader = report.readers[0]
    assert reader.name.startswith("perf") and reader.version in reader.sentence
    assert (reader.rule is None) == (reader.offset is None)
    assert tracelint.check(BROKEN, readers=["perf@6.1", "samply"]).readers != report.readers
    assert tracelint.check(BROKEN).readers == []
    assert tracelint.check(BROKEN, readers="llvm-xray").readers[0].outcome == "refuses"


COMPANIONS = {
    "bytes": lambda: {"jit-4.dump": DUMP.read_bytes()},
    "bytearray": lambda: {"jit-4.dump": bytearray(DUMP.read_bytes())},
    "memoryview": lambda: {"jit-4.dump": memoryview(DUMP.read_bytes())},
    "the file of this name": lambda: {str(DUMP): None},
}


@pytest.mark.parametrize("companions", COMPANIONS.values(), ids=COMPANIONS)
def test_companions(companions):
    given = companions()
    report = tracelint.check(broken_recording(), file_name="perf.data", companions=given)
    (name,) = given
    found = [finding for finding in report.findings if finding.rule == "siblings/clock-not-monotonic"]
    assert [(finding.offset, finding.related, finding.related_file) for finding in found] == [(0xA0, (32, 8), name)]
    assert all(finding.related_file is None for finding in report.findings if not finding.rule.startswith("siblings/"))
    (companion,) = report.companions
    assert companion.format == "jitdump" and companion.companions == []
    document = json.loads(report.document())
    assert [file["path"] for file in document["files"]] == ["perf.data", name]
    assert document["files"] == [report.to_dict(), json.loads(companion.json(name))]
    assert document["groups"][0]["with"] == "perf.data" and document["summary"]["files"] == 2
    del report
    assert companion.verdict == "clean" and companion.findings == []


def test_session_with_companions_and_readers():
    data = broken_recording()
    options = {"file_name": "perf.data", "companions": {"jit-4.dump": DUMP.read_bytes()}, "readers": "perf"}
    session = tracelint.Session(**options)
    for at in range(0, len(data), 1000):
        session.feed(data[at : at + 1000])
    assert session.finish().document() == tracelint.check(data, **options).document()


def test_on_finding_hears_of_both_files():
    reported = []
    report = tracelint.check(
        broken_recording(), companions={"jit-4.dump": DUMP.read_bytes()}, on_finding=reported.append, max_per_rule=None
    )
    assert sorted(reported) == sorted(report.findings)
    assert {finding.related_file for finding in reported if finding.related_file} == {"jit-4.dump"}


def test_wrong_options():
    for wrong in ({"readers": "no-reader"}, {"readers": ["perf@0.1"]}):
        with pytest.raises(ValueError, match="no-reader|perf@0.1"):
            tracelint.check(b"", **wrong)
    for wrong in ({"readers": 3}, {"companions": b"x"}, {"companions": {"a": "text"}}, {"companions": {3: b""}}):
        with pytest.raises(TypeError):
            tracelint.check(b"", **wrong)


def test_companion_that_is_missing():
    report = tracelint.check(RECORDING, companions={"/nowhere/jit-4.dump": None})
    assert report.failure is None
    assert report.companions[0].verdict == "unreadable"
