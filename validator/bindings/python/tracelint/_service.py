"""Calls of the library that call back: for findings, and for the bytes of a file object.

An exception in a function that C calls is lost, together with the function's result. A wrapper could catch most of them, but
not one that a signal handler raises, such as KeyboardInterrupt: it may come before the wrapper's first line or after its last.
Signal handlers only run on the main thread. So the library is called on a thread of its own, which forwards each request to
the thread that waits for the result. That thread runs the caller's function, and exceptions reach the caller.
"""

import _thread
import atexit
import ctypes
import functools
import itertools
import os
import queue
import time
import weakref
from typing import Any, Callable, Dict, Optional, Set, Tuple, TypeVar

from . import _library
from ._report import Finding, finding_of

OnFinding = Callable[[Finding], object]
Read = Callable[[int, int, Optional[int]], int]
"""read(address, size, offset): reads up to `size` bytes to `address` and returns how many. Without an offset, it continues
where the last read ended."""

Write = Callable[[bytes], object]

_Result = TypeVar("_Result")

_AHEAD = 100
"""Findings that may be queued for on_finding before the library waits."""
_WAIT = "the library waits until all before is done"
_END = "the call has ended"


class Service:
    """Serves one call of the library at a time, or the calls for a session."""

    def __init__(self, on_finding: Optional[OnFinding] = None) -> None:
        self._on_finding = on_finding
        self.read_by: Optional[Read] = None
        self.write_by: Optional[Write] = None
        self.may_read_on_any_thread = False
        """Whether the thread that calls the library may read by itself, which is faster: no line of the user runs."""
        self._is_over = False
        """Whether reading has to stop."""
        self._requests: "queue.SimpleQueue[Any]" = queue.SimpleQueue()
        """A Finding, the arguments of a read, bytes to be written, _WAIT or _END."""
        self._answers: "queue.SimpleQueue[Optional[int]]" = queue.SimpleQueue()
        """None ends the requests."""
        self._outcome: Optional[Tuple[Any, Optional[BaseException]]] = None
        self._is_running = False
        self._kept: Optional[BaseException] = None
        self._callback_thread: Optional[int] = None
        """The thread that is in on_finding."""
        # What follows belongs to the thread that calls the library.
        self._caller: Optional[int] = None
        self._sent = 0
        self._offset: Optional[int] = None
        self._is_given_up = False
        self.number = next(_numbers)
        """What the library passes on as `user`."""
        _services[self.number] = weakref.ref(self, functools.partial(_services.pop, self.number))

    def run(self, call: Callable[[], _Result]) -> _Result:
        """Calls the library on another thread, and returns its result or raises its error. If this thread is interrupted
        meanwhile, the library gets no further bytes, and the exception is raised when the call has ended."""
        if self._is_running:
            raise _library.InUse("the session is in use: another thread is finishing it")
        self._is_running = True
        is_started = False
        try:
            _thread.start_new_thread(self._carry_out, (call,))
            is_started = True
            while True:
                request = self._requests.get()
                if request is _END:
                    break
                self._serve(request)
        except BaseException:
            self._is_over = True
            self._answers.put(None)
            if self.is_in_on_finding():  # what was raised came before it was noted that it ended
                self._callback_thread = None
            while is_started and self._outcome is None:
                self._requests.get()
            raise
        result: _Result = self._result()
        return result

    def _result(self) -> Any:
        assert self._outcome is not None
        result, error = self._outcome
        self._outcome = None
        self._is_running = False
        self.raise_kept()
        try:
            if error is not None:
                raise error
        finally:
            del error  # else a circle with its traceback
        return result

    def raise_kept(self) -> None:
        """Raises what was raised on a thread of the library, once."""
        error, self._kept = self._kept, None
        try:
            if error is not None:
                raise error
        finally:
            del error

    def is_in_on_finding(self) -> bool:
        """Whether on_finding is what calls this."""
        return self._callback_thread == _thread.get_ident()

    def _serve(self, request: Any) -> None:
        if isinstance(request, Finding):
            self._call_on_finding(request)
        elif request is _WAIT:
            self._answers.put(0)
        elif isinstance(request, bytes):
            assert self.write_by is not None
            self.write_by(request)
            self._answers.put(0)
        else:
            assert self.read_by is not None
            self._answers.put(self.read_by(*request))

    def _call_on_finding(self, finding: Finding) -> None:
        assert self._on_finding is not None
        self._callback_thread = _thread.get_ident()
        try:
            self._on_finding(finding)
        finally:
            self._callback_thread = None

    # On the thread that calls the library.

    def _carry_out(self, call: Callable[[], Any]) -> None:
        self._caller = _thread.get_ident()
        result = error = None
        try:
            result = call()
        except BaseException as raised:
            error = raised
        self._outcome = (result, error)
        result = error = None  # else a circle with its traceback
        self._requests.put(_END)

    def found(self, struct: _library.Finding) -> None:
        """May also run on the thread of a session."""
        try:
            if _thread.get_ident() == self._caller:
                self._pass_on(finding_of(struct))
            else:
                self._call_here(struct)
        except BaseException as error:
            self._kept = error

    def _pass_on(self, finding: Finding) -> None:
        if self._is_given_up:
            return
        self._requests.put(finding)
        self._sent += 1
        if self._sent % _AHEAD == 0:
            self._request(_WAIT)

    def _request(self, what: Any) -> Optional[int]:
        if self._is_given_up:
            return None
        self._requests.put(what)
        answer = self._answers.get()
        self._is_given_up = answer is None
        return answer

    def read(self, to: int, size: int) -> int:
        try:
            if not self.may_read_on_any_thread:
                got = self._request((to, size, self._offset))
            elif self._is_over or self.read_by is None:
                return -1
            else:
                got = self.read_by(to, size, self._offset)
            self._offset = None
            return -1 if got is None else got
        except BaseException as error:
            self._kept = error
            return -1

    def write(self, at: int, size: int) -> int:
        try:
            return 0 if self._request(ctypes.string_at(at, size)) is None else 1
        except BaseException as error:
            self._kept = error
            return 0

    def seek(self, offset: int) -> int:
        """The next read does it."""
        self._offset = offset
        return 1

    def _call_here(self, struct: _library.Finding) -> None:
        if self._kept is not None or self._on_finding is None:
            return  # not again
        thread = _thread.get_ident()
        _callbacks.add(thread)
        try:
            self._call_on_finding(finding_of(struct))
        except BaseException:
            self._on_finding = None
            raise
        finally:
            _callbacks.discard(thread)


_numbers = itertools.count(1)
# How the functions below find their service. They live as long as this module: a function for each call would be part of a
# reference cycle that the garbage collector does not see, and might be freed while it runs. Entries are removed without
# running a line of Python, in which the exception of a signal handler would be lost.
_services: "Dict[int, weakref.ref[Service]]" = {}
_callbacks: Set[int] = set()
"""Threads of sessions that are in on_finding."""


def _service_of(user: int) -> Optional[Service]:
    of_service = _services.get(user)
    return None if of_service is None else of_service()


def _found(user: int, finding: Any) -> None:
    service = _service_of(user)
    if service is not None:
        service.found(finding.contents)


def _read(user: int, to: int, size: int) -> int:
    service = _service_of(user)
    return -1 if service is None else service.read(to, size)


def _seek(user: int, offset: int) -> int:
    service = _service_of(user)
    return 0 if service is None else service.seek(offset)


def _write(user: int, at: int, size: int) -> int:
    service = _service_of(user)
    return 0 if service is None else service.write(at, size)


FOUND = _library.ON_FINDING(_found)
READ = _library.READ(_read)
SEEK = _library.SEEK(_seek)
WRITE = _library.WRITE(_write)


os.register_at_fork(after_in_child=_callbacks.clear)


@atexit.register
def _wait_for_callbacks() -> None:
    """A thread that is still in on_finding when the interpreter ends would crash it. Sessions that still exist were closed
    before; the others were dropped by their own on_finding."""
    while _callbacks:
        time.sleep(0.001)
