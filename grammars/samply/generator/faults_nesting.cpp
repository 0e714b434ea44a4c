// Planted faults of the nesting of an inline tree: ranges of calls, and lines.
#include "grammars/samply/generator/faults.hpp"

namespace tracelint::samply::faults {
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
