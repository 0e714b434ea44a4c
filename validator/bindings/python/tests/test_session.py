"""Session: the same report for every splitting, and what is misuse."""

import pytest
import tracelint
from conftest import BROKEN


@pytest.mark.parametrize("size", [1, 7, 1000, 10**6])
def test_pieces_have_the_report_of_the_whole(size, broken):
    session = tracelint.Session()
    for at in range(0, len(broken), size):
        assert session.feed(memoryview(broken)[at : at + size])
    assert session.finish().json() == tracelint.check(broken).json()


def test_a_large_input_is_checked_while_it_is_fed():
    whole = BROKEN.read_bytes() + bytes(2_000_000)
    session = tracelint.Session(file_name="large.dump")
    for at in range(0, len(whole), 100_000):
        session.feed(whole[at : at + 100_000])
    report = session.finish()
    assert [one.offset for one in report.findings] == [one.offset for one in tracelint.check(whole).findings]
    assert report.to_dict()["path"] == "large.dump"


def test_feeding_may_stop_where_nothing_more_can_be_found():
    session = tracelint.Session()
    assert not all([session.feed(b"no trace " * 10_000) for _ in range(50)])
    assert session.finish().rules == {"input/unknown-format": 1}


def test_options(broken):
    session = tracelint.Session(select="jitdump/header-", max_per_rule=None)
    session.feed(broken)
    assert session.finish().counts == {"error": 1, "warning": 0, "note": 1}


def test_a_finished_session_refuses():
    session = tracelint.Session()
    session.finish()
    with pytest.raises(ValueError):
        session.feed(b"x")
    with pytest.raises(ValueError):
        session.finish()
    session.close()


def test_a_session_that_is_left_ends(broken):
    with tracelint.Session() as session:
        session.feed(broken + bytes(10**6))
    with pytest.raises(ValueError):
        session.finish()
    del session
