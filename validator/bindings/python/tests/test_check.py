"""check(): every kind of input, its report, and what is an exception."""

import copy
import gc
import gzip
import io
import json
import mmap
import os
import pathlib
import pickle
import re
import subprocess
import sys
import threading
import weakref

import pytest
import tracelint
from conftest import BROKEN, CORPUS, HEALTHY


class Trickle:
    """A file object with read() alone, which gives a few bytes at a time."""

    def __init__(self, data):
        self._inner = io.BytesIO(data)

    def read(self, size):
        return self._inner.read(min(size, 7))


def read_only_map(data, tmp_path):
    path = tmp_path / "mapped"
    path.write_bytes(data)
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def opened(data, tmp_path, buffering=-1):
    path = tmp_path / "opened"
    path.write_bytes(b"before" + data)
    file = open(path, "rb", buffering=buffering)
    file.seek(6)
    return file


INPUTS = {
    "bytes": lambda data, _: data,
    "bytearray": lambda data, _: bytearray(data),
    "memoryview": lambda data, _: memoryview(data),
    "writable memoryview": lambda data, _: memoryview(bytearray(data)),
    "memoryview with steps": lambda data, _: memoryview(bytes(byte for byte in data for _ in range(2)))[::2],
    "part of a memoryview": lambda data, _: memoryview(b"x" + data + b"y")[1:-1],
    "mmap": read_only_map,
    "BytesIO": lambda data, _: io.BytesIO(data),
    "file from its position": opened,
    "unbuffered file": lambda data, tmp_path: opened(data, tmp_path, 0),
    "read() alone": lambda data, _: Trickle(data),
    "GzipFile": lambda data, _: gzip.GzipFile(fileobj=io.BytesIO(gzip.compress(data))),
}
# Of these, only reading tells the size.
UNSIZED = ("read() alone", "GzipFile")


@pytest.mark.parametrize("kind", INPUTS)
def test_inputs_have_the_report_of_the_file(kind, broken, tmp_path):
    expected = tracelint.check(BROKEN).json(path="x")
    report = tracelint.check(INPUTS[kind](broken, tmp_path), file_name=str(BROKEN))
    assert report.json(path="x") == expected


def test_a_report():
    report = tracelint.check(BROKEN)
    assert report.verdict == "error"
    assert report.counts == {"error": 1, "warning": 3, "note": 4}
    assert report.format == "jitdump"
    assert report.format_version == 1
    assert report.byte_order == "little"
    assert report.container is None
    assert report.size == 918
    assert report.failure is None
    assert not report.limit_hit
    assert report.statistics["records"] == 8
    assert report.rules["jitdump/debug-not-adjacent"] == 3
    assert report.at_least("warning") == 4


def test_a_finding():
    finding = tracelint.check(BROKEN).findings[1]
    assert finding.rule == "jitdump/header-unknown-flags"
    assert finding.severity == "error"
    assert (finding.offset, finding.length) == (0x20, 8)
    assert finding.field == "header.flags"
    assert finding.message == "flags is 0x5a375961772e0103; only bit 0 is defined"
    assert finding.help.startswith("perf rejects the whole file")
    assert finding.related is None
    assert str(finding).startswith("0x20+8: error: flags is")


def test_findings_are_those_of_the_json():
    for path in sorted((CORPUS / "jitdump" / "real").glob("*.dump")):
        report = tracelint.check(path)
        listed = report.to_dict()["diagnostics"]
        assert [(one.rule, one.offset, one.message) for one in report.findings] == [
            (one["rule"], one["offset"], one["message"]) for one in listed
        ]


def test_gzip():
    report = tracelint.check(gzip.compress(BROKEN.read_bytes()))
    assert (report.container, report.size, report.verdict) == ("gzip", 918, "error")


# Of most of these the check reads the start alone, and moves to the end for the size.
NO_TRACES = {
    "nothing": b"",
    "a byte": b"\0",
    "a text": b"no trace at all",
    "zeros": bytes(100_000),
    "one letter": b"n" * 4096,
    "a program": b"\x7fELF" + bytes(1 << 20),
}


@pytest.mark.parametrize("kind", INPUTS)
@pytest.mark.parametrize("data", NO_TRACES.values(), ids=NO_TRACES)
def test_anything_is_a_report(data, kind, tmp_path):
    if kind == "mmap" and not data:
        pytest.skip("nothing cannot be mapped")
    report = tracelint.check(INPUTS[kind](data, tmp_path))
    assert (report.verdict, report.failure) == ("error", None)
    if kind not in UNSIZED:
        assert report.size == len(data)


def test_damaged_traces_are_reports_from_file_objects(broken, tmp_path):
    path = tmp_path / "damaged"
    for at in range(0, len(broken), 5):
        data = broken[:at] + b"\xff" + broken[at + 1 :]
        expected = tracelint.check(data).json()
        assert tracelint.check(io.BytesIO(data)).json() == expected
        path.write_bytes(data)
        with open(path, "rb", buffering=0) as file:
            assert tracelint.check(file).json() == expected


def test_options(broken):
    assert tracelint.check(broken, select="jitdump/header-").counts == {"error": 1, "warning": 0, "note": 1}
    assert tracelint.check(broken, ignore=["jitdump/header-unknown-flags"]).verdict == "warning"
    assert tracelint.check(broken, severities={"jitdump/": "note"}).verdict == "note"
    assert tracelint.check(broken, severities={"jitdump/": "off"}).verdict == "clean"
    assert len(tracelint.check(broken, max_per_rule=1).findings) == 6
    assert tracelint.check(broken, max_per_rule=1).counts["warning"] == 3
    assert tracelint.check(broken, format="mlpd").format == "mlpd"
    assert tracelint.check(broken, file_name="given.dump").to_dict()["path"] == "given.dump"


@pytest.mark.parametrize(
    "options, sentence",
    [
        ({"format": "nonsense"}, "nonsense"),
        ({"select": "no-such-rule"}, "no-such-rule"),
        ({"ignore": ["jitdump/", "x\0y"]}, "null"),
        ({"severities": {"jitdump/": "fatal"}}, "fatal"),
        ({"settings": {"no-such": "x"}}, "no-such"),
        ({"max_memory": -1}, "max_memory"),
        ({"max_memory": 0}, "max_memory"),
        ({"max_record": 0}, "max_record"),
        ({"format": ""}, "format"),
        ({"max_per_rule": 0}, "max_per_rule"),
    ],
)
def test_a_wrong_option_raises(broken, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        tracelint.check(broken, **options)
    with pytest.raises(ValueError, match=sentence):
        tracelint.Session(**options)


# What each option is given, next to what is of its type but wrong, and what is right. All else is a TypeError.
ANYTHING = [0, 1, 1.5, b"jitdump/", [1], {"a": 1}, {"a": []}, {1: "off"}, True, object, "5", "", 10**30, -1, 2**64, None,
            float("nan"), "a\0b", "\ud800", ["a\0b"], [], {}, "jitdump/", ["jitdump/"], {"jitdump/": "off"}]  # fmt: skip
_PATTERNS = (["5", "", "a\0b", "\ud800", ["a\0b"], {"a": 1}, {"a": []}], [None, [], {}, "jitdump/", ["jitdump/"], {"jitdump/": "off"}])
_SIZES = ([0, 10**30, -1, 2**64], [1, None])
OPTIONS = {
    "format": (["5", "", "a\0b", "\ud800", "jitdump/"], [None]),
    "file_name": (["a\0b", "\ud800"], ["5", "", None, "jitdump/"]),
    "select": _PATTERNS,
    "ignore": _PATTERNS,
    "severities": ([], [None, {}, {"jitdump/": "off"}]),
    "settings": ([{"jitdump/": "off"}], [None, {}]),
    "max_memory": _SIZES,
    "max_record": _SIZES,
    "max_per_rule": _SIZES,
    "on_finding": ([], [None, object]),
}


def outcome_of(call):
    try:
        call()
    except Exception as error:
        return error
    return None


@pytest.mark.parametrize("name", OPTIONS)
def test_a_wrong_type_names_its_argument(name, broken):
    wrong, right = OPTIONS[name]
    # Whether an object is in a list: True is not 1 here.
    is_in = lambda value, values: any(repr(value) == repr(one) for one in values)
    for value in ANYTHING:
        for call in (tracelint.Session, lambda **options: tracelint.check(broken, **options)):
            error = outcome_of(lambda: call(**{name: value}))
            if name == "on_finding" and value is object:
                assert error is None or "object()" in str(error)  # it is called, and takes no argument
            elif is_in(value, right):
                assert error is None, value
            elif is_in(value, wrong):
                assert isinstance(error, ValueError), value
            else:
                assert isinstance(error, TypeError), value
                assert str(error).startswith(f"{name} must be "), value


def test_a_severity_that_is_none_is_named(broken):
    for word in ("fatal", "", "x"):
        with pytest.raises(ValueError, match=f"severities: unknown severity {word!r}"):
            tracelint.check(broken, severities={"jitdump/": word})


def test_a_number_out_of_range_names_the_range(broken):
    for name in ("max_memory", "max_record", "max_per_rule"):
        for value in (0, -1, 2**64, 10**30):
            with pytest.raises(ValueError, match=f"{name} must be from 1 to {2**64 - 1}, not {value}"):
                tracelint.check(broken, **{name: value})


def test_paths():
    assert tracelint.check(str(HEALTHY)).verdict == "note"
    assert tracelint.check(HEALTHY).to_dict()["path"] == str(HEALTHY)


def test_a_path_that_cannot_be_opened_raises(tmp_path):
    with pytest.raises(FileNotFoundError):
        tracelint.check(tmp_path / "missing")
    with pytest.raises(IsADirectoryError):
        tracelint.check(tmp_path)
    with pytest.raises(ValueError):
        tracelint.check("a\0b")


def test_a_path_of_any_bytes(broken, tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.dump")
    pathlib.Path(path).write_bytes(broken)
    assert tracelint.check(path).verdict == "error"


def test_what_a_file_object_raises_comes_through():
    class Failing:
        def read(self, size):
            raise ConnectionResetError("gone")

    with pytest.raises(ConnectionResetError, match="gone"):
        tracelint.check(Failing())
    with pytest.raises(TypeError, match="binary"):
        tracelint.check(io.StringIO("text"))
    for wrong in (5, None, 1.5, [], {}, object()):
        with pytest.raises(TypeError, match="source must be a path, .* not " + type(wrong).__name__):
            tracelint.check(wrong)


def test_a_bytearray_is_free_again_after_a_check(broken):
    data = bytearray(broken)
    tracelint.check(data)
    data += b"more"  # BufferError while a pointer to it exists


def test_threads(broken):
    expected = tracelint.check(broken).json()
    shared = tracelint.check(broken)
    wrong = []

    def work():
        for _ in range(50):
            if tracelint.check(broken).json() != expected or shared.json() != expected or len(shared.findings) != 8:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_the_lock_is_released_while_checking(tmp_path):
    reader, writer = os.pipe()
    reports = []
    thread = threading.Thread(target=lambda: reports.append(tracelint.check(f"/dev/fd/{reader}")))
    thread.start()  # waits for the pipe, so this thread goes on only if the lock is free
    os.write(writer, BROKEN.read_bytes())
    os.close(writer)
    thread.join()
    os.close(reader)
    assert reports[0].verdict == "error"


def test_a_finding_says_whether_its_container_is_at_fault(broken):
    packed = bytearray(gzip.compress(broken))
    packed[-8] ^= 1  # the checksum
    findings = tracelint.check(packed).findings
    assert [one.rule for one in findings if one.about_container] == ["gzip/corrupt"]
    assert len(findings) == 9


def test_a_function_is_called_for_each_finding(broken):
    found = []
    report = tracelint.check(broken, max_per_rule=1, on_finding=found.append)
    everything = tracelint.check(broken).findings
    assert sorted(found) == sorted(everything)
    assert len(report.findings) < len(found)


def test_what_the_function_raises_comes_through(broken):
    calls = []

    def fail(finding):
        calls.append(finding)
        raise KeyError(finding.rule)

    with pytest.raises(KeyError):
        tracelint.check(broken, on_finding=fail)
    with pytest.raises(KeyError):
        tracelint.check(io.BytesIO(broken), on_finding=fail)
    assert len(calls) == 2


def test_a_report_is_not_copied(broken):
    report = tracelint.check(broken)
    for forbidden in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="copied"):
            forbidden(report)
    assert len(report.findings) == 8


def test_a_checked_file_object_is_free(tmp_path, broken):
    class File(io.BytesIO):
        pass

    file = File(broken)
    dropped = weakref.ref(file)
    tracelint.check(file)
    del file
    assert dropped() is None


def test_a_file_object_that_raises_is_free():
    class Failing:
        def read(self, size):
            raise OSError("gone")

    class Seeking(io.BytesIO):
        def seek(self, offset, whence=io.SEEK_SET):
            if self.tell() > 0:
                raise OSError("gone")
            return super().seek(offset, whence)

    class Found:
        def __call__(self, finding):
            raise OSError("gone")

    gc.collect()
    gc.disable()  # no circle is left to the collector, which could not see all of one
    try:
        for make in (Failing, lambda: Seeking(gzip.compress(bytes(10**6))), Found):
            one = make()
            dropped = weakref.ref(one)
            try:
                tracelint.check(*((BROKEN,) if make is Found else (one,)), on_finding=one if make is Found else None)
                raise AssertionError("nothing was raised")
            except OSError:
                pass
            del one
            assert dropped() is None, make
    finally:
        gc.enable()


class Lying:
    """A file object whose functions return what they are given."""

    def __init__(self, got):
        self._got = got

    def read(self, size):
        return self._got


class LyingInto(Lying):
    def readinto(self, to):
        return self._got


@pytest.mark.parametrize(
    "file, error, sentence",
    [
        (LyingInto(2**64), ValueError, r"readinto\(\) returned 18446744073709551616"),
        (LyingInto(2**63), ValueError, r"readinto\(\) returned 9223372036854775808"),
        (LyingInto(-(2**64)), ValueError, r"readinto\(\) returned -18446744073709551616"),
        (LyingInto(-1), ValueError, r"readinto\(\) returned -1"),
        (LyingInto(10**9), ValueError, r"readinto\(\) returned 1000000000"),
        (LyingInto("5"), TypeError, r"readinto\(\) must return an int, not str"),
        (LyingInto(1.5), TypeError, r"readinto\(\) must return an int, not float"),
        (LyingInto(None), BlockingIOError, "no bytes yet"),
        (Lying(None), BlockingIOError, "no bytes yet"),
        (Lying(bytes(10**6)), ValueError, r"read\(\) returned 1000000 bytes; it was asked for"),
        (Lying(memoryview(bytes(10**6)).cast("I")), ValueError, r"read\(\) returned 1000000 bytes; it was asked for"),
        (Lying("text"), TypeError, r"read\(\) must return bytes, not str; open the file in binary mode"),
        (Lying(5), TypeError, r"read\(\) must return bytes, not int"),
    ],
)
def test_a_file_object_that_lies_is_an_error(file, error, sentence):
    with pytest.raises(error, match=sentence):
        tracelint.check(file)


def test_the_room_for_bytes_is_gone_after_a_read(broken):
    class Keeping(io.RawIOBase):
        def readinto(self, to):
            self.kept = to
            return 0

    file = Keeping()
    tracelint.check(file)
    with pytest.raises(ValueError, match="released"):
        file.kept[0] = 0


def test_a_small_file_object_that_ends_before_its_size_is_unreadable(broken):
    class Raw(io.RawIOBase):
        """Says that it is longer than it is."""

        def __init__(self):
            self._inner = io.BytesIO(broken)

        def readable(self):
            return True

        def seekable(self):
            return True

        def seek(self, offset, whence=io.SEEK_SET):
            return 5000 if whence == io.SEEK_END else self._inner.seek(offset, whence)

        def readinto(self, to):
            return self._inner.readinto(to)

    report = tracelint.check(io.BufferedReader(Raw()))
    assert (report.verdict, report.failure) == ("unreadable", "cannot read: the input ends before its size")


def test_a_report_is_not_made_by_hand():
    with pytest.raises(TypeError, match="made by check"):
        tracelint.Report()


def test_json_takes_a_path(broken):
    report = tracelint.check(broken)
    assert json.loads(report.json(path=pathlib.Path("a/b")))["path"] == "a/b"
    assert json.loads(report.json(path="a/b"))["path"] == "a/b"
    with pytest.raises(ValueError, match="null"):
        report.json(path="a\0b")


def test_json_is_a_document():
    assert json.loads(tracelint.check(BROKEN).json())["verdict"] == "error"


def test_a_missing_library_is_a_sentence(tmp_path):
    missing = str(tmp_path / "none.so")
    done = subprocess.run([sys.executable, "-c", "import tracelint"], env={**os.environ, "TRACELINT_LIBRARY": missing},
                          stderr=subprocess.PIPE, universal_newlines=True)  # fmt: skip
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"ImportError: tracelint's library cannot be loaded: {missing}")
    assert last.endswith("or set TRACELINT_LIBRARY to its path")


def test_the_values_in_the_docstring_exist():
    examples = re.findall(r"as (\{[^}]*\})", tracelint.check.__doc__)
    assert examples == ['{"samply-260": "tier"}']
    tracelint.check(HEALTHY, settings=json.loads(examples[0]))
    with pytest.raises(ValueError, match="samply-260"):
        tracelint.check(HEALTHY, settings={"samply-260": "inline"})


def test_text_counts_the_findings_and_shows_each():
    report = tracelint.check(BROKEN)
    lines = report.text().splitlines()
    worst_first = sorted(report.findings, key=lambda one: ("error", "warning", "note").index(one.severity))
    number = report.counts["error"]
    assert lines[0].startswith(f"{BROKEN} ({report.format}): {number} error{'' if number == 1 else 's'}")
    assert [line for line in lines if line.startswith("  at ")] == [
        f"  at 0x{one.offset:x}" + (f", {one.field}" if one.field else "") for one in worst_first
    ]
    words = " ".join(report.text().split())
    for one in report.findings:
        assert " ".join(f"{one.severity}: {one.message} [{one.rule}]".split()) in words
        assert " ".join(one.help.split()) in words
    assert report.text("other\n.dump").startswith("other\\x0a.dump (")
    assert tracelint.check(b"").text().startswith("the trace (no known format): 1 error\n")
    assert tracelint.check(HEALTHY, ignore=[rule.id for rule in tracelint.rules()]).text() == f"{HEALTHY} (jitdump): ok"


def test_text_says_what_is_not_shown():
    report = tracelint.check(BROKEN, max_per_rule=1)
    assert report.text().endswith(f"and {sum(report.counts.values()) - len(report.findings)} more")
    assert "max_memory" in tracelint.check(BROKEN, max_record=40).text()


def page_of_command(tmp_path, *words):
    page = tmp_path / "page.html"
    command = [os.environ["TRACELINT_PROGRAM"], "--no-config", "--no-pair", "--quiet", f"--output=html={page}", *map(str, words)]
    subprocess.run(command, check=False, timeout=60, cwd=tmp_path)
    return page.read_text()


needs_the_command = pytest.mark.skipif("TRACELINT_PROGRAM" not in os.environ, reason="there is no command")


@needs_the_command
@pytest.mark.parametrize("path", [BROKEN, HEALTHY, CORPUS / "README.md"], ids=["broken", "healthy", "no trace"])
def test_html_is_the_page_of_the_command(path, tmp_path):
    assert tracelint.check(path).html() == page_of_command(tmp_path, path)


@needs_the_command
def test_html_of_bytes_is_the_page_of_their_file(tmp_path):
    data = BROKEN.read_bytes()
    expected = page_of_command(tmp_path, BROKEN)
    for given in (data, bytearray(data), memoryview(data)):
        assert tracelint.check(given, file_name=str(BROKEN)).html(given) == expected
    compressed = tmp_path / "broken.gz"
    compressed.write_bytes(gzip.compress(data, mtime=0))
    expected = page_of_command(tmp_path, compressed)
    assert tracelint.check(compressed).html() == expected
    assert tracelint.check(compressed.read_bytes(), file_name=str(compressed)).html(compressed.read_bytes()) == expected


@needs_the_command
def test_html_has_the_companions(tmp_path):
    folder = CORPUS / "siblings" / "real" / "c-writer"
    report = tracelint.check(folder / "perf.data", companions={str(folder / "jit-4.dump"): None}, readers="perf")
    expected = page_of_command(tmp_path, "--for=perf", f"--with={folder / 'jit-4.dump'}", folder / "perf.data")
    assert report.html() == expected


def test_html_without_the_bytes_says_so(tmp_path):
    def shown(page):
        return json.loads(re.search(r'type="application/json">(.*?)</script>', page, re.DOTALL).group(1))["files"][0]

    report = tracelint.check(BROKEN.read_bytes())
    file = shown(report.html())
    assert (file["bytes"], file["close_ups"], file["map"]) == ("No bytes of the input were kept, so the report has none.", [], [])
    assert len(file["findings"]) == len(report.findings)
    assert shown(report.html(BROKEN.read_bytes()))["close_ups"] != []
    path = tmp_path / "gone.dump"
    path.write_bytes(BROKEN.read_bytes())
    report = tracelint.check(path)
    path.unlink()
    assert shown(report.html())["bytes"].startswith("The file could not be read a second time")
    with pytest.raises(TypeError, match="data must be an object with a buffer or None, not str"):
        report.html("gone.dump")


def test_a_size_in_words_is_refused_by_name():
    with pytest.raises(TypeError, match="max_memory must be an int or None, not str"):
        tracelint.check(HEALTHY, max_memory="1G")
