// The oracle for --for: whatever the bytes, it can be told what each reader will do with them. A header of its own,
// since only what links the tool can ask it.
#pragma once

#include "fuzz/oracles.hpp"
#include "fuzz/writers_oracle.hpp"
#include "validator/source.hpp"
#include "validator/tool/readers/reader_check.hpp"

namespace tracelint {

// What is wrong with a verdict about a file of `size` bytes; nothing if it may be right.
inline Complaint fault_of(const ReaderVerdict& verdict, uint64_t size) {
    const std::string sentence = sentence_of(verdict), reader = title_of(*verdict.reader) + ": ";
    if (sentence.empty() || !is_printable(sentence) || sentence.find('\n') != std::string::npos)
        return reader + "no sentence of one line: " + sentence;
    if (verdict.offset != kNone && verdict.offset > size) return reader + "an offset after the end";
    if (verdict.lost > verdict.total) return reader + "loses more than there is";
    return std::nullopt;
}

// Asks all readers about the input.
inline Complaint readers_told(Bytes bytes) {
    static const std::vector<const TraceReader*> readers = all_readers();
    const CheckOptions options;
    ReaderCheck judged(readers, options);
    MemorySource source(bytes);
    Outcome outcome = check(source, judged.all_findings());
    judged.judge(outcome, source);
    // The input, or what its container holds: findings are about either.
    const uint64_t size = std::max<uint64_t>(outcome.size.value_or(0), bytes.size());
    for (const Diagnostic& finding : outcome.report().diagnostics())
        if (finding.place.offset != kNone && finding.place.offset > size)
            return std::string(finding.rule->id) + ": a finding after the end";
    for (const ReaderVerdict& verdict : judged.verdicts())
        if (const Complaint complaint = fault_of(verdict, size)) return complaint;
    return std::nullopt;
}

}  // namespace tracelint
