"""The tasks that a client has given to a scheduler."""

import math
import time
from typing import Any, List, Optional

from ._manifest import FileList

UNFINISHED = ("pending", "lost")
_ASK_AGAIN_SECONDS = 3
_SHARES = 2
"""A batch is this part of what is left for each thread of a worker: the last ones are small, so that all threads end
together."""
_FEWEST, _MOST, _MOST_URLS = 100, 5000, 1000
"""Files of a batch. More cost the scheduler less for each file; a URL takes longer."""


def is_of_lost_workers(error: Any) -> bool:
    """Whether the scheduler gave a task up, as each worker that had it was lost."""
    return type(error).__name__ == "KilledWorker"


class Flight:
    """How many tasks may wait or run at a time: enough that no worker waits for the client."""

    def __init__(self, client: Any, wanted: Optional[int]) -> None:
        if wanted is not None and wanted <= 0:
            raise ValueError("in_flight must be positive")
        self._client = client
        self._wanted = wanted
        self._known_threads = 0
        self._asked = -math.inf

    def _threads(self) -> int:
        now = time.monotonic()
        if now - self._asked > _ASK_AGAIN_SECONDS:  # workers come and go
            workers = self._client.scheduler_info()["workers"]
            self._known_threads = sum(worker["nthreads"] for worker in workers.values())
            self._asked = now
        return self._known_threads

    def batch_files(self, listed: FileList, before: int) -> int:
        """Of the batch that comes after so many files."""
        share = ((listed.files or 0) - before) // (_SHARES * max(1, self._threads()))
        return max(_FEWEST, min(share, _MOST_URLS if listed.has_urls else _MOST))

    def most(self) -> int:
        return self._wanted if self._wanted is not None else max(4, 3 * self._threads())


def cancel(client: Any, futures: List[Any]) -> None:
    try:
        client.cancel(futures)
    except Exception:
        pass  # what ended the run is told, not that the scheduler is gone
