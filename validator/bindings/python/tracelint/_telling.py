"""Passes findings on to a function of the user while a check runs."""

import ctypes
from typing import Any, Callable, Optional

from . import _library
from ._report import Finding, finding_of

OnFinding = Callable[[Finding], object]


class Telling:
    """Calls the function, and keeps what it raises: nothing can pass through the library."""

    def __init__(self, on_finding: OnFinding) -> None:
        self._on_finding: Optional[OnFinding] = on_finding
        self._raised: Optional[BaseException] = None
        self.function = _library.ON_FINDING(self._tell)  # must live as long as the check

    def _tell(self, user: Any, finding: "ctypes._Pointer[_library.Finding]") -> None:
        if self._on_finding is None:
            return
        try:
            self._on_finding(finding_of(finding.contents))
        except BaseException as error:
            self._on_finding = None  # not again
            self._raised = error

    def raise_kept(self) -> None:
        """Raises what the function raised, once."""
        error, self._raised = self._raised, None
        if error is not None:
            raise error
