// What readers of profiles do with files that break a rule (section 8).
#include <array>

#include "grammars/formats.hpp"
#include "grammars/pprof/readers/pyroscope_losses.hpp"
#include "grammars/pprof/records.hpp"
#include "grammars/readers.hpp"

namespace tracelint {
namespace pprof {

extern const Measurement kGoPprof2021_10, kGoPgo1_19, kProtobuf3_21;

namespace {

using enum ReaderOutcome;

// By their source: of pyroscope with what it removes after its checks.
struct OutcomesOfRule {
    std::string_view rule;
    ReaderOutcome pyroscope, parca;
};

constexpr OutcomesOfRule kOutcomes[] = {
    {"pprof/empty-file", refuses, ignores},
    {"pprof/field-exceeds-file", refuses, refuses},
    {"pprof/field-exceeds-message", refuses, refuses},
    {"pprof/varint-too-long", refuses, refuses},
    {"pprof/varint-overflow", misreads, misreads},
    {"pprof/wire-type-invalid", refuses, refuses},
    {"pprof/wire-type-group", ignores, ignores},
    {"pprof/field-number-zero", refuses, refuses},
    {"pprof/field-number-too-large", ignores, ignores},
    {"pprof/prefix-too-long", ignores, ignores},
    {"pprof/wire-type-mismatch", refuses, refuses},
    {"pprof/packed-truncated", refuses, refuses},
    {"pprof/unknown-field", ignores, ignores},
    {"pprof/field-repeated", ignores, ignores},
    {"pprof/varint-overlong", ignores, ignores},
    {"pprof/concatenated-profile", refuses, refuses},
    {"pprof/bool-not-boolean", ignores, ignores},
    {"pprof/string-table-missing", refuses, refuses},
    {"pprof/string-table-first", refuses, refuses},
    {"pprof/string-index-out-of-range", ignores, ignores},
    {"pprof/string-not-utf8", refuses, ignores},
    {"pprof/string-nul", ignores, ignores},
    {"pprof/string-duplicate", ignores, ignores},
    {"pprof/string-unused", ignores, ignores},
    {"pprof/mapping-id-zero", drops_record, refuses},
    {"pprof/location-id-zero", refuses, refuses},
    {"pprof/function-id-zero", refuses, refuses},
    {"pprof/mapping-id-duplicate", ignores, refuses},
    {"pprof/location-id-duplicate", drops_record, refuses},
    {"pprof/function-id-duplicate", drops_record, refuses},
    {"pprof/mapping-ids-not-sequential", ignores, refuses},
    {"pprof/location-ids-not-sequential", ignores, refuses},
    {"pprof/function-ids-not-sequential", ignores, refuses},
    {"pprof/mapping-range-inverted", ignores, ignores},
    {"pprof/mapping-limit-missing", ignores, ignores},
    {"pprof/mapping-range-empty", ignores, ignores},
    {"pprof/mapping-anonymous", ignores, ignores},
    {"pprof/location-empty", drops_record, ignores},
    {"pprof/location-unsymbolizable", ignores, ignores},
    {"pprof/folded-without-line", ignores, ignores},
    {"pprof/line-function-zero", drops_record, ignores},
    {"pprof/line-number-negative", ignores, ignores},
    {"pprof/function-unnamed", ignores, ignores},
    {"pprof/function-system-name-missing", ignores, ignores},
    {"pprof/sample-location-zero", drops_record, refuses},
    {"pprof/sample-no-location", ignores, ignores},
    {"pprof/sample-value-negative", drops_record, ignores},
    {"pprof/sample-all-zero", drops_record, ignores},
    {"pprof/label-key-empty", ignores, refuses},
    {"pprof/label-two-values", ignores, ignores},
    {"pprof/label-unit-on-string", ignores, ignores},
    {"pprof/label-no-value", ignores, ignores},
    {"pprof/label-key-repeated", ignores, ignores},
    {"pprof/label-unit-inconsistent", ignores, ignores},
    {"pprof/sample-type-missing", refuses, refuses},
    {"pprof/profile-without-types", refuses, ignores},
    {"pprof/sample-value-count", refuses, refuses},
    {"pprof/sample-location-dangling", drops_record, refuses},
    {"pprof/location-mapping-dangling", drops_record, refuses},
    {"pprof/line-function-dangling", drops_record, refuses},
    {"pprof/mapping-unused", ignores, ignores},
    {"pprof/location-unused", ignores, ignores},
    {"pprof/function-unused", ignores, ignores},
    {"pprof/mapping-overlap", ignores, ignores},
    {"pprof/location-address-outside", ignores, ignores},
    {"pprof/mapping-symbols-incomplete", ignores, ignores},
    {"pprof/build-id-short", ignores, ignores},
    {"pprof/sample-type-unnamed", ignores, ignores},
    {"pprof/sample-type-no-unit", ignores, ignores},
    {"pprof/sample-type-duplicate", ignores, ignores},
    {"pprof/default-sample-type-unknown", ignores, ignores},
    {"pprof/no-samples", ignores, ignores},
    {"pprof/time-missing", ignores, ignores},
    {"pprof/time-implausible", ignores, ignores},
    {"pprof/duration-negative", ignores, ignores},
    {"pprof/duration-implausible", ignores, ignores},
    {"pprof/period-negative", ignores, ignores},
    {"pprof/period-without-type", ignores, ignores},
    {"pprof/period-missing", ignores, ignores},
    {"pprof/value-total-overflow", ignores, ignores},
    {"pprof/sample-duplicate", ignores, ignores},
    {"pprof/label-key-not-name", ignores, ignores},
    {"gzip/trailing-data", refuses, refuses},
};

template <ReaderOutcome OutcomesOfRule::* Reader>
constexpr auto rows_of() {
    std::array<ReaderRow, std::size(kOutcomes)> rows{};
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = {kOutcomes[i].rule, kOutcomes[i].*Reader};
    return rows;
}

constexpr auto kPyroscope = rows_of<&OutcomesOfRule::pyroscope>(), kParca = rows_of<&OutcomesOfRule::parca>();

// What the samples that a reader shows do not reveal.
constexpr ReaderRow kGoKnown[] = {
    {"pprof/empty-file", refuses},
    {"gzip/trailing-data", refuses},
    {"pprof/label-two-values", misreads},
    {"pprof/varint-overflow", misreads},
};
// It refuses profiles whose samples are all 0: that is a rule of its own.
constexpr ReaderRow kPgoKnown[] = {
    {"pprof/empty-file", refuses},
    {"gzip/trailing-data", refuses},
    {"pprof/varint-overflow", misreads},
    {"pprof/sample-all-zero", ignores},
    {"pprof/function-system-name-missing", ignores},
};
constexpr ReaderRow kProtobufKnown[] = {
    {"pprof/empty-file", ignores},
    {"pprof/varint-overflow", misreads},
    {"pprof/field-repeated", misreads},
    {"pprof/concatenated-profile", misreads},
};

constexpr Rule kPgoType{
    .id = "reader/go-pgo-sample-type",
    .severity = Severity::error,
    .statement = "go build -pgo takes profiles with samples/count or cpu/nanoseconds among their sample types",
    .message = "go build -pgo finds neither samples/count nor cpu/nanoseconds",
    .why = "it refuses the profile and ends the build; take a CPU profile",
    .spec = "grammars/pprof/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kPgoZero{
    .id = "reader/go-pgo-zero",
    .severity = Severity::error,
    .statement = "go build -pgo takes profiles with a value that is not 0",
    .message = "go build -pgo refuses profiles whose values are all 0",
    .why = "it ends the build; the profile was taken of a program that had nothing to do, or too short a time",
    .spec = "grammars/pprof/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

// A string that is the name of one of the two types.
bool names_weights(Bytes record) {
    const std::string_view text = as_text(payload_of(record));
    return text == "samples" || text == "cpu";
}

// A value of a sample that is not 0.
bool has_weight(Bytes record) {
    const Bytes sample = payload_of(record);
    for (uint64_t at = 0; at < sample.size();) {
        const protobuf::WireField field = protobuf::read_field(kSampleMessage, sample, at);
        if (field.fault != protobuf::Fault::none) return true;  // another finding
        at = field.end();
        if (field.number != OfSample::value) continue;
        if (field.wire == protobuf::WireType::varint && field.content != 0) return true;
        const auto is_digit = [](uint8_t byte) { return (byte & 0x7f) != 0; };
        if (field.wire == protobuf::WireType::delimited &&
            std::ranges::any_of(sample.subspan(at - field.content, field.content), is_digit))
            return true;
    }
    return false;
}

constexpr Hazard kPgoHazards[] = {
    {.rule = &kPgoType,
     .outcome = refuses,
     .record = "string_table",
     .of_bytes = names_weights,
     .scope = Hazard::Scope::none},
    {.rule = &kPgoZero, .outcome = refuses, .record = "sample", .of_bytes = has_weight, .scope = Hazard::Scope::none},
};

constexpr std::string_view kSamples[] = {"sample"};
constexpr std::string_view kUnit = "sample|samples";

constexpr TraceReader kReaders[] = {
    {"go-pprof", "2021-10", &kPprof, "go tool pprof", "measured", kUnit, kSamples, &kGoPprof2021_10, kGoKnown, {}},
    {"go-pgo", "1.19", &kPprof, "go build -pgo", "measured", kUnit, kSamples, &kGoPgo1_19, kPgoKnown, kPgoHazards},
    {"protobuf",
     "3.21",
     &kPprof,
     "a parser made by protoc",
     "measured",
     kUnit,
     kSamples,
     &kProtobuf3_21,
     kProtobufKnown,
     {}},
    {"pyroscope",
     "2026-08",
     &kPprof,
     "pyroscope",
     "by its source",
     kUnit,
     kSamples,
     nullptr,
     kPyroscope,
     {},
     nullptr,
     count_pyroscope_losses},
    {"parca", "2026-07", &kPprof, "parca", "by its source", kUnit, kSamples, nullptr, kParca, {}},
};

}  // namespace
}  // namespace pprof

constinit const ReaderList kPprofReaders{pprof::kReaders};

}  // namespace tracelint
