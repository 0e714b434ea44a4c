// Planted faults of inline trees and of how their ranges nest.
#include "grammars/jitdump/samply/generator/faults.hpp"

namespace tracelint::samply::faults {

// Planted faults of the lists of an inline tree.

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

// Planted faults of the nesting of an inline tree: ranges of calls, and lines.

namespace {

struct Call {
    uint64_t number = 0, depth = 0, function = 0;
    uint64_t caller = kNone;  // number of a call; kNone: the outer function
    uint64_t first_range = 0, end_of_ranges = 0;
};

// The calls of a valid tree.
std::vector<Call> calls_of(const RecordValues& tree) {
    std::vector<Call> calls;
    std::vector<uint64_t> callers;
    uint64_t ranges = 0;
    for (uint64_t i = 0; i < count_of(tree, "inline_call_list"); ++i) {
        Call call{i, get(tree, "inline_call_list", i, "depth"), get(tree, "inline_call_list", i, "function_index")};
        callers.resize(call.depth);
        if (!callers.empty()) call.caller = callers.back();
        callers.push_back(i);
        call.first_range = ranges;
        call.end_of_ranges = ranges += get(tree, "inline_call_list", i, "range_count");
        calls.push_back(call);
    }
    return calls;
}

struct Range {
    uint64_t number = 0, call = 0;
    uint64_t start = 0, end = 0;
};

Range range_of(const RecordValues& tree, uint64_t call, uint64_t number) {
    const uint64_t start = get(tree, "range_list", number, "start_offset");
    return {number, call, start, start + get(tree, "range_list", number, "size")};
}

std::vector<Range> ranges_of(const RecordValues& tree, const Call& call) {
    std::vector<Range> ranges;
    for (uint64_t i = call.first_range; i < call.end_of_ranges; ++i) ranges.push_back(range_of(tree, call.number, i));
    return ranges;
}

// The ranges of all calls with the same caller, in address order.
std::vector<Range> ranges_of_callees(const RecordValues& tree, uint64_t caller) {
    std::vector<Range> all;
    for (const Call& call : calls_of(tree)) {
        if (call.caller != caller) continue;
        const std::vector<Range> ranges = ranges_of(tree, call);
        all.insert(all.end(), ranges.begin(), ranges.end());
    }
    std::sort(all.begin(), all.end(), [](const Range& a, const Range& b) { return a.start < b.start; });
    return all;
}

Call call_of_range(const RecordValues& tree, uint64_t number) {
    const std::vector<Call> calls = calls_of(tree);
    return *std::find_if(calls.begin(), calls.end(), [&](const Call& call) { return number < call.end_of_ranges; });
}

// For each byte of the code, whether the call's ranges cover it.
std::vector<bool> code_of(const RecordValues& tree, const Call& call, uint64_t code_size) {
    std::vector<bool> code(code_size);
    for (const Range& range : ranges_of(tree, call))
        for (uint64_t i = range.start; i < range.end; ++i) code[i] = true;
    return code;
}

// For each byte of the code, the function_index of the deepest call.
std::vector<uint64_t> deepest_functions(const RecordValues& tree, uint64_t code_size) {
    std::vector<uint64_t> functions(code_size, 0);
    for (const Call& call : calls_of(tree))
        for (const Range& range : ranges_of(tree, call))
            for (uint64_t i = range.start; i < range.end; ++i) functions[i] = call.function;
    return functions;
}

Planted at_range(const FileRecords& file, size_t record, uint64_t range) {
    return at_entry(file, {record, range}, "range_list", "start_offset", fixed_size(kRange));
}

uint64_t line_offset(const RecordValues& tree, uint64_t line) {
    return get(tree, "line_record_list", line, "code_offset");
}

// Where the code of a line ends.
uint64_t end_of_line(const FileRecords& file, const Entry& line) {
    const uint64_t code_size = code_size_of(file, line.record);
    const bool is_last = line.element + 1 == count_of(file[line.record], "line_record_list");
    return is_last ? code_size : std::min(code_size, line_offset(file[line.record], line.element + 1));
}

bool covers_code(const FileRecords& file, const Entry& line) {
    return line_offset(file[line.record], line.element) < end_of_line(file, line);
}

const std::string& file_of_line(const RecordValues& tree, uint64_t line) {
    return text_of(tree, "file_list", get(tree, "line_record_list", line, "file_index"));
}

// An index of a file with another name.
std::optional<uint64_t> other_file(const RecordValues& tree, const std::string& name, Random& random) {
    std::vector<uint64_t> others;
    for (uint64_t i = 0; i < count_of(tree, "file_list"); ++i)
        if (text_of(tree, "file_list", i) != name) others.push_back(i);
    if (others.empty()) return std::nullopt;
    return pick_of(random, others);
}

// A line that starts where the code of another function than that of the line before starts.
std::optional<Entry> choose_line_at_boundary(const FileRecords& file, Random& random, uint64_t least_bytes) {
    const auto fits = [&](const Entry& line) {
        if (line.element == 0 || !covers_code(file, line)) return false;
        if (!covers_code(file, {line.record, line.element - 1})) return false;
        const RecordValues& tree = file[line.record];
        const uint64_t start = line_offset(tree, line.element);
        const auto functions = deepest_functions(tree, code_size_of(file, line.record));
        return functions[start] != functions[start - 1] && end_of_line(file, line) - start >= least_bytes;
    };
    return choose_entry(file, random, kTree, "line_record_list", fits);
}

// Two ranges of one caller's callees that touch, or have only code of the outer function between them.
struct Neighbours {
    size_t record = 0;
    Range range, next;
};
std::optional<Neighbours> choose_neighbours(const FileRecords& file, Random& random, bool of_same_call) {
    std::vector<Neighbours> all;
    const auto add_callees = [&](size_t record, uint64_t caller) {
        const std::vector<Range> ranges = ranges_of_callees(file[record], caller);
        for (size_t i = 1; i < ranges.size(); ++i) {
            const Range &range = ranges[i - 1], &next = ranges[i];
            const bool fits = (range.call == next.call) == of_same_call;
            if (fits && (range.end == next.start || caller == kNone)) all.push_back({record, range, next});
        }
    };
    for (size_t i = 0; i < file.size(); ++i) {
        if (file[i].record != &kTree) continue;
        add_callees(i, kNone);
        for (const Call& call : calls_of(file[i])) add_callees(i, call.number);
    }
    if (all.empty()) return std::nullopt;
    return pick_of(random, all);
}

// A range grows into the next one. The finding is at the next one.
std::optional<Planted> range_grows(FileRecords& file, Random& random, bool into_same_call) {
    const auto found = choose_neighbours(file, random, into_same_call);
    if (!found) return std::nullopt;
    const auto& [record, range, next] = *found;
    const uint64_t end = near_edge(random, next.start + 1, next.end);
    set(file[record], "range_list", range.number, "size", end - range.start);
    return at_range(file, record, next.number);
}

constexpr FaultRow kNestingRows[] = {
    // The range is moved or longer. Its own callees come later in the list.
    {"samply/child-range-outside-parent",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto has_caller = [&](const Entry& range) {
             return call_of_range(file[range.record], range.element).caller != kNone;
         };
         const auto chosen = choose_entry(file, random, kTree, "range_list", has_caller);
         if (!chosen) return std::nullopt;
         RecordValues& tree = file[chosen->record];
         const uint64_t code_size = code_size_of(file, chosen->record);
         const Call call = call_of_range(tree, chosen->element);
         const std::vector<bool> callers_code = code_of(tree, calls_of(tree)[call.caller], code_size);
         Range range = range_of(tree, call.number, chosen->element);
         const uint64_t size = range.end - range.start;
         if (one_in(random, 2)) range.start = near_edge(random, 0, code_size - size);
         range.end = one_in(random, 2) ? range.start + size : near_edge(random, range.start + 1, code_size);
         const auto byte = [&](uint64_t at) { return callers_code.begin() + static_cast<std::ptrdiff_t>(at); };
         if (std::find(byte(range.start), byte(range.end), false) == byte(range.end)) return std::nullopt;
         set(tree, "range_list", range.number, "start_offset", range.start);
         set(tree, "range_list", range.number, "size", range.end - range.start);
         return at_range(file, chosen->record, range.number);
     }},
    // A call becomes a callee of the call before it, with which it shares no code.
    {"samply/child-range-outside-parent",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto depth = [&](const Entry& call, uint64_t before) {
             return get(file[call.record], "inline_call_list", call.element - before, "depth");
         };
         const auto call = choose_entry(file, random, kTree, "inline_call_list",
                                        [&](const Entry& e) { return e.element > 0 && depth(e, 0) <= depth(e, 1); });
         if (!call) return std::nullopt;
         RecordValues& tree = file[call->record];
         const uint64_t range = calls_of(tree)[call->element].first_range;
         set(tree, "inline_call_list", call->element, "depth", depth(*call, 0) + 1);
         return at_range(file, call->record, range);
     }},
    // Another call with the same caller, in part of the code of the first.
    {"samply/sibling-ranges-overlap",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto call = choose_entry(file, random, kTree, "inline_call_list", [](const Entry&) { return true; });
         if (!call) return std::nullopt;
         RecordValues& tree = file[call->record];
         const std::vector<Call> calls = calls_of(tree);
         const Call& sibling = calls[call->element];
         auto next = calls.begin() + static_cast<std::ptrdiff_t>(call->element) + 1;
         while (next != calls.end() && next->depth > sibling.depth) ++next;
         const uint64_t number = next == calls.end() ? calls.size() : next->number;
         const uint64_t new_range = next == calls.end() ? count_of(tree, "range_list") : next->first_range;
         const std::vector<Range> ranges = ranges_of(tree, sibling);
         const Range& under = pick_of(random, ranges);
         const uint64_t start = near_edge(random, under.start, under.end - 1);
         const uint64_t function = below(random, count_of(tree, "function_list"));
         insert_row(tree, "inline_call_list", number, {sibling.depth, 1, function, 1, 1});
         insert_row(tree, "range_list", new_range, {start, near_edge(random, 1, under.end - start)});
         update_sizes(tree);
         return at_range(file, call->record, new_range);
     }},
    // A range grows into that of a sibling.
    {"samply/sibling-ranges-overlap",
     [](FileRecords& file, Random& random) -> std::optional<Planted> { return range_grows(file, random, false); }},
    // Another range of a call, within one of its ranges.
    {"samply/range-self-overlap",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto chosen = choose_entry(file, random, kTree, "range_list", [](const Entry&) { return true; });
         if (!chosen) return std::nullopt;
         RecordValues& tree = file[chosen->record];
         const Call call = call_of_range(tree, chosen->element);
         const Range under = range_of(tree, call.number, chosen->element);
         const uint64_t start = near_edge(random, under.start, under.end - 1);
         const uint64_t new_range = chosen->element + 1;
         insert_row(tree, "range_list", new_range, {start, near_edge(random, 1, under.end - start)});
         set(tree, "inline_call_list", call.number, "range_count", call.end_of_ranges - call.first_range + 1);
         update_sizes(tree);
         return at_range(file, chosen->record, new_range);
     }},
    // A range grows into the next one of the same call.
    {"samply/range-self-overlap",
     [](FileRecords& file, Random& random) -> std::optional<Planted> { return range_grows(file, random, true); }},
    // A line names another file.
    {"samply/line-file-mismatch",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto line = choose_entry(file, random, kTree, "line_record_list", [&](const Entry& e) {
             return covers_code(file, e) && !shares_offset(file[e.record], "line_record_list", e.element);
         });
         if (!line) return std::nullopt;
         RecordValues& tree = file[line->record];
         const auto other = other_file(tree, file_of_line(tree, line->element), random);
         if (!other) return std::nullopt;
         set(tree, "line_record_list", line->element, "file_index", *other);
         return at_entry(file, *line, "line_record_list", "file_index");
     }},
    // A function names another file than its lines. The finding is at the first line.
    {"samply/line-file-mismatch",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto chosen = choose_entry(file, random, kTree, "line_record_list",
                                          [&](const Entry& entry) { return covers_code(file, entry); });
         if (!chosen) return std::nullopt;
         RecordValues& tree = file[chosen->record];
         const auto functions = deepest_functions(tree, code_size_of(file, chosen->record));
         const uint64_t function = functions[line_offset(tree, chosen->element)];
         const auto other = other_file(tree, file_of_line(tree, chosen->element), random);
         if (!other) return std::nullopt;
         set(tree, "function_list", function, "file_index", *other);
         Entry first{chosen->record, 0};
         while (!covers_code(file, first) || functions[line_offset(tree, first.element)] != function) ++first.element;
         return at_entry(file, first, "line_record_list", "file_index");
     }},
    // The line is missing, so the one before it extends into the code of another function.
    {"samply/line-spans-inline-boundary",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto line = choose_line_at_boundary(file, random, 1);
         if (!line) return std::nullopt;
         RecordValues& tree = file[line->record];
         erase_row(tree, "line_record_list", line->element);
         update_sizes(tree);
         return at_entry(file, {line->record, line->element - 1}, "line_record_list", "code_offset");
     }},
    // The line starts some bytes too late.
    {"samply/line-spans-inline-boundary",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto line = choose_line_at_boundary(file, random, 2);
         if (!line) return std::nullopt;
         RecordValues& tree = file[line->record];
         const uint64_t start = line_offset(tree, line->element);
         const uint64_t later = near_edge(random, start + 1, end_of_line(file, *line) - 1);
         set(tree, "line_record_list", line->element, "code_offset", later);
         return at_entry(file, {line->record, line->element - 1}, "line_record_list", "code_offset");
     }},
};

}  // namespace

constinit const FaultList kNestingFaults{kNestingRows};

}  // namespace tracelint::samply::faults
