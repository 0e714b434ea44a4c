#include "grammars/nettrace/checks/findings.hpp"

namespace tracelint::nettrace {
namespace {

void set_numbers(Diagnostic& finding, std::span<const uint64_t> numbers) {
    std::copy_n(numbers.begin(), std::min(numbers.size(), finding.numbers.size()), finding.numbers.begin());
}

}  // namespace

bool Findings::add(Diagnostic finding, std::span<const uint64_t> numbers) {
    const Rule& rule = *finding.rule;
    const Severity severity = finding.is_overridden ? rule.severity_override->severity : rule.severity;
    if (!takes(rule, severity)) return false;
    if (severity == Severity::warning) spent_.push_back(&rule);
    set_numbers(finding, numbers);
    report_.add(finding);
    if (severity == Severity::error) is_in_doubt_ = true;
    return true;
}

void Findings::add_outside(Diagnostic finding, std::span<const uint64_t> numbers) {
    if (is_quiet_) return;
    set_numbers(finding, numbers);
    report_.add(finding);
}

}  // namespace tracelint::nettrace
