"""Checks of inputs that arrive in pieces."""

import ctypes
from types import TracebackType
from typing import Any, Mapping, Optional, Type

from . import _library
from ._check import DEFAULT_PER_RULE
from ._options import Options, Patterns
from ._report import Report


class Session:
    """A check that is fed. The report is that of the whole input, however it was split.

        session = tracelint.Session()
        for piece in request:
            session.feed(piece)
        report = session.finish()

    Takes the options of check(). Memory is bounded as there: what was checked is not kept. A session that is dropped, or
    left as a context manager, before it is finished ends without a report. It is used by one thread at a time.
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
    ) -> None:
        self._handle = ctypes.c_void_p()
        options = Options(
            format, file_name, select, ignore, severities, settings, max_memory, max_record, max_per_rule
        )
        error = _library.session_open(ctypes.byref(options.struct), ctypes.byref(self._handle))
        if error:
            _library.fail(error)

    def feed(self, data: Any) -> bool:
        """Gives the next bytes: bytes or any object with a contiguous buffer. Returns False if no further byte can change
        the report, so that feeding may stop. Raises ValueError after finish() and close()."""
        self._require_open()
        piece = data if isinstance(data, bytes) else memoryview(data).tobytes()
        more = ctypes.c_int32()
        error = _library.session_feed(self._handle, piece, len(piece), ctypes.byref(more))
        if error:
            _library.fail(error)
        return bool(more.value)

    def finish(self) -> Report:
        """Says that the input ends here, and returns its report. Raises ValueError if it was called before."""
        self._require_open()
        handle = ctypes.c_void_p()
        error = _library.session_finish(self._handle, ctypes.byref(handle))
        self.close()
        if error:
            _library.fail(error)
        return Report(handle)

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
