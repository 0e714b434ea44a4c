"""tracelint.dask, with workers in this process. scripts/fleet-faults has what needs more than one.

TRACELINT_PROGRAM is the command, and TRACELINT_HOOK makes it crash or hang at files of certain names (tests/fleet/hook.cpp).
"""

import http.server
import json
import os
import pathlib
import subprocess
import threading
import time

import pytest

import tracelint

distributed = pytest.importorskip("distributed", reason="python3-distributed is not installed")
fsspec = pytest.importorskip("fsspec", reason="python3-fsspec is not installed")
psutil = pytest.importorskip("psutil")  # which distributed needs

import tracelint.dask  # noqa: E402
from tracelint.dask import Row  # noqa: E402

from conftest import BROKEN, HEALTHY  # noqa: E402

PROGRAM = os.environ.get("TRACELINT_PROGRAM", "tracelint")


@pytest.fixture(scope="module")
def client():
    with distributed.Client(processes=False, n_workers=2, threads_per_worker=1, dashboard_address=":0") as client:
        yield client


@pytest.fixture
def folder(tmp_path):
    """Three traces, an empty file, and a manifest of them."""
    for name, content in zip("abcd", [HEALTHY.read_bytes(), BROKEN.read_bytes(), HEALTHY.read_bytes(), b""]):
        (tmp_path / f"{name}.dump").write_bytes(content)
    (tmp_path / "manifest.txt").write_text("".join(f"{tmp_path}/{name}.dump\n" for name in "abcd"))
    return tmp_path


@pytest.fixture
def check(client):
    return lambda files, **more: tracelint.dask.check(files, client, **{"program": PROGRAM, **more})


def rows_of(run):
    with run:
        return run.rows()


def command(*arguments, status=0):
    done = subprocess.run([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == status, done.stdout
    return done.stdout


def test_rows_are_what_the_command_reports(check, folder):
    paths = [str(folder / name) for name in ("c.dump", "b.dump", "absent", "d.dump", "a.dump", ".")]
    command("--exit-zero", "--quiet", "--no-config", "--output", f"json={folder / 'report'}", *paths[:-1], status=3)
    expected = []
    for entry, file in enumerate(json.loads((folder / "report").read_text())["files"], 1):
        counts = file["counts"]
        error = next((one for one in file["diagnostics"] if one["severity"] == "error"), {})
        expected.append(Row(entry, file["path"], file["format"], file["verdict"], file.get("failure"), counts["error"],
                            counts["warning"], counts["note"], error.get("message"), error.get("rule"), error.get("offset"),
                            file["size"], False))
    assert [row.verdict for row in expected] == ["note", "error", "unreadable", "error", "note"]
    for shards in (None, 1, 2, 7):
        *rows, of_folder = rows_of(check(paths, shards=shards))
        assert rows == expected, shards
        assert (of_folder.verdict, of_folder.failure) == ("unreadable", "is a directory")


def test_parts_and_summary_are_those_of_the_command(check, folder):
    manifest = folder / "manifest.txt"
    manifest.write_text(manifest.read_text() + f"{folder}/absent\n{folder}/a.dump\n")
    options = ["--ignore", "jitdump/debug-", "--max-memory", "8M"]
    with check(manifest, shards=3, folder=folder, options=options) as run:
        summary = run.summary()
    single, merged = folder / "single", folder / "merged"
    common = ("--exit-zero", "--quiet", "--output")
    command("--manifest", manifest, *options, *common, f"ndjson={single}", status=3)
    parts = sorted(folder.glob("part-*.ndjson"))
    command("merge", *parts, "--expect-manifest", manifest, *common, f"ndjson={merged}", status=3)
    assert len(parts) == 3
    assert merged.read_bytes() == single.read_bytes()
    end = json.loads(merged.read_text().splitlines()[-1])
    expected = {name: end[name] for name in ("files", "bytes", "limited")}
    expected["left_out"] = end["part"]["left_out"]
    expected["formats"] = {one["format"] or "": one["files"] for one in end["formats"]}
    verdicts = {name: sum(one[name] for one in end["formats"]) for name in ("error", "note", "warning", "clean", "unreadable")}
    expected["verdicts"] = {name: number for name, number in verdicts.items() if number}
    for name, key in (("findings", "severity"), ("rules", "rule")):
        kinds = {one[key] for one in end["totals"]}
        expected[name] = {kind: sum(one["findings"] for one in end["totals"] if one[key] == kind) for kind in kinds}
    assert summary == expected
    assert (summary["left_out"], summary["verdicts"]["unreadable"], summary["rules"]["input/empty"]) == (1, 1, 1)
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_finished_parts_are_left(check, folder):
    manifest, part = folder / "manifest.txt", folder / "part-1.ndjson"

    def is_written(**more):
        before = part.stat().st_mtime_ns if part.exists() else 0
        assert rows_of(check(manifest, shards=1, folder=folder, **more))[1].path == f"{folder}/b.dump"
        return part.stat().st_mtime_ns != before

    assert is_written()
    assert not is_written()
    assert is_written(options=["--ignore", "jitdump/"])
    manifest.write_text(manifest.read_text() + f"{folder}/absent\n")
    assert is_written()  # another manifest
    assert is_written()  # what was unreadable may be there now


def test_manifest_and_names(check, folder):
    size = HEALTHY.stat().st_size
    hostile = [b"not \xff utf-8", rb"looks like \xff", "t\tb \u00e4 \\".encode(), b"new\nline"]
    for name in hostile:
        (folder / os.fsdecode(name)).write_bytes(BROKEN.read_bytes())
    paths = [os.path.join(os.fspath(folder), os.fsdecode(name)) for name in hostile]
    assert [(row.path, row.errors) for row in rows_of(check(paths))] == [(path, 1) for path in paths]
    manifest = folder / "x[1]"  # no pattern, as there is a file of this name
    manifest.write_text(f"{folder}/b.dump\t\t\tperfmap\0{folder}/c.dump\t{size + 1}\t\t\0")
    forced, changed = rows_of(check(str(manifest), null=True))
    assert forced.format == "perfmap"
    assert changed.failure == f"changed: its size is {size}, in the manifest {size + 1}"
    assert [row.path for row in rows_of(check(f"{folder}/?.dump"))] == [f"{folder}/{name}.dump" for name in "abcd"]


def test_what_no_file_is_to_blame_for_raises(check, folder):
    for files in ([], str(folder / "*.absent")):
        with pytest.raises(ValueError):
            check(files)
    with pytest.raises(FileNotFoundError):
        check(folder / "absent")
    with pytest.raises(ValueError, match="no rule matches"), check(folder / "manifest.txt", options=["--select", "nosuch/"]) as run:
        run.summary()
    (folder / "faulty").write_text("a\tb\n")
    with pytest.raises(ValueError, match="line 1 has fewer than three tabs"), check(folder / "faulty") as run:
        run.rows()
    with pytest.raises(RuntimeError, match="cannot write"), check(folder / "manifest.txt", folder=folder / "absent") as run:
        run.wait()
    (folder / "part-1.ndjson").write_text("earlier")
    (folder / "limited").write_text(f'#!/bin/sh\nulimit -f 1\nexec "{PROGRAM}" "$@"\n')  # as on a full disk
    (folder / "limited").chmod(0o755)
    with pytest.raises(RuntimeError, match="File too large"):
        rows_of(check(folder / "manifest.txt", shards=1, folder=folder, program=f"{folder}/limited"))
    assert (folder / "part-1.ndjson").read_text() == "earlier"
    with pytest.raises(FileNotFoundError, match="nosuch is not installed"):
        rows_of(check(folder / "manifest.txt", program="nosuch"))


needs_hook = pytest.mark.skipif("TRACELINT_HOOK" not in os.environ, reason="TRACELINT_HOOK is not set")


@needs_hook
def test_files_that_crash_or_hang_the_command_are_rows(check, folder, monkeypatch):
    monkeypatch.setenv("LD_PRELOAD", os.environ["TRACELINT_HOOK"])
    for name in ("crashes.dump", "killed.dump", "hangs.dump", "once.dump"):
        (folder / name).write_bytes(BROKEN.read_bytes())
    rows = {os.path.basename(row.path): row for row in rows_of(check(f"{folder}/*.dump", shards=1, max_seconds=1))}
    assert {name: row.failure for name, row in rows.items() if row.failure is not None} == {
        "crashes.dump": "internal error: the check was ended by SIGSEGV",
        "hangs.dump": "the check took longer than 1 s",
        "killed.dump": "internal error: the check was ended by SIGKILL",
    }
    assert rows["crashes.dump"].verdict == "unreadable" and rows["crashes.dump"].limited
    assert rows["once.dump"].errors == rows["b.dump"].errors == 1
    assert len(rows) == 8


@needs_hook
def test_cancel_ends_what_runs(check, folder, monkeypatch):
    monkeypatch.setenv("LD_PRELOAD", os.environ["TRACELINT_HOOK"])

    def wait_until_running(number):
        deadline = time.monotonic() + 60
        while len(psutil.Process().children()) != number and time.monotonic() < deadline:
            time.sleep(0.1)
        assert len(psutil.Process().children()) == number

    run = check([folder / f"hangs-{number}" for number in range(20)], shards=10, max_seconds=None)
    wait_until_running(2)  # of two workers
    assert not run.wait(0)
    run.cancel()
    with pytest.raises(RuntimeError, match="cancelled"):
        run.wait()
    wait_until_running(0)
    run.close()
    assert rows_of(check([folder / "a.dump"]))[0].format == "jitdump"  # the cluster is usable


def test_dataframe(check, folder):
    pytest.importorskip("pandas")
    with check(folder / "manifest.txt", shards=3) as run:
        frame = run.dataframe()
        assert sorted(frame[frame.verdict == "error"].first_error_rule.compute())[0] == "input/empty"
        assert run.futures and all(future.done() for future in run.futures)
    with pytest.raises(ValueError, match="closed"):
        run.rows()


def test_urls_of_a_file_system_and_local_files(check, folder, monkeypatch):
    system = fsspec.filesystem("memory")
    for name in ("a.dump", "b.dump"):
        system.put(str(folder / name), f"/traces/{name}")
    monkeypatch.chdir(folder)
    broken, local, relative, absent, unknown = rows_of(
        check(["memory://traces/b.dump", str(folder / "b.dump"), "a.dump", "memory://traces/absent", "nosuch://a/b"]))
    assert broken._replace(entry=2, path=local.path) == local
    assert (relative.path, relative.size, relative.failure) == ("a.dump", HEALTHY.stat().st_size, None)
    assert absent.verdict == unknown.verdict == "unreadable" and absent.failure.startswith("cannot fetch: ")
    assert unknown.failure == "cannot fetch: Protocol not known: nosuch"
    rows = rows_of(check("memory://traces/*.dump", folder=folder))
    assert [(row.errors, row.failure) for row in rows] == [(0, None), (1, None)]
    system.pipe("/manifest.txt", "".join(f"{row.path}\0" for row in rows).encode())
    system.rm("/traces", recursive=True)
    assert rows == rows_of(check("memory://manifest.txt", null=True, folder=folder))  # nothing is fetched again


class _Server(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, and fails each first request for a file whose name begins with "flaky"."""

    seen = set()

    def end_headers(self):
        if "tagged" in self.path:
            self.send_header("ETag", '"v2"')
        super().end_headers()

    def do_GET(self):
        if "flaky" in self.path and self.path not in self.seen:
            self.seen.add(self.path)
            self.send_error(503)
        else:
            super().do_GET()

    def log_message(self, *_):
        pass


@pytest.fixture
def url(folder):
    for module in ("aiohttp", "requests"):  # the latter is what fsspec before 2023 needs, too
        pytest.importorskip(module, reason=f"python3-{module} is not installed")
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), lambda *arguments: _Server(*arguments, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_urls_of_a_server(check, folder, url):
    for name in ("flaky.dump", "tagged.dump"):
        (folder / name).write_bytes(BROKEN.read_bytes())
    manifest = folder / "manifest.txt"
    tags = ["v2", '"v2"', 'W/"v2"', "v1"]
    manifest.write_text(f"{url}/b.dump\n{url}/flaky.dump\n{url}/a.dump?{'x' * 300}\n{url}/c.dump\t5\tv1\t\n"
                        "http://[bad/a\nhttp://host:port/a\n" +
                        "".join(f"{url}/tagged.dump?{number}\t\t{tag}\t\n" for number, tag in enumerate(tags)))
    broken, flaky, long, changed, *malformed_and_tagged = rows_of(check(manifest))
    assert flaky._replace(entry=1, path=broken.path) == broken and broken.errors == 1
    assert (long.failure, long.size) == (None, HEALTHY.stat().st_size)
    assert changed.failure == f"changed: its size is {HEALTHY.stat().st_size}, in the manifest 5"
    assert all(row.failure.startswith("cannot fetch: ") for row in malformed_and_tagged[:2])
    assert [row.failure for row in malformed_and_tagged[2:]] == [None, None, None, "changed: its etag is v2, in the manifest v1"]
