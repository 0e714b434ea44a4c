"""The files that readers are tried with: the conformance corpus, generated files and mutants of both and of recordings."""

import json
import pathlib
import random
import re
import subprocess
import zlib

import observe

ROOT = observe.ROOT
LARGEST = 1 << 20  # larger files test the limits of sizes, not readers
NUMBER = re.compile(r"0x[0-9a-f]+|-?\d+")


class File:
    """A file, and what the conformance corpus says of it."""

    def __init__(self, path, options=(), entry=None):
        self.path, self.options, self.entry = path, tuple(options), entry or {}


def mutant(data, chance):
    """One to three edits."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(5)
        count = chance.choice((1, 2, 4, 8, 16))
        if kind == 0 and data:
            data[min(at, len(data) - 1)] = chance.randrange(256)
        elif kind == 1 and data:
            data[min(at, len(data) - 1)] ^= 1 << chance.randrange(8)
        elif kind == 2:
            del data[at:at + count]
        elif kind == 3:
            data[at:at] = bytes(chance.randrange(256) for _ in range(count))
        elif chance.randrange(3) == 0:
            del data[at:]
    return bytes(data)


def recorded(format):
    """The recorded files that are small and not compressed."""
    folder = ROOT / "corpus" / format / "real"
    return [path for path in sorted(folder.iterdir())
            if path.suffix not in (".findings", ".md", ".gz") and path.stat().st_size <= 64 << 10]


def plain(data):
    """Without gzip, as far as it goes: a recording may be cut."""
    return zlib.decompressobj(31).decompress(data) if data[:2] == b"\x1f\x8b" else data


def conformance(corpus, format):
    entries = json.loads((corpus / format / "expected.json").read_text())["files"]
    files = [File(corpus / format / entry["file"], entry["options"], entry) for entry in entries]
    return [file for file in files if 0 < file.path.stat().st_size <= LARGEST]


def made(tracelint, format, folder, generated, mutants, seed):
    """Generated files, and mutants of those and of the recorded ones. The same seed makes the same."""
    folder.mkdir(parents=True, exist_ok=True)
    files, origins = [], recorded(format)
    for number in range(1, generated + 1):
        path = folder / f"generated-{number}"
        subprocess.run([tracelint, "generate", format, "--seed", str(number), "--size", "2K", "-o", path], check=True)
        files.append(File(path))
        origins.append(path)
    chance = random.Random(seed)
    for number in range(1, mutants + 1):
        origin = chance.choice(origins)
        path = folder / f"mutant-{number}-of-{origin.name}"
        path.write_bytes(mutant(plain(origin.read_bytes()), chance) or b"\0")
        files.append(File(path))
    return files


def checked(tracelint, format, files, *more):
    """Path -> what tracelint says of each file, and its findings."""
    results = {}
    for options in {file.options for file in files}:
        names = "\n".join(str(file.path) for file in files if file.options == options) + "\n"
        command = [tracelint, "--no-config", "--as", format, "--output", "ndjson", "--files-from", "-", *more, *options]
        run = subprocess.run(command, input=names.encode(), stdout=subprocess.PIPE, check=False)
        for line in run.stdout.splitlines():
            entry = json.loads(line)
            if entry["type"] == "diagnostic":
                results.setdefault(entry["path"], ({}, []))[1].append(entry)
            elif entry["type"] == "file":
                results.setdefault(entry["path"], ({}, []))[0].update(entry)
    return results


def class_of(outcome):
    """The class of a predicted or observed outcome."""
    if outcome in ("crashes", "hangs", "may crash"):
        return "crashes or hangs"
    return outcome if outcome in ("refuses", "unknown") else "loads"


def predicted(tracelint, reader, tried):
    """Path -> outcome and rule."""
    results = checked(tracelint, reader.format, tried, "--for", f"{reader.name}@{reader.version}", "--ignore",
                   "reader/perf-file-name")
    return {path: (summary["reader"]["outcome"], summary["reader"]["rule"]) for path, (summary, _) in results.items()}


class Traits:
    """What a row of the tables may ask of a finding: validator/readers/reader.hpp has the same."""

    def __init__(self, finding, summary, file, records):
        numbers = [int(word, 0) if word.startswith("0x") else int(word) for word in NUMBER.findall(finding["message"])]
        self.largest = max((number % 2**64 for number in numbers), default=0)
        size, offset = summary["size"], finding["offset"]
        self.at_end = size is not None and offset <= size and finding["length"] >= size - offset
        self.kind = None
        within = next((record for record in records if 0 <= offset - record.offset < record.length), None)
        if within is not None and within.is_numbered and summary["container"] is None:
            self.kind = file.path.read_bytes()[within.offset]
