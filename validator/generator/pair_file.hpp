// The cases of rules about files that belong together (.pair, corpus/siblings/README.md), and exhibits of the museum:
// edits of recorded files, with the findings that are expected in each. Tests, fuzz seeds and `explain` read them.
#pragma once

#include "validator/generator/case_file.hpp"

namespace tracelint {

// A file of a group.
struct PairMember {
    std::string name;  // without its folder
    std::string bytes;
};

// One `expect` line.
struct PairExpectation {
    std::string file;                    // a member
    Expectation finding{};               // without a wording
    std::vector<std::string> wording{};  // the lines below: says "message", hint "text", related FILE OFFSET+LENGTH

    // As it is written: "expect error siblings/stale-dump jit-4.dump 0x30+8 records[0].timestamp".
    std::string line() const;
};

struct PairBlock {
    bool is_violation = false;  // or an exhibit; otherwise a near miss
    std::string title;
    size_t line = 0;                   // of the title
    std::string folder;                // of corpus/siblings/real
    size_t folder_line = 0;            // where it is named
    std::vector<std::string> lines{};  // as written: line "what two of the files say together"
    std::vector<PairMember> files{};   // after all edits; sorted by name, as recorded
    std::vector<std::string> edits{};  // as written
    std::vector<PairExpectation> expected{};
};

struct PairFile {
    std::string path;
    std::string rule;         // id, from the path: siblings/pairs/<slug>.pair; of an exhibit: that of its first finding
    std::string description;  // the comment at the top
    std::string spec;         // its "spec:" line
    std::string report;       // its "report:" line; only in exhibits
    std::string cost;         // its "cost:" line; only in exhibits
    std::vector<PairBlock> blocks{};
};

// The files of corpus/siblings/real/<folder>, sorted by name; none if there is no such folder.
using PairReader = std::function<std::vector<PairMember>(std::string_view folder)>;

PairFile read_pair(std::string_view text, const std::string& path, const PairReader& real, Errors& errors);

}  // namespace tracelint
