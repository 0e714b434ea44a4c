"""salvage(): what it writes, what it says of it, and what is an exception."""

import io

import pytest
import tracelint
from conftest import CORPUS

WHOLE = (CORPUS / "jitdump" / "real" / "node-18.dump").read_bytes()
CUT = WHOLE[:5000]


def test_a_truncated_trace_is_salvaged_up_to_its_last_whole_record(tmp_path):
    (tmp_path / "cut.dump").write_bytes(CUT)
    salvaged = tracelint.salvage(tmp_path / "cut.dump", tmp_path / "good.dump")
    assert salvaged.verdict == "salvaged"
    assert salvaged.is_written
    assert salvaged.why is None
    assert (salvaged.format, salvaged.container) == ("jitdump", None)
    assert (salvaged.size, salvaged.new_size) == (5000, 4903)
    assert (salvaged.records_kept, salvaged.records_left_out) == (3, 0)
    assert salvaged.changes == [
        tracelint.Change("left out", 0x1327, 97, 0x1327, 0, "jitdump/truncated-record", b"")
    ]  # fmt: skip
    assert (tmp_path / "good.dump").read_bytes() == CUT[:4903]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cut.dump", "good.dump"]


def test_bytes_go_to_a_file_object():
    to = io.BytesIO()
    assert tracelint.salvage(bytearray(CUT), to).verdict == "salvaged"
    assert to.getvalue() == CUT[:4903]
    copy = io.BytesIO()
    assert tracelint.salvage(WHOLE, copy).verdict == "clean"
    assert copy.getvalue() == WHOLE


def test_nothing_is_written_if_nothing_can_be_trusted(tmp_path):
    salvaged = tracelint.salvage(b"no trace", tmp_path / "good")
    assert salvaged.verdict == "impossible"
    assert salvaged.why == "its format is not recognised"
    assert not salvaged.is_written
    assert list(tmp_path.iterdir()) == []


class Full(io.RawIOBase):
    def writable(self):
        return True

    def write(self, data):
        raise OSError("no room")


class Short(Full):
    def write(self, data):
        return 1


def test_what_is_wrong_is_raised(tmp_path):
    with pytest.raises(FileNotFoundError):
        tracelint.salvage(tmp_path / "none", io.BytesIO())
    with pytest.raises(ValueError, match="no format is called 'jitdmp'"):
        tracelint.salvage(CUT, io.BytesIO(), format="jitdmp")
    with pytest.raises(OSError, match="no room"):
        tracelint.salvage(CUT, Full())
    with pytest.raises(OSError, match="took 1 of 4903 bytes"):
        tracelint.salvage(CUT, Short())
    with pytest.raises(TypeError, match="source must be a path or an object with a buffer, not int"):
        tracelint.salvage(7, io.BytesIO())
    with pytest.raises(TypeError, match="to must be a path or a binary file object, not int"):
        tracelint.salvage(CUT, 7)
    (tmp_path / "cut").write_bytes(CUT)
    with pytest.raises(ValueError, match="another file"):
        tracelint.salvage(tmp_path / "cut", tmp_path / "cut")
    assert (tmp_path / "cut").read_bytes() == CUT
