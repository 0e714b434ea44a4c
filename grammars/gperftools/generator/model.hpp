// gperftools: what generated profiles consist of.
#pragma once

#include "validator/generator/generator.hpp"
#include "validator/generator/record_values.hpp"
#include "validator/tables/describe.hpp"

namespace tracelint::gperftools {

// The texts of generated profiles: map lists as all releases of the writers print them (section 3.4), and Java
// locations (section 3.5).

// A mapped object.
struct MappedObject {
    uint64_t start = 0;
    uint64_t end = 0;
    std::string permissions;
    uint64_t file_offset = 0;
    uint64_t inode = 0;
    std::string path;

    bool is_executable() const { return permissions[2] == 'x'; }
};

// The styles of mapping lines: copied from /proc/self/maps, by release of gperftools, or printed by DumpAddressMap.
enum class LineStyle : uint8_t { verbatim, until_2_15, of_2_16, since_2_17, cooked };

// Disjoint mappings in ascending order, at least one of them executable. Addresses fit in the word size.
std::vector<MappedObject> draw_mappings(Random& random, const Layout& layout);

// The lines of a map list, each with its LF. `build`: add a build line, and refer to it in paths.
std::vector<std::string> lines_of(const std::vector<MappedObject>& mappings, LineStyle style, bool build,
                                  Random& random);

// A line for each id, and some other lines that readers skip.
std::vector<std::string> location_lines(const std::vector<uint64_t>& ids, Random& random);

// The model of gperftools CPU profiles.

// A profile of a random dialect, in a random layout of the four.
std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options);

}  // namespace tracelint::gperftools
