// What perf's commands do with recordings that break a rule, and legal ones that they fail on (section 7).
#include "grammars/readers.hpp"
#include "grammars/formats.hpp"
#include "grammars/perfdata/readers/perf_model.hpp"

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
    .why = "they take the compressed bytes for the recording and refuse the file; decompress it before",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
    .of_container = true,
};

constexpr Rule kOwner{
    .id = "reader/perf-owner",
    .severity = Severity::error,
    .statement = "perf reads files of the user and of root",
    .message = "the file is another user's, and perf reads such files with -f alone",
    .why =
        "perf says \"not owned by current user or root\" and stops, also for root; run it with -f, or take the file "
        "over "
        "with chown",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kNewerAttribute{
    .id = "reader/perf-newer-attribute",
    .severity = Severity::error,
    .statement = "perf 6.1 knows all bytes of an attribute",
    .message = "perf 6.1 reads no attribute of more than 128 bytes",
    .why =
        "it says that the file format is incompatible, and refuses the file; use a perf as new as the one that wrote "
        "it",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kNewerRecord{
    .id = "reader/perf-newer-record",
    .severity = Severity::error,
    .statement = "perf script 6.1 knows all types of records",
    .message = "perf script 6.1 knows no records of this type",
    .why =
        "it stops with an error at the first type above 82; COMPRESSED2 is of Linux 6.15, the others are later, and a "
        "perf as new as the one that wrote the file reads them",
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
        "it takes 0 for no fields at all before it takes it for 64 bytes, so the type of the samples is garbage and "
        "the file is refused; a writer that stores 64 avoids it",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

bool is_beyond_128(uint64_t size) { return size > 128; }
bool is_zero(uint64_t size) { return size == 0; }

// Those of perf script 6.1. The first six are those of 7.2, too, the first seven those of perf report 6.1.
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
    {&kNewerRecord, refuses, nullptr, "other record", "type", [](uint64_t type) { return type > 82; }},
};
constexpr std::span k7_2Hazards = std::span(kScriptHazards).first<6>();
constexpr std::span kReportHazards = std::span(kScriptHazards).first<7>();
static_assert(k7_2Hazards.back().rule == &kOwner && kReportHazards.back().rule == &kNewerAttribute);

// The files of the measurement that perf refused had another cause.
constexpr ReaderRow kKnown[] = {
    {"perfdata/lost-events", ignores},
    {"perfdata/feature-exceeds-file", ignores},
    {"perfdata/mmap2-without-prot", misreads},
};

// The same of perf script, which sets up the decoders of traces.
constexpr ReaderRow kScriptKnown[] = {
    kKnown[0],
    kKnown[1],
    kKnown[2],
    {"perfdata/auxtrace-info-etm", refuses},
};

// By its source: it reads version 1 and MMAP2 as 6.1 does.
constexpr ReaderRow k7_2Known[] = {{"perfdata/legacy-magic", ignores}, {"perfdata/mmap2-without-prot", misreads}};
constexpr ReaderRow k7_2ScriptKnown[] = {k7_2Known[0], k7_2Known[1], {"perfdata/auxtrace-info-etm", refuses}};

// What linux-perf-data 0.12, samply's reader, does. What section 7 does not tell of is left out, and so untried.
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

template <auto follow_perf, PerfVersion version>
Followed model(FollowContext& context) {
    return follow_perf(version, context);
}

constexpr std::string_view kSamples[] = {"SAMPLE"};

constexpr TraceReader kReaders[] = {
    {"perf", "6.1", &kPerfdata, "perf script", "measured", "sample|samples", kSamples, &kPerf6_1, kScriptKnown,
     kScriptHazards, model<follow_perf_script, PerfVersion::v6_1>},
    {"perf-report", "6.1", &kPerfdata, "perf report -D", "measured", "sample|samples", kSamples, &kPerfReport6_1,
     kKnown, kReportHazards, model<follow_perf_report, PerfVersion::v6_1>},
    {"perf", "7.2", &kPerfdata, "perf script", "measured", "sample|samples", kSamples, &kPerf7_2, k7_2ScriptKnown,
     k7_2Hazards, model<follow_perf_script, PerfVersion::v7_2>},
    {"perf-report", "7.2", &kPerfdata, "perf report -D", "measured", "sample|samples", kSamples, &kPerfReport7_2,
     k7_2Known, k7_2Hazards, model<follow_perf_report, PerfVersion::v7_2>},
    {"samply",
     "support-inlines",
     &kPerfdata,
     "samply import",
     "by its source",
     "sample|samples",
     kSamples,
     {},
     kLinuxPerfData,
     kSamplyHazards},
    {"linux-perf-data",
     "0.12",
     &kPerfdata,
     "linux-perf-data",
     "by its source",
     "sample|samples",
     kSamples,
     {},
     kLinuxPerfData,
     kSamplyHazards},
};

}  // namespace
}  // namespace perfdata

constinit const ReaderList kPerfdataReaders{perfdata::kReaders};

}  // namespace tracelint
