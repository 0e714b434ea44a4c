// What readers of Mono's logs do with files that break a rule, and legal files that they fail on (section 8).
#include "grammars/readers.hpp"
#include "grammars/formats.hpp"
#include "grammars/mlpd/readers/mprof_report_6_8_model.hpp"
#include "grammars/mlpd/records.hpp"

namespace tracelint {
namespace mlpd {

extern const Measurement kMprofReport6_8;

namespace {

using enum ReaderOutcome;

uint64_t version_of(const ReaderFile& file) { return file.identity.format_version.value_or(0); }
bool has_mvids(const ReaderFile& file) { return version_of(file) >= 16; }
bool has_old_monitors(const ReaderFile& file) { return version_of(file) <= 13; }
bool is_version_14(const ReaderFile& file) { return version_of(file) == 14; }
bool has_no_section_names(const ReaderFile& file) { return version_of(file) < 7; }

constexpr Rule kUnload{
    .id = "reader/mprof-report-image-unload",
    .severity = Severity::warning,
    .statement = "mprof-report reads the mvid of an image only where the image is loaded",
    .message = "mprof-report reads the bytes after this unload as an mvid",
    .why =
        "it continues after the next 0 byte, so events are lost, or it stops at one that it does not know (mono#20471, "
        "fixed in October 2020)",
    .spec = "grammars/mlpd/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kMonitors{
    .id = "reader/mprof-report-old-monitors",
    .severity = Severity::warning,
    .statement = "mprof-report prints the kind of a monitor event",
    .message = "mprof-report prints 'invalid' for the monitor events of this data version",
    .why = "it reads them correctly, but does not set the kind that it prints",
    .spec = "grammars/mlpd/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kSections{
    .id = "reader/mprof-report-section-names",
    .severity = Severity::warning,
    .statement = "mprof-report reads section names in the data versions that have them",
    .message = "mprof-report reads a section name here, which this data version does not have",
    .why = "it reads the name of the counter as that of its section, and everything after it is out of step",
    .spec = "grammars/mlpd/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kTotals{
    .id = "reader/mprof-report-performance-counters",
    .severity = Severity::warning,
    .statement = "mprof-report shows performance counters as they are written",
    .message = "mprof-report adds up the values of performance counters",
    .why = "they are totals, not differences: a counter that stays at 5 is shown as 5, 10, 15",
    .spec = "grammars/mlpd/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kStringCounters{
    .id = "reader/mprof-report-string-counters",
    .severity = Severity::warning,
    .statement = "mprof-report prints counters that are strings",
    .message = "mprof-report --verbose crashes on counters that are strings",
    .why = "without --verbose the report is correct; with --verbose there is no report",
    .spec = "grammars/mlpd/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kCoverage{
    .id = "reader/mono-profiler-log-coverage",
    .severity = Severity::error,
    .statement = "Mono.Profiler.Log reads all events of the data versions that it supports",
    .message = "Mono.Profiler.Log does not know the events of code coverage",
    .why = "it ends with an exception about type 9, and everything is lost",
    .spec = "grammars/mlpd/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kOldVersions{
    .id = "reader/mono-profiler-log-old-version",
    .severity = Severity::error,
    .statement = "Mono.Profiler.Log reads data versions from 13 on",
    .message = "Mono.Profiler.Log cannot read data versions below 13",
    .why = "it ends with an exception; mprof-report reads the log",
    .spec = "grammars/mlpd/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kLibraryGzip{
    .id = "reader/mono-profiler-log-gzip",
    .severity = Severity::error,
    .statement = "Mono.Profiler.Log reads files that are not compressed",
    .message = "Mono.Profiler.Log does not decompress files",
    .why = "it tries to parse the compressed bytes and rejects the file; decompress it first",
    .spec = "grammars/mlpd/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
    .of_container = true,
};

constexpr Rule kSideBranch{
    .id = "reader/mprof-report-side-branch",
    .severity = Severity::warning,
    .statement = "mprof-report reads data version 14 as the releases wrote it",
    .message = "mprof-report mistakes this log of a side branch for one of a release",
    .why =
        "data version 14 has two meanings, and only the version of the profiler, which mprof-report ignores, tells "
        "them apart",
    .spec = "grammars/mlpd/spec.md, 3.2 Data versions and releases",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kOldHelpers{
    .id = "reader/mono-profiler-log-old-helpers",
    .severity = Severity::warning,
    .statement = "Mono.Profiler.Log of 2017 reads the helpers of data version 14",
    .message = "Mono.Profiler.Log of 2017 reads the name of this helper as events",
    .why =
        "it uses the helper numbers of data version 14, where helper 5 has a name, not 6; the rest of the buffer is "
        "out of step (mono#6237, fixed in January 2018)",
    .spec = "grammars/mlpd/spec.md, 3.6.8 TYPE_RUNTIME (8)",
    .since = "0.2.0",
    .of_input = true,
};

// follow_mprof_report() finds them.

constexpr Hazard kReportHazards[] = {
    {&kStrayType, refuses, is_found_by_model},
    {&kStrayHang, hangs, is_found_by_model},
    {&kStrayCrash, crashes, is_found_by_model},
    {&kStrayRisk, may_crash, is_found_by_model},
    {&kSideBranch, misreads, is_version_14, "header", "major", [](uint64_t major) { return major == 1; }},
    {&kUnload, out_of_step, has_mvids, "METADATA image", "op", [](uint64_t op) { return op == 0x42; }},
    {&kMonitors, misreads, has_old_monitors, "MONITOR"},
    {&kSections, out_of_step, has_no_section_names, "SAMPLE_COUNTERS_DESC", "section",
     [](uint64_t section) { return section == kPerformanceCounters; }},
    {&kTotals, misreads, nullptr, "SAMPLE_COUNTERS_DESC", "section",
     [](uint64_t section) { return section == kPerformanceCounters; }},
    {&kStringCounters, misreads, nullptr, "SAMPLE_COUNTERS", "type", [](uint64_t type) { return type == 6; }},
};
constexpr Hazard kLibraryHazards[] = {
    {&kLibraryGzip, refuses, is_compressed},
    {&kOldVersions, refuses, nullptr, "header", "format", [](uint64_t version) { return version < 13; }},
    {&kCoverage, refuses, nullptr, "COVERAGE_ASSEMBLY"},
    {&kCoverage, refuses, nullptr, "COVERAGE_METHOD"},
    {&kCoverage, refuses, nullptr, "COVERAGE_STATEMENT"},
    {&kCoverage, refuses, nullptr, "COVERAGE_CLASS"},
};

// What the report without --traces does not show.
constexpr ReaderRow kReportKnown[] = {
    {"mlpd/exception-clause-type-range", misreads},
    {"mlpd/method-defined-after-use", misreads},
    // It continues in the middle of an event.
    {"mlpd/unknown-metadata-type", may_crash},
    {"mlpd/leb128-too-long", may_crash},
    {"mlpd/event-overruns-buffer", may_crash},
    {"mlpd/unknown-event-subtype", may_crash},
    {"mlpd/unknown-event-subtype", hangs, "", 0x06, 0, false, 0x0f},
    {"mlpd/unknown-event-subtype", ignores, "", 0x07, 0, false, 0x0f},
};

constexpr ReaderRow kLibrary[] = {
    {"mlpd/bad-magic", refuses},
    {"mlpd/truncated-buffer", refuses},
    {"mlpd/truncated-buffer-header", refuses},
    {"mlpd/bad-buffer-id", refuses},
    {"mlpd/buffer-length-negative", refuses},
    {"mlpd/unknown-event-type", refuses},
    {"mlpd/unknown-event-subtype", refuses},
    {"mlpd/unknown-metadata-type", refuses},
    {"mlpd/unterminated-string", refuses},
    {"mlpd/count-exceeds-buffer", refuses},
    {"mlpd/counter-type-range", refuses},
    {"mlpd/bad-mvid", refuses},
    {"mlpd/unsupported-data-version", refuses},
    {"mlpd/leb128-too-long", ignores},
    {"mlpd/leb128-overflow", ignores},
    {"mlpd/leb128-non-canonical", ignores},
    {"mlpd/heap-object-outside-heapshot", ignores},
    {"mlpd/heapshot-end-without-start", ignores},
    {"mlpd/heap-ref-dangling", ignores},
    {"mlpd/heap-object-continuation-unknown", ignores},
    {"mlpd/exception-clause-type-range", ignores},
    {"mlpd/gc-handle-type-range", ignores},
    {"mlpd/gc-generation-range", ignores},
    {"mlpd/odd-move-count", drops_record},
    {"mlpd/header-flags-nonzero", ignores},
    {"mlpd/bad-pointer-size", ignores},
    {"mlpd/undefined-method", ignores},
    {"mlpd/undefined-class", ignores},
    {"mlpd/leave-without-enter", ignores},
    {"mlpd/buffer-time-regression", ignores},
    {"mlpd/time-delta-wraps", ignores},
    {"mlpd/gc-event-order", ignores},
};

constexpr Hazard kOldLibraryHazards[] = {
    {&kOldHelpers, out_of_step, has_old_monitors, "JITHELPER", "type", [](uint64_t type) { return type == 6; }},
};

constexpr std::string_view kMethods[] = {"JIT"};

constexpr TraceReader kReaders[] = {
    {"mprof-report", "6.8", &kMlpd, "mprof-report", "measured", "compiled method|compiled methods", kMethods,
     &kMprofReport6_8, kReportKnown, kReportHazards, follow_mprof_report},
    {"mono-profiler-log",
     "2017",
     &kMlpd,
     "Mono.Profiler.Log",
     "by a report",
     "compiled method|compiled methods",
     kMethods,
     {},
     {},
     kOldLibraryHazards},
    {"mono-profiler-log",
     "6.8",
     &kMlpd,
     "Mono.Profiler.Log",
     "by its source",
     "compiled method|compiled methods",
     kMethods,
     {},
     kLibrary,
     kLibraryHazards},
};

}  // namespace
}  // namespace mlpd

constinit const ReaderList kMlpdReaders{mlpd::kReaders};

}  // namespace tracelint
