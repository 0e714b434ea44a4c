// pprof: ways to break the profile as a whole (section 5.4).
#include "grammars/pprof/generator/messages.hpp"
#include "grammars/pprof/generator/model.hpp"

namespace tracelint::pprof {
namespace {

void remove(FileRecords& file, const Record& record) {
    std::erase_if(file, [&](const RecordValues& r) { return r.record == &record; });
}

// The number of the first record of the kind.
std::optional<size_t> find(const FileRecords& file, const Record& record) {
    for (size_t i = 0; i < file.size(); ++i)
        if (file[i].record == &record) return i;
    return std::nullopt;
}

// Puts a number of the profile in the place of what it was.
std::optional<Planted> set_number(FileRecords& file, const Record& record, uint32_t number, uint64_t value) {
    remove(file, record);
    const std::string bytes = number_field(number, value);
    return append_field(file, bytes, 1, bytes.size() - 1);
}

uint64_t negative(Random& random) { return uint64_t{1} << 63 | random(); }

// Gives a sample type another name.
std::optional<Planted> rename_type(FileRecords& file, size_t at, uint64_t type) {
    MessageBytes message;
    message.mark(OfValueType::type, type).with(OfValueType::unit, 2);
    const std::string bytes = field_of(OfProfile::sample_type, message);
    remove(file, kDefaultSampleType);
    std::vector<size_t> types;
    for (size_t i = 0; i < file.size(); ++i)
        if (file[i].record == &kSampleType) types.push_back(i);
    if (at >= types.size() || count_of(file, kString) < 3) return std::nullopt;
    file[types[at]] = raw_record(bytes);
    return at_bytes(types[at], bytes.size() - message.payload.size() + message.at, message.length);
}

// clang-format off
constexpr FaultRow kProfileRows[] = {
    {"pprof/sample-type-missing", [](FileRecords& file, Random&) -> std::optional<Planted> {
        remove(file, kSampleType);
        const auto sample = find(file, kSample);
        if (!sample) return std::nullopt;
        return at_bytes(*sample, 0, bytes_of(file[*sample]).size());
    }},
    {"pprof/profile-without-types", [](FileRecords& file, Random&) -> std::optional<Planted> {
        remove(file, kSampleType);
        remove(file, kSample);
        return append_field(file, "", 0, 0);
    }},
    {"pprof/sample-type-unnamed", [](FileRecords& file, Random&) { return rename_type(file, 0, 0); }},
    {"pprof/sample-type-duplicate", [](FileRecords& file, Random&) -> std::optional<Planted> {
        const auto first = find(file, kSampleType);
        return first ? rename_type(file, 1, member_of(file[*first], "type")) : std::nullopt;
    }},
    {"pprof/default-sample-type-unknown", [](FileRecords& file, Random&) -> std::optional<Planted> {
        if (!find(file, kSampleType)) return std::nullopt;
        const uint64_t strings = count_of(file, kString);
        file.push_back(raw_record(delimited_field(OfProfile::string_table, "no sample type")));
        return strings == 0 ? std::nullopt : set_number(file, kDefaultSampleType, OfProfile::default_sample_type, strings);
    }},
    {"pprof/time-implausible", [](FileRecords& file, Random& random) { return set_number(file, kTime, OfProfile::time_nanos, between(random, 1, 99'999'999'999'999'999)); }},
    {"pprof/duration-negative", [](FileRecords& file, Random& random) { return set_number(file, kDuration, OfProfile::duration_nanos, negative(random)); }},
    {"pprof/period-negative", [](FileRecords& file, Random& random) { return set_number(file, kPeriod, OfProfile::period, negative(random)); }},
    {"pprof/period-without-type", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        remove(file, kPeriodType);
        return set_number(file, kPeriod, OfProfile::period, between(random, 1, kNone >> 1));
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kProfileFaults{kProfileRows};

}  // namespace tracelint::pprof
