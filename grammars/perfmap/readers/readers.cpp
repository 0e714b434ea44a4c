// What readers of perf maps do with files that break a rule, and legal files that they fail on (section 8).
#include "grammars/readers.hpp"
#include "grammars/formats.hpp"

namespace tracelint {
namespace perfmap {
namespace {

using enum ReaderOutcome;

constexpr Rule kPerfMapGzip{
    .id = "reader/perf-map-gzip",
    .severity = Severity::error,
    .statement = "perf reads files that are not compressed",
    .message = "perf does not decompress files",
    .why = "it tries to parse the compressed bytes as lines, so no function gets a name",
    .spec = "grammars/perfmap/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
    .of_container = true,
};

constexpr Rule kPerfMapOwner{
    .id = "reader/perf-map-owner",
    .severity = Severity::error,
    .statement = "perf reads perf maps that belong to the user or to root",
    .message = "the map belongs to another user, and perf reads such maps only with -f",
    .why = "perf report says \"ignoring it (use -f to override)\" and shows addresses, even for root; run it with -f",
    .spec = "grammars/perfmap/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Hazard kPerfHazards[] = {{&kPerfMapGzip, refuses, is_compressed}, {&kPerfMapOwner, refuses, is_foreign}};

constexpr ReaderRow kPerf[] = {
    {"perfmap/short-name", drops_record},
    {"perfmap/zero-size", drops_record},
    {"perfmap/number-too-large", drops_record},
    {"perfmap/missing-final-newline", misreads},
    {"perfmap/truncated-last-line", misreads},
    {.rule = "perfmap/carriage-return",
     .outcome = misreads,
     .says = "these names end in a carriage return; all addresses are right"},
    {"perfmap/separator", misreads},
    {"perfmap/line-malformed", misreads},
    {"perfmap/no-name", misreads},
    {"perfmap/not-text", misreads},
    {.rule = "perfmap/overlap",
     .outcome = misreads,
     .says = "where ranges overlap, samples go to one of the names; all others are right"},
    {"perfmap/huge-range", misreads},
    {"perfmap/name-invalid-utf8", ignores},
    {"perfmap/name-non-ascii", ignores},
    {"perfmap/number-prefix", ignores},
    {"perfmap/duplicate-line", ignores},
    {"perfmap/blank-line", ignores},
    {"perfmap/empty-file", ignores},
};
constexpr ReaderRow kSamply[] = {
    {"perfmap/name-invalid-utf8", refuses},
    {"perfmap/not-text", refuses},
    {"perfmap/line-malformed", drops_record},
    {"perfmap/no-name", drops_record},
    {"perfmap/number-too-large", drops_record},
    {"perfmap/truncated-last-line", drops_record},
    {"perfmap/range-overflow", misreads},
    {"perfmap/blank-line", ignores},
    {"perfmap/empty-file", ignores},
};
constexpr ReaderRow kParca[] = {{"perfmap/truncated-last-line", crashes}, {"perfmap/line-malformed", crashes}};
constexpr ReaderRow kDdprof[] = {{"perfmap/number-prefix", drops_record}};
constexpr ReaderRow kHuatuo[] = {{"perfmap/empty-file", refuses}};

constexpr std::string_view kLines[] = {"line"};

constexpr TraceReader kReaders[] = {
    {"perf", "6.1", &kPerfmap, "perf report", "measured", "function|functions", kLines, {}, kPerf, kPerfHazards},
    // Its lines are read as by 6.1.
    {"perf", "7.2", &kPerfmap, "perf report", "by its source", "function|functions", kLines, {}, kPerf, kPerfHazards},
    {"samply", "support-inlines", &kPerfmap, "samply", "by its source", "function|functions", kLines, {}, kSamply, {}},
    {"parca-agent", "2022", &kPerfmap, "parca-agent", "by a report", "function|functions", kLines, {}, kParca, {}},
    {"ddprof", "2024", &kPerfmap, "ddprof", "by a report", "function|functions", kLines, {}, kDdprof, {}},
    {"huatuo", "2024", &kPerfmap, "huatuo", "by a report", "function|functions", kLines, {}, kHuatuo, {}},
};

}  // namespace
}  // namespace perfmap

constinit const ReaderList kPerfmapReaders{perfmap::kReaders};

}  // namespace tracelint
