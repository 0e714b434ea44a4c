// pprof, section 5.3: mappings, locations and functions by themselves.
#include "grammars/pprof/checks/entries.hpp"

namespace tracelint::pprof {
namespace {

Spot at(const Contents& message, uint32_t number, uint64_t record) {
    return place_of(mark_of(message.place_of(number), record),
                    message.has(number) ? message.message->find(number) : nullptr);
}
Spot whole(const Contents& message, uint64_t record) { return place_of(mark_of(message.place, record)); }

constexpr Rule kMappingRangeInverted{
    .id = "pprof/mapping-range-inverted",
    .severity = Severity::error,
    .statement = "memory_limit is not below memory_start",
    .message = "memory_limit {0x} is below memory_start {1x}",
    .why = "no address is in this mapping: nothing in it gets a name",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kMappingLimitMissing{
    .id = "pprof/mapping-limit-missing",
    .severity = Severity::warning,
    .statement = "a mapping with memory_start has memory_limit",
    .message = "memory_start is {0x}, memory_limit is missing ({3 place|places} in this file)",
    .why = "no address is in this mapping: nothing in it gets a name",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kMappingRangeEmpty{
    .id = "pprof/mapping-range-empty",
    .severity = Severity::note,
    .statement = "memory_limit is above memory_start",
    .message = "memory_limit equals memory_start {0x} ({3 place|places} in this file)",
    .why = "the mapping holds one address",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kMappingAnonymous{
    .id = "pprof/mapping-anonymous",
    .severity = Severity::note,
    .statement = "a mapping has a file name or a build id",
    .message = "the mapping has neither file name nor build id ({3 place|places} in this file)",
    .why = "there is nothing to symbolize its addresses with",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kLocationEmpty{
    .id = "pprof/location-empty",
    .severity = Severity::warning,
    .statement = "a location has an address or a line",
    .message = "location {0} has neither address nor line ({3 place|places} in this file)",
    .why = "pyroscope drops the location, and every sample through it",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kLocationUnsymbolizable{
    .id = "pprof/location-unsymbolizable",
    .severity = Severity::note,
    .statement = "a location with an address and without lines has a mapping",
    .message = "location {0} has an address, but no line and no mapping ({3 place|places} in this file)",
    .why = "profilers show the address, not a name",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kFoldedWithoutLine{
    .id = "pprof/folded-without-line",
    .severity = Severity::note,
    .statement = "is_folded is set only on a location with lines",
    .message = "is_folded is set on a location without lines ({3 place|places} in this file)",
    .why = "it has no effect",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kLineFunctionZero{
    .id = "pprof/line-function-zero",
    .severity = Severity::error,
    .statement = "a line has a function",
    .message = "the line has no function_id",
    .why = "pprof refuses the profile, pyroscope drops samples",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kLineNumberNegative{
    .id = "pprof/line-number-negative",
    .severity = Severity::note,
    .statement = "the number of a line or column is not negative",
    .message = "{text} is {0d}; a line or column is counted from 1, 0 if unknown ({3 place|places} in this file)",
    .why = "source views show nothing for it",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kFunctionUnnamed{
    .id = "pprof/function-unnamed",
    .severity = Severity::note,
    .statement = "a function has a name",
    .message = "function {0} has no name ({3 place|places} in this file)",
    .why = "its frames are empty in every view",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

constexpr Rule kFunctionSystemNameMissing{
    .id = "pprof/function-system-name-missing",
    .severity = Severity::note,
    .statement = "a function with a name has a system_name",
    .message = "function {0} has a name, but no system_name ({3 place|places} in this file)",
    .why = "views of mangled names show nothing; half of all writers omit it",
    .spec = "5.3 Entries",
    .since = "0.2.0",
};

}  // namespace

// Profilers give [0, 2^64 - 1) to addresses that are in no object.
void Entries::check_range(const Contents& mapping, uint64_t record) {
    if (!mapping.knows(OfMapping::memory_start, OfMapping::memory_limit)) return;
    const uint64_t start = mapping.number(OfMapping::memory_start), limit = mapping.number(OfMapping::memory_limit);
    if (limit != 0 && limit < start)
        context_.report.add<kMappingRangeInverted>(at(mapping, OfMapping::memory_limit, record), {limit, start});
    else if (limit == 0 && start != 0)
        aggregates_.add(kMappingLimitMissing, at(mapping, OfMapping::memory_start, record), {start});
    else if (start != 0 && start == limit)
        aggregates_.add(kMappingRangeEmpty, at(mapping, OfMapping::memory_limit, record), {start});
    if (limit != 0 && !(start == 0 && limit == kNone) && mapping.knows(OfMapping::filename, OfMapping::build_id) &&
        mapping.number(OfMapping::filename) == 0 && mapping.number(OfMapping::build_id) == 0)
        aggregates_.add(kMappingAnonymous, whole(mapping, record));
}

void Entries::read_mapping(const Contents& mapping, uint64_t record) {
    const uint64_t row = mappings_.entries();
    const bool is_first = mappings_.define(mapping, record);
    check_range(mapping, record);
    if (context_.limit_hit) return;
    if (is_first && !row_of_mapping_.push_back(static_cast<uint32_t>(std::min<uint64_t>(row, 0xffffffff))))
        return note_limit(context_, mapping.place.at);
    const uint64_t start = mapping.number(OfMapping::memory_start), limit = mapping.number(OfMapping::memory_limit);
    const bool is_kept = mapping_rows_.push_back(
        {.id = mapping.number(OfMapping::id),
         .start = start,
         .limit = limit,
         .build_id = mapping.knows(OfMapping::build_id) ? mapping.number(OfMapping::build_id) : 0,
         .message = mark_of(mapping.place, record),
         .has_functions = mark_of(mapping.of(OfMapping::has_functions).value, record),
         .build_id_place = mark_of(mapping.of(OfMapping::build_id).value, record),
         .is_range = mapping.knows(OfMapping::memory_start, OfMapping::memory_limit) && start < limit,
         .is_symbolized = mapping.knows(OfMapping::has_functions) && mapping.number(OfMapping::has_functions) != 0,
         .is_incomplete = false});
    if (!is_kept) note_limit(context_, mapping.place.at);
}

void Entries::read_location(const Contents& location, uint64_t record) {
    locations_.define(location, record);
    const uint64_t id = location.number(OfLocation::id), mapping = location.number(OfLocation::mapping_id),
                   address = location.number(OfLocation::address);
    if (location.has(OfLocation::mapping_id) && mapping != 0)
        mappings_.refer(mapping, mark_of(location.of(OfLocation::mapping_id).value, record));
    const bool has_line = location.has(OfLocation::line), knows_line = !location.is_lost;
    if (knows_line && location.knows(OfLocation::id, OfLocation::address) && !has_line && address == 0 && id != 0)
        aggregates_.add(kLocationEmpty, whole(location, record), {id});
    if (knows_line && !has_line && address != 0 && mapping == 0)
        aggregates_.add(kLocationUnsymbolizable, whole(location, record), {id});
    if (knows_line && !has_line && location.number(OfLocation::is_folded) != 0)
        aggregates_.add(kFoldedWithoutLine, at(location, OfLocation::is_folded, record));
    if (address == 0 || mapping == 0 || context_.limit_hit) return;
    const Mark place = mark_of(location.of(OfLocation::address).value, record);
    const LocationRow row{.mapping = mapping,
                          .address = address,
                          .offset = place.offset,
                          .record = place.record,
                          .length = static_cast<uint8_t>(place.length),
                          .has_line = has_line || !knows_line,
                          .is_known = location.knows(OfLocation::mapping_id, OfLocation::address)};
    if (row.is_known && !check_address(row) && !location_rows_.push_back(row)) note_limit(context_, location.place.at);
}

void Entries::report_negative(const Contents& message, uint32_t member, uint64_t record) {
    aggregates_.add(kLineNumberNegative, at(message, member, record), {message.number(member)},
                    message.message->find(member)->path);
}

void Entries::read_line(const Contents& line, uint64_t record) {
    const uint64_t function = line.number(OfLine::function_id);
    if (function != 0)
        functions_.refer(function, mark_of(line.of(OfLine::function_id).value, record));
    else if (line.knows(OfLine::function_id))
        context_.report.add<kLineFunctionZero>(at(line, OfLine::function_id, record));
    check_negative(line, OfLine::line, record);
    check_negative(line, OfLine::column, record);
}

void Entries::read_function(const Contents& function, uint64_t record) {
    functions_.define(function, record);
    check_negative(function, OfFunction::start_line, record);
    if (!function.knows(OfFunction::name)) return;
    const uint64_t id = function.number(OfFunction::id);
    if (function.number(OfFunction::name) == 0)
        aggregates_.add(kFunctionUnnamed, whole(function, record), {id});
    else if (function.knows(OfFunction::system_name) && function.number(OfFunction::system_name) == 0)
        aggregates_.add(kFunctionSystemNameMissing, whole(function, record), {id});
}

constinit const RuleList kEntryRules =
    rules<&kMappingRangeInverted, &kMappingLimitMissing, &kMappingRangeEmpty, &kMappingAnonymous, &kLocationEmpty,
          &kLocationUnsymbolizable, &kFoldedWithoutLine, &kLineFunctionZero, &kLineNumberNegative, &kFunctionUnnamed,
          &kFunctionSystemNameMissing>;

}  // namespace tracelint::pprof
