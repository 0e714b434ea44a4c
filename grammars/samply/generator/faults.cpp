// The table of planted faults, and what they share.
#include "grammars/samply/generator/faults.hpp"

#include "grammars/samply/generator/model.hpp"
#include "grammars/samply/lists.hpp"
#include "grammars/samply/positions.hpp"
#include "grammars/samply/tree.hpp"

namespace tracelint::samply {
namespace {

// In the order of section 5. Every rule of severity error or warning is here, the others are notes.
// clang-format off
constexpr FaultRow kTable[] = {
    {"samply/record-too-short",           faults::record_too_short},
    {"samply/list-exceeds-record",        faults::tree_list_exceeds_record},
    {"samply/list-exceeds-record",        faults::positions_list_exceeds_record},
    {"samply/record-trailing-bytes",      faults::tree_trailing_bytes},
    {"samply/record-trailing-bytes",      faults::lines_not_counted},
    {"samply/record-trailing-bytes",      faults::positions_trailing_bytes},
    {"samply/string-list-short",          faults::tree_string_list_short},
    {"samply/string-list-short",          faults::positions_string_list_short},
    {"samply/string-not-utf8",            faults::tree_string_not_utf8},
    {"samply/string-not-utf8",            faults::positions_string_not_utf8},
    {"samply/code-offset-order",          faults::tree_offset_order},
    {"samply/code-offset-order",          faults::positions_offset_order},
    {"samply/code-offset-duplicate",      faults::tree_offset_duplicate},
    {"samply/code-offset-duplicate",      faults::positions_offset_duplicate},
    {"samply/code-offset-beyond-code",     faults::tree_offset_beyond_code},
    {"samply/code-offset-beyond-code",     faults::positions_offset_beyond_code},
    {"samply/info2-superseded",          faults::info2_superseded},
    {"samply/info2-without-load",         faults::info2_without_load},
    {"samply/id-conflict",               faults::id_conflict},
    {"samply/list-size-unaligned",        faults::list_size_unaligned},
    {"samply/string-list-excess",         faults::string_list_excess},
    {"samply/padding-nonzero",           faults::padding_nonzero},
    {"samply/no-functions",              faults::no_functions},
    {"samply/function-name-index-range",   faults::function_name_index_range},
    {"samply/function-file-index-range",   faults::function_file_index_range},
    {"samply/inline-depth-jump",          faults::inline_depth_jump},
    {"samply/inline-function-index-range", faults::inline_function_index_range},
    {"samply/range-count-zero",           faults::range_count_zero},
    {"samply/range-count-overrun",        faults::range_count_overrun},
    {"samply/range-count-unused",         faults::range_count_unused},
    {"samply/range-overflow",            faults::range_overflow},
    {"samply/range-beyond-code",          faults::range_beyond_code},
    {"samply/range-empty",               faults::range_empty},
    {"samply/range-empty",               faults::range_loses_code},
    {"samply/line-file-index-range",       faults::line_file_index_range},
    {"samply/child-range-outside-parent",  faults::child_range_outside_parent},
    {"samply/child-range-outside-parent",  faults::child_of_a_sibling},
    {"samply/sibling-ranges-overlap",     faults::sibling_ranges_overlap},
    {"samply/sibling-ranges-overlap",     faults::sibling_range_grows},
    {"samply/range-self-overlap",         faults::range_self_overlap},
    {"samply/range-self-overlap",         faults::own_range_grows},
    {"samply/line-file-mismatch",         faults::line_file_mismatch},
    {"samply/line-file-mismatch",         faults::function_file_mismatch},
    {"samply/line-spans-inline-boundary",  faults::line_spans_inline_boundary},
    {"samply/line-spans-inline-boundary",  faults::line_too_late},
    {"samply/info2-code-addr-mismatch",    faults::info2_code_addr_mismatch},
    {"samply/info2-after-load",           faults::info2_after_load},
    {"samply/position-index-range",       faults::position_index_range},
    {"samply/caller-index-range",         faults::caller_index_range},
    {"samply/caller-index-range",         faults::caller_index_negative},
    {"samply/caller-cycle",              faults::caller_cycle},
    {"samply/position-name-index-range",   faults::position_name_index_range},
    {"samply/position-file-index-range",   faults::position_file_index_range},
    {"samply/position-file-index-range",   faults::position_file_negative},
    {"samply/root-function-differs",      faults::root_function_differs},
};
// clang-format on

}  // namespace

constinit const FaultList kPlantedFaults{kTable};

namespace faults {
namespace {

// Number of the list among the draft's values.
size_t position_of(const RecordValues& draft, std::string_view list) {
    return static_cast<size_t>(draft.find(list) - draft.values.data());
}

// Number of an element's first value. An element's values follow each other, and there are no lists in them.
size_t position_of(const RecordValues& draft, std::string_view list, uint64_t element) {
    const size_t at = position_of(draft, list);
    return at + 1 + element * draft.values[at].leaf.field->element->count;
}

size_t position_of(const RecordValues& draft, std::string_view list, uint64_t element, std::string_view field) {
    size_t at = position_of(draft, list, element);
    while (draft.values[at].leaf.field->name != field) ++at;
    return at;
}

auto iterator_at(RecordValues& draft, size_t position) {
    return draft.values.begin() + static_cast<std::ptrdiff_t>(position);
}

uint64_t size_before(const RecordValues& draft, size_t position) {
    RecordValues part;
    part.values.assign(draft.values.begin(), draft.values.begin() + static_cast<std::ptrdiff_t>(position));
    return bytes_of(part).size();
}

// Gives the elements from `position` on the numbers that they have in the list.
void renumber(RecordValues& draft, std::string_view list) {
    const uint64_t width = draft.find(list)->leaf.field->element->count;
    const size_t first = position_of(draft, list, 0);
    for (uint64_t i = 0; i < count_of(draft, list) * width; ++i) draft.values[first + i].leaf.element = i / width;
}

}  // namespace

uint64_t count_of(const RecordValues& draft, std::string_view list) { return draft.number(list); }

uint64_t get(const RecordValues& draft, std::string_view list, uint64_t element, std::string_view field) {
    return draft.values[position_of(draft, list, element, field)].leaf.number;
}

void set(RecordValues& draft, std::string_view list, uint64_t element, std::string_view field, uint64_t number) {
    draft.values[position_of(draft, list, element, field)].leaf.number = number;
}

const std::string& text_of(const RecordValues& draft, std::string_view list, uint64_t element) {
    return draft.values[position_of(draft, list, element)].text;
}

void set_text(RecordValues& draft, std::string_view list, uint64_t element, std::string text) {
    draft.values[position_of(draft, list, element)].text = std::move(text);
}

void insert_row(RecordValues& draft, std::string_view list, uint64_t before, const std::vector<uint64_t>& numbers) {
    const Value at_list = *draft.find(list);
    const Record& element = *at_list.leaf.field->element;
    std::vector<Value> row(element.count);
    for (size_t i = 0; i < row.size(); ++i) {
        Leaf& leaf = row[i].leaf;
        leaf.record = &element;
        leaf.field = &element.slots[i];
        leaf.list = at_list.leaf.field;
        leaf.depth = at_list.leaf.depth + 1;
        leaf.number = numbers[i];
    }
    draft.values.insert(iterator_at(draft, position_of(draft, list, before)), row.begin(), row.end());
    ++draft.find(list)->leaf.number;
    renumber(draft, list);
}

void erase_row(RecordValues& draft, std::string_view list, uint64_t element) {
    const auto first = iterator_at(draft, position_of(draft, list, element));
    const auto end = iterator_at(draft, position_of(draft, list, element + 1));
    draft.values.erase(first, end);
    --draft.find(list)->leaf.number;
    renumber(draft, list);
}

std::vector<uint64_t> row_of(const RecordValues& draft, std::string_view list, uint64_t element) {
    std::vector<uint64_t> numbers;
    for (size_t at = position_of(draft, list, element); at < position_of(draft, list, element + 1); ++at)
        numbers.push_back(draft.values[at].leaf.number);
    return numbers;
}

uint64_t offset_of(const RecordValues& draft, std::string_view list) {
    return size_before(draft, position_of(draft, list));
}

uint64_t offset_of(const RecordValues& draft, std::string_view list, uint64_t element, std::string_view field) {
    return size_before(draft, position_of(draft, list, element, field));
}

Planted at_entry(const File& file, const Entry& entry, std::string_view list, std::string_view field, uint64_t length) {
    const uint64_t offset = offset_of(file[entry.record], list, entry.element, field);
    return at_bytes(entry.record, offset, length == 0 ? 4 : length);
}

uint64_t size_of_strings(const RecordValues& draft, std::string_view list, uint64_t count) {
    uint64_t size = 0;
    for (uint64_t i = 0; i < count; ++i) size += text_of(draft, list, i).size();
    return size;
}

std::string padding_of(const RecordValues& tree, std::string_view list) {
    const size_t end = position_of(tree, list, count_of(tree, list));
    const Value& behind = tree.values[end];
    return behind.leaf.kind == Leaf::Kind::raw && behind.leaf.field->name == list ? behind.text : std::string();
}

void set_padding(RecordValues& tree, std::string_view list, const std::string& bytes) {
    const size_t end = position_of(tree, list, count_of(tree, list));
    if (!padding_of(tree, list).empty()) tree.values.erase(iterator_at(tree, end));
    if (bytes.empty()) return;
    Value padding = *tree.find(list);
    padding.leaf.kind = Leaf::Kind::raw;
    padding.text = bytes;
    tree.values.insert(iterator_at(tree, end), std::move(padding));
}

void align(RecordValues& tree, std::string_view list) {
    const uint64_t size = size_of_strings(tree, list, count_of(tree, list));
    set_padding(tree, list, std::string((4 - size % 4) % 4, '\0'));
}

bool shares_offset(const RecordValues& draft, std::string_view list, uint64_t element) {
    const Record& kind = *draft.find(list)->leaf.field->element;
    if (kind.find("code_offset") == nullptr) return false;
    const auto offset = [&](uint64_t i) { return get(draft, list, i, "code_offset"); };
    const bool with_next = element + 1 < count_of(draft, list) && offset(element) == offset(element + 1);
    return with_next || (element > 0 && offset(element) == offset(element - 1));
}

uint64_t code_size_of(const File& file, size_t record) {
    return file[next_load(file, record).value()].number("code_size");
}

uint64_t near_edge(Random& random, uint64_t least, uint64_t most) {
    switch (below(random, 4)) {
        case 0: return least;
        case 1: return most;
        default: return between(random, least, most);
    }
}

std::optional<Planted> index_out_of_range(File& file, Random& random, const IndexField& index) {
    const auto entry = choose_entry(file, random, index.record, index.list, [&](const Entry& e) {
        return !shares_offset(file[e.record], index.list, e.element);
    });
    if (!entry) return std::nullopt;
    RecordValues& draft = file[entry->record];
    const uint64_t number = near_edge(random, count_of(draft, index.indexed), index.most);
    set(draft, index.list, entry->element, index.field, number);
    return at_entry(file, *entry, index.list, index.field);
}

}  // namespace faults
}  // namespace tracelint::samply
