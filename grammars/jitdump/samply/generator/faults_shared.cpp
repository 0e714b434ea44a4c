// Planted faults that trees and positions have in common.
#include "grammars/jitdump/samply/generator/faults.hpp"

namespace tracelint::samply::faults {
namespace {

// The field that holds the size of a list, and the number of bytes per unit.
struct Counter {
    std::string_view field;
    uint64_t unit;
};
constexpr Counter kTreeCounters[] = {
    {"file_list_size", 1},
    {"function_names_list_size", 1},
    {"function_count", fixed_size(kFunctionRecord)},
    {"inline_call_record_count", fixed_size(kInlineCallRecord)},
    {"range_count", fixed_size(kRange)},
    {"line_record_count", fixed_size(kLineRecord)},
};
constexpr Counter kPositionsCounters[] = {
    {"code_offset_count", fixed_size(kCodeOffset)},
    {"source_position_count", fixed_size(kSourcePosition)},
    {"string_count", 1},
};

// A list of strings, and the field with their count.
struct Strings {
    const Record& kind;
    std::string_view list, counter;
};
Strings draw_strings_of_tree(Random& random) {
    if (one_in(random, 2)) return {kTree, "file_list", "file_count"};
    return {kTree, "function_names_list", "function_names_count"};
}
constexpr Strings kPositionsStrings{kPositions, "strings", "string_count"};

// A list whose elements begin with a code_offset.
struct Offsets {
    const Record& kind;
    std::string_view list;
};
constexpr Offsets kTreeOffsets{kTree, "line_record_list"};
constexpr Offsets kPositionsOffsets{kPositions, "code_offsets"};

std::optional<Planted> list_exceeds_record(FileRecords& file, Random& random, const Record& kind,
                                           std::span<const Counter> counters) {
    const auto at = choose(file, random, kind, any);
    if (!at) return std::nullopt;
    RecordValues& record = file[*at];
    const size_t which = below(random, counters.size());
    uint64_t left = bytes_of(record).size() - fixed_size(kind);
    for (const Counter& before : counters.first(which)) left -= before.unit * record.number(before.field);
    const auto& [field, unit] = counters[which];
    const uint64_t too_many = left / unit + 1;
    const unsigned bits = 8u * kind.find(field)->width;
    record.set(field, one_in(random, 2) ? too_many : std::max(too_many, edge_number(random, bits)));
    return at_field(*at, field);
}

// More than 7 bytes, or fewer that are not all zero.
std::optional<Planted> trailing_bytes(FileRecords& file, Random& random, const Record& kind) {
    const auto at = choose(file, random, kind, any);
    if (!at) return std::nullopt;
    file[*at].find("padding")->text = draw_bad_padding(random);
    update_sizes(file[*at]);
    return at_field(*at, "padding");
}

// Not a string with a duplicate, as other checks compare strings.
std::optional<Planted> string_not_utf8(FileRecords& file, Random& random, const Record& kind, std::string_view list) {
    const auto is_alone = [&](const Entry& entry) {
        const RecordValues& record = file[entry.record];
        for (uint64_t i = 0; i < count_of(record, list); ++i)
            if (i != entry.element && text_of(record, list, i) == text_of(record, list, entry.element)) return false;
        return true;
    };
    const auto entry = choose_entry(file, random, kind, list, is_alone);
    if (!entry) return std::nullopt;
    RecordValues& record = file[entry->record];
    const BadText bad = draw_bad_text(random);
    set_text(record, list, entry->element, bad.text);
    if (&kind == &kTree) align(record, list);
    update_sizes(record);
    const uint64_t start = offset_of(record, list, entry->element, "text");
    return at_bytes(entry->record, start + bad.bad_at, 1);
}

// The offset is below that of the entry before, and so below that of the entry after.
std::optional<Planted> offset_order(FileRecords& file, Random& random, const Offsets& offsets) {
    const auto offset_before = [&](const Entry& entry) {
        return get(file[entry.record], offsets.list, entry.element - 1, "code_offset");
    };
    const auto entry = choose_entry(file, random, offsets.kind, offsets.list,
                                    [&](const Entry& e) { return e.element > 0 && offset_before(e) > 0; });
    if (!entry) return std::nullopt;
    const uint64_t lower = near_edge(random, 0, offset_before(*entry) - 1);
    set(file[entry->record], offsets.list, entry->element, "code_offset", lower);
    return at_entry(file, *entry, offsets.list, "code_offset");
}

uint64_t draw_beyond(Random& random, uint64_t code_size) { return near_edge(random, code_size + 1, 0xffffffff); }

constexpr FaultRow kSharedRows[] = {
    // The record lacks some of its fixed fields. Positions of this size are not recognised as such.
    {"samply/record-too-short",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kTree, any);
         if (!at) return std::nullopt;
         const uint64_t left = between(random, fixed_size(kPrefix), fixed_size(kTree) - 1);
         const std::string bytes = bytes_of(file[*at]).substr(0, left);
         file[*at] = decode_values(jitdump::kOther, as_bytes(bytes), layout_of(file), true);
         update_sizes(file[*at]);
         return at_field(*at, "total_size");
     }},
    // In a tree.
    {"samply/list-exceeds-record",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return list_exceeds_record(file, random, kTree, kTreeCounters);
     }},
    // In positions.
    {"samply/list-exceeds-record",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return list_exceeds_record(file, random, kPositions, kPositionsCounters);
     }},
    // In a tree.
    {"samply/record-trailing-bytes",
     [](FileRecords& file, Random& random) -> std::optional<Planted> { return trailing_bytes(file, random, kTree); }},
    // Lines are left out of the count. The last counted line extends to the end of the code.
    {"samply/record-trailing-bytes",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto line = choose_entry(file, random, kTree, "line_record_list", [](const Entry&) { return true; });
         if (!line) return std::nullopt;
         RecordValues& tree = file[line->record];
         const uint64_t start = offset_of(tree, "line_record_list", line->element, "code_offset");
         tree.set("line_record_count", line->element);
         Planted planted = at_bytes(line->record, start, bytes_of(tree).size() - start);
         planted.consequences = {"samply/line-spans-inline-boundary"};
         return planted;
     }},
    // In positions.
    {"samply/record-trailing-bytes",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return trailing_bytes(file, random, kPositions);
     }},
    // In a tree: the count exceeds the NULs in the list and its padding, or the last string lacks its NUL.
    {"samply/string-list-short",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const Strings strings = draw_strings_of_tree(random);
         const auto at = choose(file, random, kTree, any);
         if (!at) return std::nullopt;
         RecordValues& tree = file[*at];
         const uint64_t count = count_of(tree, strings.list), padding = padding_of(tree, strings.list).size();
         const uint64_t start = offset_of(tree, strings.list);
         const uint64_t size = size_of_strings(tree, strings.list, count) + padding;
         if (one_in(random, 2)) {
             tree.set(strings.counter, near_edge(random, count + padding + 1, 0xffffffff));
             return at_bytes(*at, start + size, 0);
         }
         std::string last = text_of(tree, strings.list, count - 1);
         last.back() = 'x';
         set_text(tree, strings.list, count - 1, last + std::string(padding, 'x'));
         set_padding(tree, strings.list, "");
         return at_bytes(*at, start + size - last.size() - padding, last.size() + padding);
     }},
    // In positions, where the list has no size: padding of the record is read as empty strings.
    {"samply/string-list-short",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto& [kind, list, counter] = kPositionsStrings;
         const auto at = choose(file, random, kind, any);
         if (!at) return std::nullopt;
         RecordValues& record = file[*at];
         std::string& padding = record.find("padding")->text;
         const uint64_t count = count_of(record, list), size = size_of_strings(record, list, count);
         const uint64_t start = offset_of(record, list);
         const uint64_t too_many = count + padding.size() + 1, most = size + padding.size();
         if (one_in(random, 2) && too_many <= most) {
             record.set(counter, near_edge(random, too_many, most));
             return at_bytes(*at, start + most, 0);
         }
         if (size == count) return std::nullopt;  // all are empty, and the count exceeds one byte less
         std::string last = text_of(record, list, count - 1);
         last.pop_back();
         set_text(record, list, count - 1, last);
         padding.clear();
         update_sizes(record);
         return at_bytes(*at, start + size - 1 - last.size(), last.size());
     }},
    // In a tree.
    {"samply/string-not-utf8",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return string_not_utf8(file, random, kTree, draw_strings_of_tree(random).list);
     }},
    // In positions.
    {"samply/string-not-utf8",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return string_not_utf8(file, random, kPositions, "strings");
     }},
    // In a tree.
    {"samply/code-offset-order",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return offset_order(file, random, kTreeOffsets);
     }},
    // In positions.
    {"samply/code-offset-order",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return offset_order(file, random, kPositionsOffsets);
     }},
    // In a tree: a second line at the same offset. Moving a line there would change which line its code belongs to.
    {"samply/code-offset-duplicate",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto& [kind, list] = kTreeOffsets;
         const auto is_last_there = [&](const Entry& entry) {
             const RecordValues& tree = file[entry.record];
             return entry.element + 1 == count_of(tree, list) ||
                    get(tree, list, entry.element, "code_offset") != get(tree, list, entry.element + 1, "code_offset");
         };
         const auto entry = choose_entry(file, random, kind, list, is_last_there);
         if (!entry) return std::nullopt;
         RecordValues& tree = file[entry->record];
         std::vector<uint64_t> line = row_of(tree, list, entry->element);
         line[between(random, 2, 3)] ^= between(random, 1, 0xff);  // line or column
         insert_row(tree, list, entry->element + 1, line);
         update_sizes(tree);
         return at_entry(file, {entry->record, entry->element + 1}, list, "code_offset");
     }},
    // In positions.
    {"samply/code-offset-duplicate",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto& [kind, list] = kPositionsOffsets;
         const auto has_other_before = [&](const Entry& entry) {
             const RecordValues& record = file[entry.record];
             return entry.element > 0 && get(record, list, entry.element, "source_position") !=
                                             get(record, list, entry.element - 1, "source_position");
         };
         const auto entry = choose_entry(file, random, kind, list, has_other_before);
         if (!entry) return std::nullopt;
         RecordValues& record = file[entry->record];
         set(record, list, entry->element, "code_offset", get(record, list, entry->element - 1, "code_offset"));
         return at_entry(file, *entry, list, "code_offset");
     }},
    // In a tree: a line after all others. Moving a line there would change which line its code belongs to.
    {"samply/code-offset-beyond-code",
     [](FileRecords& file,
        Random& random) -> std::
                            optional<Planted> {
                                const auto& [kind, list] = kTreeOffsets;
                                const auto chosen = choose(file, random, kind, any);
                                if (!chosen) return std::nullopt;
                                RecordValues& tree = file[*chosen];
                                const uint64_t count = count_of(tree, list);
                                const uint64_t file_index = below(random, count_of(tree, "file_list"));
                                insert_row(tree, list, count,
                                           {draw_beyond(random, code_size_of(file, *chosen)), file_index, 1, 0});
                                update_sizes(tree);
                                return at_entry(file, {*chosen, count}, list, "code_offset");
                            }},
    // In positions.
    {"samply/code-offset-beyond-code",
     [](FileRecords& file,
        Random& random) -> std::
                            optional<Planted> {
                                const auto& [kind, list] = kPositionsOffsets;
                                const auto entry = choose_entry(file, random, kind, list, [&](const Entry& e) {
                                    return e.element + 1 == count_of(file[e.record], list);
                                });
                                if (!entry) return std::nullopt;
                                const uint64_t beyond = draw_beyond(random, code_size_of(file, entry->record));
                                set(file[entry->record], list, entry->element, "code_offset", beyond);
                                return at_entry(file, *entry, list, "code_offset");
                            }},
};

}  // namespace

constinit const FaultList kSharedFaults{kSharedRows};

}  // namespace tracelint::samply::faults
