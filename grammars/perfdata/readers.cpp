// What perf's commands do with recordings that break a rule, and legal ones that they fail on (section 7).
#include "grammars/readers.hpp"
#include "grammars/formats.hpp"
#include "grammars/perfdata/readers_measured.hpp"

namespace tracelint {
namespace perfdata {
namespace {

using enum ReaderOutcome;

bool is_gzip(const ReaderFile& file) { return file.container == Container::gzip; }

constexpr Rule kGzip{
    .id = "reader/perf-data-gzip",
    .severity = Severity::error,
    .statement = "perf reads recordings that are not compressed as a whole",
    .message = "perf does not decompress gzip",
    .why = "it takes the compressed bytes for the recording and refuses the file; decompress it before",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
    .of_container = true,
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

constexpr Hazard kHazards[] = {
    {&kGzip, refuses, is_gzip},
    {&kNewerAttribute, refuses, nullptr, "attr", "attr_size", [](uint64_t size) { return size > 128; }},
};

constexpr std::string_view kSamples[] = {"SAMPLE"};

constexpr TraceReader kReaders[] = {
    {"perf", "6.1", &kPerfdata, "perf script", "measured", "sample|samples", kSamples, kPerf6_1, {}, kHazards},
    {"perf-report",
     "6.1",
     &kPerfdata,
     "perf report -D",
     "measured",
     "sample|samples",
     kSamples,
     kPerfReport6_1,
     {},
     kHazards},
};

}  // namespace
}  // namespace perfdata

constinit const ReaderList kPerfdataReaders{perfdata::kReaders};

}  // namespace tracelint
