// What readers of jitdump do with files that break a rule, and legal files that they fail on (section 8).
#include <algorithm>
#include <array>

#include "grammars/formats.hpp"
#include "grammars/jitdump/checks/header.hpp"
#include "grammars/jitdump/readers/perf_model.hpp"
#include "grammars/readers.hpp"
#include "validator/readers/follow_context.hpp"

namespace tracelint {
namespace jitdump {

extern const Measurement kPerf6_1, kPerf7_2;

namespace {

using enum ReaderOutcome;

// Named like a dump, but not as perf names them: jit-PID.dump.
bool has_other_name(const ReaderFile& file) {
    std::string_view name = file.file_name;
    if (!name.starts_with("jit-") || !name.ends_with(".dump")) return false;
    name = name.substr(4, name.size() - std::min(name.size(), size_t{9}));
    return name.empty() || !std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

constexpr Rule kPerfFileName{
    .id = "reader/perf-file-name",
    .severity = Severity::warning,
    .statement = "perf opens only dumps that are named jit-PID.dump",
    .message = "perf never opens a dump with this name; it expects jit-PID.dump",
    .why =
        "perf inject finds a dump by the name under which the process mapped it, so no function of this dump gets a "
        "name",
    .spec = "grammars/jitdump/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kPerfLines{
    .id = "reader/perf-big-endian-lines",
    .severity = Severity::warning,
    .statement = "perf reads a line table of a big-endian dump correctly if it has one entry",
    .message = "perf swaps the bytes of the entries after the first in the wrong places",
    .why = "perf assumes that all entries have the same length, so the lines of this function are garbage",
    .spec = "grammars/jitdump/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kPerfClock{
    .id = "reader/perf-arch-timestamps",
    .severity = Severity::error,
    .statement = "for timestamps of the architecture's counter, perf needs a clock conversion in the recording",
    .message = "the timestamps are ticks of a counter, and perf may be unable to convert them",
    .why = "without a clock conversion in the recording, perf inject stops and adds no function",
    .spec = "grammars/jitdump/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kPerfGzip{
    .id = "reader/perf-gzip",
    .severity = Severity::error,
    .statement = "perf reads files that are not compressed",
    .message = "perf does not decompress files",
    .why = "it tries to parse the compressed bytes and rejects the file; decompress it first",
    .spec = "grammars/jitdump/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
    .of_container = true,
};

constexpr Rule kSamplyGzip{
    .id = "reader/samply-gzip",
    .severity = Severity::error,
    .statement = "samply and linux-perf-data read files that are not compressed",
    .message = "samply and linux-perf-data do not decompress files",
    .why = "they try to parse the compressed bytes and reject the file; decompress it first",
    .spec = "grammars/jitdump/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
    .of_container = true,
};

constexpr Rule kParcaUnknown{
    .id = "reader/parca-agent-unknown-record",
    .severity = Severity::warning,
    .statement = "parca-agent skips a record of unknown type exactly",
    .message = "parca-agent skips 16 bytes more than this record has",
    .why =
        "it has already read the first 16 bytes, so it parses garbage as the next record, and most functions after it "
        "have no name",
    .spec = "grammars/jitdump/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kParcaGzip{
    .id = "reader/parca-agent-gzip",
    .severity = Severity::error,
    .statement = "parca-agent reads files that are not compressed",
    .message = "parca-agent does not decompress files",
    .why = "it tries to parse the compressed bytes and rejects the file; decompress it first",
    .spec = "grammars/jitdump/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
    .of_container = true,
};

// perf opens no file of another name.
template <PerfVersion version>
Followed follow_perf(FollowContext& context) {
    return has_other_name(context.file) ? NoOpinion() : follow_perf_inject(version, context);
}

// The first one is only for 6.1, the last two are for 7.2.
constexpr Hazard kPerfHazards[] = {
    {&kPerfEmptyCode, may_crash, is_found_by_model},
    {&kPerfLineTable, may_crash, is_found_by_model},
    {&kPerfGzip, refuses, is_compressed},
    {&kPerfFileName, drops_rest, has_other_name},
    {&kPerfClock, refuses, nullptr, "header", "flags", [](uint64_t flags) { return (flags & 1) != 0; }},
    {&kPerfLines, misreads, is_big_endian, "JIT_CODE_DEBUG_INFO", "nr_entry",
     [](uint64_t entries) { return entries > 1; }},
    {&kPerfMove, crashes, is_found_by_model},
    {&kPerfBuildId, crashes, is_found_by_model},
};
constexpr std::span kPerf6_1Hazards = std::span(kPerfHazards).first<std::size(kPerfHazards) - 2>();
constexpr std::span kPerf7_2Hazards = std::span(kPerfHazards).subspan<1>();

constexpr Hazard kParcaHazards[] = {
    {&kParcaGzip, refuses, is_compressed},
    {&kParcaUnknown, out_of_step, nullptr, "JIT_CODE_DEBUG_INFO2 (tree)"},
    {&kParcaUnknown, out_of_step, nullptr, "JIT_CODE_DEBUG_INFO2 (positions)"},
    {&kParcaUnknown, out_of_step, nullptr, "inline info"},
    {&kParcaUnknown, out_of_step, nullptr, "JIT_TIER"},
    {&kParcaUnknown, out_of_step, nullptr, "EMBEDDED_SOURCE_FILE"},
};
constexpr Hazard kSamplyHazards[] = {{&kSamplyGzip, refuses, is_compressed}};

// What the names and the places of the functions do not show.
constexpr ReaderRow kPerfKnown[] = {
    {"jitdump/header-size-extended", drops_rest},
    {"jitdump/header-size-extended", refuses, "", {}, 81},
    {"jitdump/record-size-too-small", drops_rest},
    {"jitdump/truncated-record", drops_rest},
    {"jitdump/truncated-record-header", drops_rest},
    {"jitdump/record-after-close", drops_rest},
    {"jitdump/header-only-record", drops_rest},
    {"jitdump/load-code-too-large", drops_record},
    {"jitdump/unwinding-hdr-exceeds-data", drops_record},
    // It reads what an earlier record left after the entries.
    {"jitdump/debug-entry-count-overflow", may_crash},
    {"jitdump/debug-entry-count-overflow", crashes, "", {}, 1000},
    {"jitdump/load-name-unterminated", misreads},
    {"jitdump/load-trailing-bytes", misreads},
    {.rule = "jitdump/debug-after-load",
     .outcome = misreads,
     .says = "these lines go to the function that is loaded next; names of functions are right"},
    {.rule = "jitdump/debug-entry-near-code",
     .outcome = misreads,
     .says = "no sample shows these lines; all others are right"},
    {.rule = "jitdump/debug-entry-elf-bias",
     .outcome = misreads,
     .says = "line numbers are off by 0x40 bytes of code; names of functions are right"},
    {.rule = "jitdump/unwinding-hdr-first",
     .outcome = misreads,
     .says = "stacks through these functions are cut; names of functions and lines are right"},
    {"jitdump/unwinding-hdr-missing", misreads},
    {.rule = "jitdump/unwinding-superseded",
     .outcome = misreads,
     .says = "of the unwinding data of a function the last is taken; names of functions and lines are right"},
    {"jitdump/unwind-extent-overlap", misreads},
    {.rule = "jitdump/eh-frame-fde-location",
     .outcome = misreads,
     .says = "no stack leads through these functions; names of functions and lines are right"},
    {.rule = "jitdump/eh-frame-fde-length",
     .outcome = misreads,
     .says = "stacks through these functions are cut; names of functions and lines are right"},
    {.rule = "jitdump/duplicate-code-index",
     .outcome = misreads,
     .says = "of the functions with one code_index all have the name and the code of the last"},
    {"jitdump/unwinding-size-exceeds-record", misreads},
    {"jitdump/load-code-exceeds-record", misreads},
    {"jitdump/debug-name-repeat", misreads},
};

// The last one is of 6.1: 7.2 knows what the name means. A MOVE that is at fault is no worse than any other one, at
// which it crashes (kPerfMove).
constexpr auto kPerf7_2Known = [] {
    constexpr ReaderRow kMore[] = {
        {"jitdump/debug-entry-truncated", may_crash},
        {"jitdump/move-address-overflow", ignores},
        {"jitdump/move-noop", ignores},
        {"jitdump/move-old-address-mismatch", ignores},
        {"jitdump/move-pid-mismatch", ignores},
        {"jitdump/move-size-mismatch", ignores},
        {"jitdump/move-trailing-bytes", ignores},
        {"jitdump/move-unknown-code-index", ignores},
        {"jitdump/move-vma-mismatch", ignores},
    };
    std::array<ReaderRow, std::size(kPerfKnown) - 1 + std::size(kMore)> rows{};
    std::ranges::copy(kMore, std::copy_n(kPerfKnown, std::size(kPerfKnown) - 1, rows.begin()));
    return rows;
}();
static_assert(std::end(kPerfKnown)[-1].rule == "jitdump/debug-name-repeat");

constexpr ReaderRow kSamply[] = {
    {"jitdump/bad-magic", refuses},
    {"jitdump/truncated-header", refuses},
    {"jitdump/unsupported-version", ignores},
    {"jitdump/header-unknown-flags", ignores},
    {"jitdump/header-size-too-small", refuses},
    {"jitdump/header-size-extended", ignores},
    {"jitdump/header-size-extended", crashes, "", {}, 4096},
    {"jitdump/truncated-record", drops_rest},
    {"jitdump/truncated-record-header", drops_rest},
    {"jitdump/record-size-too-small", drops_rest},
    {"jitdump/record-body-too-small", drops_record},
    {"jitdump/record-after-close", ignores},
    {"jitdump/unknown-record-kind", ignores},
    {"jitdump/load-name-unterminated", drops_record},
    {"jitdump/load-code-exceeds-record", drops_record},
    {"jitdump/load-code-too-large", drops_record},
    {"jitdump/load-trailing-bytes", ignores},
    {"jitdump/duplicate-code-index", ignores},
    {"jitdump/move-unknown-code-index", ignores},
    {"jitdump/move-size-mismatch", ignores},
    {"jitdump/move-old-address-mismatch", ignores},
    {"jitdump/debug-entry-truncated", drops_record},
    // It allocates as many entries as the record claims before it reads one.
    {"jitdump/debug-entry-count-overflow", drops_record},
    {"jitdump/debug-entry-count-overflow", may_crash, "", {}, 10'000'001},
    {"jitdump/debug-entry-count-overflow", crashes, "", {}, uint64_t{1} << 40},
    {"jitdump/debug-name-repeat", misreads},
    {.rule = "jitdump/debug-entry-elf-bias",
     .outcome = misreads,
     .says = "line numbers are off by 0x40 bytes of code; names of functions are right"},
    {"jitdump/unwinding-size-exceeds-record", drops_record},
    {"jitdump/unwinding-hdr-exceeds-data", ignores},
    {"jitdump/unwinding-hdr-missing", ignores},
    {"jitdump/unwinding-hdr-first", ignores},
    {"jitdump/timestamp-regression", ignores},
    {"jitdump/timestamp-zero", ignores},
    {"samply/list-exceeds-record", crashes},
    {"samply/caller-cycle", hangs},
    {"samply/caller-index-range", drops_record},
    {"samply/position-index-range", drops_record},
    {"samply/position-name-index-range", drops_record},
    {"samply/string-list-short", drops_record},
    {"samply/code-offset-order", misreads},
    {"samply/info2-code-addr-mismatch", misreads},
    {"samply/info2-after-load", misreads},
    {"samply/id-conflict", drops_record},
    {"samply/info2-without-load", ignores},
};

// The reader beneath samply. It returns samply's records as they are.
constexpr bool is_of_jitdump(const ReaderRow& row) { return row.rule.starts_with("jitdump/"); }
static_assert(std::ranges::is_partitioned(kSamply, is_of_jitdump));
constexpr std::span kLinuxPerfData(std::begin(kSamply), std::ranges::partition_point(kSamply, is_of_jitdump));

// parca-agent reads the fields of LOAD and MOVE one after the other, whatever the size of the record, and keeps the
// LOADs.
constexpr ReaderRow kParca[] = {
    {"jitdump/bad-magic", refuses},
    {"jitdump/truncated-header", refuses},
    {"jitdump/unsupported-version", refuses},
    {"jitdump/version-zero", ignores},
    {"jitdump/header-unknown-flags", ignores},
    {"jitdump/header-size-too-small", ignores},
    {"jitdump/header-size-exceeds-file", ignores},
    {"jitdump/header-size-extended", out_of_step},
    {"jitdump/truncated-record", drops_rest},
    {"jitdump/truncated-record-header", drops_rest},
    {"jitdump/record-body-too-small", out_of_step},
    {"jitdump/record-after-close", drops_rest},
    {"jitdump/unknown-record-kind", out_of_step},
    {"jitdump/load-name-unterminated", out_of_step},
    {"jitdump/load-trailing-bytes", out_of_step},
    {"jitdump/load-code-exceeds-record", out_of_step},
    // It allocates as many bytes, and as many entries, as the record claims.
    {"jitdump/load-code-too-large", may_crash},
    {"jitdump/move-trailing-bytes", out_of_step},
    {"jitdump/debug-entry-count-overflow", refuses},
    {"jitdump/debug-entry-count-overflow", may_crash, "", {}, uint64_t{1} << 31},
    {"jitdump/debug-entry-count-overflow", crashes, "", {}, uint64_t{1} << 45},
    {"jitdump/debug-entry-truncated", refuses},
    {"jitdump/debug-name-unterminated", refuses},
    {"jitdump/debug-trailing-bytes", ignores},
    {"jitdump/unwinding-size-exceeds-record", refuses},
    {"jitdump/unwinding-size-exceeds-record", crashes, "", {}, uint64_t{1} << 48},
    {"jitdump/unwinding-trailing-bytes", ignores},
    {"jitdump/duplicate-code-index", ignores},
    {"jitdump/move-unknown-code-index", ignores},
    {"jitdump/timestamp-regression", ignores},
    {"jitdump/timestamp-zero", ignores},
};

constexpr ReaderRow kDdprof[] = {{"jitdump/load-overlaps-live", crashes}};
constexpr ReaderRow kStreamline[] = {{"jitdump/timestamp-regression", refuses}};

constexpr std::string_view kFunctions[] = {"JIT_CODE_LOAD"};

// Other bytes look like a MOVE or a LOAD where a thread or zeros are before an address. But a MOVE has one size, and
// no function has code of 4 GiB.
bool is_plausible(const Record& record, Bytes bytes, ByteOrder order) {
    if (bytes.size() < fixed_size(kPrefix) || &record == &kDebugInfo || &record == &kUnwindingInfo) return true;
    const uint64_t size = View<kPrefix>(bytes.data(), 0, order, 0).get<"total_size">();
    if (&record != &kLoad) return size <= minimum_size(record);
    return bytes.size() < fixed_size(kLoad) || View<kLoad>(bytes.data(), 0, order, 0).get<"code_size">() >> 32 == 0;
}

const Record* record_at(Bytes bytes, ByteOrder order) {
    if (bytes.size() < fixed_size(kPrefix)) return nullptr;
    const uint64_t id = View<kPrefix>(bytes.data(), 0, order, 0).get<"id">();
    for (const Record* record : RecordList{&kLoad, &kMove, &kDebugInfo, &kClose, &kUnwindingInfo})
        if (record->tag == id) return is_plausible(*record, bytes, order) ? record : nullptr;
    return nullptr;
}

constexpr TraceReader kReaders[] = {
    {"perf", "6.1", &kJitdump, "perf inject --jit", "measured", "function|functions", kFunctions, &kPerf6_1, kPerfKnown,
     kPerf6_1Hazards, follow_perf<PerfVersion::v6_1>},
    {"perf", "7.2", &kJitdump, "perf inject --jit", "measured", "function|functions", kFunctions, &kPerf7_2,
     kPerf7_2Known, kPerf7_2Hazards, follow_perf<PerfVersion::v7_2>},
    {"samply",
     "support-inlines",
     &kJitdump,
     "samply import",
     "by its source",
     "function|functions",
     kFunctions,
     {},
     kSamply,
     kSamplyHazards},
    {"linux-perf-data",
     "0.12",
     &kJitdump,
     "linux-perf-data",
     "by its source",
     "function|functions",
     kFunctions,
     {},
     kLinuxPerfData,
     kSamplyHazards},
    {"parca-agent",
     "2023",
     &kJitdump,
     "parca-agent",
     "by its source",
     "function|functions",
     kFunctions,
     {},
     kParca,
     kParcaHazards},
    {"ddprof", "2024", &kJitdump, "ddprof", "by a report", "function|functions", kFunctions, {}, kDdprof, {}},
    {"streamline",
     "7.7",
     &kJitdump,
     "Arm Streamline",
     "by a report",
     "function|functions",
     kFunctions,
     {},
     kStreamline,
     {}},
};

}  // namespace
}  // namespace jitdump

constinit const ReaderList kJitdumpReaders{jitdump::kReaders, jitdump::record_at};

}  // namespace tracelint
