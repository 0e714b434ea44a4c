"""Lists of files to check: manifests, globs, and how they are split into tasks."""

import array
import collections
import glob
import importlib
import itertools
import os
import pickle
import zlib
from typing import (Any, BinaryIO, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple, Union,
                    overload)

from . import _library
from ._options import refuse

LONGEST_ENTRY = 8192
LONGEST_PATH = 4095
LONGEST_ETAG = 1024
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
UNKNOWN_SIZE = 16 << 10
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


class Paths(Sequence[Entry]):
    """Entries with consecutive numbers of which the path alone is known. An entry is made when it is asked for: to make all
    of a long list takes longer than all else that the client does."""

    def __init__(self, first: int, paths: List[str]) -> None:
        self.first = first
        self.paths = paths

    def __len__(self) -> int:
        return len(self.paths)

    def __iter__(self) -> Iterator[Entry]:
        return map(Entry, range(self.first, self.first + len(self.paths)), self.paths)

    @overload
    def __getitem__(self, at: int) -> Entry: ...

    @overload
    def __getitem__(self, at: slice) -> "Paths": ...

    def __getitem__(self, at: Union[int, slice]) -> "Union[Entry, Paths]":
        numbers = range(self.first, self.first + len(self.paths))
        if isinstance(at, int):
            return Entry(numbers[at], self.paths[at])
        assert at.step is None
        return Paths(numbers[at].start, self.paths[at])


def joined(before: Sequence[Entry], after: Sequence[Entry]) -> Sequence[Entry]:
    """Both, one after the other."""
    if not before:
        return after
    if isinstance(before, Paths) and isinstance(after, Paths) and before.first + len(before) == after.first:
        return Paths(before.first, before.paths + after.paths)
    return [*before, *after]


def packed(entries: Sequence[Entry]) -> bytes:
    """The entries of a task, which the scheduler keeps as long as its result."""
    columns = (entries.first, entries.paths) if isinstance(entries, Paths) else [tuple(entry) for entry in entries]
    return zlib.compress(pickle.dumps(columns), 1)


def unpacked(bytes: bytes) -> List[Tuple[Any, ...]]:
    """The members of each entry."""
    columns = pickle.loads(zlib.decompress(bytes))
    if isinstance(columns, list):
        return columns
    first, paths = columns
    return [(number, path, None, None, None) for number, path in enumerate(paths, first)]


Files = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]", Entry]]]


def _fault(fields: List[bytes]) -> Optional[str]:
    """What is wrong with an entry, in the words of the command."""
    if len(fields) not in (1, 4):
        return ("has fewer than three tabs; expected a path, or a path, a size, an etag and a format with tabs between "
                "them")
    if not fields[0]:
        return "has no path"
    if fields[0] == b"-":
        return "is -, which is no file; for a file of this name, write ./-"
    if len(fields[0]) > LONGEST_PATH:
        return f"has a path of more than {LONGEST_PATH} bytes; is this a manifest?"
    if len(fields) == 1:
        return None
    size = fields[1]
    if size and not (size.isdigit() and len(size.lstrip(b"0")) <= 20 and int(size) < 2**64):
        return f"has an invalid size '{_shown(size)}'; expected a number of bytes"
    if len(fields[2]) > LONGEST_ETAG:
        return f"has an etag of more than {LONGEST_ETAG} bytes"
    if fields[3] and _shown(fields[3], 4096) not in _library.format_ids():
        return f"has an unknown format '{_shown(fields[3])}'; expected {', '.join(_library.format_ids())}"
    return None


def _shown(field: bytes, most: int = 40) -> str:
    return field[:most].decode("utf-8", "backslashreplace")


def contradiction(what: str) -> ValueError:
    """The error of an entry whose path has been listed with other fields."""
    return ValueError(f"{what} has a path that occurs before, with another size, etag or format")


def read_manifest(file: BinaryIO, null: bool = False) -> Iterator[Sequence[Entry]]:
    """The entries of a manifest, some thousands at a time. Each ends with a newline, or, if `null`, with a zero byte. An
    entry is a path, or a path, size, etag and format with tabs between them. Raises ValueError if it is none."""
    number = 1
    end = b"\0" if null else b"\n"
    for block in _blocks(file, end):
        paths = _paths_alone(block, null)
        if paths is not None:
            yield Paths(number, paths)
            number += len(paths)
        else:
            lines = block.split(end)
            numbered = (_entry(at, line, null) for at, line in enumerate(lines, number))
            yield [entry for entry in numbered if entry is not None]
            number += len(lines)


def _paths_alone(block: bytes, null: bool) -> Optional[List[str]]:
    """The paths, if every line is a path alone; None if a line needs a closer look. Decoding them together is what makes
    long manifests fast."""
    if any(byte in block for byte in ((b"\t",) if null else (b"\t", b"\r", b"\0"))):
        return None
    if not null and block.startswith(BYTE_ORDER_MARK):
        return None
    paths = os.fsdecode(block).split("\0" if null else "\n")
    most_bytes = max(map(len, paths)) * (1 if block.isascii() else 4)
    return None if most_bytes > LONGEST_PATH or "" in paths or "-" in paths else paths


def _entry(number: int, line: bytes, null: bool) -> Optional[Entry]:
    """One line of a manifest; None if it is empty."""
    if not null and b"\0" in line:
        raise ValueError(f"line {number} has a NUL; a manifest whose entries end in NULs needs null=True")
    if len(line) > LONGEST_ENTRY:
        raise ValueError(
            f"{'entry' if null else 'line'} {number} is longer than {LONGEST_ENTRY} bytes; is this a manifest?")
    if not null and number == 1 and line.startswith(BYTE_ORDER_MARK):
        line = line[len(BYTE_ORDER_MARK):]
    if not null and line.endswith(b"\r"):
        line = line[:-1]
    if not line:
        return None
    fields = line.rsplit(b"\t", 3)
    fault = _fault(fields)
    if fault is not None:
        raise ValueError(f"{'entry' if null else 'line'} {number} {fault}")
    if len(fields) == 1:
        return Entry(number, os.fsdecode(line))
    path, size, etag, format = (os.fsdecode(field) for field in fields)
    return Entry(number, path, int(size) if size else None, etag or None, format or None)


def _blocks(file: BinaryIO, end: bytes) -> Iterator[bytes]:
    """Whole entries, some thousands at a time, without what ends the last of them. What is longer than any entry is not read
    to its end."""
    rest = b""
    while len(rest) <= LONGEST_ENTRY:
        piece = file.read(256 << 10)
        if not piece:
            break
        whole, found, after = piece.rpartition(end)
        if found:
            yield rest + whole
            rest = after
        else:
            rest += piece
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


def _is_pattern(name: str) -> bool:
    """Whether a name that is a string stands for several files. A file of the very name goes before."""
    if "://" in name:
        # "?" begins a query, and the host of an address may have brackets.
        host_and_path = name.partition("://")[2].partition("?")[0]
        path = host_and_path.partition("/")[2]
        return "*" in path or "[" in path
    return glob.has_magic(name) and not os.path.isfile(name)


def _globbed(pattern: str, storage: Dict[str, Any]) -> List[str]:
    if "://" not in pattern:
        return sorted(path for path in glob.iglob(pattern, recursive=True) if not os.path.isdir(path))
    system, path = fsspec().core.url_to_fs(pattern, **storage)
    return sorted(system.unstrip_protocol(found) for found in system.glob(path))


def _entries_of(files: Iterable[Union[str, "os.PathLike[str]", Entry]]) -> List[Union[str, Entry]]:
    expected = "a path, a pattern, or an iterable of paths and entries"
    if isinstance(files, (bytes, bytearray, memoryview)):
        refuse("files", expected, files)
    try:
        given = list(files)
    except TypeError:
        refuse("files", expected, files)
    for one in given:
        if not isinstance(one, (str, os.PathLike, Entry)):
            raise TypeError(f"files must be {expected}; it has a {type(one).__name__}")
    return [one if isinstance(one, Entry) else os.fspath(one) for one in given]


class FileList:
    """Files to check, each once. They can be listed more than once; call survey() first."""

    def __init__(self, files: Files, storage: Dict[str, Any], null: bool = False) -> None:
        self._storage = storage
        self._null = null
        self._manifest: Optional[str] = None
        self._entries: List[Union[str, Entry]] = []
        self._repeated: Set[int] = set()
        self.files: Optional[int] = None
        """How many there are, once it is known."""
        self.has_urls = False
        """Whether one is read with fsspec; known as soon."""
        if isinstance(files, str) and _is_pattern(files):
            self._entries += _globbed(files, storage)
            if not self._entries:
                raise ValueError(f"no file has a name like {files}")
        elif isinstance(files, (str, os.PathLike)):
            self._manifest = os.fspath(files)
        else:
            self._entries += _entries_of(files)

    @property
    def repeated(self) -> int:
        """Entries that are left out, as their path occurred before."""
        return len(self._repeated)

    def _listed(self) -> Iterator[Sequence[Entry]]:
        """All entries, some thousands at a time."""
        if self._manifest is not None:
            with opened(self._manifest, self._storage) as file:
                yield from read_manifest(file, self._null)
            return
        paths = [one for one in self._entries if isinstance(one, str)]
        if len(paths) == len(self._entries):
            yield Paths(1, paths)
            return
        entries = []
        for number, one in enumerate(self._entries, 1):
            entry = one._replace(number=number) if isinstance(one, Entry) else Entry(number, one)
            if entry.format is not None and entry.format not in _library.format_ids():
                raise ValueError(f"entry {number} has an unknown format {entry.format!r}")
            entries.append(entry)
        yield entries

    def survey(self, batch_bytes: int) -> List[Entry]:
        """Files that fill a batch alone, the largest first: who starts them last waits for them. Raises ValueError if the
        list is faulty."""
        large: List[Entry] = []
        # Eight bytes for each path: a set of 10^7 of them would fill the memory.
        hashes = [array.array("q") for _ in range(256)]
        listed = 0
        for entries in self._listed():
            listed += len(entries)
            paths = entries.paths if isinstance(entries, Paths) else [entry.path for entry in entries]
            for of_path in map(hash, paths):
                hashes[of_path & 255].append(of_path)
            if not self.has_urls:
                self.has_urls = any("://" in path for path in paths)
            if not isinstance(entries, Paths):
                large += [entry for entry in entries if entry.size is not None and entry.size >= batch_bytes]
        if listed == 0 and self._manifest is not None:
            raise ValueError("the manifest lists no file")
        suspects: Set[int] = set()
        for some in hashes:
            if len(set(some)) != len(some):
                suspects.update(of_path for of_path, times in collections.Counter(some).items() if times > 1)
        if suspects:
            self._leave_out_repeated(suspects)
        self.files = listed - len(self._repeated)
        large = [entry for entry in large if entry.number not in self._repeated]
        return sorted(large, key=lambda entry: (-(entry.size or 0), entry.number))

    def _leave_out_repeated(self, suspects: Set[int]) -> None:
        """Reads the list again, and compares the paths that have one of these hashes."""
        first: Dict[str, Entry] = {}
        for entry in itertools.chain.from_iterable(self._listed()):
            if hash(entry.path) not in suspects:
                continue
            before = first.setdefault(entry.path, entry)
            if before is entry:
                continue
            if before[2:] != entry[2:]:
                is_line = self._manifest is not None and not self._null
                raise contradiction(f"{'line' if is_line else 'entry'} {entry.number}")
            self._repeated.add(entry.number)

    def __iter__(self) -> Iterator[Entry]:
        return itertools.chain.from_iterable(self.chunks())

    def chunks(self) -> Iterator[Sequence[Entry]]:
        """The entries, some thousands at a time."""
        for entries in self._listed():
            if self._repeated:
                yield [entry for entry in entries if entry.number not in self._repeated]
            else:
                yield entries


def batches(
    chunks: Iterable[Sequence[Entry]], batch_bytes: int, batch_files: Callable[[int], int]
) -> Iterator[Sequence[Entry]]:
    """The other files, in batches of so many bytes, and of as many files at most as `batch_files` says when so many files are
    in earlier batches."""
    batch: Sequence[Entry] = []
    filled = before = 0
    most = batch_files(0)
    for chunk in chunks:
        if not isinstance(chunk, Paths):
            chunk = [entry for entry in chunk if entry.size is None or entry.size < batch_bytes]
        begin = 0
        while begin < len(chunk):
            end, filled = _filled(chunk, begin, begin + most - len(batch), filled, batch_bytes)
            batch = joined(batch, chunk[begin:end])
            begin = end
            if filled >= batch_bytes or len(batch) >= most:
                yield batch
                before += len(batch)
                batch, filled = [], 0
                most = batch_files(before)
    if batch:
        yield batch


def _filled(chunk: Sequence[Entry], begin: int, end: int, filled: int, batch_bytes: int) -> Tuple[int, int]:
    """Up to where entries go into a batch that has so many bytes, and how many it has then."""
    end = min(end, len(chunk))
    if isinstance(chunk, Paths):
        end = min(end, begin - (filled - batch_bytes) // UNKNOWN_SIZE)
        return end, filled + (end - begin) * UNKNOWN_SIZE
    at = begin
    while at < end and filled < batch_bytes:
        size = chunk[at].size
        filled += UNKNOWN_SIZE if size is None else size
        at += 1
    return at, filled


def parts(batch: Sequence[Entry], count: int) -> List[Sequence[Entry]]:
    """The batch in at most so many pieces of nearly one size."""
    step = -(-len(batch) // count)
    return [batch[at : at + step] for at in range(0, len(batch), step)]
