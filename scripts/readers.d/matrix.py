"""What --for predicts against what the installed readers do, as a confusion matrix for each reader.

    scripts/readers matrix [--generated N] [--mutants N] [--every N] [--only NAME@VERSION]... [--seed N] [--least PERCENT]
                           [--reasons FILE]

Files: the conformance corpus, or every Nth file of it, N generated files and N mutants of generated and recorded files of
each format. A mutant has bytes changed, removed or inserted, or is cut; the same seed gives the same ones. A reader that
shows something is observed to load the file: what it drops or misreads is not compared here. `may crash` counts as crashes.
Files of which tracelint says that it cannot predict what happens are counted, and belong to no percentage.
Every kind of disagreement is listed with its reason, from matrix.reasons or FILE: a line for each reader, predicted and
observed outcome and rule, separated by tabs; `*` stands for any. The exit status is 1 if a reader crashes or hangs on a file
that it was predicted to load, in whole or in part, or agrees on less than PERCENT of the files; 77 if none is
installed.
"""

import collections
import pathlib
import sys
import tempfile

import files
import observe
import shared

CLASSES = ("loads", "refuses", "crashes or hangs")  # observed
PREDICTED = ("loads", "loads in part", "refuses", "crashes or hangs", "unknown")


def predicted_class(outcome):
    """`loads in part`: it is predicted to drop or misread something; counts as loads."""
    return "loads in part" if outcome in ("drops", "misreads", "loses step") else files.class_of(outcome)


def compared(tracelint, reader, tried, kept):
    answers = files.predicted(tracelint, reader, tried)
    observed = shared.Observed(reader, kept)
    matrix = collections.Counter()
    wrong = collections.defaultdict(list)
    for path in (file.path for file in tried):
        predicted, rule = answers[str(path)]
        did = observed.outcome(path)
        matrix[predicted_class(predicted), files.class_of(did)] += 1
        if files.class_of(predicted) not in (files.class_of(did), "unknown"):
            wrong[files.class_of(predicted), files.class_of(did), rule].append(path)
    return matrix, wrong


def reasons_in(path):
    lines = path.read_text().splitlines() if path.exists() else []
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def reason_for(reasons, *kind):
    """Why the prediction is wrong, by the first line that fits."""
    fits = lambda line: all(pattern in ("*", word) for pattern, word in zip(line, kind))
    return next((line[-1] for line in reasons if len(line) == len(kind) + 1 and fits(line)), "not explained")


def show(reader, matrix, wrong, least, reasons):
    """Whether that is good enough."""
    unknown = sum(matrix["unknown", did] for did in CLASSES)
    total = sum(matrix.values()) - unknown
    agreed = sum(matrix[name, name] for name in CLASSES) + matrix["loads in part", "loads"]
    share = 100 * agreed / max(total, 1)
    print(f"\n{reader.name} {reader.version}: {total} files, {share:.1f} % agree, {unknown} more cannot be predicted")
    print(f"{'predicted':18}" + "".join(f"{name:>18}" for name in CLASSES))
    for predicted in PREDICTED:
        print(f"{predicted:18}" + "".join(f"{matrix[predicted, did]:18}" for did in CLASSES))
    for (predicted, did, rule), paths in sorted(wrong.items(), key=lambda item: -len(item[1])):
        why = reason_for(reasons, f"{reader.name}@{reader.version}", predicted, did, rule or "-")
        print(f"  {len(paths):5}  {predicted} predicted by {rule}, {did}: {paths[0].name}: {why}")
    sys.stdout.flush()
    missed = sum(matrix[predicted, "crashes or hangs"] for predicted in ("loads", "loads in part"))
    return missed == 0 and 100 * agreed >= least * total


def matrix(words):
    parser = shared.parser_of(__doc__)
    parser.add_argument("--generated", type=int, default=2000, metavar="N")
    parser.add_argument("--mutants", type=int, default=5000, metavar="N")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--least", type=float, default=0, metavar="PERCENT")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--reasons", type=pathlib.Path, default=pathlib.Path(__file__).with_name("matrix.reasons"),
                        metavar="FILE")
    parser.add_argument("--kept", type=pathlib.Path, metavar="DIR", help="keep observations in DIR, and continue there")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="leave the files here")
    arguments = parser.parse_args(words)
    corpus = shared.corpus_of(arguments)
    reasons = reasons_in(arguments.reasons)
    agree, tried = [], {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep or pathlib.Path(scratch)
        for reader in shared.installed(arguments, observe.all_readers()):
            if reader.format not in tried:
                tried[reader.format] = files.conformance(corpus, reader.format)[::arguments.every] + files.made(
                    arguments.tracelint, reader.format, folder / reader.format, arguments.generated, arguments.mutants,
                    arguments.seed)
            kinds = compared(arguments.tracelint, reader, tried[reader.format], arguments.kept)
            agree.append(show(reader, *kinds, arguments.least, reasons))
    return shared.status_of(agree)
