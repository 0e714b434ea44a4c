// Random inline trees for generated files (section 7 of the digest), and what either layout of DEBUG_INFO2 makes
// of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "validator/bytes.hpp"
#include "validator/generator/random.hpp"

namespace tracelint::samply {

// A function's code and the calls that were inlined into it. Offsets count from its start.
struct InlineTreeSample {
    struct Function {
        std::string name, file;
        uint64_t start_line = 0, start_column = 0;
    };
    struct Range {
        uint64_t start = 0, end = 0;  // the end is not part of it
    };
    struct Call {
        uint64_t caller = kNone;  // number of the call that this one is inside of; kNone: the outer function
        uint64_t depth = 0;
        uint64_t function = 0;
        uint64_t line = 0, column = 0;  // in the caller's file
        std::vector<Range> ranges;
    };
    // Where the deepest function is, from the offset up to that of the next one.
    struct Line {
        uint64_t code_offset = 0;
        uint64_t line = 0, column = 0;
    };

    uint64_t code_size = 0;
    std::vector<Function> functions;  // the outer one first
    std::vector<Call> calls;          // in pre-order
    std::vector<Line> lines;          // ascending; one at least wherever another function begins to be the deepest

    // The deepest call at an offset; kNone: the outer function's own code, and behind the code.
    uint64_t deepest_call(uint64_t code_offset) const;
    uint64_t function_of(uint64_t call) const { return call == kNone ? 0 : calls[call].function; }
};

InlineTreeSample make_inline_tree(Random& random, uint64_t code_size);

// A list of a record: rows of numbers in the order of the element's fields, or strings.
struct SampleList {
    std::vector<std::vector<uint64_t>> rows;
    std::vector<std::string> strings;
    size_t size() const { return rows.size() + strings.size(); }
};
using SampleLists = std::map<std::string_view, SampleList>;  // by name

SampleLists tree_lists(const InlineTreeSample& tree, Random& random);
SampleLists positions_lists(const InlineTreeSample& tree, Random& random);

}  // namespace tracelint::samply
