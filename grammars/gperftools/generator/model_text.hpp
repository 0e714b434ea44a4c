// The texts of generated profiles: lists of mapped objects as the writers of two decades print them (3.4), and
// Java's locations (3.5).
#pragma once

#include "validator/describe.hpp"
#include "validator/generator/random.hpp"

namespace tracelint::gperftools {

// An object that is mapped while the program runs.
struct Mapping {
    uint64_t start = 0;
    uint64_t end = 0;
    std::string permissions;
    uint64_t file_offset = 0;
    uint64_t inode = 0;
    std::string path;

    bool is_executable() const { return permissions[2] == 'x'; }
};

// How mapping lines are printed: a copy of /proc/self/maps, by releases of gperftools, or by DumpAddressMap.
enum class LineStyle : uint8_t { verbatim, until_2_15, of_2_16, since_2_17, cooked };

// Mappings in ascending order that do not overlap, one of them executable at least; addresses fit into the word.
std::vector<Mapping> draw_mappings(Random& random, const Layout& layout);

// The lines of a text, each with its LF. `build`: there is a build line, and paths refer to it.
std::vector<std::string> lines_of(const std::vector<Mapping>& mappings, LineStyle style, bool build, Random& random);

// A line for each id, and some that no reader needs.
std::vector<std::string> location_lines(const std::vector<uint64_t>& ids, Random& random);

}  // namespace tracelint::gperftools
