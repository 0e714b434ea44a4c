// Draws inline trees: the code of a caller is cut into pieces, some of which belong to its callees, recursively.
#include "grammars/jitdump/samply/generator/inline_tree_sample.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tracelint::samply {
namespace {

using Tree = InlineTreeSample;
using Range = Tree::Range;

constexpr uint64_t kMost32 = 0xffffffff;

constexpr std::string_view kNames[] = {
    "main",
    "clamp",
    "Array.prototype.map",
    "~\xc3\xbc"
    "bergr\xc3\xb6\xc3\x9f"
    "e",
    "\xe6\xbc\xa2\xe5\xad\x97",
    "\xf0\x9f\x8e\x89()",
    "\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf",
    "(anonymous)",
    "",
};
constexpr std::string_view kFiles[] = {
    "main.js", "util.js", "lib/\xc3\xa9t\xc3\xa9.py", "/srv/\xe6\xbc\xa2\xe5\xad\x97/app.js", "node:internal/util", "",
};

// Ascending offsets in the range, including both ends.
std::vector<uint64_t> draw_cuts(Random& random, const Range& range) {
    std::vector<uint64_t> cuts{range.start, range.end};
    for (uint64_t left = below(random, 4); left > 0; --left) cuts.push_back(between(random, range.start, range.end));
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    return cuts;
}

// The smallest set of ranges that covers the same code.
std::vector<Range> merged(std::vector<Range> ranges) {
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.start < b.start; });
    std::vector<Range> made;
    for (const Range& range : ranges) {
        if (!made.empty() && made.back().end == range.start)
            made.back().end = range.end;
        else
            made.push_back(range);
    }
    return made;
}

template <class Element>
void shuffle(std::vector<Element>& elements, Random& random) {
    for (size_t left = elements.size(); left > 1; --left) std::swap(elements[left - 1], elements[below(random, left)]);
}

class TreeMaker {
  public:
    TreeMaker(Random& random, uint64_t code_size) : random_(random) { tree_.code_size = code_size; }

    InlineTreeSample make() {
        calls_left_ = one_in(random_, 5) ? 0 : one_in(random_, 6) ? between(random_, 10, 40) : between(random_, 1, 9);
        is_deep_ = one_in(random_, 6);
        add_function();
        if (tree_.code_size > 0) inline_into(kNone, {{0, tree_.code_size}});
        if (one_in(random_, 12)) add_function();  // without a call
        draw_lines();
        return std::move(tree_);
    }

  private:
    using Pieces = std::vector<Range>;

    void add_function() {
        const uint64_t line = one_in(random_, 8) ? edge_number(random_, 32) : between(random_, 1, 500);
        const uint64_t column = one_in(random_, 8) ? edge_number(random_, 32) : between(random_, 0, 80);
        tree_.functions.push_back(
            {std::string(pick_of(random_, kNames)), std::string(pick_of(random_, kFiles)), line, column});
    }

    // Draws calls inlined into the caller's code, recursively. The number of calls bounds the depth.
    void inline_into(uint64_t caller, const Pieces& code) {
        for (Pieces& pieces : draw_callees(code)) {
            if (calls_left_ == 0) return;
            --calls_left_;
            const uint64_t number = tree_.calls.size();
            const Pieces callees_code = merged(pieces);
            if (one_in(random_, 3)) shuffle(pieces, random_);  // ranges may be in any order
            tree_.calls.push_back(draw_call(caller, std::move(pieces)));
            inline_into(number, callees_code);
        }
    }

    Tree::Call draw_call(uint64_t caller, Pieces ranges) {
        Tree::Call call;
        call.caller = caller;
        call.depth = caller == kNone ? 0 : tree_.calls[caller].depth + 1;
        call.function = draw_function(tree_.function_of(caller));
        call.line = draw_line(tree_.function_of(caller));
        call.column = below(random_, 80);
        call.ranges = std::move(ranges);
        return call;
    }

    uint64_t draw_function(uint64_t callers) {
        if (one_in(random_, 10)) return 0;       // recursion into the outer function
        if (one_in(random_, 8)) return callers;  // direct recursion
        if (one_in(random_, 3)) return below(random_, tree_.functions.size());
        add_function();
        return tree_.functions.size() - 1;
    }

    // The code of each callee. The rest is the caller's own.
    std::vector<Pieces> draw_callees(const Pieces& code) {
        if (is_deep_) return {all_but_edges(code)};
        std::vector<Pieces> callees(below(random_, 4));
        for (const Range& range : code) {
            const std::vector<uint64_t> cuts = draw_cuts(random_, range);
            for (size_t i = 1; i < cuts.size(); ++i) {
                const uint64_t owner = below(random_, callees.size() + 1);
                if (owner < callees.size()) callees[owner].push_back({cuts[i - 1], cuts[i]});
            }
        }
        std::erase_if(callees, [](const Pieces& pieces) { return pieces.empty(); });
        return callees;
    }

    Pieces all_but_edges(const Pieces& code) {
        Pieces inner = code;
        for (Range& range : inner) {
            if (range.end - range.start > 2) range.start += below(random_, 2);
            if (range.end - range.start > 2) range.end -= below(random_, 2);
        }
        return inner;
    }

    uint64_t draw_line(uint64_t function) {
        if (one_in(random_, 16)) return edge_number(random_, 32);
        return std::min(tree_.functions[function].start_line + below(random_, 40), kMost32);
    }

    void draw_lines() {
        if (one_in(random_, 10)) return;
        const uint64_t first = one_in(random_, 6) ? below(random_, tree_.code_size + 1) : 0;  // after a prologue
        const uint64_t bytes_a_line = tree_.code_size > 100 ? 64 : pick<uint64_t>(random_, {4, 16, 64});
        uint64_t call_before = kNone;
        for (uint64_t offset = first; offset < tree_.code_size; ++offset) {
            const uint64_t call = tree_.deepest_call(offset);
            const bool other_function = offset == first || tree_.function_of(call) != tree_.function_of(call_before);
            const bool other_call = call != std::exchange(call_before, call);
            // A line may extend into another inlined copy of the same function.
            if (other_function || (other_call && one_in(random_, 2)) || one_in(random_, bytes_a_line))
                add_line(offset, tree_.function_of(call));
        }
        if (one_in(random_, 12)) add_line(tree_.code_size, 0);  // some writers mark the end
    }

    void add_line(uint64_t offset, uint64_t function) {
        // One less than the maximum, as records whose columns count from 1 store one more.
        Tree::Line line{offset, draw_line(function), one_in(random_, 16) ? kMost32 - 1 : below(random_, 80)};
        const Tree::Line before = tree_.lines.empty() ? Tree::Line{} : tree_.lines.back();
        if (line.line == before.line && line.column == before.column) line.column = (line.column + 1) % 100;
        if (!tree_.lines.empty() && one_in(random_, 24))
            line = {offset, before.line, before.column};  // a redundant line
        tree_.lines.push_back(line);
        if (one_in(random_, 40)) tree_.lines.push_back(line);  // a duplicate
    }

    Random& random_;
    Tree tree_;
    uint64_t calls_left_ = 0;
    bool is_deep_ = false;  // calls nested in each other, with almost the same code
};

// The strings of a list. Some writers repeat them.
class StringList {
  public:
    StringList(SampleList& list, Random& random) : list_(list), random_(random), repeats_(one_in(random, 6)) {
        if (one_in(random_, 8)) list_.strings.emplace_back("unused");
    }

    uint64_t index_of(const std::string& text) {
        const auto found = std::find(list_.strings.begin(), list_.strings.end(), text);
        const auto index = static_cast<uint64_t>(found - list_.strings.begin());
        if (found != list_.strings.end() && !(repeats_ && one_in(random_, 4))) return index;
        list_.strings.push_back(text);
        return list_.strings.size() - 1;
    }

  private:
    SampleList& list_;
    Random& random_;
    bool repeats_;
};

// Source positions; callers come before their callees.
class PositionList {
  public:
    PositionList(const Tree& tree, SampleLists& lists, Random& random)
        : tree_(tree), random_(random), positions_(lists["source_positions"]), strings_(lists["strings"], random) {
        for (const Tree::Function& function : tree_.functions) {
            names_.push_back(strings_.index_of(function.name));
            files_.push_back(function.file.empty() ? kNone : strings_.index_of(function.file));  // kNone: unknown
        }
    }

    // The position of a line in the call's function, with the positions of all its callers.
    uint64_t index_of(uint64_t call, uint64_t line, uint64_t column) {
        uint64_t caller_index = kNone;
        std::vector<uint64_t> chain;  // innermost first
        for (uint64_t at = call; at != kNone; at = tree_.calls[at].caller) chain.push_back(at);
        for (; !chain.empty(); chain.pop_back()) {
            const Tree::Call& inlined = tree_.calls[chain.back()];
            caller_index = frame(caller_index, tree_.function_of(inlined.caller), inlined.line, inlined.column);
        }
        return frame(caller_index, tree_.function_of(call), line, column);
    }

    // Shuffles the positions, as callers need not come first.
    std::vector<uint64_t> reorder() {
        std::vector<uint64_t> places(positions_.rows.size());
        for (uint64_t i = 0; i < places.size(); ++i) places[i] = i;
        shuffle(places, random_);
        std::vector<std::vector<uint64_t>> rows(places.size());
        for (size_t i = 0; i < places.size(); ++i) {
            std::vector<uint64_t> row = positions_.rows[i];
            if (row[0] != kNone) row[0] = places[row[0]];
            rows[places[i]] = std::move(row);
        }
        positions_.rows = std::move(rows);
        return places;
    }

  private:
    uint64_t frame(uint64_t caller_index, uint64_t function, uint64_t line, uint64_t column) {
        const auto key = std::tuple(caller_index, function, line, column);
        const auto [at, is_new] = known_.emplace(key, positions_.rows.size());
        const Tree::Function& of = tree_.functions[function];
        if (is_new)
            positions_.rows.push_back(
                {caller_index, names_[function], files_[function], of.start_line, of.start_column, line, column});
        return at->second;
    }

    const Tree& tree_;
    Random& random_;
    SampleList& positions_;
    StringList strings_;
    std::vector<uint64_t> names_, files_;  // string indexes, by function
    std::map<std::tuple<uint64_t, uint64_t, uint64_t, uint64_t>, uint64_t> known_;
};

}  // namespace

uint64_t InlineTreeSample::deepest_call(uint64_t code_offset) const {
    uint64_t deepest = kNone;  // callees come after their callers
    for (uint64_t i = 0; i < calls.size(); ++i)
        for (const Range& range : calls[i].ranges)
            if (range.start <= code_offset && code_offset < range.end) deepest = i;
    return deepest;
}

InlineTreeSample make_inline_tree(Random& random, uint64_t code_size) { return TreeMaker(random, code_size).make(); }

SampleLists tree_lists(const InlineTreeSample& tree, Random& random) {
    SampleLists lists;
    StringList files(lists["file_list"], random), names(lists["function_names_list"], random);
    const uint64_t flags = one_in(random, 8) ? random() & kMost32 : 0;
    for (const Tree::Function& function : tree.functions)
        lists["function_list"].rows.push_back({names.index_of(function.name), files.index_of(function.file),
                                               function.start_line, function.start_column, flags});
    for (const Tree::Call& call : tree.calls) {
        lists["inline_call_list"].rows.push_back(
            {call.depth, call.ranges.size(), call.function, call.line, call.column});
        for (const Range& range : call.ranges)
            lists["range_list"].rows.push_back({range.start, range.end - range.start});
    }
    std::vector<std::vector<uint64_t>>& lines = lists["line_record_list"].rows;
    for (const Tree::Line& line : tree.lines) {
        const Tree::Function& deepest = tree.functions[tree.function_of(tree.deepest_call(line.code_offset))];
        // A second line at the same offset must be identical, including its file index.
        if (!lines.empty() && lines.back()[0] == line.code_offset)
            lines.push_back(lines.back());
        else
            lines.push_back({line.code_offset, files.index_of(deepest.file), line.line, line.column});
    }
    return lists;
}

SampleLists positions_lists(const InlineTreeSample& tree, Random& random) {
    SampleLists lists;
    PositionList positions(tree, lists, random);
    std::vector<std::vector<uint64_t>>& offsets = lists["code_offsets"].rows;
    const auto add = [&](uint64_t offset, uint64_t call, const Tree::Line& line) {
        // Columns count from 1 in this layout.
        offsets.push_back({offset, positions.index_of(call, line.line, line.column + 1)});
    };
    for (size_t i = 0; i < tree.lines.size(); ++i) {
        const Tree::Line& line = tree.lines[i];
        const uint64_t end = i + 1 < tree.lines.size() ? tree.lines[i + 1].code_offset : tree.code_size;
        uint64_t call = tree.deepest_call(line.code_offset);
        add(line.code_offset, call, line);
        for (uint64_t offset = line.code_offset + 1; offset < end; ++offset)
            if (const uint64_t before = std::exchange(call, tree.deepest_call(offset)); call != before)
                add(offset, call, line);
    }
    if (one_in(random, 3)) {
        const std::vector<uint64_t> places = positions.reorder();
        for (std::vector<uint64_t>& row : offsets) row[1] = places[row[1]];
    }
    const bool has_prologue = !offsets.empty() && offsets.front()[0] > 0;
    if (has_prologue && one_in(random, 2)) offsets.insert(offsets.begin(), {0, kMost32});  // no position
    return lists;
}

}  // namespace tracelint::samply
