"""Checks of inputs that arrive in pieces."""

import atexit
import ctypes
import functools
import operator
import weakref
from types import TracebackType
from typing import Callable, Dict, Mapping, NoReturn, Optional, Type

from . import _library
from ._check import DEFAULT_PER_RULE, ReadableBuffer
from ._options import Companions, Options, Patterns, refuse
from ._report import Report
from ._service import OnFinding

_PIECE = 256 << 10  # bytes of a buffer that are copied at a time


class Session:
    """A check that is fed. The findings are those of the whole input, however it was split; only `size` may be None where
    the check ended before the input did.

        session = tracelint.Session()
        for piece in request:
            session.feed(piece)
        report = session.finish()

    Takes the options of check(). Memory is bounded as there: what was checked is not kept. A session that is dropped, or
    left as a context manager, before it is finished ends without a report. It is used by one thread at a time.

    on_finding is called by finish(), or, once more than 256 KiB were fed, by a thread of the session meanwhile. It may drop
    the session; what it calls of it raises RuntimeError. What it raises is raised by the next feed() or finish().
    """

    def __init__(
        self,
        *,
        format: Optional[str] = None,
        file_name: Optional[str] = None,
        select: Patterns = (),
        ignore: Patterns = (),
        severities: Optional[Mapping[str, str]] = None,
        settings: Optional[Mapping[str, str]] = None,
        max_memory: Optional[int] = None,
        max_record: Optional[int] = None,
        max_per_rule: Optional[int] = DEFAULT_PER_RULE,
        on_finding: Optional[OnFinding] = None,
        readers: Patterns = (),
        companions: Optional[Companions] = None,
        growing: bool = False,
    ) -> None:
        self._handle = ctypes.c_void_p()
        self._free = functools.partial(_library.session_free, self._handle)
        options = Options(
            format,
            file_name,
            select,
            ignore,
            severities,
            settings,
            max_memory,
            max_record,
            max_per_rule,
            on_finding,
            readers,
            companions,
            growing,
        )
        self._options = options  # the bytes of the companions are read by finish()
        self._service = options.service
        if self._service is not None:
            number = self._service.number
            _calling_back[number] = weakref.ref(self, functools.partial(_calling_back.pop, number))
        error = _library.session_open(ctypes.byref(options.struct), ctypes.byref(self._handle))
        if error:
            _library.fail(error)

    def feed(self, data: ReadableBuffer) -> bool:
        """Gives the next bytes: bytes or any object with a contiguous buffer. Returns False if no further byte can change
        the report, so that feeding may stop. Raises ValueError after finish() and close()."""
        self._require_open()
        if isinstance(data, bytes):
            return self._feed(data)
        try:
            buffer = memoryview(data)
        except TypeError:
            refuse("data", "bytes or an object with a buffer", data)
        with buffer as view:
            if not view.c_contiguous or view.nbytes == 0:
                return self._feed(view.tobytes())
            with view.cast("B") as flat:
                return all(self._feed(flat[at : at + _PIECE].tobytes()) for at in range(0, len(flat), _PIECE))

    def _feed(self, piece: bytes) -> bool:
        more = ctypes.c_int32()
        error = _library.session_feed(self._handle, piece, len(piece), ctypes.byref(more))
        if error:
            _library.fail(error)
        if self._service is not None:
            self._service.raise_kept()
        return bool(more.value)

    def finish(self) -> Report:
        """Says that the input ends here, and returns its report. Raises ValueError if it was called before."""
        self._require_open()
        finish = functools.partial(Report._of, _library.session_finish, self._handle)
        try:
            report = finish() if self._service is None else self._service.run(finish)
        except _library.InUse:
            raise
        except BaseException:
            self.close()
            raise
        self.close()
        return report

    def close(self) -> None:
        """Ends the check without a report, if it is not finished."""
        self._require_outside()
        self._free()
        self._handle.value = None

    def _require_outside(self) -> None:
        if self._service is not None and self._service.is_in_on_finding():
            raise RuntimeError("the session is in its on_finding, which can only drop it")

    def _require_open(self) -> None:
        self._require_outside()
        if not self._handle:
            raise ValueError("the session is finished or closed")

    def __enter__(self) -> "Session":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]
    ) -> None:
        self.close()

    # It runs no line of Python: what a signal handler raises there would be lost.
    __del__ = property(operator.attrgetter("_free"))
    _free: Callable[[], object] = bool

    # Of two objects with one handle, the first to go would end the other.
    def __reduce__(self) -> NoReturn:
        raise TypeError("a tracelint.Session can be neither copied nor pickled")


# Those whose thread may be about to call a function of the user, which is over when the interpreter ends.
_calling_back: "Dict[int, weakref.ref[Session]]" = {}


@atexit.register
def _close_sessions() -> None:
    for of_session in list(_calling_back.values()):
        session = of_session()
        if session is not None:
            session.close()
