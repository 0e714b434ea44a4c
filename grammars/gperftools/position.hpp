// gperftools, section 4: where the walk is, and what its parts tell each other.
#pragma once

#include "grammars/gperftools/machine.hpp"
#include "validator/report.hpp"

namespace tracelint::gperftools {

struct Position {
    uint64_t at = 0;       // of what is looked at
    uint64_t step = 0;     // its bytes
    Diagnostic refusal{};  // what the machine's edge for it says, but for the rule

    // The symbol, of which the edge has this to say.
    Symbol refused(Symbol symbol, const Place& place, std::initializer_list<uint64_t> numbers = {}) {
        refusal = {.place = place};
        std::copy(numbers.begin(), numbers.end(), refusal.numbers.begin());
        return symbol;
    }
};

}  // namespace tracelint::gperftools
