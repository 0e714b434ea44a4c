// What readers of gperftools profiles do with files that break a rule, and legal files that they fail on (section 8).
#include "grammars/readers.hpp"
#include "grammars/formats.hpp"
#include "grammars/gperftools/readers/google_pprof_2_10_model.hpp"

namespace tracelint {
namespace gperftools {

extern const Measurement kGoPprof2021_10, kGooglePprof2_10;

namespace {

using enum ReaderOutcome;

constexpr Rule kOldBigEndian{
    .id = "reader/google-pprof-big-endian",
    .severity = Severity::error,
    .statement = "google-pprof 1.5 reads profiles in little-endian order",
    .message = "google-pprof 1.5 cannot read big-endian profiles",
    .why =
        "it reads the words of the header as little-endian and reports that the file is not a profile; later versions "
        "read both byte orders",
    .spec = "grammars/gperftools/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kPerlGzip{
    .id = "reader/google-pprof-gzip",
    .severity = Severity::error,
    .statement = "google-pprof reads files that are not compressed",
    .message = "google-pprof does not decompress files",
    .why = "it tries to parse the compressed bytes and rejects the file; decompress it first",
    .spec = "grammars/gperftools/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
    .of_container = true,
};

constexpr Rule kMacos{
    .id = "reader/google-pprof-macos",
    .severity = Severity::warning,
    .statement = "google-pprof finds names if the mapping lines look like those of Linux",
    .message = "google-pprof finds no names in a profile from macOS",
    .why =
        "the profile is of a macOS program: its libraries are listed without inodes and its code without an offset; Go "
        "pprof finds the names if PPROF_BINARY_PATH is set",
    .spec = "grammars/gperftools/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

// Section 8: lines with paths of macOS.
bool is_of_macos(Bytes line) {
    const std::string_view text = as_text(line);
    return text.find(" r-xp ") != text.npos &&
           (text.find(" /usr/lib/system/") != text.npos || text.find(".dylib") != text.npos);
}

constexpr Hazard kPerlHazards[] = {
    {&kPerlGzip, refuses, is_compressed},
    {&kPerlStops, refuses, is_found_by_model},
    {&kPerlSlow, may_crash, is_found_by_model},
    {.rule = &kMacos, .outcome = misreads, .record = "line", .of_bytes = is_of_macos, .scope = Hazard::Scope::any}};
constexpr Hazard kOldPerlHazards[] = {
    {&kPerlGzip, refuses, is_compressed},
    {&kOldBigEndian, refuses, is_big_endian, "header", "header_words"},
};

// What the counts of samples do not show.
constexpr ReaderRow kGoKnown[] = {
    {"gperftools/missing-map-list", misreads},      {"gperftools/map-path-space", misreads},
    {"gperftools/map-perms-shared", misreads},      {"gperftools/map-path-glued", misreads},
    {"gperftools/map-path-deleted", misreads},      {"gperftools/map-line-misread", misreads},
    {"gperftools/sample-value-overflow", misreads},
};
constexpr ReaderRow kPerlKnown[] = {
    {"gperftools/header-truncated", refuses},
    {"gperftools/header-truncated", drops_rest, "", {}, 16},  // two words tell it the byte order: an empty report
    {"gperftools/text-crlf", misreads},
    {"gperftools/map-path-glued", misreads},
    {"gperftools/map-path-deleted", misreads},
    {"gperftools/sample-value-overflow", misreads},
};

constexpr std::string_view kStacks[] = {"record"};

constexpr TraceReader kReaders[] = {
    {"go-pprof",
     "2021-10",
     &kGperftools,
     "go tool pprof",
     "measured",
     "sample record|sample records",
     kStacks,
     &kGoPprof2021_10,
     kGoKnown,
     {}},
    {"google-pprof",
     "1.5",
     &kGperftools,
     "pprof --text",
     "by a report",
     "sample record|sample records",
     kStacks,
     {},
     {},
     kOldPerlHazards},
    {"google-pprof", "2.10", &kGperftools, "google-pprof --text", "measured", "sample record|sample records", kStacks,
     &kGooglePprof2_10, kPerlKnown, kPerlHazards, follow_google_pprof},
};

}  // namespace
}  // namespace gperftools

constinit const ReaderList kGperftoolsReaders{gperftools::kReaders};

}  // namespace tracelint
