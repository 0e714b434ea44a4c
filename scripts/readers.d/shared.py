"""What the commands of scripts/readers have in common: options, the readers that are installed, what they were seen doing."""

import argparse
import hashlib
import json
import pathlib
import shutil
import subprocess

import observe

ROOT = observe.ROOT


def parser_of(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], metavar="NAME@VERSION")
    parser.add_argument("--corpus", type=pathlib.Path, metavar="DIR", help="an exported corpus; without it one is exported")
    parser.add_argument("--tracelint", type=pathlib.Path, default=ROOT / "build/release/tracelint", metavar="PROGRAM")
    return parser


def corpus_of(arguments):
    if arguments.corpus is None:
        arguments.corpus = ROOT / "build" / "conformance"
        shutil.rmtree(arguments.corpus, ignore_errors=True)
        subprocess.run([ROOT / "scripts/export-corpus", arguments.corpus], check=True, stdout=subprocess.DEVNULL)
    return arguments.corpus.resolve()


def installed(arguments, readers):
    """Those of the readers that are asked for and installed; the others are named."""
    for reader in readers:
        if arguments.only and f"{reader.name}@{reader.version}" not in arguments.only:
            continue
        missing = reader.missing()
        if missing:
            print(f"{reader.name} {reader.version}: {missing}", flush=True)
            continue
        try:
            yield reader
        finally:
            reader.close()


class Observed:
    """What a reader did, by the hash of the file; kept in a folder if there is one, as readers are slow."""

    def __init__(self, reader, kept):
        self.reader, self.seen = reader, {}
        self.path = kept / f"{reader.name}@{reader.version}-{reader.format}.jsonl" if kept else None
        if self.path is not None and self.path.exists():
            self.seen = dict(json.loads(line) for line in self.path.read_text().splitlines())

    def outcome(self, path, records_of=lambda: None):
        """`records_of`: gives the records that the reader should show; None: only how it ends is looked at."""
        name = hashlib.sha256(path.read_bytes()).hexdigest()[:32]
        if name not in self.seen:
            self.seen[name] = self.reader.observe(path, records_of())
            if self.path is not None:
                with self.path.open("a") as out:
                    print(json.dumps([name, self.seen[name]]), file=out)
        return self.seen[name]


def status_of(agree):
    """The exit status of a comparison: whether each reader agrees."""
    if not agree:
        print("skipped: no reader is installed")
        return 77
    return 0 if all(agree) else 1
