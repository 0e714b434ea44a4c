// pprof: ways to break mappings, locations, functions and samples (section 5.3), and what refers to them (section 5.4).
#include "grammars/pprof/generator/messages.hpp"
#include "grammars/pprof/generator/model.hpp"

namespace tracelint::pprof {
namespace {

// Appends an entry with the id of another one.
std::optional<Planted> repeat_id(FileRecords& file, Random& random, uint32_t number, const Record& record) {
    const auto at = choose(file, random, record, [&](size_t i) { return member_of(file[i], "id") != 0; });
    if (!at) return std::nullopt;
    MessageBytes entry;
    entry.mark(1, member_of(file[*at], "id"));
    if (number == OfProfile::location) entry.with(OfLocation::address, 1);
    return append_message(file, number, entry);
}

std::optional<Planted> add_without_id(FileRecords& file, uint32_t number) {
    MessageBytes entry;
    entry.mark(1, 0);
    return append_message(file, number, entry);
}

// A location that nothing refers to.
MessageBytes location() {
    MessageBytes location;
    location.with(OfLocation::id, kFreeId);
    return location;
}

// Appends a sample with these labels, the last of which has the finding.
std::optional<Planted> add_labels(FileRecords& file, const std::vector<MessageBytes>& labels) {
    auto sample = plain_sample(file);
    // Key 1 is the name of a sample type in every file that is planted in.
    if (!sample || count_of(file, kString) < 3) return std::nullopt;
    for (const MessageBytes& label : labels) sample->nested(OfSample::label, label.payload, true);
    if (const MessageBytes& last = labels.back(); last.length != 0) {
        sample->at += sample->length - last.payload.size() + last.at;
        sample->length = last.length;
    }
    return append_message(file, OfProfile::sample, *sample);
}

MessageBytes label(uint64_t key) {
    MessageBytes label;
    if (key != 0) label.with(OfLabel::key, key);
    return label;
}

// An index that no label of the file has for its key.
std::optional<uint64_t> free_key(const FileRecords& file) {
    std::vector<bool> is_used(count_of(file, kString));
    for (const RecordValues& record : file)
        for (const Value& value : record.values)
            if (value.leaf.field != nullptr && value.leaf.field->name == "key" && value.leaf.number < is_used.size())
                is_used[value.leaf.number] = true;
    for (uint64_t i = 1; i < is_used.size(); ++i)
        if (!is_used[i]) return i;
    return std::nullopt;
}

// clang-format off
constexpr FaultRow kEntryRows[] = {
    {"pprof/mapping-id-zero", [](FileRecords& file, Random&) { return add_without_id(file, OfProfile::mapping); }},
    {"pprof/location-id-zero", [](FileRecords& file, Random&) { return add_without_id(file, OfProfile::location); }},
    {"pprof/function-id-zero", [](FileRecords& file, Random&) { return add_without_id(file, OfProfile::function); }},
    {"pprof/mapping-id-duplicate", [](FileRecords& file, Random& random) { return repeat_id(file, random, OfProfile::mapping, kMapping); }},
    {"pprof/location-id-duplicate", [](FileRecords& file, Random& random) { return repeat_id(file, random, OfProfile::location, kLocation); }},
    {"pprof/function-id-duplicate", [](FileRecords& file, Random& random) { return repeat_id(file, random, OfProfile::function, kFunction); }},
    {"pprof/mapping-range-inverted", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const uint64_t limit = between(random, 1, kNone - 1);
        MessageBytes mapping;
        mapping.with(OfMapping::id, kFreeId).with(OfMapping::memory_start, between(random, limit + 1, kNone)).mark(OfMapping::memory_limit, limit);
        return append_message(file, OfProfile::mapping, mapping);
    }},
    {"pprof/mapping-limit-missing", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        MessageBytes mapping;
        mapping.with(OfMapping::id, kFreeId).mark(OfMapping::memory_start, between(random, 1, kNone));
        return append_message(file, OfProfile::mapping, mapping);
    }},
    {"pprof/location-empty", [](FileRecords& file, Random&) -> std::optional<Planted> { return append_whole(file, OfProfile::location, location()); }},
    {"pprof/line-function-zero", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        return append_message(file, OfProfile::location, location().nested(OfLocation::line, number_field(OfLine::line, below(random, 300)), true));
    }},
    {"pprof/sample-location-zero", [](FileRecords& file, Random&) -> std::optional<Planted> {
        auto sample = plain_sample(file);
        if (!sample) return std::nullopt;
        return append_message(file, OfProfile::sample, sample->mark(OfSample::location_id, 0));
    }},
    {"pprof/label-key-empty", [](FileRecords& file, Random&) { return add_labels(file, {label(0).with(OfLabel::str, 1)}); }},
    {"pprof/label-two-values", [](FileRecords& file, Random& random) { return add_labels(file, {label(1).with(OfLabel::str, 1).with(OfLabel::num, between(random, 1, kNone))}); }},
    {"pprof/label-unit-on-string", [](FileRecords& file, Random&) { return add_labels(file, {label(1).with(OfLabel::str, 1).mark(OfLabel::num_unit, 1)}); }},
    {"pprof/label-key-repeated", [](FileRecords& file, Random&) { return add_labels(file, {label(1).with(OfLabel::str, 1), label(1).with(OfLabel::str, 2)}); }},
    {"pprof/label-unit-inconsistent", [](FileRecords& file, Random&) -> std::optional<Planted> {
        const auto key = free_key(file);
        if (!key || !add_labels(file, {label(*key).with(OfLabel::num, 7).with(OfLabel::num_unit, 1)})) return std::nullopt;
        return add_labels(file, {label(*key).with(OfLabel::num, 7).mark(OfLabel::num_unit, 2)});
    }},
    {"pprof/sample-value-count", [](FileRecords& file, Random&) -> std::optional<Planted> {
        auto sample = plain_sample(file);
        if (!sample) return std::nullopt;
        return append_whole(file, OfProfile::sample, sample->with(OfSample::value, 1));
    }},
    {"pprof/sample-location-dangling", [](FileRecords& file, Random&) -> std::optional<Planted> {
        auto sample = plain_sample(file);
        if (!sample) return std::nullopt;
        return append_message(file, OfProfile::sample, sample->mark(OfSample::location_id, kFreeId));
    }},
    {"pprof/location-mapping-dangling", [](FileRecords& file, Random&) -> std::optional<Planted> {
        return append_message(file, OfProfile::location, location().with(OfLocation::address, 7).mark(OfLocation::mapping_id, kFreeId));
    }},
    {"pprof/line-function-dangling", [](FileRecords& file, Random&) -> std::optional<Planted> {
        MessageBytes line;
        line.mark(OfLine::function_id, kFreeId);
        MessageBytes around = location().nested(OfLocation::line, line.payload, true);
        around.at += around.length - line.length;
        around.length = line.length;
        return append_message(file, OfProfile::location, around);
    }},
    {"pprof/location-address-outside", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose(file, random, kMapping, [&](size_t i) {
            return member_of(file[i], "id") != 0 && member_of(file[i], "memory_start") > 1 && member_of(file[i], "memory_start") < member_of(file[i], "memory_limit");
        });
        if (!at) return std::nullopt;
        MessageBytes location;
        location.with(OfLocation::id, kFreeId).with(OfLocation::mapping_id, member_of(file[*at], "id"));
        return append_message(file, OfProfile::location, location.mark(OfLocation::address, between(random, 1, member_of(file[*at], "memory_start") - 1)));
    }},
    {"pprof/build-id-short", [](FileRecords& file, Random&) -> std::optional<Planted> {
        const uint64_t strings = count_of(file, kString);
        if (strings == 0) return std::nullopt;
        file.push_back(raw_record(delimited_field(OfProfile::string_table, "x")));
        MessageBytes mapping;
        return append_message(file, OfProfile::mapping, mapping.with(OfMapping::id, kFreeId).mark(OfMapping::build_id, strings));
    }},
    {"pprof/value-total-overflow", [](FileRecords& file, Random&) -> std::optional<Planted> {
        const auto sample = plain_sample(file, uint64_t{1} << 62);
        if (!sample) return std::nullopt;
        append_message(file, OfProfile::sample, *sample);
        return append_message(file, OfProfile::sample, *sample);
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kEntryFaults{kEntryRows};

}  // namespace tracelint::pprof
