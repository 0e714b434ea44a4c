"""What the tests share."""

import pathlib

import pytest

CORPUS = pathlib.Path(__file__).resolve().parents[4] / "corpus"
BROKEN = CORPUS / "jitdump" / "real" / "llvm-jitlink-19-uninitialised-flags.dump"
HEALTHY = CORPUS / "jitdump" / "real" / "node-18.dump"

pytest_plugins = ["pytester"]


@pytest.fixture
def broken() -> bytes:
    return BROKEN.read_bytes()
