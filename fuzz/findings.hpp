// What oracles compare: findings by place and rule, and all that an outcome says, as text.
#pragma once

#include <set>

#include "fuzz/oracles.hpp"

namespace tracelint {

struct Finding {
    uint64_t offset;
    std::string_view rule;
    uint64_t length;
    auto operator<=>(const Finding&) const = default;
};
using Findings = std::multiset<Finding>;

Finding finding_of(const Diagnostic& diagnostic);

// The findings that `wanted(diagnostic)` wants.
template <class Wanted>
Findings findings_of(const Outcome& outcome, Wanted wanted) {
    Findings findings;
    for (const Diagnostic& diagnostic : outcome.report().diagnostics())
        if (wanted(diagnostic)) findings.insert(finding_of(diagnostic));
    return findings;
}

std::string hex_of(uint64_t number);
std::string text_of(const Finding& finding);
std::string text_of(const Findings& findings);

// All that an outcome says of the bytes in the container, for comparing.
std::string transcript(const Outcome& outcome);

// check_all for bytes that come in their own way.
Outcome check_source(Source& source, const Input& input);

}  // namespace tracelint
