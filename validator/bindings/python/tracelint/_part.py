"""Parts: the results of one shard of a manifest as ndjson, as the command writes them and `tracelint merge` reads them."""

import contextlib
import json
import os
import re
import threading
from typing import Any, BinaryIO, Dict, Iterator, List, Tuple

from . import _library

EXAMPLES = 3
ATTEMPTS = ".attempts"
"""The end of the name of the file that knows of killed attempts."""
SUMMED_VERDICTS = ("error", "warning", "note", "clean", "unreadable")
_SEVERITIES = ("error", "warning", "note")
_PATH = re.compile(rb'"path":("(?:[^"\\]|\\.)*")')


class PartSums:
    """What is added up over the files of a part."""

    def __init__(self) -> None:
        self.bytes = self.limited = 0
        self.formats: Dict[str, List[int]] = {}  # files, bytes, then files by verdict
        self.findings: Dict[Tuple[str, str, int], List[Any]] = {}  # findings, files, examples

    def add_line(self, line: bytes) -> None:
        """Adds the line of a file, the last one that a part has of it."""
        file = json.loads(line)
        size = file["size"] or 0
        format = file["format"] or ""
        self.bytes += size
        self.limited += "limited" in file
        of_format = self.formats.setdefault(format, [0, 0] + [0] * len(SUMMED_VERDICTS))
        of_format[0] += 1
        of_format[1] += size
        of_format[2 + SUMMED_VERDICTS.index(file["verdict"])] += 1
        for rule, counts in file.get("rules", {}).items():
            for severity, number in counts.items():
                found = self.findings.setdefault((rule, format, _SEVERITIES.index(severity)), [0, 0, []])
                found[0] += number
                found[1] += 1
                if len(found[2]) < EXAMPLES:  # files come in their order
                    path = _PATH.search(line)
                    found[2].append([file["entry"], path.group(1).decode() if path else '""'])

    def add(self, other: Dict[str, Any]) -> None:
        """Adds what pack() has made of files that come later."""
        self.bytes += other["bytes"]
        self.limited += other["limited"]
        for format, more in other["formats"].items():
            mine = self.formats.setdefault(format, [0] * len(more))
            mine[:] = [one + two for one, two in zip(mine, more)]
        for rule, format, severity, findings, files, examples in other["findings"]:
            found = self.findings.setdefault((rule, format, severity), [0, 0, []])
            found[0] += findings
            found[1] += files
            found[2] = (found[2] + examples)[:EXAMPLES]

    def add_found(self, sums: Dict[str, Any]) -> None:
        """Adds what tracelint_check_files() says of files that come later."""
        self.add({**sums, "findings": [
            [rule, format, _SEVERITIES.index(severity), *more] for rule, format, severity, *more in sums["findings"]]})

    def pack(self) -> Dict[str, Any]:
        """The same for JSON."""
        findings = [[*kind, *sums] for kind, sums in self.findings.items()]
        return {"bytes": self.bytes, "limited": self.limited, "formats": self.formats, "findings": findings}

    def of_verdict(self, verdict: str) -> int:
        return sum(counts[2 + SUMMED_VERDICTS.index(verdict)] for counts in self.formats.values())

    @property
    def files(self) -> int:
        return sum(counts[0] for counts in self.formats.values())

    def last_line(self, part: Dict[str, Any]) -> str:
        """The last line of a part."""
        clean, unreadable = self.of_verdict("clean"), self.of_verdict("unreadable")
        head = _compact({
            "type": "summary", "schema_version": 1, "tool": {"name": "tracelint", "version": _library.version()},
            "files": self.files, "clean": clean, "with_findings": self.files - clean - unreadable,
            "unreadable": unreadable, "skipped": 0, "bytes": self.bytes, "limited": self.limited, "part": part,
            "formats": [
                {"format": format or None, "files": counts[0], "bytes": counts[1], **dict(zip(SUMMED_VERDICTS, counts[2:]))}
                for format, counts in sorted(self.formats.items())
            ],
        })
        totals = [
            f'{{"rule":{_compact(rule)},"format":{_compact(format or None)},"severity":"{_SEVERITIES[severity]}",'
            f'"findings":{findings},"files":{files},"examples":['
            + ",".join(f'{{"entry":{entry},"path":{path}}}' for entry, path in examples) + "]}"
            for (rule, format, severity), (findings, files, examples) in sorted(self.findings.items())
        ]
        return f'{head[:-1]},"totals":[{",".join(totals)}]}}\n'


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def is_finished(path: str, part: Dict[str, Any]) -> bool:
    """Whether the file is this part, by this version, and no file of it was unreadable."""
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - (16 << 20)))
            end = json.loads(file.read().rstrip(b"\n").rpartition(b"\n")[2])
        return bool(end["type"] == "summary" and end["part"] == part and end["unreadable"] == 0
                    and end["tool"]["version"] == _library.version())
    except (OSError, ValueError, KeyError, TypeError):
        return False


@contextlib.contextmanager
def placed(path: str) -> Iterator[BinaryIO]:
    """A file to write, which has its name when it is complete and on the disk."""
    folder, name = os.path.split(path)
    writer = f"{os.uname().nodename}-{os.getpid()}-{threading.get_ident()}"
    temporary = os.path.join(folder, f".tracelint-{writer}-{name}.tmp")
    try:
        with open(temporary, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):  # another attempt was faster, and has removed it
            os.rename(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    handle = os.open(folder or ".", os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove_leftovers(path: str) -> None:
    """Removes what killed attempts to write a part left next to it."""
    folder, name = os.path.split(path)
    for left in os.listdir(folder or "."):
        is_temporary = left.startswith(".tracelint-") and left.endswith(f"-{name}.tmp")
        if is_temporary or left == name + ATTEMPTS:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(folder, left))
