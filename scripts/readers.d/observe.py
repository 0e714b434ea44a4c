"""What installed readers make of a file: an outcome, judged by what they print next to what `tracelint dump` finds."""

import collections
import functools
import gzip
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SECONDS = 10  # of processor time: the machine may be busy
WALL_SECONDS = 120
BYTES = 1 << 30
# From the mildest to the worst, as validator/readers/reader.hpp has them.
OUTCOMES = ("loads", "drops_record", "drops_rest", "misreads", "refuses", "hangs", "crashes")
FATAL = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL)


def limited(seconds=SECONDS):
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(command, limits=limited, errors=subprocess.STDOUT, **more):
    """The exit status, negative for a signal, and the output; None for the status if time ran out."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
                          start_new_session=True, preexec_fn=limits, **more) as process:
        try:
            output, _ = process.communicate(timeout=WALL_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None, b""
        return None if process.returncode == -signal.SIGXCPU else process.returncode, output


def verdict(status):
    """The outcome by the exit status alone; None: the reader is content."""
    if status is None or status == 128 + signal.SIGXCPU:
        return "hangs"
    # A shell in between reports a signal as 128 and its number.
    if status < 0 or status > 128 and status - 128 in FATAL:
        return "crashes"
    return None if status == 0 else "refuses"


class Record:
    """A record of the dump, with its fields by name."""

    def __init__(self, entry):
        self.name, self.offset, self.length = entry["name"], entry["offset"], entry["length"]
        self.is_whole = "missing" not in entry
        self.is_numbered = entry["path"].startswith("records[")
        self.fields = {}
        for field in entry["fields"]:
            value = field.get("exact", field.get("value"))
            self.fields.setdefault(field["field"], int(value) if "exact" in field else value)

    def number(self, field):
        value = self.fields.get(field)
        return value if isinstance(value, int) else 0


def records_of(tracelint, path, options):
    """The records as tracelint finds them; None if it does not know the format."""
    status, output = run([tracelint, "dump", "--output", "json", *options, str(path)], limits=None,
                         errors=subprocess.DEVNULL)
    if not output:
        return None
    entries = json.loads(output.decode(errors="replace"))["records"]
    return [Record(entry) for entry in entries if entry["type"] == "record"]


def compared(expected, found):
    """The outcome by the items of the file, in file order, and those that the reader shows."""
    missing = collections.Counter(expected) - collections.Counter(found)
    extra = collections.Counter(found) - collections.Counter(expected)
    if extra:
        return "misreads"
    count = sum(missing.values())
    if count == 0:
        return "loads"
    is_tail = collections.Counter(expected[len(expected) - count:]) == missing
    return "drops_rest" if is_tail and count > 1 else "drops_record"


class Reader:
    """A reader that takes the name of a file. The subclasses say what it shows."""

    name = version = format = ""
    command = ()

    def missing(self):
        return None if shutil.which(self.command[0]) else "not installed"

    def close(self):
        """Called when it is not needed any more."""

    def items(self, records):
        """What a reader should show of these records."""
        return None

    def shown(self, path, output):
        """What it shows; None: not compared."""
        return None

    def observe(self, path, records):
        status, output = run([*self.command, str(path)])
        outcome = verdict(status)
        if outcome or records is None:
            return outcome or "loads"
        shown = self.shown(path, output)
        return "loads" if shown is None else compared(self.items(records), shown)


class XrayConvert(Reader):
    format = "xray"
    KINDS = {0: "function-enter", 1: "function-exit", 2: "function-tail-exit", 3: "function-enter"}

    def __init__(self, version):
        self.name, self.version = "llvm-xray", version
        self.command = (f"llvm-xray-{version}", "convert", "-f", "yaml")

    def items(self, records):
        return [str(record.number("function_id")) + " " + self.KINDS.get(record.number("action"), "?")
                for record in records if record.name.lower() == "function" and record.is_whole]

    def shown(self, path, output):
        lines = re.findall(rb"func-id: (-?\d+), .*?kind: ([a-z-]+)", output)
        kinds = [(number.decode(), kind.decode().replace("enter-arg", "enter")) for number, kind in lines]
        return [f"{number} {kind}" for number, kind in kinds if kind.startswith("function-")]


class XrayAccount(Reader):
    """llvm-xray account, which exits with failure where it cannot match the calls."""

    format = "xray"

    def __init__(self, version):
        self.name, self.version = "llvm-xray-account", version
        self.command = (f"llvm-xray-{version}", "account", "-k")


class XrayFdrDump(Reader):
    format = "xray"

    def __init__(self, version):
        self.name, self.version = "llvm-xray-fdr-dump", version
        self.command = (f"llvm-xray-{version}", "fdr-dump", "-verify")

    def items(self, records):
        return ["Function"] * sum(record.name == "Function" and record.is_whole for record in records)

    def shown(self, path, output):
        return ["Function"] * len(re.findall(rb"<Function (?:Enter|Exit|Tail Exit|Enter With Arg):", output))


class MprofReport(Reader):
    """Counts the records of the kinds of which --debug prints one line each."""

    name, version, format = "mprof-report", "6.8", "mlpd"
    command = ("mprof-report",)
    LINES = {"jitted method": ("JIT",), "alloced object": ("ALLOC", "ALLOC_BT"), "gc event for": ("GC_EVENT",),
             "root register address": ("HEAP_ROOT_REGISTER",), "root unregister address": ("HEAP_ROOT_UNREGISTER",),
             "gc finalizing object": ("GC_FINALIZE_OBJECT_START",), "sync point": ("SYNC_POINT",),
             "gc finalized object": ("GC_FINALIZE_OBJECT_END",), "buf: thread": ("buffer",)}
    PARTIAL = re.compile(rb"Incorrect buffer id|incorrect gc gen|unhandled profiler event")

    def items(self, records):
        lines = {name: line for line, names in self.LINES.items() for name in names}
        return [lines[record.name] for record in records if record.name in lines and record.is_whole]

    def shown(self, path, output):
        status, debug = run([*self.command, "--debug", str(path)], self.limited)
        if status is None or status < 0:
            return None  # it only fails when it is asked to print what it decodes
        lines = debug.decode(errors="replace").splitlines()
        return [line for text in lines for line in self.LINES if text.startswith(line)]

    @staticmethod
    def limited():
        limited(seconds=2)  # it takes milliseconds for a small file, and hangs often

    def observe(self, path, records):
        status, output = run([*self.command, str(path)], self.limited)
        outcome = verdict(status)
        if outcome or records is None:
            return outcome or "loads"
        seen = compared(self.items(records), self.shown(path, output) or self.items(records))
        return "drops_rest" if seen == "loads" and self.PARTIAL.search(output) else seen


class Pprof(Reader):
    format = "gperftools"

    def samples(self, records):
        kept = []
        for record in records:
            if record.name == "record":
                kept.append(record.number("sample_count"))
        return kept


class GoPprof(Pprof):
    """The small program of the tests around Go's package."""

    name, version = "go-pprof", "2021-10"
    is_built = True  # by the build, if it is out of date
    command = (str(ROOT / "build/bench/go_pprof"),)

    def missing(self):
        if self.is_built and shutil.which("go"):
            subprocess.run([ROOT / "scripts/build", "bench", "go_peer"], check=False)
        return None if pathlib.Path(self.command[0]).exists() else "not installed"

    def observe(self, path, records):
        # Go's runtime reserves more addresses than it uses.
        status, output = run([*self.command, str(path)], limits=None)
        if verdict(status):
            return verdict(status)
        printed = output.decode(errors="replace").replace(str(path), "", 1).split()
        if printed[:1] != ["ok"]:
            return "crashes" if printed[:1] == ["crashed"] else "refuses"
        if records is None:
            return "loads"
        counts = self.samples(records)
        found, total = int(printed[1]), int(printed[2])
        if found < len(counts):
            return "drops_rest" if len(counts) - found > 1 else "drops_record"
        return "loads" if (found, total) == (len(counts), sum(counts) % 2**64) else "misreads"


def varint(data, at):
    """The number, and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return value & 2**64 - 1, at
        if shift > 63:
            raise ValueError


def fields_of(data):
    """The fields of a message of Protocol Buffers: number, and value or bytes. Raises where one has a fault."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        value, at = varint(data, at)
        if tag & 7 == 2:
            if value > len(data) - at:
                raise ValueError
            value, at = data[at:at + value], at + value
        elif tag & 7 != 0:
            raise ValueError
        yield tag >> 3, value


def numbers_of(fields, number):
    """Those of a repeated field, packed or not."""
    found = []
    for at, value in fields:
        if at == number and isinstance(value, int):
            found.append(value)
        elif at == number:
            end = 0
            while end < len(value):
                item, end = varint(value, end)
                found.append(item)
    return found


class ProfileReader(Reader):
    """A program of the tests that prints a line for each sample of a profile.proto. What it should print is decoded here;
    of a file with a fault in its fields, only how the program ends is looked at."""

    format = "pprof"
    target = ""

    def missing(self):
        subprocess.run([ROOT / "scripts/build", "bench", self.target], check=False)  # if it is out of date
        return None if pathlib.Path(self.command[0]).exists() else "not installed"

    def expected(self, profile):
        raise NotImplementedError

    def observe(self, path, records):
        status, output = run([*self.command, str(path)], limits=None)
        if verdict(status):
            return verdict(status)
        printed, *found = output.decode(errors="replace").replace(str(path), "", 1).splitlines()
        if not printed.split()[:1] == ["ok"]:
            return "crashes" if printed.split()[:1] == ["crashed"] else "refuses"
        if records is None:
            return "loads"
        data = path.read_bytes()
        try:
            wanted = self.expected(list(fields_of(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)))
        except (ValueError, IndexError, TypeError, OSError, EOFError, zlib.error):
            return "loads"
        return compared(wanted, found)

    @staticmethod
    def values_of(sample):
        return ",".join(str(value - 2**64 if value >> 63 else value) for value in numbers_of(sample, 2))


class GoProfile(ProfileReader):
    """Go's package. A label that it drops, and a mapping that it does not find, are missing in the line."""

    name, version, target = "go-pprof", "2021-10", "go_peer"
    command = (str(ROOT / "build/bench/go_pprof"), "-samples")

    def expected(self, profile):
        mapped, lines = {}, {}
        for number, value in profile:
            if number == 4:
                location = list(fields_of(value))
                ids = numbers_of(location, 1)[-1:] or [0]
                mapped[ids[0]] = bool((numbers_of(location, 2) or [0])[-1])
                lines[ids[0]] = sum(number == 4 for number, _ in location)
        wanted = []
        for number, value in profile:
            if number == 2:
                sample = list(fields_of(value))
                stack = numbers_of(sample, 1)
                labels = sum(number == 3 for number, _ in sample)
                wanted.append(f"sample {self.values_of(sample)} {len(stack)} {sum(mapped.get(id, 0) for id in stack)} "
                              f"{sum(lines.get(id, 0) for id in stack)} {labels}")
        return wanted


class GoPgo(ProfileReader):
    """The parser in Go itself, and what `go build -pgo` asks of a profile."""

    name, version, target = "go-pgo", "1.19", "go_pgo_peer"
    command = (str(ROOT / "build/bench/go_pgo"),)

    def expected(self, profile):
        return []


class ProtobufParser(ProfileReader):
    """What protoc makes for C++."""

    name, version, target = "protobuf", "3.21", "protobuf_peer"
    command = (str(ROOT / "build/bench/protobuf_pprof"), "-samples")

    def expected(self, profile):
        samples = [list(fields_of(value)) for number, value in profile if number == 2]
        return [f"sample {self.values_of(sample)} {len(numbers_of(sample, 1))} {sum(number == 3 for number, _ in sample)}"
                for sample in samples]


class GooglePprof(Pprof):
    """Without names of functions: it would run a dozen programs over each mapped library."""

    name, version = "google-pprof", "2.10"
    command = ("google-pprof", "--text",
               "--tools=" + ",".join(tool + ":/bin/true" for tool in ("nm", "addr2line", "objdump", "c++filt")), "/bin/true")

    def observe(self, path, records):
        status, output = run([*self.command, str(path)])
        if verdict(status) or records is None:
            return verdict(status) or "loads"
        counts = self.samples(records)
        total = re.search(rb"^Total: (-?[0-9.e+]+) samples", output, re.M)
        found = float(total.group(1)) if total else 0
        if found == sum(counts):
            return "loads"
        lost = sum(counts) - found
        if lost < 0 or not any(abs(sum(counts[:i]) - found) < 0.5 for i in range(len(counts))):
            return "misreads"
        return "drops_rest" if found < sum(counts[:-1]) or len(counts) == 1 and len(records) > 3 else "drops_record"


@functools.cache
def perf_of(version):
    """The program: perf_7.2, as some distributions name it, or perf if it is of that version; None: not installed."""
    named = shutil.which(f"perf_{version}")
    if named or not shutil.which("perf"):
        return named
    _, printed = run(["perf", "version"], limits=None)
    return "perf" if re.match(rb"perf version %s\b" % re.escape(version.encode()), printed) else None


class Perf(Reader):
    """perf inject finds a dump by a mapping in a recording, and the functions in the mappings that it adds to it. One
    recording serves for all files: each is put where the recorded process had its dump."""

    name, format = "perf", "jitdump"
    MAPS = ("import mmap, os, shutil, sys\n"
            "to = os.path.join(sys.argv[2], 'jit-%d.dump' % os.getpid())\n"
            "shutil.copy(sys.argv[1], to)\n"
            "with open(to, 'rb') as file:\n"
            "    mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_EXEC)\n")
    MAPPED = re.compile(rb"PERF_RECORD_MMAP2? .*?\[(0x[0-9a-f]+|0)\((0x[0-9a-f]+|0)\) @ (0x[0-9a-f]+|0) .*?"
                        rb"(/\S*jitted-\d+-(\d+)\.so)")

    def __init__(self, version):
        self.version, self.folder = version, None

    def missing(self):
        self.program = perf_of(self.version)
        if self.program is None:
            return "not installed"
        self.folder = pathlib.Path(tempfile.mkdtemp())
        status, _ = run([self.program, "record", "-q", "-k", "1", "-e", "cpu-clock", "-o", str(self.folder / "perf.data"),
                         sys.executable, "-c", self.MAPS, __file__, str(self.folder)], limits=None)
        self.dumps = list(self.folder.glob("jit-*.dump"))
        return None if self.dumps and status == 0 else "perf events are not permitted"

    def close(self):
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def items(self, records):
        named = {}
        items = []
        unwinding = 0  # bytes that perf maps after the next function
        for record in records:
            if not record.is_whole:
                continue
            if record.name == "JIT_CODE_UNWINDING_INFO":
                unwinding = record.number("mapped_size")
            if record.name == "JIT_CODE_LOAD":
                named[record.number("code_index")] = record.fields.get("name")
                size = record.number("code_size")
                size = (size + 7) // 8 * 8 + unwinding if unwinding else size
                items.append((record.number("code_addr"), size, record.number("code_index"), record.fields.get("name")))
                unwinding = 0
            elif record.name == "JIT_CODE_MOVE":
                index = record.number("code_index")
                items.append((record.number("new_code_addr"), record.number("code_size"), index, named.get(index)))
        return items

    def observe(self, path, records):
        for old in self.folder.glob("jitted-*"):
            old.unlink()
        out = self.folder / "out"
        out.unlink(missing_ok=True)
        shutil.copy(path, self.dumps[0])
        status, output = run([self.program, "inject", "-j", "-i", str(self.folder / "perf.data"), "-o", str(out)],
                             cwd=self.folder)
        if verdict(status) or records is None:
            return verdict(status) or "loads"
        _, script = run([self.program, "script", "--show-mmap-events", "-i", str(out)], limits=None, cwd=self.folder)
        found = []
        for address, size, _, file, index in self.MAPPED.findall(script):
            found.append((int(address, 16), int(size, 16), int(index), symbol_of(pathlib.Path(file.decode()))))
        return compared(self.items(records), found)


class PerfData(Reader):
    """A command of perf on a recording. How many samples it goes through is seen in what `perf report -D` prints."""

    format = "perfdata"

    def __init__(self, name, version, *command):
        self.name, self.version, self.words = name, version, command

    def missing(self):
        self.command = (perf_of(self.version), *self.words)
        return None if self.command[0] else "not installed"

    def items(self, records):
        return ["SAMPLE"] * sum(record.name == "SAMPLE" and record.is_whole for record in records)

    def shown(self, path, output):
        _, text = run([self.command[0], "report", "-D", "-i", str(path)], errors=subprocess.DEVNULL)
        return ["SAMPLE"] * len(re.findall(rb" PERF_RECORD_SAMPLE\(", text))


def symbol_of(path):
    """The one function in an image that perf wrote; None if absent."""
    try:
        bytes_ = path.read_bytes()
        at, = struct.unpack_from("<Q", bytes_, 40)
        size, count, _ = struct.unpack_from("<HHH", bytes_, 58)
        sections = [struct.unpack_from("<IIQQQQIIQQ", bytes_, at + i * size) for i in range(count)]
        for section in sections:
            if section[1] != 2:  # SHT_SYMTAB
                continue
            strings = sections[section[6]]
            for i in range(1, section[5] // 24):
                name, info = struct.unpack_from("<IB", bytes_, section[4] + 24 * i)
                if info & 15 == 2:  # STT_FUNC
                    start = strings[4] + name
                    return bytes_[start:bytes_.index(b"\0", start)].decode(errors="replace")
    except (OSError, struct.error, ValueError, IndexError):
        pass
    return None


def all_readers():
    perf = [reader for version in ("6.1", "7.2")
            for reader in (Perf(version), PerfData("perf", version, "script", "-i"),
                           PerfData("perf-report", version, "report", "-D", "-i"))]
    return [*perf, XrayConvert("14"), XrayConvert("19"), XrayAccount("14"), XrayAccount("19"), XrayFdrDump("14"),
            XrayFdrDump("19"), GoPprof(), GooglePprof(), MprofReport(), GoProfile(), GoPgo(), ProtobufParser()]
