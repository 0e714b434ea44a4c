"""Session: the same report for every splitting, and what is misuse."""

import array
import copy
import subprocess
import sys
import threading

import pytest
import tracelint
from conftest import BROKEN, HEALTHY


@pytest.mark.parametrize("size", [1, 7, 1000, 10**6])
def test_pieces_have_the_report_of_the_whole(size, broken):
    session = tracelint.Session()
    for at in range(0, len(broken), size):
        assert session.feed(memoryview(broken)[at : at + size])
    assert session.finish().json() == tracelint.check(broken).json()


def test_a_large_input_is_checked_while_it_is_fed():
    whole = BROKEN.read_bytes() + bytes(2_000_000)
    session = tracelint.Session(file_name="large.dump")
    for at in range(0, len(whole), 100_000):
        session.feed(whole[at : at + 100_000])
    report = session.finish()
    assert [one.offset for one in report.findings] == [one.offset for one in tracelint.check(whole).findings]
    assert report.to_dict()["path"] == "large.dump"


def test_feeding_may_stop_where_nothing_more_can_be_found():
    session = tracelint.Session()
    assert not all([session.feed(b"no trace " * 10_000) for _ in range(50)])
    assert session.finish().rules == {"input/unknown-format": 1}


def test_options(broken):
    session = tracelint.Session(select="jitdump/header-", max_per_rule=None)
    session.feed(broken)
    assert session.finish().counts == {"error": 1, "warning": 0, "note": 1}


def test_a_finished_session_refuses():
    session = tracelint.Session()
    session.finish()
    with pytest.raises(ValueError):
        session.feed(b"x")
    with pytest.raises(ValueError):
        session.finish()
    session.close()


@pytest.mark.parametrize("padding", [0, 300_000])
def test_a_function_is_called_for_each_finding(padding, broken):
    found, threads = [], set()

    def tell(finding):
        found.append(finding)
        threads.add(threading.get_ident())

    session = tracelint.Session(on_finding=tell)
    session.feed(broken + bytes(padding))
    report = session.finish()
    assert sorted(found) == sorted(report.findings)
    assert (threads == {threading.get_ident()}) == (padding == 0)


def test_what_the_function_raises_comes_through(broken):
    def fail(finding):
        raise KeyError(finding.rule)

    session = tracelint.Session(on_finding=fail)
    with pytest.raises(KeyError):
        session.feed(broken + bytes(300_000))  # or the next feed, as the thread gets there
        session.finish()
    session.close()


def test_a_session_with_a_function_may_be_left_when_the_interpreter_ends():
    program = (
        "import tracelint; session = tracelint.Session(on_finding=print)\n"
        f"session.feed(open({str(BROKEN)!r}, 'rb').read() + bytes(600_000))"
    )
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.DEVNULL)
    assert done.returncode == 0


@pytest.mark.parametrize("kind", [bytearray, memoryview, lambda data: array.array("B", data)])
def test_any_buffer_is_fed(kind, broken):
    whole = broken + bytes(600_000)
    session = tracelint.Session()
    session.feed(kind(whole))
    assert session.finish().findings == tracelint.check(whole).findings


def test_a_session_is_not_copied(broken):
    session = tracelint.Session()
    with pytest.raises(TypeError, match="copied"):
        copy.copy(session)
    session.feed(broken)
    assert session.finish().verdict == "error"


MEMORY = """
import resource, sys, tracelint
header = open(sys.argv[1], "rb").read()[:40]
record = (2).to_bytes(4, "little") + (1 << 20).to_bytes(4, "little") + bytes((1 << 20) - 8)
data = bytearray(header + 96 * record)
most = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
tracelint.check(b"")
before = most()
session = tracelint.Session(max_memory=8 << 20)
session.feed(data)
session.finish()
print(most() - before)
"""


def test_a_large_push_takes_no_memory_of_its_size():
    done = subprocess.run([sys.executable, "-c", MEMORY, str(HEALTHY)], stdout=subprocess.PIPE, check=True)
    assert int(done.stdout) < 16 << 10  # KiB: max_memory, the queue, the copied piece, and what a thread takes


def test_a_session_that_is_left_ends(broken):
    with tracelint.Session() as session:
        session.feed(broken + bytes(10**6))
    with pytest.raises(ValueError):
        session.finish()
    del session
