// What perf's commands do with recordings that break a rule, and legal ones that they fail on (section 7).
#include "grammars/readers.hpp"
#include "grammars/formats.hpp"
#include "grammars/perfdata/readers/perf_model.hpp"
#include "grammars/perfdata/records.hpp"

namespace tracelint {
namespace perfdata {

extern const Measurement kPerf6_1, kPerfReport6_1, kPerf7_2, kPerfReport7_2;

namespace {

using enum ReaderOutcome;

constexpr Rule kGzip{
    .id = "reader/perf-data-gzip",
    .severity = Severity::error,
    .statement = "perf, samply and linux-perf-data read recordings that are not compressed as a whole",
    .message = "perf, samply and linux-perf-data do not decompress files",
    .why = "they try to parse the compressed bytes and reject the file; decompress it first",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
    .of_container = true,
};

constexpr Rule kOwner{
    .id = "reader/perf-owner",
    .severity = Severity::error,
    .statement = "perf reads files that belong to the user or to root",
    .message = "the file belongs to another user, and perf reads such files only with -f",
    .why =
        "perf says \"not owned by current user or root\" and stops, even for root; run it with -f, or change the owner "
        "with chown",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kNewerAttribute{
    .id = "reader/perf-newer-attribute",
    .severity = Severity::error,
    .statement = "perf 6.1 knows all bytes of an attribute",
    .message = "perf 6.1 cannot read attributes of more than 128 bytes",
    .why =
        "it reports that the file format is incompatible, and refuses the file; use a perf as new as the one that "
        "wrote it",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kNewerRecord{
    .id = "reader/perf-newer-record",
    .severity = Severity::error,
    .statement = "perf script 6.1 knows all types of records",
    .message = "perf script 6.1 does not know records of this type",
    .why =
        "it stops with an error at the first type above 82. COMPRESSED2 came with Linux 6.15, and the others later; "
        "use a perf as new as the one that wrote the file",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kSwappedAttribute{
    .id = "reader/perf-big-endian-attribute",
    .severity = Severity::error,
    .statement = "perf swaps the bytes of an attribute that does not give its own size",
    .message = "perf does not swap the bytes of this attribute, whose own size is 0",
    .why =
        "it treats 0 as no fields at all before it treats it as 64 bytes, so the type of the samples is garbage and it "
        "refuses the file; a writer that stores 64 avoids this",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kSimpleperfRecord{
    .id = "reader/perf-simpleperf-record",
    .severity = Severity::error,
    .statement = "perf script 6.1 knows all types of records",
    .message = "the record is simpleperf's own, and perf does not know its type",
    .why =
        "perf script 6.1 stops with an error at the first one, and no newer perf shows them; simpleperf report reads "
        "the file",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kUserRegisters{
    .id = "reader/quipper-user-regs",
    .severity = Severity::error,
    .statement = "samples for perf_to_profile and create_llvm_prof hold neither registers nor stacks of the user",
    .message = "quipper reads no user registers, which --call-graph dwarf records: record with --call-graph fp or lbr",
    .why =
        "perf_to_profile and create_llvm_prof read recordings with quipper, which stops with an error at the first "
        "such sample",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kLongTimeConversion{
    .id = "reader/quipper-newer-record",
    .severity = Severity::error,
    .statement = "TIME_CONV has the 32 bytes that quipper expects",
    .message = "quipper knows TIME_CONV with 32 bytes only; perf since 5.10 writes 56",
    .why =
        "perf_to_profile and create_llvm_prof read recordings with quipper, which stops with an error at the record; "
        "use a version that is newer than the perf that recorded",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kBranches{
    .id = "reader/perf2bolt-branches",
    .severity = Severity::error,
    .statement = "samples for perf2bolt and create_llvm_prof have branch stacks",
    .message = "the samples have no branch stacks: record with -j any,u, or give perf2bolt -nl",
    .why = "perf2bolt and create_llvm_prof count branches; they stop, or write an empty profile",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kCallchains{
    .id = "reader/flamegraph-callchains",
    .severity = Severity::error,
    .statement = "samples for a flame graph have call chains",
    .message = "the samples have no call chains: record with -g",
    .why = "the collapsed stacks are empty, and flamegraph says: No stack counts found",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kForkAtZero{
    .id = "reader/hotspot-fork-at-0",
    .severity = Severity::warning,
    .statement = "a FORK at time 0 does not start a process",
    .message = "perf record -a invents this FORK at time 0, and hotspot treats it as the start of a process",
    .why =
        "hotspot gives the process its parent's mappings in addition to its own, so it shows functions of the parent "
        "in it; record the program or its process (-p), not the whole system (-a)",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kUnknownCompressed2{
    .id = "reader/linux-perf-data-compressed2",
    .severity = Severity::warning,
    .statement = "linux-perf-data 0.11 knows the compressed records of the file",
    .message = "linux-perf-data before 0.12 skips COMPRESSED2 and all samples in it",
    .why = "the profile is empty, or nearly so; use linux-perf-data 0.12, or record without -z",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

bool is_beyond_128(uint64_t size) { return size > 128; }
bool is_zero(uint64_t size) { return size == 0; }
bool is_of_simpleperf(uint64_t type) { return type >= kFirstSimpleperfType && type <= kLastSimpleperfType; }
bool is_beyond_82(uint64_t type) { return type > kFinishedInitType && !is_of_simpleperf(type); }

// Those of perf script 6.1. The first six are also those of 7.2, and the first seven those of perf report 6.1.
constexpr Hazard kScriptHazards[] = {
    {&kPerfRefuses, refuses, is_found_by_model},
    {&kPerfCrashes, crashes, is_found_by_model},
    {&kPerfRisk, may_crash, is_found_by_model},
    {&kPerfHangs, hangs, is_found_by_model},
    {&kGzip, refuses, is_compressed},
    {&kOwner, refuses, is_foreign},
    {&kNewerAttribute, refuses, nullptr, "attr", "attr_size", is_beyond_128},
    {&kSwappedAttribute, refuses, is_big_endian, "attr", "attr_size", is_zero},
    {&kSwappedAttribute, refuses, is_big_endian, "HEADER_ATTR", "attr_size", is_zero},
    {&kNewerRecord, refuses, nullptr, "COMPRESSED2"},
    {&kNewerRecord, refuses, nullptr, "BPF_METADATA"},
    {&kNewerRecord, refuses, nullptr, "SCHEDSTAT_CPU"},
    {&kNewerRecord, refuses, nullptr, "SCHEDSTAT_DOMAIN"},
    {&kNewerRecord, refuses, nullptr, "other record", "type", is_beyond_82},
    {&kSimpleperfRecord, refuses, nullptr, "other record", "type", is_of_simpleperf},
};
constexpr std::span k7_2Hazards = std::span(kScriptHazards).first<6>();
constexpr std::span kReportHazards = std::span(kScriptHazards).first<7>();
static_assert(k7_2Hazards.back().rule == &kOwner && kReportHazards.back().rule == &kNewerAttribute);

// The files of the measurement that perf refused had another cause. The last row is only for perf script, which sets up
// the decoders of traces.
constexpr ReaderRow kScriptKnown[] = {
    {"perfdata/lost-events", ignores},
    {"perfdata/tracepoint-without-format", refuses},
    {"perfdata/injected-by-bad-release", misreads},
    {"perfdata/build-id-short", ignores},
    {"perfdata/no-user-samples", ignores},
    {"perfdata/feature-exceeds-file", ignores},
    {"perfdata/mmap2-without-prot", misreads},
    {"perfdata/auxtrace-info-etm", refuses},
};
constexpr std::span kKnown = std::span(kScriptKnown).first<7>();

// By its source: it reads version 1 and MMAP2 as 6.1 does.
constexpr ReaderRow k7_2ScriptKnown[] = {
    {"perfdata/legacy-magic", ignores},
    {"perfdata/lost-events", ignores},
    {"perfdata/tracepoint-without-format", refuses},
    {"perfdata/injected-by-bad-release", misreads},
    {"perfdata/build-id-short", ignores},
    {"perfdata/no-user-samples", ignores},
    {"perfdata/generated-code-without-dump", ignores},
    {"perfdata/mmap2-without-prot", misreads},
    {"perfdata/auxtrace-info-etm", refuses},
};
constexpr std::span k7_2Known = std::span(k7_2ScriptKnown).first<7>();

// The outcomes of linux-perf-data 0.12, samply's reader. Cases that section 7 does not describe are left out, and so
// untried.
constexpr ReaderRow kLinuxPerfData[] = {
    {"perfdata/header-unfinished", crashes},
    {"perfdata/event-desc-broken", may_crash},
    {"perfdata/bad-magic", refuses},
    {"perfdata/legacy-magic", refuses},
    {"perfdata/truncated-header", refuses},
    {"perfdata/header-no-features", refuses},
    {"perfdata/data-size-zero", refuses},
    {"perfdata/data-exceeds-file", refuses},
    {"perfdata/feature-table-truncated", refuses},
    {"perfdata/feature-exceeds-file", refuses},
    {"perfdata/record-size-too-small", refuses},
    {"perfdata/compressed-corrupt", refuses},
    {"perfdata/auxtrace-exceeds-data", refuses},
    {"perfdata/stream-no-attr", refuses},
    {"perfdata/truncated-record", drops_rest},
    {"perfdata/event-types-present", misreads},
    {"perfdata/event-desc-differs", misreads},
    {"perfdata/sample-unknown-id", misreads},
    {"perfdata/header-size", ignores},
    {"perfdata/attrs-disagree", ignores},
    {"perfdata/build-id-entry", ignores},
};
constexpr Hazard kSamplyHazards[] = {{&kGzip, refuses, is_compressed}};

constexpr Hazard kLinuxPerfData0_11Hazards[] = {{&kGzip, refuses, is_compressed},
                                                {&kUnknownCompressed2, drops_rest, nullptr, "COMPRESSED2"}};

// --- What people's tools ask of a legal recording -----------------------------------------------------------------

constexpr bool has_bit(uint64_t bits, unsigned bit) { return (bits >> bit & 1) != 0; }
bool has_user_registers(uint64_t type) { return has_bit(type, kRegsUserBit) || has_bit(type, kStackUserBit); }
bool has_branches(uint64_t type) { return has_bit(type, kBranchStackBit); }
bool has_callchain(uint64_t type) { return has_bit(type, kCallchainBit); }

// Section 3.7: from 56 bytes on there are cycles and mask.
bool has_cycles(Bytes record) { return record.size() > minimum_size(kTimeConv); }

// Section 3.4: a FORK of a process that may have had a parent with mappings: not of the kernel's threads, whose parents
// are 0 and 2. The words are compared as they stand, in either byte order.
bool is_made_up(Bytes fork) {
    constexpr uint64_t kPidAt = fixed_offset(kFork, "pid", {}), kParentAt = fixed_offset(kFork, "ppid", {});
    constexpr uint64_t kTidAt = fixed_offset(kFork, "tid", {}), kTimeAt = fixed_offset(kFork, "time", {});
    if (fork.size() < kTimeAt + 8) return false;
    const auto word = [&](uint64_t at) { return load(fork.data() + at, 4, ByteOrder::little); };
    const uint64_t parent = word(kParentAt), kernel = 2;
    const bool is_of_kernel = parent == 0 || parent == kernel || parent == kernel << 24;
    const bool is_process = word(kPidAt) == word(kTidAt) && word(kPidAt) != parent;
    return is_process && !is_of_kernel && load(fork.data() + kTimeAt, 8, ByteOrder::little) == 0;
}

// The tool needs samples with what `has` looks for in sample_type, and no event of the file has it.
constexpr Hazard no_event_has(const Rule& rule, bool (*has)(uint64_t), std::string_view record) {
    return {.rule = &rule,
            .outcome = refuses,
            .record = record,
            .field = "sample_type",
            .of_value = has,
            .scope = Hazard::Scope::none};
}

constexpr Hazard kQuipperHazards[] = {
    {&kUserRegisters, refuses, nullptr, "attr", "sample_type", has_user_registers},
    {&kUserRegisters, refuses, nullptr, "HEADER_ATTR", "sample_type", has_user_registers},
    {.rule = &kLongTimeConversion, .outcome = refuses, .record = "TIME_CONV", .of_bytes = has_cycles},
    no_event_has(kBranches, has_branches, "attr"),
    no_event_has(kBranches, has_branches, "HEADER_ATTR"),
};
constexpr std::span kProfileHazards = std::span(kQuipperHazards).first<3>();
constexpr std::span kBoltHazards = std::span(kQuipperHazards).last<2>();
static_assert(kProfileHazards.back().rule == &kLongTimeConversion && kBoltHazards.front().rule == &kBranches);

constexpr Hazard kFlameGraphHazards[] = {
    no_event_has(kCallchains, has_callchain, "attr"),
    no_event_has(kCallchains, has_callchain, "HEADER_ATTR"),
};
constexpr Hazard kHotspotHazards[] = {
    {.rule = &kForkAtZero, .outcome = misreads, .record = "FORK", .of_bytes = is_made_up}};

constexpr ReaderRow kQuipper[] = {
    {"perfdata/data-size-zero", refuses},
    {"perfdata/build-id-entry", refuses},
    {"perfdata/lost-events", ignores},
};
constexpr ReaderRow kTools[] = {{"perfdata/lost-events", ignores}};

template <auto follow_perf, PerfVersion version>
Followed model(FollowContext& context) {
    return follow_perf(version, context);
}

constexpr std::string_view kSamples[] = {"SAMPLE"};

constexpr TraceReader not_measured(std::string_view name, std::string_view version, std::string_view command,
                                   std::string_view evidence, std::span<const ReaderRow> known,
                                   std::span<const Hazard> hazards) {
    return {name, version, &kPerfdata, command, evidence, "sample|samples", kSamples, nullptr, known, hazards};
}
constexpr std::string_view kSource = "by its source", kReport = "by a report";

constexpr TraceReader kReaders[] = {
    {"perf", "6.1", &kPerfdata, "perf script", "measured", "sample|samples", kSamples, &kPerf6_1, kScriptKnown,
     kScriptHazards, model<follow_perf_script, PerfVersion::v6_1>},
    {"perf-report", "6.1", &kPerfdata, "perf report -D", "measured", "sample|samples", kSamples, &kPerfReport6_1,
     kKnown, kReportHazards, model<follow_perf_report, PerfVersion::v6_1>},
    {"perf", "7.2", &kPerfdata, "perf script", "measured", "sample|samples", kSamples, &kPerf7_2, k7_2ScriptKnown,
     k7_2Hazards, model<follow_perf_script, PerfVersion::v7_2>},
    {"perf-report", "7.2", &kPerfdata, "perf report -D", "measured", "sample|samples", kSamples, &kPerfReport7_2,
     k7_2Known, k7_2Hazards, model<follow_perf_report, PerfVersion::v7_2>},
    not_measured("samply", "support-inlines", "samply import", kSource, kLinuxPerfData, kSamplyHazards),
    not_measured("linux-perf-data", "0.11", "linux-perf-data", kSource, kLinuxPerfData, kLinuxPerfData0_11Hazards),
    not_measured("linux-perf-data", "0.12", "linux-perf-data", kSource, kLinuxPerfData, kSamplyHazards),
    not_measured("perf_to_profile", "2024", "perf_to_profile", kReport, kQuipper, kProfileHazards),
    not_measured("create_llvm_prof", "2024", "create_llvm_prof", kReport, kQuipper, kQuipperHazards),
    not_measured("perf2bolt", "19", "perf2bolt", kReport, kTools, kBoltHazards),
    not_measured("hotspot", "1.6", "hotspot", kReport, kTools, kHotspotHazards),
    not_measured("stackcollapse-perf", "1.0", "stackcollapse-perf.pl", kReport, kTools, kFlameGraphHazards),
    not_measured("inferno", "0.11", "inferno-collapse-perf", kReport, kTools, kFlameGraphHazards),
};

}  // namespace
}  // namespace perfdata

constinit const ReaderList kPerfdataReaders{perfdata::kReaders};

}  // namespace tracelint
