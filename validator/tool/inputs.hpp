// From the names on the command line to the files that are checked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "validator/source.hpp"

namespace tracelint {

struct Input {
    std::string path;  // "-" is standard input
    std::optional<size_t>
        folder;  // index of the walked folder that it was found in; such a file is skipped if it is not a trace
    std::string failure;  // why a folder could not be listed; then there is nothing to check
};

// The inputs in the order of `names`. A folder stands for the regular files in it and in its subfolders, sorted by
// path; links to folders are not followed. `folders` receives the named folders.
std::vector<Input> find_inputs(const std::vector<std::string>& names, std::vector<std::string>& folders);

// Opens a file, or standard input for "-". Never null, see open_file().
std::unique_ptr<Source> open_input(const std::string& path);

}  // namespace tracelint
