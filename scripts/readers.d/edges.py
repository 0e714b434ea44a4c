"""How far fuzzing gets into readers that know nothing of tracelint.

    scripts/readers edges [--minutes N] [--runs N] [--only FORMAT]... [--jobs N] [FOLDER]

Builds readers from Debian's sources with coverage, fuzzes each in four ways, and prints the edges that the inputs found in
that time reach: medians of the runs, with the least and the most. C and C++ are fuzzed by AFL++; Go by libFuzzer, and what
counts there is blocks of code.

    plain        from a single byte
    dictionary   the same, with `tracelint dictionary`
    corpus       from the conformance corpus
    mutator      from the conformance corpus, with libtracelint_mutator

Runs that FOLDER (build/edges) has the result of are not repeated. scripts/install edges installs what it takes.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess

import observe

ROOT = observe.ROOT
LARGEST_SEED = 64 << 10  # bytes
WAYS = ("plain", "dictionary", "corpus", "mutator")
QUIET = {"AFL_NO_UI": "1", "AFL_SKIP_CPUFREQ": "1", "AFL_NO_AFFINITY": "1", "AFL_FAST_CAL": "1", "AFL_QUIET": "1",
         "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1"}


def run(command, log=None, **environment):
    with open(log or os.devnull, "w", encoding="utf-8") as out:
        status = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                env={**os.environ, **environment}, check=False).returncode
    return status


@dataclasses.dataclass
class AflReader:
    name: str
    format: str
    program: str
    input: tuple = ()  # arguments; without any, the input is in memory

    def fuzz(self, tools, way, seeds, seconds, seed, to):
        mutator = {"AFL_CUSTOM_MUTATOR_LIBRARY": str(tools.mutator)} if way == "mutator" else {}
        words = ["-x", tools.dictionary(self.format)] if way == "dictionary" else []
        run(["afl-fuzz", "-V", seconds, "-s", seed, "-t", "1000+", "-i", seeds, "-o", to, *words, "--", tools.folder / self.program,
             *self.input], f"{to}.log", TRACELINT_MUTATOR=f"format={self.format}", **QUIET, **mutator)
        stats = dict(re.findall(r"^(\w+) *: (.*)$", (to / "default/fuzzer_stats").read_text(), re.MULTILINE))
        return {"executions": int(stats["execs_done"]), "crashes": int(stats["saved_crashes"]),
                "edges": self.edges(tools, to / "default/queue", to)}

    def edges(self, tools, inputs, to):
        run(["afl-showmap", "-t", "1000", "-C", "-i", inputs, "-o", os.devnull, "--", tools.folder / self.program, *self.input],
            f"{to}.map", **{**QUIET, "AFL_QUIET": ""})
        return int(re.search(r"Captured (\d+) tuples", pathlib.Path(f"{to}.map").read_text())[1])


@dataclasses.dataclass
class GoReader:
    name: str
    format: str

    def fuzz(self, tools, way, seeds, seconds, seed, to):
        program = tools.folder / ("profile-mutator" if way == "mutator" else "profile")
        found = to / "found"
        found.mkdir(parents=True)
        words = [f"-dict={tools.dictionary(self.format)}"] if way == "dictionary" else []
        run([program, f"-max_total_time={seconds}", f"-seed={seed}", "-print_final_stats=1", "-timeout=10", f"-artifact_prefix={to}/",
             *words, found, seeds], f"{to}.log", TRACELINT_MUTATOR=f"format={self.format}")
        log = pathlib.Path(f"{to}.log").read_text(errors="replace")
        executions = re.search(r"number_of_executed_units: (\d+)", log)
        if executions is None:
            raise RuntimeError(f"{program} did not end as it should: {to}.log")
        for file in seeds.iterdir():  # libFuzzer adds nothing to the folders after the first
            shutil.copy(file, found)
        return {"executions": int(executions[1]), "crashes": log.count("panic\n"), "edges": self.edges(tools, found, to)}

    def edges(self, tools, inputs, to):
        run([tools.folder / "profile-replay", f"-test.coverprofile={to}.cover"], f"{to}.map", INPUTS=str(inputs))
        blocks = [line.rsplit(" ", 2) for line in pathlib.Path(f"{to}.cover").read_text().splitlines()[1:]]
        return len({block for block, _, count in blocks if int(count) != 0})


READERS = (AflReader("llvm-xray's library 14", "xray", "xray"),
           AflReader("mprof-report 6.8", "mlpd", "mprof-report", ("@@",)),
           AflReader("LLVM's DWARFDebugFrame 14", "jitdump", "unwinding"),
           GoReader("Go's profile package", "pprof"),
           GoReader("Go's profile package", "gperftools"))


class Tools:
    def __init__(self, folder, program, mutator):
        self.folder, self.program, self.mutator = folder, program.resolve(), mutator.resolve()
        subprocess.run([ROOT / "scripts/readers.d/edges/build", folder, self.mutator], check=True)

    def dictionary(self, format):
        return self.folder / f"{format}.dict"

    def prepare(self, format, corpus):
        """The seeds of a format, and its dictionary."""
        self.dictionary(format).write_bytes(subprocess.run([self.program, "dictionary", format], check=True, stdout=subprocess.PIPE).stdout)
        nothing, seeds = self.folder / "nothing", self.folder / "seeds" / format
        nothing.mkdir(exist_ok=True)
        (nothing / "zero").write_bytes(b"\0")
        if not seeds.is_dir():
            seeds.mkdir(parents=True)
            for file in (corpus / format).iterdir():
                if file.suffix == f".{format}" and file.stat().st_size <= LARGEST_SEED:
                    shutil.copy(file, seeds)
        return {"plain": nothing, "dictionary": nothing, "corpus": seeds, "mutator": seeds}


def show(results):
    """Medians, with the least and the most of the runs; crashes in the order of the ways."""
    print(f"| reader | format | runs | {' | '.join(WAYS)} | executions a second | crashes |")
    print("|---" * (len(WAYS) + 5) + "|")
    for reader in READERS:
        of_reader = [[each for each in results if (each["format"], each["way"]) == (reader.format, way)] for way in WAYS]
        if not all(of_reader):
            continue
        edges = [[each["edges"] for each in runs] for runs in of_reader]
        speeds = [statistics.median(each["executions"] / each["seconds"] for each in runs) for runs in of_reader]
        crashes = [statistics.median(each["crashes"] for each in runs) for runs in of_reader]
        cells = [reader.name, reader.format, str(min(map(len, edges)))]
        cells += [f"{statistics.median(counts):.0f} ({min(counts)} to {max(counts)})" for counts in edges]
        cells += [", ".join(f"{speed:.0f}" for speed in speeds), ", ".join(f"{count:.0f}" for count in crashes)]
        print("| " + " | ".join(cells) + " |")


def edges(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "build/edges", metavar="FOLDER")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", action="append", default=[], choices=[reader.format for reader in READERS], metavar="FORMAT")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time")
    parser.add_argument("--corpus", type=pathlib.Path, metavar="DIR", help="an exported corpus; without it one is exported")
    parser.add_argument("--tracelint", type=pathlib.Path, default=ROOT / "build/release/tracelint", metavar="PROGRAM")
    parser.add_argument("--mutator", type=pathlib.Path, metavar="LIBRARY",
                        default=ROOT / "build/release/validator/bindings/mutator/libtracelint_mutator.so")
    arguments = parser.parse_args(words)
    folder = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    tools = Tools(folder, arguments.tracelint, arguments.mutator)
    if arguments.corpus is None:
        arguments.corpus = folder / "corpus"
        if not arguments.corpus.is_dir():
            subprocess.run([ROOT / "scripts/export-corpus", arguments.corpus], check=True, stdout=subprocess.DEVNULL)
    readers = [reader for reader in READERS if not arguments.only or reader.format in arguments.only]
    seeds = {reader.format: tools.prepare(reader.format, arguments.corpus) for reader in readers}
    seconds = round(60 * arguments.minutes)
    ledger = folder / "results.jsonl"
    results = [json.loads(line) for line in ledger.read_text().splitlines()] if ledger.exists() else []
    results = [each for each in results if each["seconds"] == seconds]
    done = {(each["format"], each["way"], each["run"]) for each in results}

    def measure(reader, way, number):
        to = folder / "runs" / f"{reader.format}-{way}-{number}"
        shutil.rmtree(to, ignore_errors=True)
        to.parent.mkdir(exist_ok=True)
        found = reader.fuzz(tools, way, seeds[reader.format][way], seconds, number, to)
        return {"format": reader.format, "way": way, "run": number, "seconds": seconds, **found}

    # Each round has all readers and ways, so that what else the machine does meets all of them.
    wanted = [(reader, way, number) for number in range(1, arguments.runs + 1) for reader in readers for way in WAYS
              if (reader.format, way, number) not in done]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool, ledger.open("a") as out:
        for future in concurrent.futures.as_completed([pool.submit(measure, *each) for each in wanted]):
            results.append(future.result())
            print(json.dumps(results[-1]), file=out, flush=True)
    show(results)
    return 0
