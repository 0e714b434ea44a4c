"""The process that checks files for a thread of a worker. It is replaced when a file ends or hangs it."""

import json
import os
import pathlib
import pickle
import select
import signal
import subprocess
import sys
import threading
from typing import Any, Callable, Dict, Iterator, NamedTuple, Optional

from ._batch import Order
from ._manifest import Entry

_ROOT = str(pathlib.Path(__file__).resolve().parent.parent)
# The package may be where only this process finds it.
_PROGRAM = "import sys; sys.path.append(sys.argv[1]); from tracelint._batch import serve; serve(int(sys.argv[2]))"
_START_SECONDS = 120
_BYTES_A_SECOND = 10 << 20
"""What a slow disk or network still reads; a large file may take longer."""


class Frame(NamedTuple):
    """What became known of files, in their order."""

    done: int
    """How many of the order's files are finished by it."""
    payload: bytes
    """Elements of a JSON array, one for each file that was checked; or lines of a part."""
    large: Dict[int, int]
    """Files that were left, by number, and their size."""
    sums: Dict[str, Any]


class _Ended(Exception):
    """The process ended or was ended, and why."""

    def __init__(self, reason: str, hung: bool = False) -> None:
        super().__init__(reason)
        self.hung = hung


def _end_of(status: int) -> str:
    if status >= 0:
        return f"the check ended its process with status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return f"the check ended its process with {name}"


class Child:
    def __init__(self) -> None:
        command = [sys.executable, "-c", _PROGRAM, _ROOT, str(os.getpid())]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin is not None and self._process.stdout is not None
        self._orders = self._process.stdin
        self._answers = self._process.stdout.fileno()
        self._buffer = bytearray()
        try:
            line = self._line(_START_SECONDS)
        except _Ended as ended:
            self.stop()
            raise RuntimeError(f"the process that checks files does not start: {ended}") from None
        if line != b"ready":
            self.stop()
            raise RuntimeError(f"the process that checks files does not start: it says {line[:80]!r}")

    def carry_out(self, order: Order, seconds: float) -> Iterator[Frame]:
        """The frames of an order. Raises _Ended if the process ends, or says nothing for longer than a file may take."""
        try:
            pickle.dump(order, self._orders)
            self._orders.flush()
        except BrokenPipeError:
            raise self._ended() from None
        done = 0

        def allowance() -> float:
            """Further seconds for the slowest file that the next frame may hold."""
            return max(_size(Entry(*members)) for members in order.entries[done:]) / _BYTES_A_SECOND

        while done < len(order.entries):
            head = json.loads(self._line(seconds, allowance))
            if "error" in head:
                raise (ValueError if head["type"] == "ValueError" else RuntimeError)(head["error"])
            payload = self._take(head["length"], seconds)
            done += head["done"]
            yield Frame(head["done"], payload, dict(head["large"]), head["sums"])

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        self._orders.close()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _line(self, seconds: float, allowance: Callable[[], float] = lambda: 0) -> bytes:
        searched = 0
        while True:
            end = self._buffer.find(b"\n", searched)
            if end >= 0:
                line = bytes(self._buffer[:end])
                del self._buffer[: end + 1]
                return line
            searched = len(self._buffer)
            self._receive(seconds, allowance)

    def _take(self, length: int, seconds: float) -> bytes:
        while len(self._buffer) < length:
            self._receive(seconds, lambda: 0)
        taken = bytes(self._buffer[:length])
        del self._buffer[:length]
        return taken

    def _receive(self, seconds: float, allowance: Callable[[], float]) -> None:
        if not self._is_heard(seconds):
            more = allowance()
            if more <= 0 or not self._is_heard(more):
                raise _Ended(f"the check took longer than {seconds + more:.0f} s", hung=True)
        piece = os.read(self._answers, 1 << 16)
        if not piece:
            raise self._ended()
        self._buffer += piece

    def _is_heard(self, seconds: float) -> bool:
        poll = select.poll()
        poll.register(self._answers, select.POLLIN)
        return bool(poll.poll(seconds * 1000))

    def _ended(self) -> _Ended:
        return _Ended(_end_of(self._process.wait()))


def _size(entry: Entry) -> int:
    if entry.size is not None or entry.is_remote:
        return entry.size or 0
    try:
        return os.stat(entry.path).st_size
    except (OSError, ValueError):
        return 0


_mine = threading.local()


def _discard() -> None:
    child: Optional[Child] = getattr(_mine, "child", None)
    _mine.child = None
    if child is not None:
        child.stop()


def _frames(order: Order, seconds: float) -> Iterator[Frame]:
    """The frames of an order, from the process of this thread."""
    if getattr(_mine, "child", None) is None:
        _mine.child = Child()
    finished = False
    try:
        yield from _mine.child.carry_out(order, seconds)
        finished = True
    finally:
        if not finished:  # what the process still says would be taken for an answer to the next order
            _discard()


def carry_out(
    order: Order, seconds: float, before: Callable[[Entry], None] = lambda entry: None
) -> Iterator[Frame]:
    """The frames of all files. Those that end the process, or hang it for longer than `seconds`, have the verdict
    "unreadable". `before` is told each file of a careful order before its check begins. Raises what is no file's fault."""
    done = 0
    deaths = 0  # of the process in the file that comes next
    while done < len(order.entries):
        rest = order._replace(entries=order.entries[done : done + 1 if order.careful else None])
        try:
            if order.careful:
                before(Entry(*order.entries[done]))
            for frame in _frames(rest, seconds):
                done += frame.done
                deaths = 0
                yield frame
        except _Ended as ended:
            if not order.careful:
                order = order._replace(careful=True)  # what was held back is checked again, to know which file it is
                continue
            deaths += 1
            if deaths < 2 and not ended.hung:
                continue  # something else may have ended the process
            culprit = rest._replace(entries=[order.entries[done]], failure=str(ended))
            for frame in _frames(culprit, seconds):
                done += frame.done
                yield frame
            deaths = 0
