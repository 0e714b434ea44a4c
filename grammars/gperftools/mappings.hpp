// gperftools, sections 3.4.2 to 3.4.4: build specifiers and mapping lines.
#pragma once

#include <string>

#include "grammars/gperftools/line.hpp"
#include "grammars/gperftools/ranges.hpp"
#include "validator/memory/waiting.hpp"

namespace tracelint::gperftools {

struct Profile;

// The build specifiers of a profile, and their use in paths.
class BuildVariables {
  public:
    void define(Profile& profile, const Line& line, const Piece& value);
    void check_path(Profile& profile, const Line& line, const Piece& path) const;
    void clear() { is_defined_ = false; }

  private:
    bool is_defined_ = false;
    std::string first_;          // the first value, as far as its line is looked at
    uint64_t first_length_ = 0;  // of the whole value, in bytes
};

class Mappings {
  public:
    Mappings(Budget& budget, WorkCounter& work) : ranges_(budget, work) {}

    // A mapping line in a list of mapped objects.
    void add(Profile& profile, const Line& line, const Mapping& mapping);
    void define_build(Profile& profile, const Line& line, const Piece& value) { builds_.define(profile, line, value); }

    uint64_t count() const { return count_; }
    uint64_t executable_count() const { return executable_count_; }
    // Whether the address lies in an executable mapping.
    bool explains(uint64_t address) { return ranges_.is_executable(address); }
    // The end of the list.
    void finish(Profile& profile);
    // Forgets the ranges, and with them the overlaps that were found in the profile.
    void stop_tracking(Profile& profile);
    // Forgets everything.
    void clear();

  private:
    // The range of a line, to be compared with those of earlier lines.
    struct Tracked {
        uint64_t first = 0, last = 0;  // addresses
        uint64_t image = 0;            // identifies the path; 0: it cannot share its range with another one
        bool is_kept = false, is_executable = false;
        Place range{}, line{};
    };
    // Whether the line is kept (section 5.3, dropped mappings): its range can be compared with others.
    bool check_range(Profile& profile, const Line& line, const Mapping& mapping);
    void check_order(Profile& profile, const Line& line, const Mapping& mapping);
    void track(Profile& profile, const Line& line, const Mapping& mapping, bool is_kept, bool is_executable);
    void compare(Profile& profile, const Tracked& tracked);

    BuildVariables builds_;
    Ranges ranges_;                              // of the lines that are kept, and of executable ones
    Waiting<Tracked, 16> tracked_;               // lines that are not compared yet
    uint64_t count_ = 0, executable_count_ = 0;  // lines
    uint64_t last_start_ = 0;                    // of the last line that was kept
};

extern const RuleList kMappingRules;

}  // namespace tracelint::gperftools
