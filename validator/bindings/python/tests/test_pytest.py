"""assert_trace_ok: what it accepts, and the message of what it does not."""

import io
import json
import unicodedata

import pytest
import tracelint
from conftest import BROKEN, HEALTHY
from tracelint._text import printable
from tracelint.pytest import assert_trace_ok


def message_of(*arguments, **options):
    with pytest.raises(AssertionError) as raised:
        assert_trace_ok(*arguments, **options)
    return str(raised.value)


def test_a_healthy_trace_passes():
    assert assert_trace_ok(HEALTHY).verdict == "note"


def test_the_message_shows_the_first_findings():
    assert message_of(BROKEN, max_per_rule=1).splitlines() == [
        f"{BROKEN} (jitdump): 1 error, 3 warnings",
        "  at 0x20, header.flags",
        "    error: flags is 0x5a375961772e0103; only bit 0 is defined [jitdump/header-unknown-flags]",
        "    help: perf rejects the whole file; LLVM's ORC wrote (and leaked) uninitialised memory here",
        "      until January 2026",
        "  at 0xe0, records[1].code_addr",
        "    warning: another LOAD or DEBUG_INFO comes between this DEBUG_INFO and the LOAD of its",
        "      function at 0x7ff7e8a01000 [jitdump/debug-not-adjacent]",
        "    help: perf and samply attach the last DEBUG_INFO to the next LOAD and ignore the addresses:",
        "      one function gets wrong lines, another none",
        "and 2 more",
    ]


@pytest.mark.parametrize("fail_on, counts", [("note", "1 error, 3 warnings, 4 notes"), ("error", "1 error")])
def test_fail_on_decides_what_counts(fail_on, counts):
    assert message_of(BROKEN, fail_on).splitlines()[0].endswith(f": {counts}")


def test_a_healthy_trace_has_notes():
    assert "notes" in message_of(HEALTHY, "note")


def test_what_is_not_checked_is_not_ok(broken):
    assert "max_memory" in message_of(broken, select="xray/", max_record=40)


def test_options_reach_the_check(broken):
    assert_trace_ok(broken, ignore="jitdump/")


def test_a_misspelt_option_raises(broken):
    with pytest.raises(TypeError, match="max_per_rules"):
        assert_trace_ok(broken, max_per_rules=1)


def test_a_wrong_severity_raises(broken):
    with pytest.raises(ValueError):
        assert_trace_ok(broken, "fatal")


def test_names_are_escaped(broken, tmp_path):
    name = "a\nb\x1b[31m\x7f\u202e\u2028\ufeff\udcff\ud800 ä€.dump"
    shown = r"a\x0ab\x1b[31m\x7f\xe2\x80\xae\xe2\x80\xa8\xef\xbb\xbf\xff\xed\xa0\x80 ä€.dump"
    stream = io.BytesIO(broken)
    stream.name = name
    assert message_of(stream).splitlines()[0] == f"{shown} (jitdump): 1 error, 3 warnings"
    path = tmp_path / name.replace("\ud800", "")
    path.write_bytes(broken)
    assert message_of(path).splitlines()[0].endswith(shown.replace(r"\xed\xa0\x80", "") + " (jitdump): 1 error, 3 warnings")


def test_what_the_library_escapes_is_escaped():
    """Of each character, JSON of the library says whether it may be printed."""
    report = tracelint.check(b"")
    escaped = 0
    for first in range(0xA0, 0x30000, 256):
        codes = [code for code in range(first, first + 256) if not 0xD800 <= code < 0xE000]
        text = "".join(map(chr, codes))
        line = next(one for one in report.json(path=text).splitlines() if '"path"' in one) if text else ""
        for one in text:
            if one not in line and one not in '"\\':
                escaped += 1
                assert one not in printable(one), hex(ord(one))
            elif unicodedata.category(one)[0] in "LNPS" and one not in "\u115f\u1160\u3164\uffa0":
                assert printable(one) == one, hex(ord(one))
    assert escaped > 100
    assert json.loads(report.json(path="\u202e"))["path"] == "\u202e"


def test_the_fixture(pytester):
    pytester.makepyfile(f"def test_it(assert_trace_ok): assert_trace_ok({str(BROKEN)!r})")
    outcome = pytester.runpytest("-p", "tracelint.pytest")
    outcome.assert_outcomes(failed=1)
    outcome.stdout.fnmatch_lines(["*AssertionError: *1 error, 3 warnings*", "*at 0x20, header.flags*"])
