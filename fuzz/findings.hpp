// What oracles compare: findings by place and rule, and outcomes as text.
#pragma once

#include <set>

#include "fuzz/oracles.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint {

struct Violation {
    uint64_t offset;
    std::string_view rule;
    uint64_t length;
    auto operator<=>(const Violation&) const = default;
};
using Findings = std::multiset<Violation>;

Violation finding_of(const Diagnostic& diagnostic);

// The findings for which `wanted(diagnostic)` holds.
template <class Wanted>
Findings findings_of(const Outcome& outcome, Wanted wanted) {
    Findings findings;
    for (const Diagnostic& diagnostic : outcome.report().diagnostics())
        if (wanted(diagnostic)) findings.insert(finding_of(diagnostic));
    return findings;
}

inline bool is_inside(uint64_t offset, uint64_t length, uint64_t size) {
    return offset <= size && length <= size - offset;
}

std::string text_of(const Violation& finding);
std::string text_of(const Findings& findings);

// Everything an outcome says about the decompressed bytes, for comparison.
std::string transcript(const Outcome& outcome);

// The options of a check of the input.
CheckOptions options_of(const Input& input);

// As check_all, for any source.
Outcome check_source(Source& source, const Input& input);

}  // namespace tracelint
