// pprof, sections 5.3 and 5.4: the ids of mappings, locations and functions, and what refers to them.
#include "grammars/pprof/checks/entries.hpp"

namespace tracelint::pprof {
namespace {

constexpr Rule kMappingIdZero{
    .id = "pprof/mapping-id-zero",
    .severity = Severity::error,
    .statement = "the id of a mapping is not 0",
    .message = "mapping without id; 0 is reserved ({3 place|places} in this file)",
    .why = "pprof and Parca refuse the profile, pyroscope drops samples",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kLocationIdZero{
    .id = "pprof/location-id-zero",
    .severity = Severity::error,
    .statement = "the id of a location is not 0",
    .message = "location without id; 0 is reserved ({3 place|places} in this file)",
    .why = "pprof, Parca and pyroscope refuse the profile",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kFunctionIdZero{
    .id = "pprof/function-id-zero",
    .severity = Severity::error,
    .statement = "the id of a function is not 0",
    .message = "function without id; 0 is reserved ({3 place|places} in this file)",
    .why = "pprof, Parca and pyroscope refuse the profile",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kMappingIdDuplicate{
    .id = "pprof/mapping-id-duplicate",
    .severity = Severity::error,
    .statement = "the id of a mapping is new",
    .message = "mapping id {0} was used before",
    .why = "pprof and Parca refuse the profile",
    .spec = "3.3 What the text demands; 5.3 Entries",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kLocationIdDuplicate{
    .id = "pprof/location-id-duplicate",
    .severity = Severity::error,
    .statement = "the id of a location is new",
    .message = "location id {0} was used before",
    .why = "pprof and Parca refuse the profile, pyroscope drops samples",
    .spec = "3.3 What the text demands; 5.3 Entries",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kFunctionIdDuplicate{
    .id = "pprof/function-id-duplicate",
    .severity = Severity::error,
    .statement = "the id of a function is new",
    .message = "function id {0} was used before",
    .why = "pprof and Parca refuse the profile, pyroscope drops samples",
    .spec = "3.3 What the text demands; 5.3 Entries",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kMappingIdsNotSequential{
    .id = "pprof/mapping-ids-not-sequential",
    .severity = Severity::note,
    .statement = "mappings are numbered 1, 2, 3 and so on",
    .message = "mapping {0} has id {1} ({3 place|places} in this file)",
    .why = "legal, but Parca refuses the profile",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kLocationIdsNotSequential{
    .id = "pprof/location-ids-not-sequential",
    .severity = Severity::note,
    .statement = "locations are numbered 1, 2, 3 and so on",
    .message = "location {0} has id {1} ({3 place|places} in this file)",
    .why = "legal, but Parca refuses the profile",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kFunctionIdsNotSequential{
    .id = "pprof/function-ids-not-sequential",
    .severity = Severity::note,
    .statement = "functions are numbered 1, 2, 3 and so on",
    .message = "function {0} has id {1} ({3 place|places} in this file)",
    .why = "legal, but Parca refuses the profile",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kSampleLocationDangling{
    .id = "pprof/sample-location-dangling",
    .severity = Severity::error,
    .statement = "a location_id is the id of a location",
    .message = "location_id {0} names no location; the profile has {1 location|locations}",
    .why = "pprof and Parca refuse the profile, pyroscope drops the sample, and go build -pgo crashes",
    .spec = "3.3 What the text demands; 5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true, .absence = true},
};

constexpr Rule kLocationMappingDangling{
    .id = "pprof/location-mapping-dangling",
    .severity = Severity::error,
    .statement = "a mapping_id is the id of a mapping",
    .message = "mapping_id {0} names no mapping; the profile has {1 mapping|mappings}",
    .why = "pprof drops the mapping and says nothing, Parca refuses the profile, pyroscope drops samples",
    .spec = "3.3 What the text demands; 5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true, .absence = true},
};

constexpr Rule kLineFunctionDangling{
    .id = "pprof/line-function-dangling",
    .severity = Severity::error,
    .statement = "a function_id is the id of a function",
    .message = "function_id {0} names no function; the profile has {1 function|functions}",
    .why = "pprof and Parca refuse the profile, pyroscope drops samples",
    .spec = "3.3 What the text demands; 5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true, .absence = true},
};

constexpr Rule kMappingUnused{
    .id = "pprof/mapping-unused",
    .severity = Severity::note,
    .statement = "a mapping is used",
    .message = "mapping {0} is not used by any location ({3 place|places} in this file)",
    .why = "legal: Go writes all executable mappings",
    .spec = "5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kLocationUnused{
    .id = "pprof/location-unused",
    .severity = Severity::note,
    .statement = "a location is used",
    .message = "location {0} is not used by any sample ({3 place|places} in this file)",
    .why = "legal; the file is larger than necessary",
    .spec = "5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kFunctionUnused{
    .id = "pprof/function-unused",
    .severity = Severity::note,
    .statement = "a function is used",
    .message = "function {0} is not used by any line ({3 place|places} in this file)",
    .why = "legal; the file is larger than necessary",
    .spec = "5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constinit const IdTable::Rules kOfMappings{OfProfile::mapping,        &kMappingMessage,
                                           &kMappingIdZero,           &kMappingIdDuplicate,
                                           &kMappingIdsNotSequential, &kLocationMappingDangling,
                                           &kMappingUnused,           kLocationMessage.find(OfLocation::mapping_id)};
constinit const IdTable::Rules kOfLocations{
    OfProfile::location,        &kLocationMessage,        &kLocationIdZero, &kLocationIdDuplicate,
    &kLocationIdsNotSequential, &kSampleLocationDangling, &kLocationUnused, kSampleMessage.find(OfSample::location_id)};
constinit const IdTable::Rules kOfFunctions{
    OfProfile::function,        &kFunctionMessage,      &kFunctionIdZero, &kFunctionIdDuplicate,
    &kFunctionIdsNotSequential, &kLineFunctionDangling, &kFunctionUnused, kLine.find(OfLine::function_id)};

constexpr uint32_t kId = 1;  // the number of the id in all three messages

}  // namespace

bool IdTable::define(const Contents& entry, uint64_t record) {
    const uint64_t row = entries_++, id = entry.number(kId);
    if (entry.is_unknown(kId)) {
        has_unknown_ = true;
        return false;
    }
    const Spot spot = place_of(mark_of(entry.place_of(kId), record), entry.has(kId) ? &id_member() : nullptr);
    const bool was_sound = is_sound();
    if (id == 0) {
        has_zero_ = true;
        aggregates_.add(*rules_.id_zero, spot);
        return false;
    }
    if (context_.limit_hit) return false;
    const size_t before = defined_.size();
    Defined* const known = defined_.find_or_add(id);
    const bool is_new = defined_.size() != before;
    if (known == nullptr || (!is_new && !duplicates_.push_back({id, spot.mark, known->offset})))
        note_limit(context_, spot.mark.offset);
    if (!is_new) return false;
    const Mark place = mark_of(entry.place, record);
    known->offset = place.offset & Defined::kLargestOffset;
    known->length = place.length;
    known->record = place.record;
    if (was_sound && id != row + 1) aggregates_.add(*rules_.not_sequential, spot, {row + 1, id});
    return true;
}

void IdTable::refer_first(uint64_t id, const Mark& place) {
    if (context_.limit_hit) return;
    Defined* const known = defined_.find(id);
    if (known == nullptr) {
        const size_t before = awaited_.size();
        Awaited* const awaited = awaited_.find_or_add(id);
        if (awaited == nullptr) return note_limit(context_, place.offset);
        if (awaited_.size() != before) awaited->place = place;
    }
    if (referenced_.reach(id, std::max(defined_.size(), awaited_.size())))
        referenced_.set(id, true);
    else if (known != nullptr)
        known->is_referenced = 1;
}

void IdTable::finish() {
    if (context_.limit_hit || certainty_.is_concatenated) return;
    for (const Duplicate& duplicate : duplicates_)
        context_.report.add({.rule = rules_.id_duplicate,
                             .place = place_of(duplicate.place, &id_member()),
                             .numbers = {duplicate.id},
                             .related_offset = duplicate.first});
    if (!certainty_.knows_all()) return;
    if (is_sound()) report_dangling();
    if (!certainty_.has_wire_fault) report_unused();
}

void IdTable::report_dangling() {
    for (const Awaited& awaited : awaited_) {
        if (defined_.find(awaited.key) != nullptr) continue;
        context_.report.add(*rules_.dangling, place_of(awaited.place, rules_.reference), {awaited.key, entries_});
        if (entries_ == 0) return;
    }
}

void IdTable::report_unused() {
    for (const Defined& defined : defined_)
        if (!is_referenced(defined.key) && defined.is_referenced == 0 && awaited_.find(defined.key) == nullptr)
            aggregates_.add(*rules_.unused, place_of(defined.place()), {defined.key});
}

Entries::Entries(ValidationContext& context, Aggregates& aggregates, Certainty& certainty, Strings& strings)
    : context_(context),
      aggregates_(aggregates),
      certainty_(certainty),
      strings_(strings),
      mappings_(kOfMappings, context, aggregates, certainty),
      locations_(kOfLocations, context, aggregates, certainty),
      functions_(kOfFunctions, context, aggregates, certainty),
      mapping_rows_(context.budget),
      row_of_mapping_(context.budget),
      location_rows_(context.budget) {}

void Entries::define_unread(uint32_t number) {
    if (number == OfProfile::mapping) mappings_.define_unread();
    if (number == OfProfile::location) locations_.define_unread();
    if (number == OfProfile::function) functions_.define_unread();
}

namespace {

constexpr Rule kMappingOverlap{
    .id = "pprof/mapping-overlap",
    .severity = Severity::note,
    .statement = "mappings do not overlap",
    .message = "mapping {0} begins at {1x}, before an earlier one ends at {2x} ({3 place|places} in this file)",
    .why = "readers that search by address may use the other mapping",
    .spec = "5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kLocationAddressOutside{
    .id = "pprof/location-address-outside",
    .severity = Severity::warning,
    .statement = "the address of a location is in its mapping",
    .message = "the address {0x} is outside of mapping {1}, which ends at {2x} ({3 place|places} in this file)",
    .why = "readers find no symbols or wrong ones",
    .spec = "3.3 What the text demands; 5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kMappingSymbolsIncomplete{
    .id = "pprof/mapping-symbols-incomplete",
    .severity = Severity::note,
    .statement = "a mapping with has_functions has no location without lines",
    .message =
        "has_functions is set on mapping {0}, but a location in it has an address and no line ({3 place|places} in "
        "this file)",
    .why = "pprof assumes that the mapping is symbolized and shows those frames as addresses",
    .spec = "5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kBuildIdShort{
    .id = "pprof/build-id-short",
    .severity = Severity::warning,
    .statement = "a build id is longer than one byte",
    .message = "the build id of mapping {0} is one byte long ({3 place|places} in this file)",
    .why = "pprof before 2026-05 crashes on it",
    .spec = "5.4 References",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

}  // namespace

// False: the mapping was not met yet.
bool Entries::check_address(const LocationRow& location) {
    const uint64_t number = mappings_.number_of(location.mapping);
    if (number >= row_of_mapping_.size() || row_of_mapping_[number] >= mapping_rows_.size()) return false;
    MappingRow& mapping = mapping_rows_[row_of_mapping_[number]];
    if (mapping.is_symbolized && !location.has_line) mapping.is_incomplete = true;
    if (!mapping.is_range || (location.address >= mapping.start && location.address <= mapping.limit)) return true;
    if (outside_.count++ == 0 || location.offset < outside_.first.offset) {
        outside_.first = {location.offset, location.length, location.record};
        outside_.address = location.address;
        outside_.mapping = mapping.id;
        outside_.limit = mapping.limit;
    }
    return true;
}

// Before check_overlaps(), which sorts the rows.
void Entries::check_addresses() {
    for (const LocationRow& location : location_rows_) check_address(location);
    if (outside_.count != 0)
        aggregates_.add_many(kLocationAddressOutside, outside_.count,
                             place_of(outside_.first, kLocationMessage.find(OfLocation::address)),
                             {outside_.address, outside_.mapping, outside_.limit});
    for (const MappingRow& mapping : mapping_rows_)
        if (mapping.is_incomplete)
            aggregates_.add(kMappingSymbolsIncomplete,
                            place_of(mapping.has_functions, kMappingMessage.find(OfMapping::has_functions)),
                            {mapping.id});
}

void Entries::check_overlaps() {
    const auto is_whole = [](const MappingRow& mapping) { return mapping.start == 0 && mapping.limit == kNone; };
    std::sort(mapping_rows_.begin(), mapping_rows_.end(), [](const MappingRow& a, const MappingRow& b) {
        return std::pair(a.start, a.message.offset) < std::pair(b.start, b.message.offset);
    });
    uint64_t largest = 0;
    for (const MappingRow& mapping : mapping_rows_) {
        if (!mapping.is_range || is_whole(mapping)) continue;
        if (mapping.start < largest)
            aggregates_.add(kMappingOverlap, place_of(mapping.message), {mapping.id, mapping.start, largest});
        largest = std::max(largest, mapping.limit);
    }
}

void Entries::check_build_ids() {
    for (const MappingRow& mapping : mapping_rows_)
        if (strings_.has(mapping.build_id) && mapping.build_id != 0 && strings_.has_one_byte(mapping.build_id))
            aggregates_.add(kBuildIdShort, place_of(mapping.build_id_place, kMappingMessage.find(OfMapping::build_id)),
                            {mapping.id});
}

void Entries::finish() {
    mappings_.finish();
    locations_.finish();
    functions_.finish();
    if (context_.limit_hit || !certainty_.knows_all()) return;
    if (mappings_.is_sound()) check_addresses();
    if (strings_.may_be_read()) check_build_ids();
    check_overlaps();
}

constinit const RuleList kReferenceRules =
    rules<&kMappingIdZero, &kLocationIdZero, &kFunctionIdZero, &kMappingIdDuplicate, &kLocationIdDuplicate,
          &kFunctionIdDuplicate, &kMappingIdsNotSequential, &kLocationIdsNotSequential, &kFunctionIdsNotSequential,
          &kSampleLocationDangling, &kLocationMappingDangling, &kLineFunctionDangling, &kMappingUnused,
          &kLocationUnused, &kFunctionUnused, &kMappingOverlap, &kLocationAddressOutside, &kMappingSymbolsIncomplete,
          &kBuildIdShort>;

}  // namespace tracelint::pprof
