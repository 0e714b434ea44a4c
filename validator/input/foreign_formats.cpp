// The other files that profilers leave, compressed files and archives, as one table.
#include "validator/input/foreign_formats.hpp"

#include <algorithm>

#include "validator/input/input_rules.hpp"
#include "validator/input/zstd.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kShownOfUnknown = 16;  // bytes at the start that the finding marks
constexpr std::string_view kGitLfsStart = "version https://git-lfs.github.com/spec/";

constexpr size_t kAnywhere = std::string_view::npos;
// How files of PerfView begin, and netperf traces.
constexpr std::string_view kFastSerialization{"\x14\0\0\0!FastSerialization.", 23};

// Too little of a trace to be recognised, or a damaged one.
constexpr std::string_view kMayBeProfile = "this may be profile.proto, the format of pprof: --as pprof checks it";
constexpr std::string_view kMayBeNetperf =
    "this looks like a file of PerfView or a damaged netperf trace: PerfView reads the former, --as nettrace checks "
    "the latter";

struct ForeignFormat {
    std::string_view hint;              // what it is, and what reads it
    std::string_view first_bytes = {};  // it begins with these
    std::string_view other_bytes = {};  // it also has these, at `other_at`
    size_t other_at = kAnywhere;
    bool (*is_like_it)(Bytes opening) = nullptr;  // and this holds; null: nothing more is asked
};

// Whether each line is a text, a blank and a decimal number. A line without its end does not count.
bool has_counted_lines(Bytes opening);
// Whether the first 512 bytes are the header of a file in a tar archive, by their sum.
bool begins_tar_header(Bytes opening);

using std::string_view_literals::operator""sv;

// The first row that fits counts.
// clang-format off
constexpr ForeignFormat kForeignFormats[] = {
    // other formats of profiles
    // Sample types, a period type, a time or a mapping come first.
    {kMayBeProfile, "\n\x04\x08", "\x10", 4},
    {kMayBeProfile, "Z\x04\x08", "\x10", 4},
    {kMayBeProfile, "H", "\n\x04\x08\x01\x10\x02", 10},
    {kMayBeProfile, "\x1a", "\x08\x01\x10", 2},
    {"this is a heap profile of Go or gperftools as text: go tool pprof reads it", "heap profile:"},
    {"this is a heap profile of jemalloc as text: jeprof reads it", "heap_v2/"},
    {"this is a goroutine profile of Go as text: go tool pprof reads it", "goroutine profile:"},
    {"this is a thread creation profile of Go as text: go tool pprof reads it", "threadcreate profile:"},
    {"this is a contention profile of Go or gperftools as text: go tool pprof reads it", "--- contention"},
    {"this is a mutex profile of Go as text: go tool pprof reads it", "--- mutex"},
    {"this is a thread profile as text: go tool pprof reads it", "--- thread"},
    {"this is a thread profile as text: go tool pprof reads it", "--- Thread"},
    {"this is a heap profile as text, with symbols: go tool pprof reads it", "--- heap"},
    {"this is a heap growth profile as text, with symbols: go tool pprof reads it", "--- growth"},
    {"this is an execution trace of Go: go tool trace reads it", "go 1.", " trace\0"sv},
    {"this is a recording of the JDK Flight Recorder: JDK Mission Control and jfr print read it", "FLR\0"sv},
    {"this is an XRay trace that was converted to YAML: llvm-xray reads it", "---", "constant-tsc:"},
    {"this is an XRay instrumentation map as YAML: llvm-xray reads it with -m", "---", "kind: function-e"},
    {"this is a Chrome trace as JSON: Perfetto and chrome://tracing read it", "{", "\"traceEvents\""},
    {"this is a Chrome trace as JSON: Perfetto and chrome://tracing read it", "[", "\"ph\""},
    {"this is a .cpuprofile or .heapprofile of V8: Chrome DevTools and Visual Studio Code read it", "{", "\"callFrame\""},
    {"this is a profile of the Firefox Profiler as JSON: profiler.firefox.com and samply load read it", "{", "\"processType\""},
    {.hint = "these look like collapsed stacks: flamegraph.pl, inferno and speedscope read them", .other_bytes = ";", .is_like_it = has_counted_lines},
    {"this is V8's own log, as of node --prof: node --prof-process reads it", "v8-version,"},
    {"this is V8's own log, as of node --prof: node --prof-process reads it", "shared-library,"},
    {.hint = "these are records of perf_event_open from its ring buffer, without the header of a perf.data that says what is in them: only the program that opened the events can read them; perf record writes both", .is_like_it = has_perf_records},
    {"this is an .etlx file, PerfView's own form of a trace: PerfView reads it", kFastSerialization, "Etlx.TraceLog"},
    {"this is a heap dump, as of dotnet-gcdump: PerfView and Visual Studio read it", kFastSerialization, "GCHeapDump"},
    {kMayBeNetperf, kFastSerialization},
    // what is no profile
    {"this is an ELF file, such as a program or what perf inject --jit writes: readelf and perf read it", "\x7f" "ELF"},
    {"this is compressed with zstd; decompress it first", "\x28\xb5\x2f\xfd"},
    {"this is compressed with xz; decompress it first", "\xfd" "7zXZ"},
    {"this is compressed with bzip2; decompress it first", "BZh"},
    {"this is compressed with lz4; decompress it first", "\x04\x22\x4d\x18"},
    {"this is a zip archive; unpack it first", "PK\x03\x04"},
    {.hint = "this is a tar archive; unpack it first", .is_like_it = begins_tar_header},
    {"this is compressed with gzip twice; decompress it once", "\x1f\x8b"},
};
// clang-format on

bool is_count(std::string_view word) {
    return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

bool has_counted_lines(Bytes opening) {
    std::string_view text = as_text(opening);
    size_t lines = 0;
    for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n'), ++lines) {
        const std::string_view line = text.substr(0, end);
        const size_t blank = line.rfind(' ');
        if (blank == std::string_view::npos || blank == 0 || !is_count(line.substr(blank + 1))) return false;
        text.remove_prefix(end + 1);
    }
    return lines > 0;
}

// POSIX.1-1988, and the format of the 7th edition before it: the sum of the header, its own field as blanks, in octal.
bool begins_tar_header(Bytes opening) {
    constexpr size_t kHeader = 512, kSum = 148, kSumLength = 8;
    if (opening.size() < kHeader) return false;
    uint64_t sum = 0, stored = 0;
    for (const uint8_t byte : opening.first(kHeader)) sum += byte;
    size_t digits = 0;
    for (const uint8_t byte : opening.subspan(kSum, kSumLength)) {
        sum = sum - byte + ' ';
        if (byte >= '0' && byte <= '7') {
            stored = stored * 8 + byte - '0';
            ++digits;
        } else if (byte != ' ' && byte != 0) {
            return false;
        }
    }
    return digits > 0 && stored == sum;
}

// The kinds of records that the kernel writes to a ring buffer, by number: the least size of each, in bytes.
// include/uapi/linux/perf_event.h, up to Linux 6.17.
// clang-format off
constexpr uint16_t kLeastPerfRecord[] = {
    0,
    48,  // MMAP
    24,  // LOST
    24,  // COMM
    32,  // EXIT
    32,  // THROTTLE
    32,  // UNTHROTTLE
    32,  // FORK
    24,  // READ
    16,  // SAMPLE
    80,  // MMAP2
    32,  // AUX
    16,  // ITRACE_START
    16,  // LOST_SAMPLES
    8,  // SWITCH
    16,  // SWITCH_CPU_WIDE
    24,  // NAMESPACES
    32,  // KSYMBOL
    24,  // BPF_EVENT
    24,  // CGROUP
    24,  // TEXT_POKE
    16,  // AUX_OUTPUT_HW_ID
    24,  // CALLCHAIN_DEFERRED
};
// clang-format on

// The size of the record at the start, 0 if absent. Every size is a multiple of 8, bits 3 to 11 of misc are free, and
// the lowest three name one of six modes of the processor.
size_t size_of_perf_record(Bytes record, ByteOrder order) {
    constexpr size_t kHeader = 8;
    if (record.size() < kHeader) return 0;
    const uint64_t type = load(record.data(), 4, order), misc = load(record.data() + 4, 2, order);
    const auto size = static_cast<size_t>(load(record.data() + 6, 2, order));
    if (type == 0 || type >= std::size(kLeastPerfRecord) || (misc & 0xff8) != 0 || (misc & 7) > 5) return 0;
    return size % 8 == 0 && size >= kLeastPerfRecord[type] ? size : 0;
}

bool holds(std::string_view text, std::string_view wanted, size_t at) {
    if (at == kAnywhere) return text.find(wanted) != std::string_view::npos;
    return at <= text.size() && text.substr(at).starts_with(wanted);
}

const Rule& rule_for(Bytes opening) {
    if (opening.empty()) return kEmptyInput;
    return as_text(opening).starts_with(kGitLfsStart) ? kGitLfsPointer : kUnknownFormat;
}

}  // namespace

// A buffer that is not full ends in zeros.
bool has_perf_records(Bytes opening) {
    constexpr size_t kFewest = 4;
    if (opening.size() < 8) return false;
    const ByteOrder order = opening[0] != 0 ? ByteOrder::little : ByteOrder::big;
    size_t records = 0;
    for (Bytes rest = opening; !rest.empty(); ++records) {
        const size_t size = size_of_perf_record(rest, order);
        if (size == 0) return records >= kFewest && all_zero(rest);
        rest = rest.subspan(std::min(size, rest.size()));
    }
    return records >= kFewest;
}

std::string_view foreign_format_hint(Bytes opening) {
    const std::string_view text = as_text(opening);
    const auto found = std::ranges::find_if(kForeignFormats, [&](const ForeignFormat& known) {
        return text.starts_with(known.first_bytes) && holds(text, known.other_bytes, known.other_at) &&
               (known.is_like_it == nullptr || known.is_like_it(opening));
    });
    if (found == std::end(kForeignFormats)) return {};
    if (!has_zstd() && begins_zstd_frame(opening))
        return "this is compressed with zstd, which this build of tracelint cannot open; decompress it first";
    return found->hint;
}

bool is_foreign(Bytes opening) {
    const std::string_view hint = foreign_format_hint(opening);
    return !hint.empty() && hint != kMayBeProfile && hint != kMayBeNetperf;
}

Diagnostic unrecognised(Bytes opening) {
    Diagnostic finding;
    finding.rule = &rule_for(opening);
    finding.place.length = std::min<uint64_t>(opening.size(), kShownOfUnknown);
    if (finding.rule == &kUnknownFormat) {
        finding.text = foreign_format_hint(opening);
        if (finding.text.empty()) finding.text = "if you know it, name it with --as";
    }
    if (finding.rule == &kGitLfsPointer) finding.hint = "git lfs pull fetches the file";
    return finding;
}

}  // namespace tracelint
