// Adds up what was found. No sum grows beyond 64 bits: parts may say anything of themselves.
#include "validator/tool/json/sums.hpp"

#include <algorithm>

namespace tracelint {
namespace {

void increase(uint64_t& sum, uint64_t more) { sum = more > ~sum ? ~uint64_t{0} : sum + more; }

void add_example(std::vector<ExampleFile>& examples, const ExampleFile& example) {
    const auto place = std::ranges::lower_bound(examples, example.entry, {}, &ExampleFile::entry);
    examples.insert(place, example);
    if (examples.size() > Sums::kExamples) examples.pop_back();
}

}  // namespace

void Sums::add(const Checked& checked) {
    const Outcome& outcome = checked.outcome;
    const Report& report = outcome.report();
    const std::string_view format = outcome.format == nullptr ? std::string_view() : outcome.format->id;
    const uint64_t size = outcome.size.value_or(0);
    increase(bytes, size);
    if (outcome.context.limit_hit) increase(limited, 1);
    FormatSum& of_format = formats[format];
    increase(of_format.files, 1);
    increase(of_format.bytes, size);
    const auto verdict = std::ranges::find(kVerdicts, verdict_of(checked)) - kVerdicts.begin();
    increase(of_format.by_verdict[static_cast<size_t>(verdict)], 1);
    for (const Rule* rule : report.found_rules()) {
        for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
            const uint64_t count = report.count(*rule, severity);
            if (count == 0) continue;
            FindingSum& sum = findings[{rule->id, format, severity}];
            increase(sum.findings, count);
            increase(sum.files, 1);
            const bool is_first = sum.examples.size() < kExamples || checked.entry->number < sum.examples.back().entry;
            if (is_first) add_example(sum.examples, {checked.entry->number, checked.path});
        }
    }
}

void Sums::add(const Sums& other) {
    increase(bytes, other.bytes);
    increase(limited, other.limited);
    for (const auto& [format, more] : other.formats) {
        FormatSum& sum = formats[format];
        increase(sum.files, more.files);
        increase(sum.bytes, more.bytes);
        for (size_t i = 0; i < kVerdicts.size(); ++i) increase(sum.by_verdict[i], more.by_verdict[i]);
    }
    for (const auto& [kind, more] : other.findings) {
        FindingSum& sum = findings[kind];
        increase(sum.findings, more.findings);
        increase(sum.files, more.files);
        for (const ExampleFile& example : more.examples) add_example(sum.examples, example);
    }
}

}  // namespace tracelint
