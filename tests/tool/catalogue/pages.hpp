// The pages for people: the names in them exist, and the outputs in them are those of the commands.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/paths.hpp"

namespace tracelint {

// Relative to the root.
inline std::vector<std::string> pages() {
    namespace fs = std::filesystem;
    std::vector<std::string> pages = {
        "README.md",        ".github/CONTRIBUTING.md", ".github/SECURITY.md",          "CHANGELOG.md",
        "corpus/README.md", "validator/README.md",     "validator/bindings/README.md", "validator/tool/fleet/README.md",
        "fuzz/README.md",   "tests/bench/README.md",
    };
    const fs::path root = paths::root();
    for (const fs::directory_entry& entry : fs::directory_iterator(root / "validator/tool/docs"))
        pages.push_back(entry.path().lexically_relative(root).string());
    std::ranges::sort(pages);
    return pages;
}

}  // namespace tracelint
