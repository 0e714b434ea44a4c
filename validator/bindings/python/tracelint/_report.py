"""The report of one input."""

import ctypes
import functools
import json
import operator
import os
import threading
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Literal, NamedTuple, NoReturn, Optional, Tuple, Union

from . import _library
from ._library import encoded
from ._text import printable

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

Severity = Literal["note", "warning", "error"]
Verdict = Literal["clean", "note", "warning", "error", "unreadable"]

SEVERITIES: Tuple[Severity, ...] = ("note", "warning", "error")  # from 1
VERDICTS: Tuple[Verdict, ...] = ("clean", "note", "warning", "error", "unreadable")  # from 0
_BYTE_ORDERS: Tuple[Optional[Literal["little", "big"]], ...] = (None, "little", "big")


_SUMMARY_SIZE = ctypes.sizeof(_library.Summary)
# As for texts; a page takes as long as a check, during which other threads may ask for texts.
_page_lock = threading.Lock()
# A text of a report lives until the next one is asked for. The library makes texts with the interpreter locked, so that one
# lock for all reports is no slower.
_lock = threading.Lock()


class Finding(NamedTuple):
    """One violation of a format."""

    rule: str
    """The id of the rule: "jitdump/bad-magic"."""
    severity: Severity
    """"error": a requirement is violated or a reader fails. "warning": the writer is at fault. "note": worth knowing."""
    offset: int
    """Bytes from the start of the input, or of what it decompresses to; see `about_container`."""
    length: int
    """Bytes; 0 at the end of the input."""
    field: Optional[str]
    """"records[2].total_size"; None if no record is concerned."""
    message: str
    """What is wrong and what was expected, as one sentence."""
    help: str
    """What it does to the tools that read the file."""
    related: Optional[Tuple[int, int]]
    """Offset and length of another place that the finding refers to."""
    about_container: bool = False
    """Whether `offset` counts in the compressed input, since its container is at fault: gzip/corrupt."""
    related_file: Optional[str] = None
    """The name of the other file that the finding is about, in which `related` is then; None: it is about one file."""

    def __str__(self) -> str:
        return f"0x{self.offset:x}+{self.length}: {self.severity}: {self.message} [{self.rule}]"


def finding_of(struct: _library.Finding) -> Finding:
    text = _library.text
    return Finding(
        rule=text(struct.rule),
        severity=SEVERITIES[struct.severity - 1],
        offset=struct.offset,
        length=struct.length,
        field=_library.text_or_none(struct.field),
        message=text(struct.message),
        help=text(struct.help),
        related=(struct.related_offset, struct.related_length) if struct.has_related else None,
        about_container=bool(struct.about_container),
        related_file=_file_name(struct.related_file),
    )


def _file_name(name: Optional[bytes]) -> Optional[str]:
    return None if name is None else name.decode("utf-8", "surrogateescape")


class Reader(NamedTuple):
    """What one version of a reader does with the input."""

    name: str
    """"perf"."""
    version: str
    """"7.2"."""
    outcome: str
    """"loads", "ignores" (a broken rule does not matter to it), "unknown" (not tried), "drops", "misreads", "refuses",
    "hangs" or "crashes"."""
    evidence: str
    """"measured", "by its source" or "by a report"."""
    rule: Optional[str]
    """The rule of the finding that decides; None: none does."""
    offset: Optional[int]
    """The place of that finding, in bytes."""
    unit: str
    """What it shows, in the singular: "function"."""
    total: int
    """Units in the input."""
    lost: int
    """Of these, those that it drops: behind the place where it stops, or one by one."""
    sentence: str
    """All of this in words, which are not stable."""

    def __str__(self) -> str:
        return self.sentence


def _known(number: int) -> Optional[int]:
    return None if number == _library.UNKNOWN else number


def _name(path: "Union[str, os.PathLike[str], os.PathLike[bytes]]") -> bytes:
    """A path for C."""
    try:
        return encoded("path", os.fsdecode(path))
    except TypeError:
        raise TypeError(f"path must be a str, bytes or os.PathLike, not {type(path).__name__}") from None


class Report:
    """The findings of one input and what is known of it. Made by check() and Session.finish(). It holds memory of the
    library, so it is neither copied nor pickled; to_dict() is what can be."""

    _handle: ctypes.c_void_p
    _summary: _library.Summary
    _findings: Optional[List[Finding]] = None
    _companions: "Optional[List[Report]]" = None

    def __init__(self) -> None:
        raise TypeError("a tracelint.Report is made by check() and Session.finish()")

    @classmethod
    def _of(cls, function: Callable[..., int], *arguments: Any) -> "Report":
        """The report that a function of the library gives. The handle has its owner before, whatever interrupts this."""
        report = cls.__new__(cls)
        report._handle = ctypes.c_void_p()
        report._free = functools.partial(_library.report_free, report._handle)
        error = function(*arguments, ctypes.byref(report._handle))
        if error:
            _library.fail(error)
        report._summary = _library.Summary(_SUMMARY_SIZE)
        error = _library.report_summary(report._handle, ctypes.byref(report._summary))
        if error:
            _library.fail(error)
        return report

    # It runs no line of Python: what a signal handler raises there would be lost.
    __del__ = property(operator.attrgetter("_free"))
    _free: Callable[[], object] = bool

    # Of two objects with one handle, the first to go would free what the other reads.
    def __reduce__(self) -> NoReturn:
        raise TypeError("a tracelint.Report can be neither copied nor pickled; to_dict() can")

    @property
    def verdict(self) -> Verdict:
        """The worst severity found, "clean", or "unreadable" if reading failed, so that findings may be missing."""
        verdict: int = self._summary.verdict
        return VERDICTS[verdict]

    @property
    def failure(self) -> Optional[str]:
        """Why reading the input failed; None if it did not."""
        return _library.text_or_none(self._summary.failure)

    @property
    def limit_hit(self) -> bool:
        """Whether a limit left something unchecked, so that findings may be missing."""
        return bool(self._summary.limit_hit)

    @property
    def format(self) -> Optional[str]:
        """The id of the format: "jitdump"; None if it was not recognised."""
        return _library.text_or_none(self._summary.format)

    @property
    def format_version(self) -> Optional[int]:
        """As the input states it."""
        return _known(self._summary.format_version)

    @property
    def byte_order(self) -> Optional[Literal["little", "big"]]:
        """The byte order of the input, if its format has any."""
        order: int = self._summary.byte_order
        return _BYTE_ORDERS[order]

    @property
    def word_size(self) -> Optional[int]:
        """Bytes of an address, if the format allows for several sizes."""
        return self._summary.word_size or None

    @property
    def container(self) -> Optional[str]:
        """How the input is compressed: "gzip" or "zstd", or None."""
        return _library.text_or_none(self._summary.container)

    @property
    def size(self) -> Optional[int]:
        """Bytes of the input, decompressed; None if it was not read to its end as nothing more could be checked."""
        return _known(self._summary.input_size)

    @property
    def counts(self) -> Dict[Severity, int]:
        """The number of all findings by severity, whether kept or not."""
        summary = self._summary
        return {"error": summary.errors, "warning": summary.warnings, "note": summary.notes}

    @property
    def rules(self) -> Dict[str, int]:
        """The number of all findings by the id of their rule, whether kept or not."""
        return self._read_counts(_library.report_rule, self._summary.rule_count)

    @property
    def statistics(self) -> Dict[str, int]:
        """"records", then what the format counts."""
        return self._read_counts(_library.report_statistic, self._summary.statistic_count)

    @property
    def findings(self) -> List[Finding]:
        """The kept findings, sorted by offset. Read from the library when they are first asked for."""
        if self._findings is None:
            self._findings = [self._read_finding(index) for index in range(self._summary.finding_count)]
        return self._findings

    @property
    def readers(self) -> List[Reader]:
        """What the readers that were named do with the input: those that read files of its format."""
        return [self._read_reader(index) for index in range(self._summary.reader_count)]

    @property
    def companions(self) -> "List[Report]":
        """The reports of the companions, in the order in which they were given. A companion has no companions."""
        if self._companions is None:
            read = functools.partial(Report._of, _library.report_companion, self._handle)
            self._companions = [read(index) for index in range(self._summary.companion_count)]
        return self._companions

    def at_least(self, severity: Severity) -> int:
        """The number of findings of this severity or a worse one, whether kept or not."""
        worse = SEVERITIES[SEVERITIES.index(severity) :]
        return sum(number for of, number in self.counts.items() if of in worse)

    def json(self, path: "Union[None, str, os.PathLike[str], os.PathLike[bytes]]" = None) -> str:
        """The report as an element of `files` in the command's `--output json`. `path` replaces the member of that name."""
        return self._read_text(_library.report_json, path)

    def document(self, path: "Union[None, str, os.PathLike[str], os.PathLike[bytes]]" = None) -> str:
        """The report and those of its companions, as the command prints them with `--output json`: `files`, `groups` (how the
        files belong together) and `summary`. `path` is as in json()."""
        return self._read_text(_library.report_document, path)

    def text(self, path: "Union[None, str, os.PathLike[str], os.PathLike[bytes]]" = None) -> str:
        """The report for people: what was found, then each kept finding, the worst first, with its effect. `path` is as in
        json(). The wording is not stable."""
        from ._rendered import rendered  # which needs this module

        name: str = self.to_dict()["path"] if path is None else os.fsdecode(path)
        return rendered("the trace" if name == "-" else printable(name), self)

    def html(self, data: "Optional[ReadableBuffer]" = None) -> str:
        """The report and those of its companions as a page for people, which needs no other file: what the command writes with
        `--output html`. Files that were checked by their paths are read again, for the bytes around findings and the map.
        data: the bytes of an input that was not a path; None: the page has no bytes of it."""
        text = ctypes.c_void_p()
        length = ctypes.c_size_t()
        try:
            contents = data if data is None or isinstance(data, bytes) else bytes(memoryview(data))
        except TypeError:
            raise TypeError(f"data must be an object with a buffer or None, not {type(data).__name__}") from None
        with _page_lock:  # the next call replaces the text
            error = _library.report_html(
                self._handle, contents, len(contents or b""), ctypes.byref(text), ctypes.byref(length)
            )
            if error:
                _library.fail(error)
            return ctypes.string_at(text.value or 0, length.value).decode("utf-8")

    def _read_text(self, read: Any, path: "Union[None, str, os.PathLike[str], os.PathLike[bytes]]") -> str:
        text = ctypes.c_void_p()
        length = ctypes.c_size_t()
        name = None if path is None else _name(path)
        with _lock:  # the next call replaces the text
            error = read(self._handle, name, ctypes.byref(text), ctypes.byref(length))
            if error:
                _library.fail(error)
            return ctypes.string_at(text.value or 0, length.value).decode("utf-8")

    def to_dict(self) -> Dict[str, Any]:
        """The same as a dictionary."""
        report: Dict[str, Any] = json.loads(self.json())
        return report

    def __repr__(self) -> str:
        return f"<tracelint.Report: {self.format or 'no known format'}, {self.verdict}, {self.counts}>"

    def _read_finding(self, index: int) -> Finding:
        finding = _library.Finding()
        finding.size = ctypes.sizeof(finding)
        error = _library.report_finding(self._handle, index, ctypes.byref(finding))
        if error:
            _library.fail(error)
        return finding_of(finding)

    def _read_reader(self, index: int) -> Reader:
        struct = _library.Reader()
        struct.size = ctypes.sizeof(struct)
        error = _library.report_reader(self._handle, index, ctypes.byref(struct))
        if error:
            _library.fail(error)
        text = _library.text
        return Reader(
            name=text(struct.name),
            version=text(struct.version),
            outcome=text(struct.outcome),
            evidence=text(struct.evidence),
            rule=_library.text_or_none(struct.rule),
            offset=_known(struct.offset),
            unit=text(struct.unit),
            total=struct.total,
            lost=struct.lost,
            sentence=text(struct.sentence),
        )

    def _read_counts(self, read: Any, number: int) -> Dict[str, int]:
        counts = {}
        count = _library.Count()
        count.size = ctypes.sizeof(count)
        for index in range(number):
            error = read(self._handle, index, ctypes.byref(count))
            if error:
                _library.fail(error)
            counts[_library.text(count.name)] = count.number
        return counts
