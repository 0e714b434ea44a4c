// Planted faults of the lists of an inline tree.
#include "grammars/samply/generator/faults.hpp"

namespace tracelint::samply::faults {
namespace {

constexpr uint64_t kEnd32 = uint64_t{1} << 32;  // offsets must end below this

std::string_view draw_strings(Random& random) {
    return pick<std::string_view>(random, {"file_list", "function_names_list"});
}

std::string_view counter_of(std::string_view strings) {
    return strings == "file_list" ? "file_count" : "function_names_count";
}

// A call of any tree for which `fits(entry)` holds.
template <class Fits>
std::optional<Entry> choose_call(const FileRecords& file, Random& random, Fits fits) {
    return choose_entry(file, random, kTree, "inline_call_list", fits);
}

uint64_t ranges_of(const RecordValues& tree, uint64_t call) {
    return get(tree, "inline_call_list", call, "range_count");
}

// The number of ranges of the calls before.
uint64_t ranges_before(const RecordValues& tree, uint64_t call) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < call; ++i) sum += ranges_of(tree, i);
    return sum;
}

// The highest count of strings that leaves too many bytes in the list.
uint64_t excessive_count(const RecordValues& tree, std::string_view list) {
    uint64_t count = count_of(tree, list), left = padding_of(tree, list).size();
    while (left <= 3 && count > 0) left += text_of(tree, list, --count).size();
    return count;
}

constexpr FaultRow kTreeRows[] = {
    {"samply/list-size-unaligned",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kTree, any);
         if (!at) return std::nullopt;
         RecordValues& tree = file[*at];
         const std::string_view list = draw_strings(random);
         const uint64_t aligned = padding_of(tree, list).size(), padding = below(random, 4);
         if (padding == aligned) return std::nullopt;
         set_padding(tree, list, std::string(padding, '\0'));
         update_sizes(tree);
         return at_field(*at, tree.find(list)->leaf.field->sizer);
     }},
    // The padding is too long, or the count of strings is too low.
    {"samply/string-list-excess",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kTree, any);
         if (!at) return std::nullopt;
         RecordValues& tree = file[*at];
         const std::string_view list = draw_strings(random);
         const uint64_t start = offset_of(tree, list);
         uint64_t count = count_of(tree, list);
         if (one_in(random, 2)) {
             const uint64_t more = 4 * between(random, 1, 5);
             const std::string bytes = one_in(random, 2) ? std::string(more, '\0') : random_bytes(random, more);
             set_padding(tree, list, padding_of(tree, list) + bytes);
             update_sizes(tree);
         } else {
             count = near_edge(random, 0, excessive_count(tree, list));
             tree.set(counter_of(list), count);
         }
         const uint64_t announced = size_of_strings(tree, list, count);
         const uint64_t size = size_of_strings(tree, list, count_of(tree, list)) + padding_of(tree, list).size();
         return at_bytes(*at, start + announced, size - announced);
     }},
    {"samply/padding-nonzero",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const std::string_view list = draw_strings(random);
         const auto at = choose(file, random, kTree, [&](size_t i) { return !padding_of(file[i], list).empty(); });
         if (!at) return std::nullopt;
         RecordValues& tree = file[*at];
         std::string padding = padding_of(tree, list);
         const uint64_t first = below(random, padding.size());
         for (uint64_t i = first; i < padding.size(); ++i)
             if (i == first || one_in(random, 2)) padding[i] = static_cast<char>(between(random, 1, 255));
         set_padding(tree, list, padding);
         const uint64_t strings = size_of_strings(tree, list, count_of(tree, list));
         return at_bytes(*at, offset_of(tree, list) + strings + first, 1);
     }},
    {"samply/no-functions",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kTree, any);
         if (!at) return std::nullopt;
         RecordValues& tree = file[*at];
         while (count_of(tree, "function_list") > 0) erase_row(tree, "function_list", 0);
         update_sizes(tree);
         return at_field(*at, "function_count");
     }},
    {"samply/function-name-index-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return index_out_of_range(file, random,
                                   {kTree, "function_list", "function_name_index", "function_names_list"});
     }},
    {"samply/function-file-index-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return index_out_of_range(file, random, {kTree, "function_list", "file_index", "file_list"});
     }},
    // At least two levels deeper than the call before. The next call is compared with the new depth, and fits.
    {"samply/inline-depth-jump",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto call = choose_call(file, random, [](const Entry&) { return true; });
         if (!call) return std::nullopt;
         RecordValues& tree = file[call->record];
         const bool is_first = call->element == 0;
         const uint64_t least = is_first ? 1 : get(tree, "inline_call_list", call->element - 1, "depth") + 2;
         set(tree, "inline_call_list", call->element, "depth", near_edge(random, least, 0xffffffff));
         return at_entry(file, *call, "inline_call_list", "depth");
     }},
    {"samply/inline-function-index-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return index_out_of_range(file, random, {kTree, "inline_call_list", "function_index", "function_list"});
     }},
    {"samply/range-count-zero",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto call = choose_call(file, random, [](const Entry&) { return true; });
         if (!call) return std::nullopt;
         set(file[call->record], "inline_call_list", call->element, "range_count", 0);
         return at_entry(file, *call, "inline_call_list", "range_count");
     }},
    // A call claims more ranges than it has, so that none are left for it or for a later call.
    {"samply/range-count-overrun",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto call = choose_call(file, random, [](const Entry&) { return true; });
         if (!call) return std::nullopt;
         RecordValues& tree = file[call->record];
         const uint64_t more = ranges_of(tree, call->element) + (one_in(random, 2) ? 1 : between(random, 1, 20));
         set(tree, "inline_call_list", call->element, "range_count", one_in(random, 4) ? 0xffffffff : more);
         uint64_t first = call->element;
         while (ranges_before(tree, first + 1) <= count_of(tree, "range_list")) ++first;
         return at_entry(file, {call->record, first}, "inline_call_list", "range_count");
     }},
    // A call claims fewer ranges than it has, or there are ranges after those of the last call.
    {"samply/range-count-unused",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (one_in(random, 2)) {
             const auto call =
                 choose_call(file, random, [&](const Entry& e) { return ranges_of(file[e.record], e.element) > 1; });
             if (!call) return std::nullopt;
             RecordValues& tree = file[call->record];
             const uint64_t has = ranges_of(tree, call->element), claims = between(random, 1, has - 1);
             set(tree, "inline_call_list", call->element, "range_count", claims);
             const uint64_t first = count_of(tree, "range_list") - (has - claims);
             return at_entry(file, {call->record, first}, "range_list", "start_offset",
                             (has - claims) * fixed_size(kRange));
         }
         const auto chosen = choose(file, random, kTree, [&](size_t i) { return code_size_of(file, i) > 0; });
         if (!chosen) return std::nullopt;
         RecordValues& tree = file[*chosen];
         const uint64_t first = count_of(tree, "range_list"), more = between(random, 1, 3);
         const uint64_t size = between(random, 1, code_size_of(file, *chosen));
         for (uint64_t i = 0; i < more; ++i) insert_row(tree, "range_list", first, {0, size});
         update_sizes(tree);
         return at_entry(file, {*chosen, first}, "range_list", "start_offset", more * fixed_size(kRange));
     }},
    // The sum of start and size is too large.
    {"samply/range-overflow",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const bool moves = one_in(random, 2);
         const std::string_view kept = moves ? "size" : "start_offset", changed = moves ? "start_offset" : "size";
         const auto range = choose_entry(file, random, kTree, "range_list", [&](const Entry& e) {
             return get(file[e.record], "range_list", e.element, kept) > 1;
         });
         if (!range) return std::nullopt;
         RecordValues& tree = file[range->record];
         const uint64_t other = get(tree, "range_list", range->element, kept);
         set(tree, "range_list", range->element, changed, near_edge(random, kEnd32 - other + 1, kEnd32 - 1));
         return at_entry(file, *range, "range_list", "start_offset", fixed_size(kRange));
     }},
    {"samply/range-beyond-code",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const bool moves = one_in(random, 2);
         const std::string_view kept = moves ? "size" : "start_offset", changed = moves ? "start_offset" : "size";
         const auto range = choose_entry(file, random, kTree, "range_list", [](const Entry&) { return true; });
         if (!range) return std::nullopt;
         RecordValues& tree = file[range->record];
         const uint64_t other = get(tree, "range_list", range->element, kept);
         const uint64_t least = code_size_of(file, range->record) - other + 1;
         set(tree, "range_list", range->element, changed,
             near_edge(random, least, std::min<uint64_t>(kEnd32 - other, kEnd32 - 1)));
         return at_entry(file, *range, "range_list", "start_offset", fixed_size(kRange));
     }},
    // Another range of a call, without code.
    {"samply/range-empty",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto call = choose_call(file, random, [](const Entry&) { return true; });
         if (!call) return std::nullopt;
         RecordValues& tree = file[call->record];
         const uint64_t own = ranges_of(tree, call->element);
         const uint64_t number = ranges_before(tree, call->element) + between(random, 0, own);
         const uint64_t start = near_edge(random, 0, code_size_of(file, call->record));
         insert_row(tree, "range_list", number, {start, 0});
         set(tree, "inline_call_list", call->element, "range_count", own + 1);
         update_sizes(tree);
         return at_entry(file, {call->record, number}, "range_list", "size");
     }},
    // A range of a call without callees. Its code becomes that of the caller, but its lines do not.
    {"samply/range-empty",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto depth = [&](const Entry& call, uint64_t next) {
             return get(file[call.record], "inline_call_list", call.element + next, "depth");
         };
         const auto call = choose_call(file, random, [&](const Entry& e) {
             const bool is_last = e.element + 1 == count_of(file[e.record], "inline_call_list");
             return is_last || depth(e, 1) <= depth(e, 0);
         });
         if (!call) return std::nullopt;
         RecordValues& tree = file[call->record];
         const uint64_t number = ranges_before(tree, call->element) + below(random, ranges_of(tree, call->element));
         set(tree, "range_list", number, "size", 0);
         Planted planted = at_entry(file, {call->record, number}, "range_list", "size");
         planted.consequences = {"samply/line-file-mismatch", "samply/line-spans-inline-boundary"};
         return planted;
     }},
    {"samply/line-file-index-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return index_out_of_range(file, random, {kTree, "line_record_list", "file_index", "file_list"});
     }},
};

}  // namespace

constinit const FaultList kTreeFaults{kTreeRows};

}  // namespace tracelint::samply::faults
