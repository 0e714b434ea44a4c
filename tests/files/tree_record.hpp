// Writes inline trees of samply.
#pragma once

#include <vector>

#include "grammars/jitdump/samply/records.hpp"
#include "tests/files/jitdump_file.hpp"

namespace tracelint::files {

using Numbers = std::vector<uint32_t>;

// The lists of a tree record. Lists of records hold the numbers of all their entries in a row.
struct Tree {
    std::string files, names;
    uint32_t file_count = 0, name_count = 0;
    Numbers functions, calls, ranges, lines;
};

inline void add_string(std::string& list, uint32_t& count, const std::string& text) {
    list += text;
    list += '\0';
    ++count;
}

inline void pad(std::string& list) { list.resize((list.size() + 3) / 4 * 4); }

inline void tree_record(JitdumpFile& file, const Tree& tree) {
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

inline constexpr uint32_t kFunctions = 12;

inline Tree with_functions() {
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

}  // namespace tracelint::files
