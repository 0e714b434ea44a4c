// From what the command line names to the files that are checked.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tracelint {

struct Input {
    std::string path;              // "-" is standard input
    std::optional<size_t> folder;  // number of the walked folder it was found in: skipped where it is no trace
    std::string failure;           // why a folder could not be walked; there is nothing to check then
};

// Files in the order of `names`; those of a folder, and of the folders in it, sorted by path. Links to
// folders and what is no regular file are left out of a walk. `folders` receives the named folders.
std::vector<Input> find_inputs(const std::vector<std::string>& names, std::vector<std::string>& folders);

}  // namespace tracelint
