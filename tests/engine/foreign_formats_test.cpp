// What input/unknown-format calls files of other formats, by their first bytes.
#include "validator/input/foreign_formats.hpp"

#include <doctest/doctest.h>

#include "fuzz/containers.hpp"
#include "fuzz/oracles.hpp"
#include "tests/support/corpus.hpp"
#include "validator/input/input_rules.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

struct Foreign {
    std::string_view what, hex;
    std::string_view hint;  // its beginning; empty: nothing is known
};

// clang-format off
constexpr Foreign kForeign[] = {
    {"perf.data, cut", "\"PERFILE\"", ""},
    {"profile.proto: samples/count, cpu/nanoseconds", "0a 04 08 01 10 02 | 0a 04 08 03 10 04 | 12 10", "this may be profile.proto, the format of pprof: --as pprof checks it"},
    {"profile.proto, with other indices of strings", "0a 04 08 11 10 12 | 12", "this may be profile.proto"},
    {"profile.proto of Go's heap: period type, period, sample types", "5a 04 08 01 10 02 | 60 80 80 20 | 0a 04 08 03 10 04", "this may be profile.proto"},
    {"profile.proto of Go's CPU profile: time, sample types", "48 ed 95 a4 99 d2 82 ae f5 18 | 0a 04 08 01 10 02 | 0a 04 08 03 10 04", "this may be profile.proto"},
    {"profile.proto that begins with a mapping", "1a 0e 08 01 10 80 80 80 02 18 80 a0 ad 02 28 01", "this may be profile.proto"},
    {"a text that begins with an H", "\"Hello, world\" 0a \"Hello again\"", ""},
    {"three bytes of it", "0a 04 08", ""},
    {"its time alone", "48 ed 95 a4 99 d2 82 ae f5 18", ""},
    {"lines that begin with a line feed", "0a 04 08 01 11", ""},
    {"a heap profile of Go", "\"heap profile: 1: 2 [3: 4] @ heap/1048576\" 0a", "this is a heap profile of Go or gperftools as text: go tool pprof"},
    {"a heap profile of jemalloc", "\"heap_v2/524288\" 0a \"  t*: 1: 2 [0: 0]\" 0a", "this is a heap profile of jemalloc as text: jeprof"},
    {"a goroutine profile", "\"goroutine profile: total 5\" 0a", "this is a goroutine profile of Go as text: go tool pprof"},
    {"a thread creation profile", "\"threadcreate profile: total 9\" 0a", "this is a thread creation profile of Go as text: go tool pprof"},
    {"a block profile of Go", "\"--- contention:\" 0a \"cycles/second=2\" 0a", "this is a contention profile of Go or gperftools as text: go tool pprof"},
    {"a contention profile of C++", "\"--- contentionz 1 ---\" 0a", "this is a contention profile of Go or gperftools as text: go tool pprof"},
    {"a mutex profile of Go", "\"--- mutex:\" 0a", "this is a mutex profile of Go as text: go tool pprof"},
    {"a thread profile", "\"--- threadz 1 ---\" 0a", "this is a thread profile as text: go tool pprof"},
    {"a thread profile without a heading", "\"--- Thread 7f8d (name: main/1) stack: ---\" 0a", "this is a thread profile as text: go tool pprof"},
    {"a heap profile with symbols", "\"--- heapz 1 ---\" 0a", "this is a heap profile as text, with symbols: go tool pprof"},
    {"a heap growth profile", "\"--- growthz 1 ---\" 0a", "this is a heap growth profile as text, with symbols: go tool pprof"},
    {"an execution trace of Go", "\"go 1.22 trace\" 00 00 00", "this is an execution trace of Go: go tool trace"},
    {"a line of a module of Go", "\"go 1.22\" 0a", ""},
    {"the JDK Flight Recorder", "\"FLR\" 00 00 02 00 01", "this is a recording of the JDK Flight Recorder: JDK Mission Control"},
    {"FLR in a text", "\"FLR is\"", ""},
    {"what llvm-xray convert writes", "\"---\" 0a \"header:\" 0a \"  version:         3\" 0a \"  type:            0\" 0a \"  constant-tsc:    true\" 0a", "this is an XRay trace that was converted to YAML: llvm-xray"},
    {"the same with a tag", "\"--- !Trace\" 0a \"header:\" 0a \"  constant-tsc: true\" 0a", "this is an XRay trace that was converted to YAML: llvm-xray"},
    {"what llvm-xray extract writes", "\"---\" 0a \"- { id: 1, address: 0x1, function: 0x1, kind: function-enter, always-instrument: true }\" 0a", "this is an XRay instrumentation map as YAML: llvm-xray"},
    {"other YAML", "\"--- !tapi-tbd\" 0a \"targets: [ x86_64-macos ]\" 0a", ""},
    {"a Chrome trace", "\"{\\\"traceEvents\\\":[{\\\"ph\\\":\\\"X\\\"\"", "this is a Chrome trace as JSON: Perfetto"},
    {"a Chrome trace without an object around it", "\"[{\\\"name\\\":\\\"a\\\",\\\"ph\\\":\\\"B\\\"\"", "this is a Chrome trace as JSON: Perfetto"},
    {"a .cpuprofile", "\"{\\\"nodes\\\":[{\\\"id\\\":1,\\\"callFrame\\\":{\\\"functionName\\\":\\\"(root)\\\"\"", "this is a .cpuprofile or .heapprofile of V8: Chrome DevTools"},
    {"a Firefox profile", "\"{\\\"meta\\\":{\\\"interval\\\":1,\\\"processType\\\":0\"", "this is a profile of the Firefox Profiler as JSON: profiler.firefox.com"},
    {"other JSON", "\"{\\\"name\\\":\\\"a\\\"}\"", ""},
    {"a line without a name", "\"7f0000001000 1a3\" 0a", ""},
    {"a line without an end", "\"7f0000001000 1a3 a\"", ""},
    {"the output of nm", "\"0000000000001129 T main\" 0a", ""},
    {"collapsed stacks", "\"main;run;Foo::bar(int, int) 12\" 0a \"main 3\" 0a", "these look like collapsed stacks: flamegraph.pl"},
    {"stacks with another word last", "\"main;run 12us\" 0a", ""},
    {"a perf map whose first line is none", "\"0xx7f0000001000 1a3 a\" 0a", ""},
    {"words and numbers", "\"apples 12\" 0a \"pears 3\" 0a", ""},
    {"a line of C", "\"int a; int b;\" 0a", ""},
    {"a line of a count alone", "\"12\" 0a \"a;b 3\" 0a", ""},
    {"an .etlx file", "14 00 00 00 \"!FastSerialization.1\" | 04 04 01 | 4a 00 00 00 | 4a 00 00 00 | 2b 00 00 00 | \"Microsoft.Diagnostics.Tracing.Etlx.TraceLog\" 06", "this is an .etlx file, PerfView's own form of a trace: PerfView"},
    {"a heap dump of .NET", "14 00 00 00 \"!FastSerialization.1\" | 04 04 01 | 4a 00 00 00 | 4a 00 00 00 | 0a 00 00 00 | \"GCHeapDump\" 06", "this is a heap dump, as of dotnet-gcdump: PerfView"},
    {"another file of that kind", "14 00 00 00 \"!FastSerialization.1\" | 04 04 01 | 4a 00 00 00 | 4a 00 00 00 | 05 00 00 00 | \"Graph\" 06", "this looks like a file of PerfView or a damaged netperf trace: PerfView"},
    {"a text about it", "\"!FastSerialization.1\"", ""},
    {"ELF", "7f \"ELF\" 02 01 01", "this is an ELF file, such as a program"},
    {"zstd", "28 b5 2f fd", "this is compressed with zstd"},
    {"xz", "fd \"7zXZ\" 00", "this is compressed with xz"},
    {"bzip2", "\"BZh9\"", "this is compressed with bzip2"},
    {"lz4", "04 22 4d 18", "this is compressed with lz4"},
    {"zip", "\"PK\" 03 04", "this is a zip archive"},
    {"a tar archive", "\"letter.txt\" 00*90 | \"0000644\" 00 \"0001750\" 00 \"0001750\" 00 | \"00000000005\" 00 \"14722331000\" 00 | \"012165\" 00 20 | \"0\" 00*100 | \"ustar\" 00 \"00\" | \"me\" 00*30 \"me\" 00*30 | \"0000000\" 00 \"0000000\" 00 | 00*167", "this is a tar archive; unpack it first"},
    {"the header alone, and what follows it", "\"letter.txt\" 00*90 | \"0000644\" 00 \"0001750\" 00 \"0001750\" 00 | \"00000000005\" 00 \"14722331000\" 00 | \"012165\" 00 20 | \"0\" 00*100 | \"ustar\" 00 \"00\" | \"me\" 00*30 \"me\" 00*30 | \"0000000\" 00 \"0000000\" 00 | 00*167 | \"hello\" 00*507", "this is a tar archive; unpack it first"},
    {"a tar archive of the 7th edition", "\"letter.txt\" 00*90 | \"0000644\" 00 \"0001750\" 00 \"0001750\" 00 | \"00000000005\" 00 \"14722331000\" 00 | \"  6642\" 00 00 | \"0\" 00*355", "this is a tar archive; unpack it first"},
    {"another sum", "\"letter.txt\" 00*90 | \"0000644\" 00 \"0001750\" 00 \"0001750\" 00 | \"00000000005\" 00 \"14722331000\" 00 | \"012166\" 00 20 | \"0\" 00*100 | \"ustar\" 00 \"00\" | \"me\" 00*30 \"me\" 00*30 | \"0000000\" 00 \"0000000\" 00 | 00*167", ""},
    {"a byte less than a header", "\"letter.txt\" 00*90 | \"0000644\" 00 \"0001750\" 00 \"0001750\" 00 | \"00000000005\" 00 \"14722331000\" 00 | \"012165\" 00 20 | \"0\" 00*100 | \"ustar\" 00 \"00\" | \"me\" 00*30 \"me\" 00*30 | \"0000000\" 00 \"0000000\" 00 | 00*166", ""},
    {"zeros of that length", "00*512", ""},
    {"the log of V8", "\"v8-version,11,3,244,8,-node.16,0\" 0a \"v8-platform,linux,linux\" 0a", "this is V8's own log, as of node --prof: node --prof-process reads it"},
    {"the log of an older V8", "\"shared-library,\\\"/usr/bin/node\\\",0x400000,0x1400000\" 0a", "this is V8's own log, as of node --prof: node --prof-process reads it"},
    {"a text about it", "\"V8-Version: 12.4\" 0a", ""},
    {"a ring buffer of perf_event_open", "03 00 00 00 00 20 18 00 | 07 00 00 00 07 00 00 00 | \"cat\" 00*5 | 01 00 00 00 02 00 30 00 | 07 00 00 00 07 00 00 00 | 00 10 40 00*5 | 00 10 00*6 | 00*8 | \"//anon\" 00 00 | 09 00 00 00 02 40 18 00 | 10 10 40 00*5 | 07 00 00 00 07 00 00 00 | 0e 00 00 00 00 20 08 00", "these are records of perf_event_open from its ring buffer"},
    {"that begins with the map of the kernel, as an XRay file of version 1 and 4.3 GHz would", "01 00 00 00 01 00 50 00 | ff ff ff ff 00 00 00 00 | 00 00 00 81 ff ff ff ff | 00 00 20 01 00 00 00 00 | 00 00 00 81 ff ff ff ff | \"[kernel.kallsyms]_text\" 00*18 | 0e 00 00 00 00 20 08 00 | 0e 00 00 00 00 20 08 00 | 0e 00 00 00 00 20 08 00", "these are records of perf_event_open from its ring buffer"},
    {"that begins with a name, as an XRay file of version 3 would", "03 00 00 00 00 00 30 00 | 04 00 00 00 04 00 00 00 | \"perf-exec\" 00*23 | 0e 00 00 00 00 20 08 00 | 0e 00 00 00 00 20 08 00 | 0e 00 00 00 00 20 08 00", "these are records of perf_event_open from its ring buffer"},
    {"whose last record is cut", "03 00 00 00 00 20 18 00 | 07 00 00 00 07 00 00 00 | \"cat\" 00*5 | 01 00 00 00 02 00 30 00 | 07 00 00 00 07 00 00 00 | 00 10 40 00*5 | 00 10 00*6 | 00*8 | \"//anon\" 00 00 | 09 00 00 00 02 40 18 00 | 10 10 40 00*5 | 07 00 00 00 07 00 00 00 | 09 00 00 00 02 40 18 00 | 10 10", "these are records of perf_event_open from its ring buffer"},
    {"that is not full", "03 00 00 00 00 20 18 00 | 07 00 00 00 07 00 00 00 | \"cat\" 00*5 | 01 00 00 00 02 00 30 00 | 07 00 00 00 07 00 00 00 | 00 10 40 00*5 | 00 10 00*6 | 00*8 | \"//anon\" 00 00 | 09 00 00 00 02 40 18 00 | 10 10 40 00*5 | 07 00 00 00 07 00 00 00 | 0e 00 00 00 00 20 08 00 | 00*100", "these are records of perf_event_open from its ring buffer"},
    {"in big-endian byte order", "00 00 00 03 20 00 00 18 | 00 00 00 07 00 00 00 07 | \"cat\" 00*5 | 00 00 00 0e 20 00 00 08 | 00 00 00 0e 20 00 00 08 | 00 00 00 09 40 02 00 10 | 00*8", "these are records of perf_event_open from its ring buffer"},
    {"three records", "03 00 00 00 00 20 18 00 | 07 00 00 00 07 00 00 00 | \"cat\" 00*5 | 01 00 00 00 02 00 30 00 | 07 00 00 00 07 00 00 00 | 00 10 40 00*5 | 00 10 00*6 | 00*8 | \"//anon\" 00 00 | 09 00 00 00 02 40 18 00 | 10 10 40 00*5 | 07 00 00 00 07 00 00 00", ""},
    {"a record of type 0", "03 00 00 00 00 20 18 00 | 07 00 00 00 07 00 00 00 | \"cat\" 00*5 | 01 00 00 00 02 00 30 00 | 07 00 00 00 07 00 00 00 | 00 10 40 00*5 | 00 10 00*6 | 00*8 | \"//anon\" 00 00 | 09 00 00 00 02 40 18 00 | 10 10 40 00*5 | 07 00 00 00 07 00 00 00 | 00 00 00 00 00 20 08 00 | 0e 00 00 00 00 20 08 00", ""},
    {"the last type", "03 00 00 00 00 20 18 00 | 07 00 00 00 07 00 00 00 | \"cat\" 00*5 | 01 00 00 00 02 00 30 00 | 07 00 00 00 07 00 00 00 | 00 10 40 00*5 | 00 10 00*6 | 00*8 | \"//anon\" 00 00 | 09 00 00 00 02 40 18 00 | 10 10 40 00*5 | 07 00 00 00 07 00 00 00 | 16 00 00 00 02 00 18 00 | 00*16", "these are records of perf_event_open from its ring buffer"},
    {"a type above it", "03 00 00 00 00 20 18 00 | 07 00 00 00 07 00 00 00 | \"cat\" 00*5 | 01 00 00 00 02 00 30 00 | 07 00 00 00 07 00 00 00 | 00 10 40 00*5 | 00 10 00*6 | 00*8 | \"//anon\" 00 00 | 09 00 00 00 02 40 18 00 | 10 10 40 00*5 | 07 00 00 00 07 00 00 00 | 17 00 00 00 02 00 18 00 | 00*16", ""},
    {"a size that is no multiple of 8", "03 00 00 00 00 20 18 00 | 07 00 00 00 07 00 00 00 | \"cat\" 00*5 | 01 00 00 00 02 00 30 00 | 07 00 00 00 07 00 00 00 | 00 10 40 00*5 | 00 10 00*6 | 00*8 | \"//anon\" 00 00 | 09 00 00 00 02 40 18 00 | 10 10 40 00*5 | 07 00 00 00 07 00 00 00 | 09 00 00 00 02 40 1c 00 | 00*20", ""},
    {"a size below the least of its type", "03 00 00 00 00 20 18 00 | 07 00 00 00 07 00 00 00 | \"cat\" 00*5 | 01 00 00 00 02 00 30 00 | 07 00 00 00 07 00 00 00 | 00 10 40 00*5 | 00 10 00*6 | 00*8 | \"//anon\" 00 00 | 09 00 00 00 02 40 18 00 | 10 10 40 00*5 | 07 00 00 00 07 00 00 00 | 09 00 00 00 02 40 08 00", ""},
    {"a bit of misc that means nothing", "03 00 00 00 00 20 18 00 | 07 00 00 00 07 00 00 00 | \"cat\" 00*5 | 01 00 00 00 02 00 30 00 | 07 00 00 00 07 00 00 00 | 00 10 40 00*5 | 00 10 00*6 | 00*8 | \"//anon\" 00 00 | 09 00 00 00 02 40 18 00 | 10 10 40 00*5 | 07 00 00 00 07 00 00 00 | 0e 00 00 00 08 20 08 00", ""},
    {"a mode of the processor that there is not", "03 00 00 00 00 20 18 00 | 07 00 00 00 07 00 00 00 | \"cat\" 00*5 | 01 00 00 00 02 00 30 00 | 07 00 00 00 07 00 00 00 | 00 10 40 00*5 | 00 10 00*6 | 00*8 | \"//anon\" 00 00 | 09 00 00 00 02 40 18 00 | 10 10 40 00*5 | 07 00 00 00 07 00 00 00 | 0e 00 00 00 06 20 08 00", ""},
    {"something after the records", "03 00 00 00 00 20 18 00 | 07 00 00 00 07 00 00 00 | \"cat\" 00*5 | 01 00 00 00 02 00 30 00 | 07 00 00 00 07 00 00 00 | 00 10 40 00*5 | 00 10 00*6 | 00*8 | \"//anon\" 00 00 | 09 00 00 00 02 40 18 00 | 10 10 40 00*5 | 07 00 00 00 07 00 00 00 | 0e 00 00 00 00 20 08 00 | 00*99 01", ""},
    {"gzip in gzip", "1f 8b 08", "this is compressed with gzip twice"},
    {"a text", "\"Nobody knows what this is.\" 0a", ""},
};
// clang-format on

// What input/unknown-format, the only finding, says of the file.
std::string hint_of(std::string_view file) {
    MemorySource source(as_bytes(file));
    const Outcome outcome = check(source, {});
    REQUIRE(outcome.report().diagnostics().size() == 1);
    REQUIRE(outcome.report().diagnostics()[0].rule == &kUnknownFormat);
    return std::string(outcome.report().diagnostics()[0].text);
}

}  // namespace

TEST_CASE("input/unknown-format says what a file of another format is, and what reads it") {
    for (const Foreign& row : kForeign) {
        Errors errors;
        const std::string bytes = read_hex(row.hex, "kForeign", errors).bytes;
        CAPTURE(row.what);
        REQUIRE(errors.empty());
        const std::string hint(foreign_format_hint(as_bytes(bytes)));
        CHECK((row.hint.empty() ? hint.empty() : hint.starts_with(row.hint)));
        const std::string shown = hint.empty() ? "if you know it, name it with --as" : hint;
        CHECK(hint_of(gzip_member(bytes)) == shown);
        if (!is_container(as_bytes(bytes))) CHECK(hint_of(bytes) == shown);
    }
}

}  // namespace tracelint
