// Planted faults that a tree and positions can both have: section 5.1 of the digest, S1 to S9.
#include "grammars/samply/generator/faults.hpp"

namespace tracelint::samply::faults {
namespace {

// A field that says how large a list is, and the bytes that one of its units stands for.
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

// A list of strings and the field that says how many.
struct Strings {
    const Record& record;
    std::string_view list, counter;
};
Strings draw_strings_of_tree(Random& random) {
    if (one_in(random, 2)) return {kTree, "file_list", "file_count"};
    return {kTree, "function_names_list", "function_names_count"};
}
constexpr Strings kPositionsStrings{kPositions, "strings", "string_count"};

// A list whose elements begin with their code_offset.
struct Offsets {
    const Record& record;
    std::string_view list;
};
constexpr Offsets kTreeOffsets{kTree, "line_record_list"};
constexpr Offsets kPositionsOffsets{kPositions, "code_offsets"};

std::optional<Planted> list_exceeds_record(File& file, Random& random, const Record& record,
                                           std::span<const Counter> counters) {
    const auto at = choose(file, random, record, any);
    if (!at) return std::nullopt;
    RecordValues& draft = file[*at];
    const size_t which = below(random, counters.size());
    uint64_t left = bytes_of(draft).size() - fixed_size(record);
    for (const Counter& before : counters.first(which)) left -= before.unit * draft.number(before.field);
    const auto& [field, unit] = counters[which];
    const uint64_t too_many = left / unit + 1;
    const unsigned bits = 8u * record.find(field)->width;
    draft.set(field, one_in(random, 2) ? too_many : std::max(too_many, edge_number(random, bits)));
    return at_field(*at, field);
}

// More than 7 zeros, or fewer bytes that are not all zero.
std::optional<Planted> trailing_bytes(File& file, Random& random, const Record& record) {
    const auto at = choose(file, random, record, any);
    if (!at) return std::nullopt;
    file[*at].find("padding")->text = draw_bad_padding(random);
    settle(file[*at]);
    return at_field(*at, "padding");
}

// A string without a duplicate, since lists may be compared by their strings.
std::optional<Planted> string_not_utf8(File& file, Random& random, const Record& record, std::string_view list) {
    const auto is_alone = [&](const Entry& entry) {
        const RecordValues& draft = file[entry.record];
        for (uint64_t i = 0; i < count_of(draft, list); ++i)
            if (i != entry.element && text_of(draft, list, i) == text_of(draft, list, entry.element)) return false;
        return true;
    };
    const auto entry = choose_entry(file, random, record, list, is_alone);
    if (!entry) return std::nullopt;
    RecordValues& draft = file[entry->record];
    const BadText bad = draw_bad_text(random);
    set_text(draft, list, entry->element, bad.text);
    if (&record == &kTree) align(draft, list);
    settle(draft);
    const uint64_t start = offset_of(draft, list, entry->element, "text");
    return at_bytes(entry->record, start + bad.bad_at, 1);
}

// Below the entry before, and so below the one behind.
std::optional<Planted> offset_order(File& file, Random& random, const Offsets& offsets) {
    const auto offset_before = [&](const Entry& entry) {
        return get(file[entry.record], offsets.list, entry.element - 1, "code_offset");
    };
    const auto entry = choose_entry(file, random, offsets.record, offsets.list,
                                    [&](const Entry& e) { return e.element > 0 && offset_before(e) > 0; });
    if (!entry) return std::nullopt;
    const uint64_t lower = near_edge(random, 0, offset_before(*entry) - 1);
    set(file[entry->record], offsets.list, entry->element, "code_offset", lower);
    return at_entry(file, *entry, offsets.list, "code_offset");
}

uint64_t draw_beyond(Random& random, uint64_t code_size) { return near_edge(random, code_size + 1, 0xffffffff); }

}  // namespace

// Without all of its fixed fields. (Positions of this size are taken for something else.)
std::optional<Planted> record_too_short(File& file, Random& random) {
    const auto at = choose(file, random, kTree, any);
    if (!at) return std::nullopt;
    const uint64_t left = between(random, fixed_size(kPrefix), fixed_size(kTree) - 1);
    const std::string bytes = bytes_of(file[*at]).substr(0, left);
    file[*at] = decode_values(jitdump::kOther, as_bytes(bytes), layout_of(file), true);
    settle(file[*at]);
    return at_field(*at, "total_size");
}

std::optional<Planted> tree_list_exceeds_record(File& file, Random& random) {
    return list_exceeds_record(file, random, kTree, kTreeCounters);
}

std::optional<Planted> positions_list_exceeds_record(File& file, Random& random) {
    return list_exceeds_record(file, random, kPositions, kPositionsCounters);
}

std::optional<Planted> tree_trailing_bytes(File& file, Random& random) { return trailing_bytes(file, random, kTree); }

// The last line that is counted goes on to the end of the code, whoever's that is.
std::optional<Planted> lines_not_counted(File& file, Random& random) {
    const auto line = choose_entry(file, random, kTree, "line_record_list", [](const Entry&) { return true; });
    if (!line) return std::nullopt;
    RecordValues& tree = file[line->record];
    const uint64_t start = offset_of(tree, "line_record_list", line->element, "code_offset");
    tree.set("line_record_count", line->element);
    Planted planted = at_bytes(line->record, start, bytes_of(tree).size() - start);
    planted.consequences = {"samply/line-spans-inline-boundary"};
    return planted;
}

std::optional<Planted> positions_trailing_bytes(File& file, Random& random) {
    return trailing_bytes(file, random, kPositions);
}

// More strings are announced than the list and its padding have NULs, or the last one has lost its own.
std::optional<Planted> tree_string_list_short(File& file, Random& random) {
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
}

// The same without a list size: what was padding of the record reads as empty strings.
std::optional<Planted> positions_string_list_short(File& file, Random& random) {
    const auto& [record, list, counter] = kPositionsStrings;
    const auto at = choose(file, random, record, any);
    if (!at) return std::nullopt;
    RecordValues& draft = file[*at];
    std::string& padding = draft.find("padding")->text;
    const uint64_t count = count_of(draft, list), size = size_of_strings(draft, list, count);
    const uint64_t start = offset_of(draft, list);
    const uint64_t too_many = count + padding.size() + 1, most = size + padding.size();
    if (one_in(random, 2) && too_many <= most) {
        draft.set(counter, near_edge(random, too_many, most));
        return at_bytes(*at, start + most, 0);
    }
    if (size == count) return std::nullopt;  // all are empty, and one byte less is too little for the count
    std::string last = text_of(draft, list, count - 1);
    last.pop_back();
    set_text(draft, list, count - 1, last);
    padding.clear();
    settle(draft);
    return at_bytes(*at, start + size - 1 - last.size(), last.size());
}

std::optional<Planted> tree_string_not_utf8(File& file, Random& random) {
    return string_not_utf8(file, random, kTree, draw_strings_of_tree(random).list);
}

std::optional<Planted> positions_string_not_utf8(File& file, Random& random) {
    return string_not_utf8(file, random, kPositions, "strings");
}

std::optional<Planted> tree_offset_order(File& file, Random& random) {
    return offset_order(file, random, kTreeOffsets);
}

std::optional<Planted> positions_offset_order(File& file, Random& random) {
    return offset_order(file, random, kPositionsOffsets);
}

// A second line for the same offset. A line that moves there would leave its own code to the one before.
std::optional<Planted> tree_offset_duplicate(File& file, Random& random) {
    const auto& [record, list] = kTreeOffsets;
    const auto is_last_there = [&](const Entry& entry) {
        const RecordValues& tree = file[entry.record];
        return entry.element + 1 == count_of(tree, list) ||
               get(tree, list, entry.element, "code_offset") != get(tree, list, entry.element + 1, "code_offset");
    };
    const auto entry = choose_entry(file, random, record, list, is_last_there);
    if (!entry) return std::nullopt;
    RecordValues& tree = file[entry->record];
    std::vector<uint64_t> line = row_of(tree, list, entry->element);
    line[between(random, 2, 3)] ^= between(random, 1, 0xff);  // line or column
    insert_row(tree, list, entry->element + 1, line);
    settle(tree);
    return at_entry(file, {entry->record, entry->element + 1}, list, "code_offset");
}

std::optional<Planted> positions_offset_duplicate(File& file, Random& random) {
    const auto& [record, list] = kPositionsOffsets;
    const auto has_other_before = [&](const Entry& entry) {
        const RecordValues& draft = file[entry.record];
        return entry.element > 0 && get(draft, list, entry.element, "source_position") !=
                                        get(draft, list, entry.element - 1, "source_position");
    };
    const auto entry = choose_entry(file, random, record, list, has_other_before);
    if (!entry) return std::nullopt;
    RecordValues& draft = file[entry->record];
    set(draft, list, entry->element, "code_offset", get(draft, list, entry->element - 1, "code_offset"));
    return at_entry(file, *entry, list, "code_offset");
}

// A line behind all others. One that moves there would leave its own code to the one before.
std::optional<Planted> tree_offset_beyond_code(File& file, Random& random) {
    const auto& [record, list] = kTreeOffsets;
    const auto chosen = choose(file, random, record, any);
    if (!chosen) return std::nullopt;
    RecordValues& tree = file[*chosen];
    const uint64_t count = count_of(tree, list);
    const uint64_t file_index = below(random, count_of(tree, "file_list"));
    insert_row(tree, list, count, {draw_beyond(random, code_size_of(file, *chosen)), file_index, 1, 0});
    settle(tree);
    return at_entry(file, {*chosen, count}, list, "code_offset");
}

std::optional<Planted> positions_offset_beyond_code(File& file, Random& random) {
    const auto& [record, list] = kPositionsOffsets;
    const auto entry = choose_entry(file, random, record, list,
                                    [&](const Entry& e) { return e.element + 1 == count_of(file[e.record], list); });
    if (!entry) return std::nullopt;
    const uint64_t beyond = draw_beyond(random, code_size_of(file, entry->record));
    set(file[entry->record], list, entry->element, "code_offset", beyond);
    return at_entry(file, *entry, list, "code_offset");
}

}  // namespace tracelint::samply::faults
