"""What a signal handler raises reaches the caller of a check, wherever it is raised, and no report is a wrong one."""

import gc
import io
import os
import signal
import sys
import threading

import pytest
import tracelint
from conftest import BROKEN
from tracelint import _service

LARGE = BROKEN.read_bytes() + bytes(300_000)


class Interrupted(BaseException):
    pass


class Interrupter:
    """Has a signal handler raise at the n-th thing that the interpreter does in this thread while a call runs: a function that
    is entered or left, an instruction. The n-th of all `count`; None: at none."""

    def __init__(self, at):
        self.at = at
        self.count = 0

    def __call__(self, frame, event, argument):
        if "tracelint" not in frame.f_code.co_filename:
            return None
        frame.f_trace_opcodes = True
        if event == "line":  # an instruction follows; what is raised at a line is lost before CPython 3.10
            return self
        self.count += 1
        if self.count == self.at:
            signal.raise_signal(signal.SIGUSR1)
        return self

    def run(self, call):
        """What the call returns; None: it was interrupted."""
        sys.settrace(self)
        try:
            return call()
        except Interrupted:
            return None
        finally:
            sys.settrace(None)


@pytest.fixture(autouse=True)
def handler():
    def interrupt(number, frame):
        raise Interrupted

    before = signal.signal(signal.SIGUSR1, interrupt)
    yield
    signal.signal(signal.SIGUSR1, before)


class Pieces:
    """A file object with read() alone."""

    def __init__(self, data):
        self._inner = io.BytesIO(data)

    def read(self, size):
        return self._inner.read(min(size, 100_000))


class Into(io.RawIOBase):
    def __init__(self, data):
        self._inner = io.BytesIO(data)

    def readinto(self, to):
        return self._inner.readinto(to)


def of_session(data, found):
    with tracelint.Session(on_finding=found) as session:
        session.feed(data)
        return session.finish()


CALLS = {
    "read()": lambda found: tracelint.check(Pieces(LARGE)),
    "readinto()": lambda found: tracelint.check(Into(LARGE)),
    "a file that can be sought": lambda found: tracelint.check(io.BytesIO(LARGE)),
    "a small file": lambda found: tracelint.check(io.BytesIO(BROKEN.read_bytes())),
    "a read-only buffer": lambda found: tracelint.check(memoryview(LARGE)),
    "bytes": lambda found: tracelint.check(LARGE),
    "a path": lambda found: tracelint.check(BROKEN),
    "on_finding": lambda found: tracelint.check(BROKEN.read_bytes(), on_finding=found),
    "on_finding of a file object": lambda found: tracelint.check(Pieces(LARGE), on_finding=found),
    "on_finding of a session": lambda found: of_session(BROKEN.read_bytes(), found),
    "a session with a thread": lambda found: of_session(LARGE, None),
}


def threads():
    return len(os.listdir("/proc/self/task"))


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="Linux lists threads there")
@pytest.mark.parametrize("kind", CALLS)
def test_an_interrupt_anywhere(kind):
    """At every point where there are few, else at some 400, spread over all."""
    expected_found = []
    expected = CALLS[kind](expected_found.append).json(path="x")
    counted = Interrupter(None)
    assert counted.run(lambda: CALLS[kind]([].append)) is not None
    assert counted.count > 50
    before = threads()
    interrupted = 0
    for at in range(1, counted.count + 1, max(1, counted.count // 400)):
        found = []
        report = Interrupter(at).run(lambda: CALLS[kind](found.append))
        if report is None:
            interrupted += 1
            assert found == expected_found[: len(found)]
        else:
            # How often threads wait for each other is not the same in each run.
            assert at > counted.count * 0.8
            assert report.json(path="x") == expected
            assert found == expected_found
        del report
    assert interrupted > 40
    gc.collect()
    assert not _service._services
    for _ in range(1000):
        if threads() <= before:
            break
        threading.Event().wait(0.01)
    assert threads() <= before


def test_an_interrupt_while_the_check_waits(broken):
    """The file object has no bytes until the signal comes: it is what waits, as for a connection."""

    class BlockingFile:
        def read(self, size):
            signal.raise_signal(signal.SIGUSR1)
            raise AssertionError("not interrupted")

    with pytest.raises(Interrupted):
        tracelint.check(BlockingFile())


def test_an_interrupt_of_on_finding_comes_whole(broken):
    found = []

    def interrupted(finding):
        found.append(finding)
        signal.raise_signal(signal.SIGUSR1)

    for source in (broken, Pieces(LARGE), bytearray(broken), io.BytesIO(LARGE)):
        found.clear()
        with pytest.raises(Interrupted) as raised:
            tracelint.check(source, on_finding=interrupted)
        assert len(found) == 1
        assert [entry.name for entry in raised.traceback][-2:] == ["interrupted", "interrupt"]


def test_a_buffer_is_free_after_an_interrupt(broken):
    data = bytearray(broken)

    def interrupted(finding):
        signal.raise_signal(signal.SIGUSR1)

    with pytest.raises(Interrupted):
        tracelint.check(data, on_finding=interrupted)
    data += b"more"
