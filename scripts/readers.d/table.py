"""grammars/*/readers/measured.tsv: what readers did with files that break only one rule. The build turns the tables into C++
(scripts/embed-measured.cmake). There is a line for each rule and for each condition under which a reader behaves
differently, and a column for each reader, headed by its name and version, the date and the number of files. A cell has the
predicted outcome and the number of files that had it; if the files had several, it has all: "may crash (ignores 6, crashes 2)".
"""

import collections
import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NONE = "-"  # no condition, or not tried
HEAD = re.compile(r"([a-z-]+)@([0-9a-z.-]+), ([0-9-]+), (\d+) files")
CONDITION = re.compile(r"records of (type )?(0x[0-9a-f]+)|numbers from (\d+)|(at the end of the file)|-")


@dataclasses.dataclass(frozen=True)
class Condition:
    """A condition on a finding: at most one of kind, at_least and at_end is set. validator/readers/reader.hpp has the same."""

    kind: int | None = None
    at_least: int = 0
    at_end: bool = False
    mask: int = 0xff

    @classmethod
    def of(cls, text):
        match = CONDITION.fullmatch(text)
        if match is None:
            raise ValueError(f"no condition: {text}")
        of_type, kind, at_least, at_end = match.groups()
        return cls(int(kind, 16) if kind else None, int(at_least or 0), bool(at_end), 0x0f if of_type else 0xff)

    def __str__(self):
        if self.kind is not None:
            return f"records of {'' if self.mask == 0xff else 'type '}{self.kind:#x}"
        return "at the end of the file" if self.at_end else f"numbers from {self.at_least}" if self.at_least else NONE

    def fits(self, traits):
        return ((self.kind is None or traits.kind is not None and traits.kind & self.mask == self.kind)
                and traits.largest >= self.at_least and (not self.at_end or traits.at_end))

    def order(self):
        """If several rows fit a finding, the last one wins."""
        return (self != Condition(), self.at_end, self.mask, -1 if self.kind is None else self.kind, self.at_least)


def word_of(outcome):
    return "ignores" if outcome == "loads" else outcome.replace("drops_", "drops the ").replace("_", " ")


def outcome_of(word):
    return "loads" if word == "ignores" else word.replace(" the ", "_").replace(" ", "_")


@dataclasses.dataclass(frozen=True)
class Row:
    """What a reader does, and what it was seen doing: outcome -> files."""

    outcome: str
    counts: collections.Counter

    @classmethod
    def of(cls, cell):
        outcome, counted = cell[:-1].split(" (") if cell.endswith(")") else (cell.rsplit(" ", 1)[0], cell)
        parts = (part.rsplit(" ", 1) for part in counted.split(", "))
        return cls(outcome_of(outcome), collections.Counter({outcome_of(word): int(count) for word, count in parts}))

    def __str__(self):
        counted = ", ".join(f"{word_of(outcome)} {count}" for outcome, count in
                         sorted(self.counts.items(), key=lambda item: (-item[1], item[0])))
        return counted if len(self.counts) == 1 else f"{word_of(self.outcome)} ({counted})"


@dataclasses.dataclass
class Column:
    """What was measured of a reader: rule -> condition -> row, the one without conditions first."""

    name: str
    version: str
    date: str
    files: int
    rows: dict = dataclasses.field(default_factory=lambda: collections.defaultdict(dict))

    def __str__(self):
        return f"{self.name}@{self.version}, {self.date}, {self.files} files"


def path_of(format):
    return ROOT / "grammars" / format / "readers" / "measured.tsv"


def read(path):
    """Its columns."""
    head, *lines = [line.split("\t") for line in path.read_text().splitlines()]
    columns = [Column(*HEAD.fullmatch(cell).groups()) for cell in head[2:]]
    for rule, condition, *cells in lines:
        for column, cell in zip(columns, cells, strict=True):
            if cell != NONE:
                column.rows[rule][Condition.of(condition)] = Row.of(cell)
    return columns


def write(path, columns):
    keys = {(rule, condition) for column in columns for rule, rows in column.rows.items() for condition in rows}
    lines = [["rule", "condition", *columns]]
    for rule, condition in sorted(keys, key=lambda key: (key[0], key[1].order())):
        lines.append([rule, condition, *(column.rows.get(rule, {}).get(condition, NONE) for column in columns)])
    path.write_text("".join("\t".join(map(str, line)) + "\n" for line in lines))
