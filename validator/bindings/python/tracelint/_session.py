"""Checks of inputs that arrive in pieces."""

import atexit
import ctypes
import weakref
from types import TracebackType
from typing import Any, Mapping, NoReturn, Optional, Type

from . import _library
from ._check import DEFAULT_PER_RULE, ReadableBuffer
from ._options import Options, Patterns
from ._report import Report
from ._telling import OnFinding

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

    on_finding is called by finish(), or, once more than 256 KiB were fed, by a thread of the session meanwhile. It must
    not use the session. What it raises is raised by the next feed() or finish().
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
    ) -> None:
        self._handle = ctypes.c_void_p()
        options = Options(
            format, file_name, select, ignore, severities, settings, max_memory, max_record, max_per_rule, on_finding
        )
        self._telling = options.telling
        if self._telling is not None:
            _told.add(self)
        error = _library.session_open(ctypes.byref(options.struct), ctypes.byref(self._handle))
        if error:
            _library.fail(error)

    def feed(self, data: ReadableBuffer) -> bool:
        """Gives the next bytes: bytes or any object with a contiguous buffer. Returns False if no further byte can change
        the report, so that feeding may stop. Raises ValueError after finish() and close()."""
        self._require_open()
        if isinstance(data, bytes):
            return self._feed(data)
        with memoryview(data) as view:
            if not view.c_contiguous or view.nbytes == 0:
                return self._feed(view.tobytes())
            with view.cast("B") as flat:
                return all(self._feed(flat[at : at + _PIECE].tobytes()) for at in range(0, len(flat), _PIECE))

    def _feed(self, piece: bytes) -> bool:
        more = ctypes.c_int32()
        error = _library.session_feed(self._handle, piece, len(piece), ctypes.byref(more))
        if error:
            _library.fail(error)
        if self._telling is not None:
            self._telling.raise_kept()
        return bool(more.value)

    def finish(self) -> Report:
        """Says that the input ends here, and returns its report. Raises ValueError if it was called before."""
        self._require_open()
        handle = ctypes.c_void_p()
        error = _library.session_finish(self._handle, ctypes.byref(handle))
        self.close()
        if error:
            _library.fail(error)
        report = Report(handle)
        if self._telling is not None:
            self._telling.raise_kept()
        return report

    def close(self) -> None:
        """Ends the check without a report, if it is not finished."""
        handle, self._handle = self._handle, ctypes.c_void_p()
        _library.session_free(handle)

    def _require_open(self) -> None:
        if not self._handle:
            raise ValueError("the session is finished or closed")

    def __enter__(self) -> "Session":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]
    ) -> None:
        self.close()

    def __del__(self, free: Any = _library.session_free) -> None:
        free(self._handle)

    # Of two objects with one handle, the first to go would end the other.
    def __reduce__(self) -> NoReturn:
        raise TypeError("a tracelint.Session can be neither copied nor pickled")


# Those whose thread may be about to call a function of the user, which is over when the interpreter ends.
_told: "weakref.WeakSet[Session]" = weakref.WeakSet()


@atexit.register
def _close_told() -> None:
    for session in list(_told):
        session.close()
