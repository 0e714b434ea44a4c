"""Gives the shards of a manifest to the workers of a Dask cluster."""

import itertools
import queue
import sys
from typing import Any, Dict, Iterator, List, Optional, Tuple

from ._flight import UNFINISHED, Flight, cancel, is_of_lost_workers
from ._shard import check_shard, count_convicted

Task = Tuple[Any, ...]
"""The arguments of check_shard()."""


class ShardRun:
    """All shards, each of which is a task."""

    def __init__(self, client: Any, tasks: Iterator[Task], count: int, in_flight: Optional[int], progress: bool) -> None:
        self._client = client
        self._tasks = tasks
        self._count = count
        self._flight = Flight(client, in_flight)
        self._progress = progress
        self._flying: Dict[Any, Task] = {}
        self._landed: "queue.Queue[Any]" = queue.Queue()
        self._suspects: List[Task] = []
        self._paths: List[str] = []

    def paths(self) -> List[str]:
        """Checks them. Returns the parts, by number."""
        suspects: List[Task] = []
        try:
            self._give_out_more()
            while self._flying:
                task, error = self._take_one()
                if error is not None:
                    suspects.append(task)
                self._give_out_more()
            for task in suspects:
                self._run_alone(task)
        finally:
            cancel(self._client, list(self._flying))
        return sorted(self._paths, key=lambda path: (len(path), path))

    def _give_out_more(self) -> None:
        for task in itertools.islice(self._tasks, max(0, self._flight.most() - len(self._flying))):
            self._give_out(task)

    def _give_out(self, task: Task) -> None:
        future = self._client.submit(check_shard, *task, pure=False, retries=task[2].retries)
        self._flying[future] = task
        future.add_done_callback(self._landed.put)

    def _take_one(self) -> Tuple[Task, Optional[BaseException]]:
        """Waits for a task. With it comes what the scheduler says if each worker that had it was lost."""
        future = self._landed_one()
        while future.status in UNFINISHED:  # a worker was lost with the result; the task runs again
            future.add_done_callback(self._landed.put)
            future = self._landed_one()
        task = self._flying.pop(future)
        if future.status == "finished":
            self._paths.append(task[1])
            if self._progress:
                print(f"tracelint: {len(self._paths)} of {self._count} shards", file=sys.stderr, flush=True)
            return task, None
        if future.status != "error":
            raise ConnectionError("the scheduler lost a task; was it restarted?")
        error = future.exception()
        if not is_of_lost_workers(error):
            raise error
        return task, error

    def _landed_one(self) -> Any:
        while True:
            try:
                return self._landed.get(timeout=0.5)
            except queue.Empty:
                if self._client.status in ("closed", "closing"):
                    raise ConnectionError("the client was closed") from None

    def _run_alone(self, task: Task) -> None:
        """Runs a shard again, so that no other one ends its workers, as long as more of its files are found to do so."""
        while True:
            convicted = self._count_convicted(task)
            self._give_out(task)
            _, error = self._take_one()
            if error is None:
                return
            if self._count_convicted(task) <= convicted:
                raise error

    def _count_convicted(self, task: Task) -> int:
        _, path, *_, run = task
        return int(self._client.submit(count_convicted, path, run, pure=False).result())
