"""How well the readers reject invalid files.

    scripts/readers score [--only NAME@VERSION]...   runs them over the conformance corpus
    scripts/readers scoreboard [FILE]                the table of corpus/README.md, from those of --for; runs nothing

With FILE, such as corpus/README.md, `scoreboard` fails if the table is not in it. A reader has ten seconds of processor time
and a gigabyte for each file. `refused`: non-zero exit status. `crashed`: ended by a signal or a panic. `hung`: out of time. A
file that it must refuse but accepts is misread silently. perf finds its files in a recording, as in production.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess

import files
import observe
import shared
import table

# By the worst finding of the file.
DUTIES = {"must refuse": "error", "may accept": "warning", "must accept": "note, none"}
VERDICTS = {"refuses": "refused", "loads": "accepted", "crashes": "crashed", "hangs": "hung"}


def score_of(reader, corpus):
    """How many files of each duty got which verdict."""
    tried = files.conformance(corpus, reader.format)
    # perf finds every dump in the same place.
    workers = 1 if isinstance(reader, observe.Perf) else os.cpu_count()
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        outcomes = pool.map(lambda file: reader.observe(file.path, None), tried)
        return collections.Counter((file.entry["reader"], outcome) for file, outcome in zip(tried, outcomes))


def score(words):
    arguments = shared.parser_of(__doc__).parse_args(words)
    corpus = shared.corpus_of(arguments)
    inject = observe.PerfData("perf-inject", "6.1", "inject", "-o", "/dev/null", "-i")
    row = "{:24} {:11} {:12} {:12} {:>8} {:>9} {:>8} {:>6}"
    print(row.format("reader", "format", "severity", "duty", *VERDICTS.values()))
    for reader in shared.installed(arguments, [*observe.all_readers(), inject]):
        counts = score_of(reader, corpus)
        for duty, severity in DUTIES.items():
            cells = [counts[duty, outcome] for outcome in VERDICTS]
            print(row.format(f"{reader.name} {reader.version}", reader.format, severity, duty, *cells), flush=True)
    return 0


COLUMNS = (("refused", ("refuses",)), ("crashed", ("crashes",)), ("hung", ("hangs",)),
           ("lost or misread", ("drops_record", "drops_rest", "misreads")), ("taken as right", ("loads",)))


def severities(program):
    """The severity of each rule, as tracelint knows it."""
    listed = subprocess.run([program, "rules", "--output", "json"], stdout=subprocess.PIPE, check=True)
    return {rule["id"]: rule["severity"] for rule in json.loads(listed.stdout)["rules"]}


def scores_of(column, by_rule):
    """Severity -> outcome -> files."""
    scores = {severity: collections.Counter() for severity in ("error", "warning", "note")}
    for rule, rows in column.rows.items():
        for row in rows.values():
            scores[by_rule[rule]] += row.counts
    return scores


def markdown(tracelint):
    """What the measured tables of --for add up to, by the severity of the broken rule."""
    lines = ["| reader | format | measured | rule | " + " | ".join(name for name, _ in COLUMNS) + " |",
             "|---|---|---|---|" + "---:|" * len(COLUMNS)]
    by_rule = severities(tracelint)
    for path in sorted((shared.ROOT / "grammars").glob("*/readers/measured.tsv")):
        for column in table.read(path):
            for severity, counts in scores_of(column, by_rule).items():
                cells = [str(sum(counts[outcome] for outcome in outcomes)) for _, outcomes in COLUMNS]
                lines.append(f"| {column.name} {column.version} | {path.parent.parent.name} | {column.date} | {severity} | "
                             + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def scoreboard(words):
    parser = shared.parser_of(__doc__)
    parser.add_argument("file", nargs="?", type=pathlib.Path)
    arguments = parser.parse_args(words)
    text = markdown(arguments.tracelint)
    if text.count("\n") <= 2:
        print("scripts/readers: no measured table is found")
        return 1
    if arguments.file is None:
        print(text, end="")
    elif text not in arguments.file.read_text():
        print(f"{arguments.file}: the table of readers is not that of scripts/readers scoreboard")
        return 1
    return 0
