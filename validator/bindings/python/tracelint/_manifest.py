"""Lists of files to check: manifests, globs, and how they are split into tasks."""

import glob
import importlib
import os
import zlib
from typing import Any, BinaryIO, Dict, Iterable, Iterator, List, NamedTuple, Optional, Union

LONGEST_PATH = 4095
UNKNOWN_SIZE = 64 << 10
"""What a file of unknown size counts for when a batch is filled."""


class Entry(NamedTuple):
    """One file to check."""

    number: int
    """Its place in the list, from 1; empty lines of a manifest count."""
    path: str
    """A path, or a URL for fsspec."""
    size: Optional[int] = None
    """Bytes as stored. Another size of the file makes it unreadable."""
    etag: Optional[str] = None
    """What the object store calls this version of the file."""
    format: Optional[str] = None
    """The id of the format; None recognises it."""

    @property
    def is_remote(self) -> bool:
        return "://" in self.path

    def shard(self, count: int) -> int:
        """Which of `count` shards has the file, from 1."""
        return zlib.crc32(os.fsencode(self.path)) % count + 1


Files = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]", Entry]]]


def entry_of(line: bytes, number: int) -> Entry:
    """The entry of a line of a manifest: a path, or a path, size, etag and format with tabs between them."""
    fields = line.rsplit(b"\t", 3) if b"\t" in line else [line, b"", b"", b""]
    if len(fields) < 4:
        raise ValueError(f"entry {number} of the manifest has {len(fields) - 1} tabs; expected none or 3: "
                         "path, size, etag, format")
    if len(fields[0]) > LONGEST_PATH:
        raise ValueError(f"entry {number} of the manifest has a path of more than {LONGEST_PATH} bytes")
    path, size, etag, format = (os.fsdecode(field) for field in fields)
    if size and not (size.isascii() and size.isdigit() and int(size) < 2**64):
        raise ValueError(f"entry {number} of the manifest: {size!r} is no size in bytes")
    return Entry(number, path, int(size) if size else None, etag or None, format or None)


def read_manifest(file: BinaryIO, null: bool = False) -> Iterator[Entry]:
    """The entries of a manifest. Each ends with a newline, or, if `null`, with a zero byte."""
    for number, line in enumerate(_split(file) if null else file, 1):
        if not null:
            line = line[:-1] if line.endswith(b"\n") else line
            line = line[:-1] if line.endswith(b"\r") else line
        if line == b"-":
            raise ValueError(f"entry {number} of the manifest is -, which no file is; write ./-")
        if line:
            yield entry_of(line, number)


def _split(file: BinaryIO) -> Iterator[bytes]:
    """What ends with zero bytes, without them."""
    rest = b""
    while True:
        piece = file.read(1 << 20)
        if not piece:
            break
        *whole, rest = (rest + piece).split(b"\0")
        yield from whole
    if rest:
        yield rest


def fsspec() -> Any:
    """The module, which only URLs need."""
    return importlib.import_module("fsspec")


def opened(path: str, storage: Dict[str, Any]) -> Any:
    """A file or URL to read."""
    if "://" not in path:
        return open(path, "rb")
    return fsspec().open(path, "rb", **storage).open()


def _globbed(pattern: str, storage: Dict[str, Any]) -> List[str]:
    if "://" not in pattern:
        return sorted(path for path in glob.iglob(pattern, recursive=True) if not os.path.isdir(path))
    system, path = fsspec().core.url_to_fs(pattern, **storage)
    return sorted(system.unstrip_protocol(found) for found in system.glob(path))


class FileList:
    """Files to check, which can be listed more than once: tasks for the large ones are made in a pass of their own."""

    def __init__(self, files: Files, storage: Dict[str, Any], null: bool = False) -> None:
        self._storage = storage
        self._null = null
        self._manifest: Optional[str] = None
        self._entries: List[Union[str, Entry]] = []
        if isinstance(files, str) and glob.has_magic(files):
            self._entries += _globbed(files, storage)
        elif isinstance(files, (str, os.PathLike)):
            self._manifest = os.fspath(files)
        else:
            self._entries += [one if isinstance(one, Entry) else os.fspath(one) for one in files]

    def __iter__(self) -> Iterator[Entry]:
        if self._manifest is not None:
            with opened(self._manifest, self._storage) as file:
                yield from read_manifest(file, self._null)
            return
        for number, one in enumerate(self._entries, 1):
            yield one._replace(number=number) if isinstance(one, Entry) else Entry(number, one)


def large_first(files: Iterable[Entry], batch_bytes: int) -> List[Entry]:
    """Files that fill a batch alone, the largest first: who starts them last waits for them."""
    large = [entry for entry in files if entry.size is not None and entry.size >= batch_bytes]
    return sorted(large, key=lambda entry: (-(entry.size or 0), entry.number))


def batches(files: Iterable[Entry], batch_bytes: int, batch_files: int) -> Iterator[List[Entry]]:
    """The other files, in batches of so many bytes, and of so many files at most."""
    batch: List[Entry] = []
    filled = 0
    for entry in files:
        if entry.size is not None and entry.size >= batch_bytes:
            continue
        batch.append(entry)
        filled += UNKNOWN_SIZE if entry.size is None else entry.size
        if filled >= batch_bytes or len(batch) >= batch_files:
            yield batch
            batch, filled = [], 0
    if batch:
        yield batch


def parts(batch: List[Entry], count: int) -> List[List[Entry]]:
    """The batch in at most so many pieces of nearly one size."""
    step = -(-len(batch) // count)
    return [batch[at : at + step] for at in range(0, len(batch), step)]
