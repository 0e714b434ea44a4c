// What readers of profiles do with files that break a rule (section 8).
#include <array>

#include "grammars/formats.hpp"
#include "grammars/readers.hpp"

namespace tracelint {
namespace pprof {
namespace {

using enum ReaderOutcome;

// Of go: github.com/google/pprof/profile, and go tool pprof with it. Of protobuf: the parsers that protoc makes for C++
// and Python. Of pyroscope: with what it removes after its checks.
struct OutcomesOfRule {
    std::string_view rule;
    ReaderOutcome go, protobuf, pyroscope, parca;
};

constexpr OutcomesOfRule kOutcomes[] = {
    {"pprof/empty-file", refuses, ignores, refuses, ignores},
    {"pprof/field-exceeds-file", refuses, refuses, refuses, refuses},
    {"pprof/field-exceeds-message", refuses, refuses, refuses, refuses},
    {"pprof/varint-too-long", refuses, refuses, refuses, refuses},
    {"pprof/varint-overflow", misreads, misreads, misreads, misreads},
    {"pprof/wire-type-invalid", refuses, refuses, refuses, refuses},
    {"pprof/wire-type-group", refuses, misreads, ignores, ignores},
    {"pprof/field-number-zero", refuses, misreads, refuses, refuses},
    {"pprof/field-number-too-large", ignores, misreads, ignores, ignores},
    {"pprof/prefix-too-long", ignores, refuses, ignores, ignores},
    {"pprof/wire-type-mismatch", refuses, misreads, refuses, refuses},
    {"pprof/packed-truncated", refuses, refuses, refuses, refuses},
    {"pprof/unknown-field", ignores, ignores, ignores, ignores},
    {"pprof/field-repeated", ignores, misreads, ignores, ignores},
    {"pprof/varint-overlong", ignores, ignores, ignores, ignores},
    {"pprof/concatenated-profile", refuses, misreads, refuses, refuses},
    {"pprof/bool-not-boolean", ignores, ignores, ignores, ignores},
    {"pprof/string-table-missing", refuses, ignores, refuses, refuses},
    {"pprof/string-table-first", refuses, ignores, refuses, refuses},
    {"pprof/string-index-out-of-range", refuses, ignores, ignores, ignores},
    {"pprof/string-not-utf8", ignores, refuses, refuses, ignores},
    {"pprof/string-nul", ignores, ignores, ignores, ignores},
    {"pprof/string-duplicate", ignores, ignores, ignores, ignores},
    {"pprof/string-unused", ignores, ignores, ignores, ignores},
    {"pprof/mapping-id-zero", refuses, ignores, drops_record, refuses},
    {"pprof/location-id-zero", refuses, ignores, refuses, refuses},
    {"pprof/function-id-zero", refuses, ignores, refuses, refuses},
    {"pprof/mapping-id-duplicate", refuses, ignores, ignores, refuses},
    {"pprof/location-id-duplicate", refuses, ignores, drops_record, refuses},
    {"pprof/function-id-duplicate", refuses, ignores, drops_record, refuses},
    {"pprof/mapping-ids-not-sequential", ignores, ignores, ignores, refuses},
    {"pprof/location-ids-not-sequential", ignores, ignores, ignores, refuses},
    {"pprof/function-ids-not-sequential", ignores, ignores, ignores, refuses},
    {"pprof/mapping-range-inverted", ignores, ignores, ignores, ignores},
    {"pprof/mapping-limit-missing", ignores, ignores, ignores, ignores},
    {"pprof/mapping-range-empty", ignores, ignores, ignores, ignores},
    {"pprof/mapping-anonymous", ignores, ignores, ignores, ignores},
    {"pprof/location-empty", ignores, ignores, drops_record, ignores},
    {"pprof/location-unsymbolizable", ignores, ignores, ignores, ignores},
    {"pprof/folded-without-line", ignores, ignores, ignores, ignores},
    {"pprof/line-function-zero", refuses, ignores, drops_record, ignores},
    {"pprof/line-number-negative", ignores, ignores, ignores, ignores},
    {"pprof/function-unnamed", ignores, ignores, ignores, ignores},
    {"pprof/function-system-name-missing", ignores, ignores, ignores, ignores},
    {"pprof/sample-location-zero", refuses, ignores, drops_record, refuses},
    {"pprof/sample-no-location", ignores, ignores, ignores, ignores},
    {"pprof/sample-value-negative", ignores, ignores, drops_record, ignores},
    {"pprof/sample-all-zero", ignores, ignores, drops_record, ignores},
    {"pprof/label-key-empty", ignores, ignores, ignores, refuses},
    {"pprof/label-two-values", misreads, ignores, ignores, ignores},
    {"pprof/label-unit-on-string", ignores, ignores, ignores, ignores},
    {"pprof/label-no-value", misreads, ignores, ignores, ignores},
    {"pprof/label-key-repeated", ignores, ignores, ignores, ignores},
    {"pprof/label-unit-inconsistent", ignores, ignores, ignores, ignores},
    {"pprof/sample-type-missing", refuses, ignores, refuses, refuses},
    {"pprof/profile-without-types", ignores, ignores, refuses, ignores},
    {"pprof/sample-value-count", refuses, ignores, refuses, refuses},
    {"pprof/sample-location-dangling", refuses, ignores, drops_record, refuses},
    {"pprof/location-mapping-dangling", misreads, ignores, drops_record, refuses},
    {"pprof/line-function-dangling", refuses, ignores, drops_record, refuses},
    {"pprof/mapping-unused", ignores, ignores, ignores, ignores},
    {"pprof/location-unused", ignores, ignores, ignores, ignores},
    {"pprof/function-unused", ignores, ignores, ignores, ignores},
    {"pprof/mapping-overlap", ignores, ignores, ignores, ignores},
    {"pprof/location-address-outside", ignores, ignores, ignores, ignores},
    {"pprof/mapping-symbols-incomplete", ignores, ignores, ignores, ignores},
    {"pprof/build-id-short", ignores, ignores, ignores, ignores},
    {"pprof/sample-type-unnamed", ignores, ignores, ignores, ignores},
    {"pprof/sample-type-no-unit", ignores, ignores, ignores, ignores},
    {"pprof/sample-type-duplicate", ignores, ignores, ignores, ignores},
    {"pprof/default-sample-type-unknown", ignores, ignores, ignores, ignores},
    {"pprof/no-samples", ignores, ignores, ignores, ignores},
    {"pprof/time-missing", ignores, ignores, ignores, ignores},
    {"pprof/time-implausible", ignores, ignores, ignores, ignores},
    {"pprof/duration-negative", ignores, ignores, ignores, ignores},
    {"pprof/duration-implausible", ignores, ignores, ignores, ignores},
    {"pprof/period-negative", ignores, ignores, ignores, ignores},
    {"pprof/period-without-type", ignores, ignores, ignores, ignores},
    {"pprof/period-missing", ignores, ignores, ignores, ignores},
    {"pprof/value-total-overflow", ignores, ignores, ignores, ignores},
    {"pprof/sample-duplicate", ignores, ignores, ignores, ignores},
    {"pprof/label-key-not-name", ignores, ignores, ignores, ignores},
};

template <ReaderOutcome OutcomesOfRule::* Reader>
constexpr auto rows_of() {
    std::array<ReaderRow, std::size(kOutcomes)> rows{};
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = {kOutcomes[i].rule, kOutcomes[i].*Reader};
    return rows;
}

constexpr auto kGo = rows_of<&OutcomesOfRule::go>(), kProtobuf = rows_of<&OutcomesOfRule::protobuf>(),
               kPyroscope = rows_of<&OutcomesOfRule::pyroscope>(), kParca = rows_of<&OutcomesOfRule::parca>();

constexpr std::string_view kSamples[] = {"sample"};

constexpr TraceReader by_source(std::string_view name, std::string_view version, std::string_view command,
                                std::span<const ReaderRow> rows) {
    return {name, version, &kPprof, command, "by its source", "sample|samples", kSamples, nullptr, rows, {}};
}

constexpr TraceReader kReaders[] = {
    by_source("go-pprof", "2021-10", "go tool pprof", kGo),
    by_source("protobuf", "3.21", "a parser made by protoc", kProtobuf),
    by_source("pyroscope", "2026-08", "pyroscope", kPyroscope),
    by_source("parca", "2026-07", "parca", kParca),
};

}  // namespace
}  // namespace pprof

constinit const ReaderList kPprofReaders{pprof::kReaders};

}  // namespace tracelint
