// perf map, section 3.4: what the names of V8 say of the whole file.
#pragma once

#include <optional>

#include "grammars/perfmap/checks/lines.hpp"

namespace tracelint::perfmap {

class V8Names {
  public:
    // A line with all its parts.
    void add(const LineInFile& line);
    // At the end of a file all of whose lines were read.
    void finish(ValidationContext& context) const;

  private:
    void add_interpreted(const LineInFile& line);

    uint64_t functions_ = 0;
    uint64_t expressions_ = 0;  // regular ones
    uint64_t interpreted_ = 0;
    std::optional<Place> first_interpreted_;
    std::optional<uint64_t> size_;    // of the first interpreted function
    std::optional<uint64_t> copied_;  // the size of the built-in code that each interpreted function gets a copy of
    bool sizes_differ_ = false;
    bool has_copy_ = false;  // an interpreted function has the size of that code
};

extern const RuleList kV8Rules;

}  // namespace tracelint::perfmap
