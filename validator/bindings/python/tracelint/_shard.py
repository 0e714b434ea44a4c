"""Shards of a manifest, and the task that checks one and writes its part."""

import contextlib
import hashlib
import itertools
import os
import pickle
import zlib
from typing import Any, BinaryIO, Dict, Iterator, List, NamedTuple, Set, Tuple

from . import _child
from ._batch import Order
from ._manifest import Entry, contradiction, read_manifest
from ._part import ATTEMPTS, PartSums, is_finished, placed, remove_leftovers

_LOST = "each worker that checked it was lost"


class Shard(NamedTuple):
    """What a task needs to know of its shard."""

    number: int
    of: int
    manifest: str
    """Its hash."""
    entries: int
    """Of all shards."""
    packed: bytes
    """Those of this one."""

    def unpack(self) -> List[Entry]:
        inflated = zlib.decompressobj()
        data = inflated.decompress(self.packed) + inflated.flush()
        entries, at = [], 0
        while at < len(data):
            length = int.from_bytes(data[at : at + 4], "little")
            entries += [Entry(*entry) for entry in pickle.loads(data[at + 4 : at + 4 + length])]
            at += 4 + length
        return entries


class _Packing:
    """Entries of a shard, compressed as they come: those of all shards would fill the client's memory."""

    def __init__(self) -> None:
        self._held: List[Tuple[Any, ...]] = []
        self._deflate = zlib.compressobj(1, zlib.DEFLATED, 12, 5)  # small, as there is one for each shard
        self._done: List[bytes] = []

    def add(self, entry: Entry) -> None:
        self._held.append(tuple(entry))
        if len(self._held) >= 256:
            self._pack()

    def _pack(self) -> None:
        data = pickle.dumps(self._held, 4)
        self._done.append(self._deflate.compress(len(data).to_bytes(4, "little") + data))
        self._held = []

    def finish(self) -> bytes:
        self._pack()
        return b"".join([*self._done, self._deflate.flush()])


class _Hashed:
    """A file of which it is known what was read."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.hash = hashlib.blake2b(digest_size=32)

    def read(self, size: int = -1) -> bytes:
        piece = self._file.read(size)
        self.hash.update(piece)
        return piece


def shards_of(manifest: BinaryIO, count: int, null: bool = False) -> List[Shard]:
    """All shards of a manifest. Reads it once."""
    hashed: Any = _Hashed(manifest)
    shards = [_Packing() for _ in range(count)]
    entries = 0
    for entry in itertools.chain.from_iterable(read_manifest(hashed, null)):
        entries += 1
        shards[entry.shard(count) - 1].add(entry)
    if entries == 0:
        raise ValueError("the manifest lists no file")
    hash = hashed.hash.hexdigest()
    return [Shard(number, count, hash, entries, shard.finish()) for number, shard in enumerate(shards, 1)]


def without_repeated(entries: List[Entry]) -> List[Entry]:
    """The first entry of each path. Another one must say the same."""
    first: Dict[str, Entry] = {}
    kept = []
    for entry in entries:
        before = first.setdefault(entry.path, entry)
        if before is entry:
            kept.append(entry)
        elif before[1:] != entry[1:]:
            raise contradiction(f"entry {entry.number} of the manifest")
    return kept


def _attempts(part: str, run: str) -> List[List[bytes]]:
    """Those of this run: the run, then the numbers of the files that were noted."""
    with contextlib.suppress(FileNotFoundError), open(part + ATTEMPTS, "rb") as file:
        return [line.split() for line in file.read().split(b"\n") if line.startswith(run.encode() + b" ")]
    return []


def _convicted(attempts: List[List[bytes]]) -> Set[int]:
    """The numbers of the files with which two attempts ended."""
    ends = [attempt[-1] for attempt in attempts if len(attempt) > 1]
    return {int(number) for number in ends if ends.count(number) >= 2}


def count_convicted(part: str, run: str) -> int:
    """How many files of a shard are not checked again in this run. A task, as only workers may see the folder."""
    return len(_convicted(_attempts(part, run)))


class Suspects:
    """Remembers next to a part which file was checked when a worker was lost, as that worker cannot say it.

    A task that was lost is run again. From the second attempt on, each file is noted before it is checked; one with which
    two attempts ended is not checked again. Attempts of other runs do not count: people end those.
    """

    def __init__(self, part: str, run: str) -> None:
        attempts = _attempts(part, run)
        self.is_repeated = bool(attempts)
        self.convicted = _convicted(attempts)
        self._file = open(part + ATTEMPTS, "ab", buffering=0)
        self._file.write(b"\n%s " % run.encode())

    def note(self, entry: Entry) -> None:
        """The file is checked next."""
        self._file.write(b"%d " % entry.number)

    def close(self) -> None:
        self._file.close()


def part_of(shard: Shard, left_out: int, options: Dict[str, Any]) -> Dict[str, Any]:
    """What a part is a part of, as its last line says it."""
    return {"manifest": shard.manifest, "entries": shard.entries, "left_out": left_out, "shard_count": shard.of,
            "shards": [shard.number], "options": options}


def check_shard(shard: Shard, path: str, order: Order, options: Dict[str, Any], seconds: float, run: str) -> bool:
    """Checks the files of a shard and puts its part in place. Returns False if the part was finished before."""
    listed = shard.unpack()
    entries = without_repeated(listed)
    part = part_of(shard, len(listed) - len(entries), options)
    is_written = not is_finished(path, part)
    if is_written:
        suspects = Suspects(path, run)
        try:
            _write_part(part, path, order._replace(entries=[tuple(entry) for entry in entries], as_lines=True, large=None,
                                                   careful=suspects.is_repeated), suspects, seconds)
        finally:
            suspects.close()
    remove_leftovers(path)  # also those of an attempt that was killed when the part was in place
    return is_written


def _write_part(part: Dict[str, Any], path: str, order: Order, suspects: Suspects, seconds: float) -> None:
    sums = PartSums()
    with placed(path) as file:
        for frame in _frames(order, suspects, seconds):
            file.write(frame.payload)
            sums.add(frame.sums)
        file.write(sums.last_line(part).encode())


def _frames(order: Order, suspects: Suspects, seconds: float) -> Iterator[_child.Frame]:
    begin = 0
    for at, entry in enumerate(order.entries):
        if entry[0] in suspects.convicted:
            yield from _child.carry_out(order._replace(entries=order.entries[begin:at]), seconds, suspects.note)
            yield from _child.carry_out(order._replace(entries=[entry], failure=_LOST), seconds)
            begin = at + 1
    yield from _child.carry_out(order._replace(entries=order.entries[begin:]), seconds, suspects.note)
