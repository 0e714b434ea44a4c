"""Sessions that their own on_finding uses or drops, and those that the garbage collector ends on a session's own thread."""

import subprocess
import sys
import threading

import pytest
import tracelint
from conftest import BROKEN

# On_finding is called by finish() for the first, and by a thread of the session for the second.
SMALL = BROKEN.read_bytes()
LARGE = SMALL + bytes(300_000)

CALLS = {
    "feed": lambda session: session.feed(b"x"),
    "feed much": lambda session: session.feed(bytes(10**6)),
    "feed a buffer": lambda session: session.feed(bytearray(10)),
    "finish": lambda session: session.finish(),
    "close": lambda session: session.close(),
    "leave": lambda session: session.__exit__(None, None, None),
}


@pytest.mark.parametrize("data", [SMALL, LARGE], ids=["small", "large"])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_each_call_of_on_finding_is_an_error(call, data):
    errors = []

    def use(finding):
        try:
            call(session)
        except Exception as error:
            errors.append(error)

    session = tracelint.Session(on_finding=use)
    session.feed(data)
    report = session.finish()
    assert report.json() == tracelint.check(data).json() or data is LARGE
    assert report.findings == tracelint.check(data).findings
    assert len(errors) >= 8
    assert {(type(error), str(error)) for error in errors} == {
        (RuntimeError, "the session is in its on_finding, which can only drop it")
    }


@pytest.mark.parametrize("data", [SMALL, LARGE], ids=["small", "large"])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_the_error_of_such_a_call_comes_through(call, data):
    session = tracelint.Session(on_finding=lambda finding: call(session))
    with pytest.raises(RuntimeError, match="its on_finding"):
        session.feed(data)  # or later, as the thread gets there
        session.finish()
    session.close()


def test_a_session_that_another_thread_finishes_refuses():
    entered, may_leave = threading.Event(), threading.Event()
    reports, errors = [], []

    def wait(finding):
        entered.set()
        may_leave.wait()

    session = tracelint.Session(on_finding=wait)
    session.feed(SMALL)
    thread = threading.Thread(target=lambda: reports.append(session.finish()))
    thread.start()
    entered.wait()
    for call in (lambda: session.feed(b"x"), lambda: session.finish()):
        with pytest.raises((RuntimeError, ValueError), match="in use"):
            call()
    may_leave.set()
    thread.join()
    assert reports[0].findings == tracelint.check(SMALL).findings
    with pytest.raises(ValueError, match="finished or closed"):
        session.finish()


# Each ends a process if it goes wrong, so it has one of its own. `found` is on_finding, on the session's thread, which waits
# until nobody else holds the session.
PROGRAM = """
import gc, sys, threading, time, weakref, tracelint
from tracelint import _service
large = open(sys.argv[1], "rb").read() + bytes(300_000)
dropped, found_one = threading.Event(), threading.Event()
calls = []
def found(finding):
    dropped.wait()
    calls.append(finding)
    drop()
    found_one.set()
def feed(holder):
    holder.session = tracelint.Session(on_finding=found)
    holder.session.feed(large)
    return weakref.ref(holder.session)
class Upload: pass
"""
ENDS = {
    "a circle": "upload = Upload(); upload.me = upload; session = feed(upload); drop = gc.collect; gc.disable(); del upload",
    "a table": "uploads = {1: Upload()}; session = feed(uploads[1]); drop = uploads.clear",
    "an exception that is kept": """
class Kept(Exception): pass
def fail():
    kept = Kept()
    kept.session = tracelint.Session(on_finding=found); kept.session.feed(large)
    try: raise kept
    except Kept as error: kept.error = error
    return weakref.ref(kept.session)
session = fail(); drop = gc.collect; gc.disable()
""",
}
LAST = """
dropped.set()
found_one.wait()
assert session() is None and len(calls) == 1, calls
"""


WAIT = """
for _ in range(1000):
    if not _service._callbacks: break
    time.sleep(0.01)
assert len(calls) == 1 and not _service._callbacks and not _service._services
"""


@pytest.mark.parametrize("at_exit", [False, True], ids=["", "the interpreter ends at once"])
@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_a_session_that_ends_on_its_own_thread(end, at_exit):
    more = "" if at_exit else WAIT
    done = subprocess.run([sys.executable, "-c", PROGRAM + end + LAST + more + "print('alive')", str(BROKEN)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "alive\n", "")


def test_an_interpreter_that_ends_waits_for_a_function_whose_session_is_gone():
    program = PROGRAM + """
uploads = {1: Upload()}; feed(uploads[1])
def drop():
    uploads.clear()
    found_one.set()
    time.sleep(0.2)
    print("told")
dropped.set()
found_one.wait()
"""
    done = subprocess.run([sys.executable, "-c", program, str(BROKEN)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True)  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "told\n", "")
