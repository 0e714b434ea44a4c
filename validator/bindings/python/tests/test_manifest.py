"""Lists of files: manifests, and how they are split into batches."""

import json
import os
import pathlib
from typing import Any, List

import pytest

from tracelint import _manifest

ROOT = pathlib.Path(__file__).resolve().parents[4]


def text_of(value: Any) -> bytes:
    """A text of the table: its characters are bytes, and a pair of a text and a number is the text so often."""
    if isinstance(value, str):
        return value.encode("latin-1")
    if len(value) == 2 and isinstance(value[1], int):
        return text_of(value[0]) * value[1]
    return b"".join(map(text_of, value))


# The tests of the command read the same table.
CASES = json.loads((ROOT / "tests" / "fleet" / "manifests.json").read_text())["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["what"] for case in CASES])
def test_manifest_of_the_table(case: Any, tmp_path: pathlib.Path) -> None:
    manifest = tmp_path / "manifest"
    manifest.write_bytes(text_of(case["manifest"]))
    listed = _manifest.FileList(manifest, {}, null=case["null"])

    def survey() -> None:
        assert listed.survey(1 << 70) == []

    if "fault" in case:
        with pytest.raises(ValueError) as raised:
            survey()
        assert str(raised.value).startswith(case["fault"])
        return
    expected = [
        _manifest.Entry(number, os.fsdecode(text_of(path)), size, os.fsdecode(text_of(etag)) or None, format or None)
        for number, path, size, etag, format in case["entries"]]
    if not expected:
        with pytest.raises(ValueError, match="lists no file"):
            survey()
        return
    survey()
    assert list(listed) == expected
    assert (listed.files, listed.repeated) == (len(expected), case["repeated"])


@pytest.mark.parametrize("null", [False, True])
def test_manifest_that_takes_several_reads(null: bool, tmp_path: pathlib.Path) -> None:
    paths = [f"{number:0{number % 200 + 6}}" for number in range(10_000)]  # 1 MB
    manifest = tmp_path / "manifest"
    manifest.write_text(("\0" if null else "\n").join(paths))
    listed = _manifest.FileList(manifest, {}, null)
    assert listed.survey(1) == []
    assert list(listed) == list(_manifest.Paths(1, paths))
    assert listed.files == 10_000


def test_large_files_are_listed_once_and_first() -> None:
    entries = [_manifest.Entry(0, "a", 7), _manifest.Entry(0, "b", 70), _manifest.Entry(0, "c", 80), _manifest.Entry(0, "b", 70)]
    listed = _manifest.FileList(entries, {})
    assert [entry.path for entry in listed.survey(50)] == ["c", "b"]
    assert [entry.number for entry in listed] == [1, 2, 3]
    with pytest.raises(ValueError, match="entry 2 has an unknown format"):
        _manifest.FileList(["a", _manifest.Entry(0, "b", format="nosuch")], {}).survey(50)


UNKNOWN = _manifest.UNKNOWN_SIZE


@pytest.mark.parametrize("chunks, batch_bytes, batch_files, expected", [
    (["abcde"], 1 << 30, 2, ["ab", "cd", "e"]),
    (["abcde"], 2 * UNKNOWN, 9, ["ab", "cd", "e"]),
    (["abcde"], 2 * UNKNOWN + 1, 9, ["abc", "de"]),
    (["abc", "de", "f"], 1 << 30, 4, ["abcd", "ef"]),
    (["", "ab", ""], 1 << 30, 4, ["ab"]),
    ([], 1 << 30, 4, [])])
def test_batches(chunks: List[str], batch_bytes: int, batch_files: int, expected: List[str]) -> None:
    paths, first = [], 1
    for chunk in chunks:
        paths.append(_manifest.Paths(first, list(chunk)))
        first += len(chunk)
    for listed in (paths, [list(some) for some in paths]):
        batches = list(_manifest.batches(listed, batch_bytes, lambda before: batch_files))
        assert ["".join(entry.path for entry in batch) for batch in batches] == expected
        assert [entry.number for batch in batches for entry in batch] == list(range(1, first))
        assert [_manifest.unpacked(_manifest.packed(batch)) for batch in batches] == [[*map(tuple, batch)] for batch in batches]


def test_batches_by_stated_sizes() -> None:
    sizes = [40, None, 50, 50, 120, 0, 30]
    listed = [_manifest.Entry(number, "a", size) for number, size in enumerate(sizes, 1)]
    batches = _manifest.batches([listed[:3], listed[3:]], 100, lambda before: 3)
    assert [[entry.number for entry in batch] for batch in batches] == [[1, 2], [3, 4], [6, 7]]


def test_a_batch_is_told_how_many_files_are_before_it() -> None:
    told = []

    def batch_files(before: int) -> int:
        told.append(before)
        return 4 if before == 0 else 1

    batches = list(_manifest.batches([_manifest.Paths(1, list("abcdef"))], 1 << 30, batch_files))
    assert [len(batch) for batch in batches] == [4, 1, 1]
    assert told == [0, 4, 5, 6]


@pytest.mark.parametrize("name, is_pattern", [
    ("http://host/a.txt?sig=1", False), ("http://host/a.txt?sig=*", False), ("http://[::1]:80/a.txt", False),
    ("s3://bucket/*.dump", True), ("s3://bucket/[ab].dump", True), ("folder/*.dump", True), ("folder/?.dump", True),
    ("folder/manifest.txt", False)])
def test_patterns_of_names(name: str, is_pattern: bool) -> None:
    assert _manifest._is_pattern(name) == is_pattern


def test_shards_are_those_of_the_command() -> None:
    assert _manifest.Entry(1, "123456789").shard(7) == 6
    assert _manifest.Entry(1, "traces/a.dump").shard(16) == 15
