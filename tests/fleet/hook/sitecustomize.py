"""Of the tests alone: files of certain names end, hang or slow what checks them. Python reads it from PYTHONPATH."""

import os
import signal
import time

from tracelint import _batch

_local = _batch._Checker._local
_is_plain = _batch._Checker.is_plain
_NAMES = ("kills", "exits", "hangs", "hungry", "once")


def _plain(self, path):
    """Files of these names are checked alone; all others as ever."""
    time.sleep(float(os.environ.get("TRACELINT_TEST_SECONDS", "0")))
    return _is_plain(self, path) and not os.path.basename(path).startswith(_NAMES)


def _hooked(self, entry):
    name = os.path.basename(entry.path)
    if name.startswith("kills-worker"):
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
    elif name.startswith("kills"):
        os.kill(os.getpid(), signal.SIGKILL)
    elif name.startswith("exits"):
        os._exit(7)
    elif name.startswith("hangs"):
        time.sleep(3600)
    elif name.startswith("hungry"):
        bytearray(8 << 30)
    elif name.startswith("once"):  # as the kernel may end any process when memory is short
        mark = entry.path + ".mark"
        if not os.path.exists(mark):
            open(mark, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
    return _local(self, entry)


_batch._Checker._local = _hooked
_batch._Checker.is_plain = _plain
