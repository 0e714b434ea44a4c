// Code that a later mapping hides (section 4.3, code-covered-by-later-mmap, code-covered-by-anonymous-mmap).
#pragma once

#include "grammars/siblings/checks/sweep.hpp"

namespace tracelint::siblings {

// The mappings that hide code, of all processes of a pair.
struct Covered {
    struct OfKind {
        uint64_t count = 0;                // mappings
        const Mapping* first = nullptr;    // in the file
        const Loaded* function = nullptr;  // that it hides
    };
    OfKind by_file;       // or by anonymous memory that readers keep
    OfKind by_anonymous;  // that readers drop
};

// Adds those of one process. `loads` by start, `samples` by address. False: the budget does not allow for it.
bool find_covered(const Pair& pair, std::span<const Loaded> loads, std::span<const Sample> samples, Covered& covered);

}  // namespace tracelint::siblings
