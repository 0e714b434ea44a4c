// Random inline trees for generated files, and their representations in the two layouts of DEBUG_INFO2.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "validator/generator/record_values.hpp"
#include "validator/tables/bytes.hpp"

namespace tracelint::samply {

// The code of a function and the calls inlined into it. Offsets are in bytes from the start of the function.
struct InlineTreeSample {
    struct Function {
        std::string name, file;
        uint64_t start_line = 0, start_column = 0;
    };
    struct Range {
        uint64_t start = 0, end = 0;  // end is exclusive
    };
    struct Call {
        uint64_t caller = kNone;  // index of the call that this one is inlined into; kNone: the outer function
        uint64_t depth = 0;
        uint64_t function = 0;
        uint64_t line = 0, column = 0;  // in the caller's file
        std::vector<Range> ranges;
    };
    // The position in the deepest function, from this offset up to that of the next line.
    struct Line {
        uint64_t code_offset = 0;
        uint64_t line = 0, column = 0;
    };

    uint64_t code_size = 0;
    std::vector<Function> functions;  // the outer function first
    std::vector<Call> calls;          // in pre-order
    std::vector<Line> lines;          // ascending, with at least one wherever the deepest function changes

    // The deepest call at an offset; kNone for code of the outer function and after the end of the code.
    uint64_t deepest_call(uint64_t code_offset) const;
    uint64_t function_of(uint64_t call) const { return call == kNone ? 0 : calls[call].function; }
};

InlineTreeSample make_inline_tree(Random& random, uint64_t code_size);

// The content of a list: rows of numbers in the order of the element's fields, or strings.
struct SampleList {
    std::vector<std::vector<uint64_t>> rows;
    std::vector<std::string> strings;
    size_t size() const { return rows.size() + strings.size(); }
};
using SampleLists = std::map<std::string_view, SampleList>;  // by name

SampleLists tree_lists(const InlineTreeSample& tree, Random& random);
SampleLists positions_lists(const InlineTreeSample& tree, Random& random);

}  // namespace tracelint::samply
