// Jitdumps in which every function has a tree of inlined calls, and hostile trees.
#include <vector>

#include "grammars/samply/records.hpp"
#include "tests/bench/jitdump_file.hpp"

namespace tracelint::bench {
namespace {

using Numbers = std::vector<uint32_t>;

// A tree record from its lists; `calls` and `lines` hold all numbers of their entries.
struct Tree {
    std::string files, names;
    uint32_t file_count = 0, name_count = 0;
    Numbers functions, calls, ranges, lines;
};

void add_string(std::string& list, uint32_t& count, const std::string& text) {
    list += text;
    list += '\0';
    ++count;
}

void pad(std::string& list) { list.resize((list.size() + 3) / 4 * 4); }

void tree_record(JitdumpFile& file, const Tree& tree) {
    const size_t numbers = tree.functions.size() + tree.calls.size() + tree.ranges.size() + tree.lines.size();
    file.prefix(samply::kTreeId, 48 + tree.files.size() + tree.names.size() + 4 * numbers);
    for (const size_t count :
         {size_t{tree.file_count}, tree.files.size(), size_t{tree.name_count}, tree.names.size(),
          tree.functions.size() / 5, tree.calls.size() / 5, tree.ranges.size() / 2, tree.lines.size() / 4})
        file.number(count, 4);
    file.bytes(tree.files);
    file.bytes(tree.names);
    for (const Numbers* list : {&tree.functions, &tree.calls, &tree.ranges, &tree.lines})
        for (const uint32_t number : *list) file.number(number, 4);
}

constexpr uint32_t kFunctions = 12;

Tree with_functions() {
    Tree tree;
    for (uint32_t i = 0; i < 3; ++i)
        add_string(tree.files, tree.file_count, "/srv/app/src/module_" + std::to_string(i) + ".js");
    for (uint32_t i = 0; i < kFunctions; ++i) {
        add_string(tree.names, tree.name_count, "Module.method_" + std::to_string(i));
        for (const uint32_t number : {i, i % 3, 10 * i + 1, uint32_t{4}, uint32_t{0}}) tree.functions.push_back(number);
    }
    pad(tree.files);
    pad(tree.names);
    return tree;
}

// 50 calls in groups of five, each inside of the one before, side by side; a line wherever the innermost
// function changes.
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

void trees(const std::string& path, uint64_t bytes) {
    JitdumpFile file(path, bytes);
    uint64_t address = 0x7f00'0000'0000;
    for (uint64_t index = 1; file.wants_more(); ++index, address += 1024) {
        tree_record(file, inlined_calls(file));
        file.load_record(address, 1000, index, "JS:*method_" + std::to_string(index));
    }
}

// Records of 16 MB, one call each, whose ranges are in no order and overlap.
void wild_ranges(const std::string& path, uint64_t bytes) {
    JitdumpFile file(path, bytes);
    for (uint64_t index = 1; file.wants_more(); ++index) {
        Tree tree = with_functions();
        const uint32_t ranges = 1'000'000;
        for (uint32_t depth = 0; depth < 2; ++depth)
            for (const uint32_t number : {depth, ranges, uint32_t{1}, uint32_t{7}, uint32_t{3}})
                tree.calls.push_back(number);
        for (uint32_t i = 0; i < 2 * ranges; ++i) {
            tree.ranges.push_back(static_cast<uint32_t>(file.below(1'000'000'000)));
            tree.ranges.push_back(static_cast<uint32_t>(file.below(2000)));
        }
        tree_record(file, tree);
        file.load_record(0x1000, 1, index, "");
    }
}

// Strings of a byte or two, all of them twice.
void short_strings(const std::string& path, uint64_t bytes) {
    JitdumpFile file(path, bytes);
    for (uint64_t index = 1; file.wants_more(); ++index) {
        Tree tree = with_functions();
        for (uint32_t i = 0; i < 2'000'000; ++i)
            add_string(tree.names, tree.name_count, std::string(1, static_cast<char>('a' + file.below(26))));
        pad(tree.names);
        tree_record(file, tree);
        file.load_record(0x1000, 1, index, "");
    }
}

constexpr File kFiles[] = {
    {"inlined-calls", "functions of 1000 bytes with 50 inlined calls", 500 * kMegabyte, trees},
    {"hostile-ranges", "trees of a million overlapping ranges", 64 * kMegabyte, wild_ranges},
    {"hostile-strings", "trees of two million equal names", 64 * kMegabyte, short_strings},
};

}  // namespace

std::span<const File> samply_files() { return kFiles; }

}  // namespace tracelint::bench
