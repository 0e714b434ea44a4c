"""What the readers make of salvaged files.

    scripts/readers salvaged [--only NAME@VERSION]...

Salvages the files of the conformance corpus that must be refused, and runs the readers over each of them and over what is
left of it. A reader that does not load what is left must be known not to load such sound files, either: fails if --for
predicts that it does.
"""

import collections
import concurrent.futures
import os
import pathlib
import subprocess
import tempfile

import files
import observe
import shared


def what_is_left(tracelint, file, folder):
    """What is left of the file; None: nothing."""
    path = folder / file.path.name
    command = [tracelint, "salvage", *file.options, file.path, "-o", path]
    run = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return files.File(path, file.options) if run.returncode == 0 else None


def tried_with(tracelint, corpus, format, folder):
    """The broken files of which something is left, and what is left of each."""
    broken = [file for file in files.conformance(corpus, format) if file.entry["reader"] == "must refuse"]
    folder.mkdir()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        left = list(pool.map(lambda file: what_is_left(tracelint, file, folder), broken))
    return len(broken), [(before, after) for before, after in zip(broken, left) if after]


def salvaged(words):
    arguments = shared.parser_of(__doc__).parse_args(words)
    corpus = shared.corpus_of(arguments)
    row = "{:24} {:11} {:>7} {:>9} {:>14} {:>12} {:>21}"
    print(row.format("reader", "format", "broken", "salvaged", "loaded before", "loads after", "refused as predicted"))
    agree = []
    with tempfile.TemporaryDirectory() as scratch:
        pairs = {}
        for reader in shared.installed(arguments, observe.all_readers()):
            if reader.format not in pairs:
                pairs[reader.format] = tried_with(arguments.tracelint, corpus, reader.format, pathlib.Path(scratch) / reader.format)
            count, tried = pairs[reader.format]
            predicted = files.predicted(arguments.tracelint, reader, [after for _, after in tried])
            before = collections.Counter(files.class_of(reader.observe(file.path, None)) for file, _ in tried)
            after, wrong = collections.Counter(), []
            for _, file in tried:
                outcome = files.class_of(reader.observe(file.path, None))
                expected = files.class_of(predicted[str(file.path)][0])
                is_right = outcome == "loads" or outcome == expected
                after["loads" if outcome == "loads" else "as predicted"] += is_right
                if not is_right:
                    wrong.append(f"    {file.path.name}: {outcome}, not {expected}")
            print(row.format(f"{reader.name} {reader.version}", reader.format, count, len(tried), before["loads"],
                             after["loads"], after["as predicted"]), *wrong, sep="\n", flush=True)
            agree.append(not wrong)
    return shared.status_of(agree)
