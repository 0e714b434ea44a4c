// The two layouts of samply's DEBUG_INFO2 against each other: made from one tree of inlined calls, they say
// the same about every byte of the code.
#include "grammars/jitdump/samply/generator/inline_tree_sample.hpp"

#include <doctest/doctest.h>

#include <optional>

namespace tracelint::samply {
namespace {

struct Frame {
    std::string function;
    uint64_t line;
    bool operator==(const Frame&) const = default;
};
using Frames = std::vector<Frame>;  // innermost first
using Row = std::vector<uint64_t>;

// Lists without an element may be missing.
const SampleList& list_of(const SampleLists& lists, std::string_view name) {
    static const SampleList kEmpty;
    const auto found = lists.find(name);
    return found == lists.end() ? kEmpty : found->second;
}

// The last row whose first number is `offset` or lower.
const Row* row_at(const SampleList& list, uint64_t offset) {
    const Row* found = nullptr;
    for (const Row& row : list.rows)
        if (row[0] <= offset) found = &row;
    return found;
}

// A model of a reader of trees: the calls that cover the byte are nested, in the order of the list.
Frames frames_of_tree(const SampleLists& lists, uint64_t offset) {
    const Row* line = row_at(list_of(lists, "line_record_list"), offset);
    if (line == nullptr) return {};
    const auto name_of = [&](uint64_t function) {
        return list_of(lists, "function_names_list").strings[list_of(lists, "function_list").rows[function][0]];
    };
    Frames outermost_first{{name_of(0), 0}};
    size_t range = 0;
    for (const Row& call : list_of(lists, "inline_call_list").rows) {
        bool covers = false;
        for (uint64_t i = 0; i < call[1]; ++i, ++range) {
            const Row& span = list_of(lists, "range_list").rows[range];
            covers = covers || (span[0] <= offset && offset < span[0] + span[1]);
        }
        if (!covers) continue;
        outermost_first.back().line = call[3];
        outermost_first.push_back({name_of(call[2]), 0});
    }
    outermost_first.back().line = (*line)[2];
    return {outermost_first.rbegin(), outermost_first.rend()};
}

// A model of samply's reader: a chain of callers for each position.
Frames frames_of_positions(const SampleLists& lists, uint64_t offset) {
    const Row* entry = row_at(list_of(lists, "code_offsets"), offset);
    if (entry == nullptr) return {};
    Frames frames;
    const auto& positions = list_of(lists, "source_positions").rows;
    for (uint64_t at = (*entry)[1]; at < positions.size(); at = positions[at][0])
        frames.push_back({list_of(lists, "strings").strings[positions[at][1]], positions[at][5]});
    return frames;
}

}  // namespace

TEST_CASE("a tree and positions made from the same calls give the same frames at every byte") {
    size_t compared = 0, inlined = 0;
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        Random random(seed);
        const InlineTreeSample sample = make_inline_tree(random, seed % 97 * 5);
        const SampleLists tree = tree_lists(sample, random), positions = positions_lists(sample, random);
        for (uint64_t offset = 0; offset < sample.code_size; ++offset) {
            const Frames from_tree = frames_of_tree(tree, offset),
                         from_positions = frames_of_positions(positions, offset);
            REQUIRE_MESSAGE((from_tree == from_positions), "seed " << seed << ", offset " << offset);
            ++compared;
            inlined += from_tree.size() > 2;
        }
    }
    CHECK(compared > 50'000);
    CHECK(inlined > 5000);
}

}  // namespace tracelint::samply
