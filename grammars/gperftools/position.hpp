// gperftools, section 4.1: where the walk is, and what its parts tell each other about the input there.
#pragma once

#include "grammars/gperftools/machine.hpp"
#include "validator/report/report.hpp"

namespace tracelint::gperftools {

struct Position {
    uint64_t at = 0;       // offset of the input
    uint64_t length = 0;   // bytes of the input to step over
    Diagnostic finding{};  // what the machine's edge for the input reports, if it has a rule; the rule is the edge's

    // The symbol, with the place and the numbers for the rule of its edge.
    Symbol with_finding(Symbol symbol, const Place& place, std::initializer_list<uint64_t> numbers = {}) {
        finding = {.place = place};
        std::copy(numbers.begin(), numbers.end(), finding.numbers.begin());
        return symbol;
    }
};

}  // namespace tracelint::gperftools
