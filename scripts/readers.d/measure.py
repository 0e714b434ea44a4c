"""What the readers do with the files of each rule: the tables of --for, grammars/*/readers/measured.tsv. Generated files and
N mutants (1000) are tried as well: those that break one rule alone count for that rule. Where the outcomes of a rule
differ, rows with conditions tell them apart. Readers that are not installed keep their columns.

    scripts/readers measure [--only NAME@VERSION]... [--kept FOLDER] [--mutants N]
    scripts/readers compare [--only NAME@VERSION]... [--every N] [--cases DIR]

`compare` writes nothing: it compares every Nth file (40) with the row of the tables that fits it, and fails if a reader does
what was not seen of such files; 77 if none is installed. `--cases`: the cases about readers (tracelint_export --readers) are
tried as well, and a reader must load, refuse, or fail on each as predicted. `--kept`: keep what is observed in this
folder, and continue there. perf needs to be allowed to record events.

perf is the program of that name, if it is of the version in question, or perf_VERSION: a version that the distribution
does not have may run from a folder that its package was unpacked in.
"""

import collections
import datetime
import json
import pathlib
import tempfile

import files
import observe
import shared
import table

ROOT = observe.ROOT
GENERATED = 200
SEED = 2  # scripts/readers matrix has other mutants


def observations(reader, tried, tracelint, kept):
    """The outcome of each file, by its path."""
    observed = shared.Observed(reader, kept)
    records = lambda file: observe.records_of(tracelint, file.path, ["--as", reader.format, *file.options])
    return {file.path: observed.outcome(file.path, lambda: records(file)) for file in tried}


def hazardous(reader, tried, tracelint):
    """The files that the reader fails on by rules of its own: they say nothing about the rule that they break. A
    dump's name does not count, as perf gets it under another."""
    checked = files.checked(tracelint, reader.format, tried, "--for", f"{reader.name}@{reader.version}", "--select",
                            "reader/", "--ignore", "reader/perf-file-name")
    return {pathlib.Path(path) for path, (_, findings) in checked.items()
            if any(finding["rule"].startswith("reader/") for finding in findings)}


def reduced(counts):
    """The outcome to predict: refuses if the reader refused half of the files, else the most frequent outcome, and of
    equally frequent ones the worst. A reader that crashed or hung on one file is never predicted to load: it may crash."""
    if 2 * counts["refuses"] >= sum(counts.values()):
        return "refuses"
    fatal = [outcome for outcome in ("crashes", "hangs") if counts[outcome]]
    shown = {outcome: count for outcome, count in counts.items() if outcome != "refuses"}
    if fatal:
        return fatal[0] if 2 * sum(counts[outcome] for outcome in fatal) >= sum(counts.values()) else "may_crash"
    return max(shown, key=lambda outcome: (shown[outcome], observe.OUTCOMES.index(outcome)))


class Case:
    """A file that breaks one rule alone, by the first of its findings."""

    def __init__(self, rule, finding, file, summary, outcome):
        self.rule, self.finding, self.file, self.summary, self.outcome = rule, finding, file, summary, outcome
        self.traits = None


def cases_of(tried, checked, outcomes, left_out):
    cases = []
    for file in tried:
        summary, findings = checked[str(file.path)]
        serious = [finding for finding in findings if finding["severity"] != "note"] or findings
        rules = {finding["rule"] for finding in serious}
        # The cases of the corpus count by what they show, even if they have a second fault.
        if len(rules) > 1 and file.entry.get("kind") == "violation":
            serious = [finding for finding in serious if finding["rule"] == file.entry["rule"]]
            rules = {finding["rule"] for finding in serious}
        if len(rules) == 1 and (ROOT / "grammars" / min(rules).split("/")[0]).is_dir():  # not those about inputs
            case = Case(rules.pop(), serious[0], file, summary, outcomes[file.path])
            case.counts = file.path not in left_out
            cases.append(case)
    return cases


def class_of(outcome):
    return {"refuses": "refuses", "crashes": "fatal", "hangs": "fatal", "may_crash": "fatal"}.get(outcome, "loads")


WITH_KINDS = ("jitdump", "mlpd", "perfdata", "xray")  # whose records begin with a byte that tells their kind
FROM = (1 << 14, (1 << 16) + 1, 1 << 30, 1 << 32)


def divided(cases, conditions):
    """The outcomes of the cases by the condition that counts for them: the last one that fits."""
    parts = [collections.Counter() for _ in range(len(conditions) + 1)]
    for case in cases:
        fitting = [i for i, condition in enumerate(conditions, 1) if condition.fits(case.traits)]
        parts[fitting[-1] if fitting else 0][case.outcome] += 1
    return parts


def score(parts):
    """The number of files for which the rows predict the right class: loads, refuses, or crashes or hangs."""
    right = 0
    for counts in parts:
        if counts:
            predicted = class_of(reduced(counts))
            right += sum(count for outcome, count in counts.items() if class_of(outcome) == predicted)
    return right


def conditions_for(cases, records_of):
    """The conditions, if any, that tell cases with different outcomes apart."""
    if len({class_of(case.outcome) for case in cases}) < 2:
        return []
    for case in cases:
        case.traits = files.Traits(case.finding, case.summary, case.file, records_of(case.file))
    kinds = {case.traits.kind for case in cases if case.summary["format"] in WITH_KINDS} - {None}
    candidates = []
    if "mlpd" in {case.summary["format"] for case in cases}:
        candidates += [table.Condition(kind=type_, mask=0x0f) for type_ in sorted({kind & 0x0f for kind in kinds})]
    candidates += [table.Condition(kind=kind) for kind in sorted(kinds)]
    candidates += [table.Condition(at_least=number) for number in FROM] + [table.Condition(at_end=True)]
    chosen, best = [], score(divided(cases, []))
    while len(chosen) < 6:
        tries = [(score(divided(cases, sorted([*chosen, more], key=table.Condition.order))), i, more)
                 for i, more in enumerate(candidates) if more not in chosen]
        gained, _, more = max(tries, key=lambda found: (found[0], -found[1]), default=(0, 0, None))
        if gained < best + 2:
            break
        chosen, best = sorted([*chosen, more], key=table.Condition.order), gained
    return chosen


def rows_of(cases, records_of):
    """Rule -> condition -> row, the one without conditions first."""
    rows = {}
    for rule in sorted({case.rule for case in cases}):
        own = [case for case in cases if case.rule == rule]
        own = [case for case in own if case.counts] or own
        conditions = conditions_for(own, records_of)
        general, *parts = divided(own, conditions)
        general = general or collections.Counter(case.outcome for case in own)
        found = [(table.Condition(), general), *zip(conditions, parts)]
        rows[rule] = {condition: table.Row(reduced(counts), counts) for condition, counts in found if counts}
    return rows


def write_table(format, readers, measured):
    """Readers that were not measured keep their columns."""
    path = table.path_of(format)
    columns = {(column.name, column.version): column for column in (table.read(path) if path.exists() else []) + measured}
    names = [(reader.name, reader.version) for reader in readers if reader.format == format]
    table.write(path, [columns[name] for name in names if name in columns])


def known_rows(reader):
    """What the table says that the reader was seen doing: rule -> condition -> row."""
    columns = table.read(table.path_of(reader.format))
    return next((column.rows for column in columns if (column.name, column.version) == (reader.name, reader.version)), {})


def outcomes_for(rows, file, checked, records_of):
    """Those of the row that fits the file."""
    summary, findings = checked[str(file.path)]
    finding = next((finding for finding in findings if finding["rule"] == file.entry["rule"]), None)
    if finding is None or len(rows) == 1:
        return rows[table.Condition()].counts
    traits = files.Traits(finding, summary, file, records_of(file))
    return [row.counts for condition, row in rows.items() if condition.fits(traits)][-1]


def compare_sample(reader, tried, tracelint, step):
    known = known_rows(reader)
    sample = [file for file in tried if file.entry["kind"] == "violation" and file.entry["rule"] in known][::step]
    seen = observations(reader, sample, tracelint, None)
    left_out = hazardous(reader, sample, tracelint)
    checked = files.checked(tracelint, reader.format, sample)
    records_of = lambda file: observe.records_of(tracelint, file.path, ["--as", reader.format, *file.options]) or []
    wrong = 0
    for file in sample:
        fitting = outcomes_for(known[file.entry["rule"]], file, checked, records_of)
        if file.path not in left_out and seen[file.path] not in fitting:
            wrong += 1
            print(f"{reader.name} {reader.version}: {file.path.name}: {seen[file.path]}, which the row that fits does not have")
    print(f"{reader.name} {reader.version}: {len(sample)} files, {wrong} differ from the table", flush=True)
    return not wrong


def compare_cases(reader, folder, tracelint):
    """Whether the reader behaves as predicted on the cases about it."""
    entries = json.loads((folder / reader.format / "readers.json").read_text())
    # perf gets a dump under another name.
    entries = [entry for entry in entries if not entry["name"]
               and reader.name in {word.split("@")[0] for word in entry["for"]}]
    tried = [files.File(folder / reader.format / entry["file"]) for entry in entries]
    answers = files.predicted(tracelint, reader, tried) if tried else {}
    wrong = 0
    for file in tried:
        outcome = reader.observe(file.path, None)
        predicted = answers[str(file.path)][0]
        if predicted not in ("may crash", "unknown") and files.class_of(outcome) != files.class_of(predicted):
            wrong += 1
            print(f"{reader.name} {reader.version}: {file.path.name}: {outcome}, but {predicted} is predicted")
    print(f"{reader.name} {reader.version}: {len(tried)} cases about it, {wrong} predicted wrongly", flush=True)
    return not wrong


def measured(reader, tried, tracelint, kept):
    """The column of the reader."""
    seen = observations(reader, tried, tracelint, kept)
    checked = files.checked(tracelint, reader.format, tried)
    cases = cases_of(tried, checked, seen, hazardous(reader, tried, tracelint))
    records_of = lambda file: observe.records_of(tracelint, file.path, ["--as", reader.format, *file.options]) or []
    return table.Column(reader.name, reader.version, datetime.date.today(), len(tried), rows_of(cases, records_of))


def measure(words):
    """Writes the tables."""
    parser = shared.parser_of(__doc__)
    parser.add_argument("--kept", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--mutants", type=int, default=1000, metavar="N")
    arguments = parser.parse_args(words)
    corpus = shared.corpus_of(arguments)
    columns, made = collections.defaultdict(list), {}
    with tempfile.TemporaryDirectory() as scratch:
        for reader in shared.installed(arguments, observe.all_readers()):
            if reader.format not in made:
                folder = pathlib.Path(scratch) / reader.format
                made[reader.format] = files.made(arguments.tracelint, reader.format, folder, GENERATED, arguments.mutants, SEED)
            tried = files.conformance(corpus, reader.format) + made[reader.format]
            columns[reader.format].append(measured(reader, tried, arguments.tracelint, arguments.kept))
            print(f"{reader.name} {reader.version}: {len(tried)} files", flush=True)
    for format, some in columns.items():
        write_table(format, observe.all_readers(), some)
    return 0


def compare(words):
    """Holds the readers to the tables."""
    parser = shared.parser_of(__doc__)
    parser.add_argument("--every", type=int, default=40, metavar="N")
    parser.add_argument("--cases", type=pathlib.Path, metavar="DIR")
    arguments = parser.parse_args(words)
    corpus = shared.corpus_of(arguments)
    observe.GoPprof.is_built = False
    agree = []
    for reader in shared.installed(arguments, observe.all_readers()):
        tried = files.conformance(corpus, reader.format)
        agree.append(compare_sample(reader, tried, arguments.tracelint, arguments.every))
        if arguments.cases is not None:
            agree.append(compare_cases(reader, arguments.cases.resolve(), arguments.tracelint))
    return shared.status_of(agree)
