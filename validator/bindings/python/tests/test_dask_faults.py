"""Killed workers, schedulers and clients cost no file. scripts/fleet-faults kills more of them."""

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time

import distributed
import pytest

import tracelint.dask
from conftest import BROKEN, HEALTHY

PROGRAM = os.environ["TRACELINT_PROGRAM"]
FILES, SHARDS = 60, 12
pytestmark = pytest.mark.parametrize("number", range(int(os.environ.get("TRACELINT_FAULT_RUNS", "1"))))


class Cluster:
    """A scheduler and two workers, which are processes of their own."""

    def __init__(self, folder):
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self.processes = [self.start("scheduler", "--host", "127.0.0.1", "--port", str(port))]
        self.processes += [self.start("worker", self.address, "--nthreads", "1", "--local-directory", str(folder)) for _ in "12"]

    def start(self, part, *arguments):
        with open(self.folder / "log", "ab") as log:  # in a session of its own, so that a nanny and its worker end together
            return subprocess.Popen([sys.executable, "-m", f"distributed.cli.dask_{part}", *arguments, "--no-dashboard"],
                                    cwd=self.folder, stdout=log, stderr=log, start_new_session=True)

    def client(self):
        client = distributed.Client(self.address, timeout=60)
        client.wait_for_workers(2, timeout=60)
        return client


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    """Every file takes 50 ms."""
    monkeypatch.setenv("LD_PRELOAD", os.environ["TRACELINT_HOOK"])
    cluster = Cluster(tmp_path)
    yield cluster
    for process in cluster.processes:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture
def manifest(tmp_path):
    """One file is listed twice, and one is not there."""
    paths = [tmp_path / f"slow-{number}.dump" for number in range(FILES)]
    for path in paths:
        shutil.copyfile(BROKEN if path.name.endswith("0.dump") else HEALTHY, path)
    (tmp_path / "parts").mkdir()
    (tmp_path / "manifest").write_text("".join(f"{path}\n" for path in [*paths, paths[3], tmp_path / "absent"]))
    return tmp_path / "manifest"


def check(manifest, client):
    return tracelint.dask.check(manifest, client, shards=SHARDS, folder=manifest.parent / "parts", program=PROGRAM)


def parts_of(manifest):
    return sorted((manifest.parent / "parts").glob("part-*"))


def require_every_file_once(run, manifest):
    rows = run.rows()
    assert run.summary()["files"] == len({row.path for row in rows}) == len(rows) == FILES + 1
    written = []
    for words in (["--manifest", manifest], ["merge", *parts_of(manifest)]):
        output = manifest.parent / "output"
        done = subprocess.run([PROGRAM, *words, "--exit-zero", "--quiet", "--output", f"ndjson={output}"], stderr=subprocess.PIPE)
        assert done.returncode == 3, done.stderr
        written.append(output.read_bytes())
    assert written[0] == written[1]


def require_rest(manifest):
    """Another run, in another cluster, makes the parts that are missing."""
    with distributed.Client(processes=False, dashboard_address=":0") as client, check(manifest, client) as run:
        require_every_file_once(run, manifest)


@pytest.mark.parametrize("holds_rows", [False, True])
def test_a_worker_is_killed(cluster, manifest, number, holds_rows):
    with cluster.client() as client, check(manifest, client) as run:
        time.sleep(random.Random(number).uniform(0, 0.5))
        assert run.wait(100 if holds_rows else 0) == holds_rows
        os.kill(random.choice(list(client.run(os.getpid).values())), signal.SIGKILL)
        require_every_file_once(run, manifest)


def test_the_scheduler_is_killed(cluster, manifest, number):
    client = cluster.client()
    run = check(manifest, client)
    time.sleep(random.Random(number).uniform(0, 0.5))
    assert not run.wait(0)
    os.killpg(cluster.processes[0].pid, signal.SIGKILL)
    with pytest.raises(ConnectionError):
        run.wait(100)
    client.close(timeout=2)
    require_rest(manifest)


def test_the_client_is_killed(cluster, manifest, number):
    program = ("import sys, distributed, tracelint.dask as d; scheduler, manifest, folder, program = sys.argv[1:];"
               f"d.check(manifest, distributed.Client(scheduler), shards={SHARDS}, folder=folder, program=program).wait()")
    process = subprocess.Popen([sys.executable, "-c", program, cluster.address, manifest, manifest.parent / "parts", PROGRAM])
    deadline = time.monotonic() + 60
    while not parts_of(manifest) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert process.poll() is None
    process.kill()
    process.wait()
    assert 0 < len(parts_of(manifest)) < SHARDS
    require_rest(manifest)
