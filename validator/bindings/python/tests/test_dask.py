"""tracelint.dask, with workers in this process. tests/fleet has what needs more than one."""

import http.server
import json
import os
import pathlib
import subprocess
import threading
import time
from typing import Any, Iterator, List

import pytest

import tracelint

distributed = pytest.importorskip("distributed", reason="python3-distributed is not installed")
pytest.importorskip("fsspec", reason="python3-fsspec is not installed")

import tracelint.dask  # noqa: E402
from tracelint import _batch, _child, _manifest, _shard, _shard_run  # noqa: E402
from tracelint.dask import Row  # noqa: E402

from conftest import BROKEN, HEALTHY  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[4]
HOOK = ROOT / "tests" / "fleet" / "hook"
PATH_WITH_HOOK = f"{HOOK}:{pathlib.Path(tracelint.__file__).parent.parent}"
"""What makes processes act on names of files."""


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Two workers. Their processes have the hook."""
    patch = pytest.MonkeyPatch()
    patch.setenv("PYTHONPATH", PATH_WITH_HOOK)
    with distributed.Client(processes=False, n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        yield client
    patch.undo()


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    for name, source in [("a.dump", HEALTHY), ("b.dump", BROKEN), ("c.dump", HEALTHY)]:
        (tmp_path / name).write_bytes(source.read_bytes())
    (tmp_path / "d.dump").write_bytes(b"")
    return tmp_path


def rows_of(client: Any, files: Any, **options: Any) -> List[Row]:
    with tracelint.dask.check(files, client, **options) as run:
        return list(run.rows())


def linked(paths: List[pathlib.Path], times: int) -> List[pathlib.Path]:
    """Further names of the files, in turn."""
    links = [path.with_name(f"{number}-{path.name}") for number in range(times) for path in paths]
    for number, link in enumerate(links):
        os.link(paths[number % len(paths)], link)
    return links


def named(rows: List[Row]) -> "dict[str, Row]":
    return {pathlib.PurePath(row.path).name: row for row in rows}


def test_row_says_what_the_report_says(client: Any, folder: pathlib.Path) -> None:
    (row,) = rows_of(client, [folder / "b.dump"])
    report = tracelint.check(folder / "b.dump")
    error = next(finding for finding in report.findings if finding.severity == "error")
    assert row._replace(seconds=0) == Row(
        1, str(folder / "b.dump"), "jitdump", "error", None, report.counts["error"], report.counts["warning"],
        report.counts["note"], error.message, error.rule, error.offset, report.size, False, 0)
    assert row.seconds > 0


def test_rows_have_the_order_of_the_list_however_it_is_split(client: Any, folder: pathlib.Path) -> None:
    paths = linked([folder / name for name in ("c.dump", "b.dump", "d.dump", "a.dump")], 10)
    expected = [str(path) for path in paths]
    for split in ({}, {"batch_files": 1}, {"batch_files": 7}, {"batch_bytes": 1}, {"in_flight": 1, "batch_files": 3}):
        rows = rows_of(client, paths, **split)
        assert [row.path for row in rows] == expected, split
        assert [row.entry for row in rows] == list(range(1, 41)), split


def test_summary_adds_up(client: Any, folder: pathlib.Path) -> None:
    with tracelint.dask.check(str(folder / "*.dump"), client) as run:
        summary = run.summary()
    reports = [tracelint.check(path) for path in sorted(folder.glob("*.dump"))]
    assert summary["files"] == 4
    assert summary["bytes"] == sum(report.size or 0 for report in reports)
    assert summary["verdicts"] == {"error": 2, reports[0].verdict: 2}
    assert summary["formats"] == {"": 1, "jitdump": 3}
    assert summary["findings"]["error"] == sum(report.counts["error"] for report in reports)
    assert summary["rules"]["input/empty"] == 1
    assert sum(summary["rules"].values()) == sum(sum(report.counts.values()) for report in reports)


def test_manifest(client: Any, folder: pathlib.Path) -> None:
    size = HEALTHY.stat().st_size
    manifest = folder / "manifest.txt"
    (folder / "e.dump").write_bytes(HEALTHY.read_bytes())
    manifest.write_bytes(b"\n".join([
        b"%s/a.dump" % bytes(folder), b"", b"%s/b.dump\t\t\tperfmap" % bytes(folder),
        b"%s/c.dump\t%d\t\t" % (bytes(folder), size), b"%s/e.dump\t%d\t\t" % (bytes(folder), size + 1),
        b"%s/a.dump" % bytes(folder)]))
    with tracelint.dask.check(manifest, client) as run:
        first, forced, sized, changed = run.rows()
        assert (run.summary()["files"], run.summary()["repeated"]) == (4, 1)
    assert (first.entry, first.format) == (1, "jitdump")
    assert (forced.entry, forced.format) == (3, "perfmap")
    assert (sized.entry, sized.failure) == (4, None)
    assert changed.verdict == "unreadable"
    assert changed.failure == f"changed: its size is {size}, in the manifest {size + 1}"


def test_manifest_whose_name_looks_like_a_pattern(client: Any, folder: pathlib.Path) -> None:
    manifest = folder / "x[1]"
    manifest.write_text(f"{folder}/a.dump\n")
    assert [row.path for row in rows_of(client, str(manifest))] == [f"{folder}/a.dump"]


def test_nothing_to_check_raises(client: Any, folder: pathlib.Path) -> None:
    with pytest.raises(ValueError, match="no file has a name like"):
        tracelint.dask.check(str(folder / "*.absent"), client)
    (folder / "empty").write_text("\n")
    with pytest.raises(ValueError, match="lists no file"):
        rows_of(client, folder / "empty")


def test_options(client: Any, folder: pathlib.Path) -> None:
    (row,) = rows_of(client, [folder / "b.dump"], ignore=["jitdump/"])
    assert (row.verdict, row.errors) == ("clean", 0)
    with pytest.raises(ValueError):
        tracelint.dask.check([], client, severities={"jitdump/": "bad"})
    for wrong in ({"settings": {"no-such": "setting"}}, {"select": "nosuch/"}, {"ignore": ["jitdump/,xray/"]}):
        with pytest.raises(ValueError):
            tracelint.dask.check([], client, **wrong)


def test_a_wrong_type_names_its_argument(client: Any) -> None:
    for files in (5, None, b"manifest", [5], object()):
        with pytest.raises(TypeError, match="files must be a path, a pattern, or an iterable of paths and entries"):
            tracelint.dask.check(files, client)
    for name, wrong in (("select", 0), ("ignore", [1]), ("severities", ""), ("settings", [1]), ("max_memory", True),
                        ("max_record", "5")):  # fmt: skip
        with pytest.raises(TypeError, match=f"{name} must be "):
            tracelint.dask.check([], client, **{name: wrong})
    with pytest.raises(ValueError, match="max_memory must be from 1 to"):
        tracelint.dask.check([], client, max_memory=0)


def test_unreadable_files_are_rows(client: Any, folder: pathlib.Path) -> None:
    absent, is_folder, null = rows_of(client, [folder / "absent", folder, "a\0b"])
    assert absent.failure == "cannot open: No such file or directory"
    assert (is_folder.failure, is_folder.size) == ("is a directory", None)
    assert null.verdict == "unreadable"


@pytest.mark.parametrize("name, failure", [
    ("kills.dump", "the check ended its process with SIGKILL"),
    ("exits.dump", "the check ended its process with status 7"),
    ("hungry.dump", "the check needs more than 1000000000 bytes of memory"),
])
def test_file_that_ends_its_process_is_a_row(client: Any, folder: pathlib.Path, name: str, failure: str) -> None:
    (folder / name).write_bytes(HEALTHY.read_bytes())
    paths = sorted(folder.iterdir())
    rows = rows_of(client, paths, file_memory=10**9)
    assert [row.path for row in rows] == [str(path) for path in paths]
    bad = named(rows)[name]
    assert (bad.verdict, bad.failure) == ("unreadable", failure)
    assert [row for row in rows if row.failure is not None] == [bad]


def test_file_that_hangs_is_a_row(client: Any, folder: pathlib.Path) -> None:
    (folder / "hangs.dump").write_bytes(HEALTHY.read_bytes())
    rows = rows_of(client, str(folder / "*.dump"), file_seconds=2)
    (bad,) = [row for row in rows if row.failure is not None]
    assert bad.path.endswith("hangs.dump")
    assert bad.failure == "the check took longer than 2 s"
    assert len(rows) == 5


def test_file_whose_process_was_ended_by_chance_is_checked_again(client: Any, folder: pathlib.Path) -> None:
    (folder / "once.dump").write_bytes(BROKEN.read_bytes())
    rows = rows_of(client, str(folder / "*.dump"))
    assert named(rows)["once.dump"].errors == named(rows)["b.dump"].errors > 0


def test_file_of_a_careful_order_is_told_before_it_is_checked(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", PATH_WITH_HOOK)
    paths = [folder / "a.dump", folder / "once.dump"]
    paths[1].write_bytes(BROKEN.read_bytes())
    told = []

    def before(entry: Any) -> None:
        time.sleep(0.5)  # what the process could check meanwhile has left its mark
        told.append((pathlib.PurePath(entry.path).name, (folder / "once.dump.mark").exists()))

    entries = [tuple(_manifest.Entry(number, str(path), None, None)) for number, path in enumerate(paths, 1)]
    order = _batch.Order(entries, {}, {}, 0, 1 << 30, None, careful=True)
    assert [frame.done for frame in _child.carry_out(order, 60, before)] == [1, 1]
    assert told == [("a.dump", False), ("once.dump", False), ("once.dump", True)]


def test_large_files_have_tasks_of_their_own(client: Any, folder: pathlib.Path) -> None:
    with (folder / "z-large.dump").open("wb") as file:
        file.write(HEALTHY.read_bytes())
        file.truncate(1 << 20)
    with tracelint.dask.check(str(folder / "*"), client, batch_bytes=1 << 20) as run:
        assert run.bag().npartitions == 3  # the batch, the large file, and those whose workers were lost
        rows = list(run.rows())
    assert [pathlib.PurePath(row.path).name for row in rows][-1] == "z-large.dump"
    assert rows[-1].size == 1 << 20


def test_bag_and_dataframe(client: Any, folder: pathlib.Path) -> None:
    with tracelint.dask.check(str(folder / "*.dump"), client, batch_files=2) as run:
        assert run.bag().filter(lambda row: row.verdict == "error").map(lambda row: row.entry).compute() == [2, 4]
        pytest.importorskip("pandas")
        frame = run.dataframe()
        assert frame[frame.verdict == "error"].first_error_rule.compute().tolist()[1] == "input/empty"
    with tracelint.dask.check([], client) as run:
        assert run.bag().compute() == []
        assert run.summary()["files"] == 0


def test_cancel(client: Any, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = tracelint.dask.check([folder / f"{number}.dump" for number in range(5000)], client, batch_files=1, in_flight=2)
    run.cancel()
    with pytest.raises(RuntimeError, match="cancelled"):
        run.wait()
    run.close()
    assert rows_of(client, [folder / "a.dump"])[0].format == "jitdump"  # the cluster is usable


def test_tasks_in_flight_are_bounded(client: Any, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flying: List[int] = []
    give_out = tracelint.dask.Run._give_out

    def counted(self: Any, entries: Any) -> Any:
        task = give_out(self, entries)
        flying.append(len(self._flying))
        return task

    monkeypatch.setattr(tracelint.dask.Run, "_give_out", counted)
    rows_of(client, linked([folder / "a.dump"], 50), batch_files=1, in_flight=3)
    assert len(flying) == 50
    assert max(flying) <= 3


def test_progress(client: Any, folder: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    with tracelint.dask.check(str(folder / "*.dump"), client, progress=True) as run:
        run.wait()
        deadline = time.monotonic() + 20
        text = ""
        while "4 of 4 files" not in text and time.monotonic() < deadline:
            text += capsys.readouterr().err
            time.sleep(0.05)
    assert text.splitlines()[-1] == f"tracelint: 4 of 4 files, {run.summary()['bytes'] / 1e6:.0f} MB, 2 with errors"


class _Server(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, and fails each first request for a file whose name starts with "flaky"."""

    seen: "set[str]" = set()

    def end_headers(self) -> None:
        if "tagged" in self.path:
            self.send_header("ETag", '"v2"')
        super().end_headers()

    def do_GET(self) -> None:
        if "flaky" in self.path and self.path not in self.seen:
            self.seen.add(self.path)
            self.send_error(503)
            return
        super().do_GET()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def url(folder: pathlib.Path) -> Iterator[str]:
    for module in ("aiohttp", "requests"):  # the latter is what fsspec before 2023 needs, too
        pytest.importorskip(module, reason=f"python3-{module} is not installed")
    _Server.seen = set()
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), lambda *arguments: _Server(*arguments, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_urls(client: Any, folder: pathlib.Path, url: str) -> None:
    (folder / "flaky.dump").write_bytes(BROKEN.read_bytes())
    manifest = folder / "manifest.txt"
    names = ["a.dump", "b.dump", "flaky.dump", "absent.dump"]
    manifest.write_text("".join(f"{url}/{name}\n" for name in names) + f"{url}/c.dump\t5\t\t\n")
    for listed in (str(manifest), f"{url}/manifest.txt"):
        _Server.seen = set()
        healthy, broken, flaky, absent, changed = rows_of(client, listed)
        assert healthy.size == HEALTHY.stat().st_size
        assert healthy.verdict == tracelint.check(HEALTHY).verdict
        assert (broken.first_error_offset, broken.path) == (flaky.first_error_offset, f"{url}/b.dump")
        assert absent.verdict == "unreadable"
        assert changed.failure == f"changed: its size is {HEALTHY.stat().st_size}, in the manifest 5"


@pytest.mark.parametrize("etag, failure", [
    ("", None), ("v2", None), ('"v2"', None), ('W/"v2"', None), ("v1", "changed: its etag is v2, in the manifest v1")])
def test_etags_of_urls(client: Any, folder: pathlib.Path, url: str, etag: str, failure: Any) -> None:
    (folder / "tagged.dump").write_bytes(HEALTHY.read_bytes())
    manifest = folder / "manifest.txt"
    manifest.write_text(f"{url}/tagged.dump\t\t{etag}\t\n{url}/a.dump\t\t{etag}\t\n")
    tagged, untagged = rows_of(client, manifest)
    assert tagged.failure == failure
    assert (tagged.verdict == "unreadable") == (failure is not None)
    assert untagged.failure is None  # its server tells none


def test_malformed_urls_are_rows(client: Any, folder: pathlib.Path, url: str) -> None:
    urls = [f"{url}/a.dump", "http://[bad/a.dump", "http://host:port/a.dump", "nosuch://a/b", f"{url}/b.dump"]
    first, *malformed, last = rows_of(client, urls)
    assert (first.failure, last.failure) == (None, None)
    for row in malformed:
        assert row.verdict == "unreadable"
        assert row.failure is not None and row.failure.startswith("cannot read: ")


def test_what_no_file_is_to_blame_for_raises(client: Any, folder: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError):
        rows_of(client, folder / "absent.txt")


def parts_of(manifest: pathlib.Path, folder: pathlib.Path, shards: int, client: Any, **options: Any) -> List[Any]:
    """The lines of all parts, from JSON."""
    folder.mkdir(exist_ok=True)
    paths = tracelint.dask.check_shards(manifest, folder, shards, client, **options)
    assert paths == [str(folder / f"part-{number}.ndjson") for number in range(1, shards + 1)]
    assert sorted(path.name for path in folder.iterdir()) == sorted(pathlib.PurePath(path).name for path in paths)
    return [json.loads(line) for path in paths for line in pathlib.Path(path).read_text().splitlines()]


def test_parts_hold_every_file_once(client: Any, folder: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    manifest = folder / "manifest.txt"
    manifest.write_text("".join(f"{folder}/{name}.dump\n" for name in "abcdax"))
    out = tmp_path_factory.mktemp("parts")
    lines = parts_of(manifest, out, 3, client)
    files = sorted((line["entry"], line["path"]) for line in lines if line["type"] == "file")
    assert files == [(number, f"{folder}/{name}.dump") for number, name in enumerate("abcd", 1)] + [(6, f"{folder}/x.dump")]
    ends = [line for line in lines if line["type"] == "summary"]
    assert sum(end["files"] for end in ends) == 5
    assert sum(end["unreadable"] for end in ends) == 1
    assert sum(end["part"]["left_out"] for end in ends) == 1
    assert [end["part"]["shards"] for end in ends] == [[1], [2], [3]]
    assert {end["part"]["entries"] for end in ends} == {6}


def test_finished_parts_are_left(client: Any, folder: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    manifest = folder / "manifest.txt"
    manifest.write_text(f"{folder}/b.dump\n")
    out = tmp_path_factory.mktemp("parts")
    part = out / "part-1.ndjson"

    def is_written(**options: Any) -> bool:
        before = part.stat().st_mtime_ns if part.exists() else 0
        parts_of(manifest, out, 1, client, **options)
        return part.stat().st_mtime_ns != before

    assert is_written()
    assert not is_written()
    assert is_written(ignore="jitdump/")  # other options
    manifest.write_text(f"{folder}/b.dump\n{folder}/absent.dump\n")
    assert is_written()  # another manifest
    assert is_written()  # a file that was unreadable may be there now


@pytest.mark.parametrize("options, words", [
    ({}, ""),
    ({"select": "jitdump/"}, "--select jitdump/"),
    ({"select": ["xray/", "jitdump/", "xray/"]}, "--select jitdump/,xray/"),
    ({"ignore": ["xray/", "jitdump/header-"]}, "--ignore jitdump/header- --ignore xray/"),
    ({"max_memory": 8 << 20, "max_record": 1 << 20}, "--max-memory 8M --max-record 1048576"),
    ({"max_memory": 512 << 20, "max_record": 64 << 20}, ""),
    ({}, "--max-memory 512M --max-record 64M --max-per-rule 20 --min-severity note"),
    ({"severities": {"xray/": "note", "jitdump/": "warning"}}, "--warning jitdump/ --note xray/"),
    ({"severities": {"jitdump/": "note", "jitdump/header-": "off"}}, "--note jitdump/ --off jitdump/header-"),
    ({"settings": {"samply-260": "tier"}}, "--samply-260 tier"),
])
def test_parts_mix_with_those_of_the_command(
        client: Any, folder: pathlib.Path, tmp_path_factory: pytest.TempPathFactory, options: Any, words: str) -> None:
    program = os.environ.get("TRACELINT_PROGRAM")
    if program is None:
        pytest.skip("TRACELINT_PROGRAM is not set")
    manifest = folder / "manifest.txt"
    manifest.write_text("".join(f"{folder}/{name}.dump\n" for name in "abcd"))
    out = tmp_path_factory.mktemp("parts")

    def command(*arguments: Any) -> str:
        done = subprocess.run([program, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def shard(number: int) -> str:
        part = out / f"part-{number}.ndjson"
        return command("--manifest", manifest, "--shard", f"{number}/2", "--exit-zero", "--quiet", *words.split(),
                       "--output", f"ndjson={part}")

    parts_of(manifest, out, 2, client, **options)
    (out / "part-2.ndjson").unlink()
    assert "is finished" in shard(1)
    shard(2)
    written = (out / "part-2.ndjson").stat().st_mtime_ns
    parts_of(manifest, out, 2, client, **options)
    assert (out / "part-2.ndjson").stat().st_mtime_ns == written
    single, merged = out / "single", out / "merged"
    command("--manifest", manifest, "--exit-zero", "--quiet", *words.split(), "--output", f"ndjson={single}")
    command("merge", out / "part-2.ndjson", out / "part-1.ndjson", "--exit-zero", "--quiet", "--output", f"ndjson={merged}")
    assert merged.read_bytes() == single.read_bytes()


def test_files_by_one_call_are_what_each_alone_is(folder: pathlib.Path) -> None:
    paths = [f"{folder}/{name}" for name in ("a.dump", "b.dump", "absent", "d.dump", "c.dump")] + [str(folder)]
    entries = [_manifest.Entry(number, path, size, etag) for number, (path, size, etag) in enumerate(
        zip(paths, (None, None, None, 0, 5, None), (None, "e", None, None, "\udcff", None)), 1)]
    for as_lines in (False, True):
        results = []
        for is_plain in (True, False):
            order = _batch.Order([tuple(entry) for entry in entries], {}, {}, 0, 1 << 30, None, as_lines=as_lines)
            checker = _batch._Checker(order)
            frame: Any = (_batch._Lines if as_lines else _batch._Rows)(checker)
            if is_plain:
                run = checker.run(0)
                assert run is not None
                while not run.is_finished:
                    done, text, sums = run.check()
                    assert done > 0 and sums.pop("large") == []
                    frame.add(text, sums)
            else:
                for entry in entries:
                    frame.check(entry)
            payload = frame.payload()
            if not as_lines:
                payload = [row[:-1] for row in json.loads(b"[%s]" % payload)]  # without seconds
            sums = json.loads(json.dumps(frame.sums()))
            if as_lines:
                sums["findings"].sort()
            results.append((payload, sums))
        assert results[0] == results[1]


def test_part_of_a_contradiction_raises(client: Any, folder: pathlib.Path) -> None:
    manifest = folder / "manifest.txt"
    manifest.write_text(f"{folder}/a.dump\n{folder}/a.dump\t1\t\t\n")
    with pytest.raises(ValueError, match="entry 2 of the manifest has a path that occurs before"):
        tracelint.dask.check_shards(manifest, folder, 1, client)
    manifest.write_text("\n")
    with pytest.raises(ValueError, match="no file"):
        tracelint.dask.check_shards(manifest, folder, 1, client)


def test_part_cannot_be_written(client: Any, folder: pathlib.Path) -> None:
    manifest = folder / "manifest.txt"
    manifest.write_text(f"{folder}/a.dump\n")
    with pytest.raises(OSError):
        tracelint.dask.check_shards(manifest, folder / "absent", 1, client)


class KilledWorker(Exception):
    """Of the name of the scheduler's."""


class Lost:
    """A future whose result was lost with its workers, again and again. It has it when it is tried once more."""

    def __init__(self, future: Any) -> None:
        self.status = "error"
        self._future = future

    def retry(self) -> None:
        self.status = "pending"

    def result(self) -> Any:
        if self.status == "error":
            raise KilledWorker
        return self._future.result()


def test_rows_of_a_finished_batch_that_were_lost_are_made_again(client: Any, folder: pathlib.Path) -> None:
    with tracelint.dask.check(str(folder / "*.dump"), client, batch_files=2) as run:
        rows = list(run.rows())
        run._finished[0].outcome = Lost(run._finished[0].outcome)
        assert list(run.rows()) == rows


class Landed:
    """A future that has landed."""

    def __init__(self, result: Any) -> None:
        self._result = result
        self.status = "error" if isinstance(result, Exception) else "finished"

    def add_done_callback(self, call: Any) -> None:
        call(self)

    def result(self) -> Any:
        return self._result

    def exception(self) -> Any:
        return self._result


class OneShardClient:
    """Each time that the shard is given out, it ends as the next of `ends` says: finished, or so many of its files are
    convicted by then."""

    status = "running"

    def __init__(self, ends: List[Any]) -> None:
        self.ends = ends
        self.convicted = 0

    def submit(self, function: Any, *arguments: Any, **_: Any) -> Landed:
        if function is not _shard.check_shard:
            return Landed(self.convicted)
        end = self.ends.pop(0)
        if end == "finished":
            return Landed(True)
        self.convicted = end
        return Landed(KilledWorker(str(len(self.ends))))

    def cancel(self, futures: List[Any]) -> None:
        pass


@pytest.mark.parametrize("ends, is_finished", [
    (["finished"], True),
    ([0, "finished"], True),  # another shard ended its workers
    ([1, "finished"], True),
    ([1, 3, 4, "finished"], True),  # five files that end their worker
    ([0, 0, "finished"], False),  # alone, it lost each worker, and no file is to blame
    ([1, 2, 2, "finished"], False),
])  # fmt: skip
def test_shard_that_lost_its_workers_runs_again_alone(ends: List[Any], is_finished: bool) -> None:
    task = (None, "part-1.ndjson", _batch.Order([], {}, {}, 0, 0, None), {}, 1, "run")
    client = OneShardClient(list(ends))
    run = _shard_run.ShardRun(client, iter([task]), 1, 1, False)
    if is_finished:
        assert run.paths() == ["part-1.ndjson"]
        assert not client.ends
    else:
        with pytest.raises(KilledWorker):
            run.paths()
        assert client.ends == ["finished"]


def test_no_task_in_flight_is_refused(client: Any, folder: pathlib.Path) -> None:
    with pytest.raises(ValueError, match="in_flight must be positive"):
        tracelint.dask.check(str(folder / "*.dump"), client, in_flight=0)
    with pytest.raises(ValueError, match="in_flight must be positive"):
        _shard_run.ShardRun(client, iter([]), 1, 0, False)
