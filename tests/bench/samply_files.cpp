// Jitdump files with an inline tree for every function, and hostile trees.
#include <vector>

#include "tests/bench/files.hpp"
#include "tests/bench/real_files.hpp"
#include "tests/files/tree_record.hpp"

namespace tracelint::bench {
namespace {

using namespace files;

// Ten groups of five nested calls, with a line wherever the innermost function changes.
Tree inlined_calls(JitdumpFile& file) {
    Tree tree = with_functions();
    const auto line = [&](uint32_t offset, uint32_t function) {
        for (const uint32_t number : {offset, function % 3, 10 * function + 1 + static_cast<uint32_t>(file.below(9)),
                                      static_cast<uint32_t>(file.below(80))})
            tree.lines.push_back(number);
    };
    for (uint32_t group = 0; group < 10; ++group) {
        const uint32_t start = 100 * group + 4;
        std::vector<uint32_t> functions;
        line(100 * group, 0);
        for (uint32_t depth = 0; depth < 5; ++depth) {
            functions.push_back(1 + static_cast<uint32_t>(file.below(kFunctions - 1)));
            for (const uint32_t number : {depth, uint32_t{1}, functions.back(), uint32_t{7}, uint32_t{3}})
                tree.calls.push_back(number);
            tree.ranges.push_back(start + 8 * depth);
            tree.ranges.push_back(90 - 16 * depth);
            line(start + 8 * depth, functions.back());
        }
        for (uint32_t depth = 5; depth-- > 0;) line(start + 90 - 8 * depth, depth == 0 ? 0 : functions[depth - 1]);
    }
    return tree;
}

void trees(const Target& to) {
    JitdumpFile file(to);
    uint64_t address = 0x7f00'0000'0000;
    for (uint64_t index = 1; file.wants_more(); ++index, address += 1024) {
        tree_record(file, inlined_calls(file));
        file.load_record(address, 1000, index, "JS:*method_" + std::to_string(index));
    }
}

const File kFiles[] = {
    {"real-webkit", "Bun's file with inline trees", 128 * kMegabyte, webkit, jitdump_readers()},
    {"inlined-calls", "functions of 1000 bytes with 50 inlined calls", 500 * kMegabyte, trees},
    hostile("samply-ranges"),
    hostile("samply-strings"),
    hostile("samply-colliding-strings"),
};

}  // namespace

std::span<const File> samply_files() { return kFiles; }

}  // namespace tracelint::bench
