#include "fuzz/tool/readers_oracle.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "fuzz/tool/writers_oracle.hpp"
#include "validator/input/source.hpp"
#include "validator/tables/rule.hpp"
#include "validator/tool/inputs/interruption.hpp"

namespace tracelint {
namespace {

// Rule, offset and length of the findings, but for the notes about limits, with their severities.
std::multimap<std::tuple<std::string_view, uint64_t, uint64_t>, Severity> findings_of(const ForReaders& predicted) {
    std::multimap<std::tuple<std::string_view, uint64_t, uint64_t>, Severity> findings;
    for (const Diagnostic& d : predicted.outcome.report().diagnostics())
        if (!is_tracking_limit(*d.rule))
            findings.emplace(std::tuple(d.rule->id, d.place.offset, d.place.length), severity_of(d));
    return findings;
}

// How `less`, within limits, contradicts `all`.
Complaint contradiction(const ForReaders& all, const ForReaders& less) {
    auto expected = findings_of(all);
    for (const auto& [place, severity] : findings_of(less)) {
        const auto [first, last] = expected.equal_range(place);
        const auto same = std::find_if(first, last, [&](const auto& one) { return one.second >= severity; });
        if (same == last) return "made up: " + std::string(std::get<0>(place));
        expected.erase(same);
    }
    bool names_limit = false;
    for (const auto& [rule, count] : less.outcome.report().counts()) names_limit |= rule.ends_with("/tracking-limit");
    const bool says_limit = less.outcome.context.limit_hit && names_limit;
    const bool is_same_format = less.verdicts.size() == all.verdicts.size();
    for (size_t i = 0; i < less.verdicts.size(); ++i) {
        const ReaderVerdict& one = less.verdicts[i];
        if (one.unpredicted && is_limit(*one.unpredicted) && says_limit) continue;
        if (!is_same_format) return sentence_of(one) + ", but without limits there are other readers";
        const ReaderVerdict& other = all.verdicts[i];
        if (sentence_of(one) == sentence_of(other) && one.outcome == other.outcome) continue;
        return sentence_of(one) + ", but without limits: " + sentence_of(other);
    }
    return std::nullopt;
}

Complaint whole_or_none(const ForReaders& predicted, const std::string& what) {
    if (!predicted.verdicts.empty()) return what + ": " + sentence_of(predicted.verdicts.front());
    return predicted.is_whole ? std::nullopt : Complaint(what + ": memory is not given back");
}

// `memory`: less than it would take.
Complaint holds_within(Bytes bytes, uint64_t memory, const ForReaders& all,
                       const std::vector<const TraceReader*>& readers) {
    CheckOptions options;
    options.report.kept_per_rule = 0;
    options.limits.memory = memory;
    if (!all.outcome.report().not_kept().empty()) return std::nullopt;
    const Complaint wrong = contradiction(all, predict_readers(bytes, readers, options));
    return wrong ? "within " + std::to_string(memory) + " bytes of memory: " + *wrong : wrong;
}

}  // namespace

Complaint fault_of(const ReaderVerdict& verdict, uint64_t size) {
    const std::string sentence = sentence_of(verdict), reader = title_of(*verdict.reader) + ": ";
    if (sentence.empty() || !is_printable(sentence) || sentence.find('\n') != std::string::npos)
        return reader + "no sentence of one line: " + sentence;
    if (verdict.offset != kNone && verdict.offset > size) return reader + "an offset after the end";
    if (verdict.lost > verdict.total) return reader + "loses more than there is";
    if (verdict.unpredicted && verdict.outcome != ReaderOutcome::untried)
        return reader + "not followed, but " + sentence;
    return std::nullopt;
}

Complaint fault_of(const Outcome& outcome, const std::vector<ReaderVerdict>& verdicts, uint64_t size) {
    for (const Diagnostic& finding : outcome.report().diagnostics())
        if (finding.place.offset != kNone && finding.place.offset > size)
            return std::string(finding.rule->id) + ": a finding after the end";
    for (const ReaderVerdict& verdict : verdicts)
        if (Complaint complaint = fault_of(verdict, size)) return complaint;
    return std::nullopt;
}

ForReaders::ForReaders(Source& source, const std::vector<const TraceReader*>& readers, const CheckOptions& options,
                       const ReaderCheck::IsInterrupted& is_interrupted)
    : outcome(options) {
    ReaderCheck judged(readers, options, is_interrupted);
    outcome = check(source, judged.all_findings());
    judged.judge(outcome, source);
    verdicts = judged.verdicts();
    memory = std::max(outcome.context.budget.most_taken(), judged.most_taken());
    is_whole = judged.is_whole() && outcome.context.budget.is_whole();
}

ForReaders predict_readers(Bytes bytes, const std::vector<const TraceReader*>& readers, const CheckOptions& options) {
    MemorySource source(bytes);
    return {source, readers, options};
}

std::vector<const TraceReader*> some_readers(bool are_newest) {
    std::vector<const TraceReader*> chosen;
    const std::vector<const TraceReader*> all = all_readers();
    for (size_t i = 0; i < all.size(); ++i) {
        const bool is_newest = std::none_of(
            all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end(),
            [&](const auto* later) { return later->name == all[i]->name && later->format == all[i]->format; });
        if (is_newest == are_newest) chosen.push_back(all[i]);
    }
    return chosen;
}

Complaint readers_predicted(Bytes bytes, uint64_t constant_memory) {
    for (const bool are_newest : {true, false}) {
        const ForReaders predicted = predict_readers(bytes, some_readers(are_newest));
        const uint64_t size = predicted.size(bytes);
        if (Complaint complaint = fault_of(predicted.outcome, predicted.verdicts, size)) return complaint;
        if (predicted.verdicts.empty()) return "no verdict";
        if (!predicted.is_whole) return "readers: the memory returned to the budget is not the memory taken from it";
        const uint64_t work = predicted.outcome.context.work.total();
        if (work > kReadersWorkPerByte * size + kReadersWorkAtLeast)
            return "readers: " + std::to_string(work) + " units of work for " + std::to_string(size) + " bytes";
        if (predicted.memory > kMemoryPerByte * size + constant_memory)
            return "readers: " + std::to_string(predicted.memory) + " bytes of memory for " + std::to_string(size) +
                   " bytes";
    }
    return std::nullopt;
}

Complaint verdicts_alone(Bytes bytes, uint64_t* compared) {
    static const std::vector<const TraceReader*> readers = all_readers();
    const ForReaders together = predict_readers(bytes, readers);
    if (together.outcome.format == nullptr) return std::nullopt;
    for (const ReaderVerdict& verdict : together.verdicts) {
        const std::vector<const TraceReader*> one = {verdict.reader};
        const ForReaders alone = predict_readers(bytes, one);
        if (alone.verdicts.size() != 1) return title_of(*verdict.reader) + ": no verdict alone";
        const std::string sentence = sentence_of(verdict), sentence_alone = sentence_of(alone.verdicts[0]);
        const bool is_same = sentence == sentence_alone && verdict.rule == alone.verdicts[0].rule &&
                             verdict.outcome == alone.verdicts[0].outcome && verdict.places == alone.verdicts[0].places;
        if (!is_same) return "alone: " + sentence_alone + "; in company: " + sentence;
        if (compared != nullptr) ++*compared;
    }
    return std::nullopt;
}

Complaint sentences_agree(Bytes bytes) {
    static const std::vector<const TraceReader*> readers = all_readers();
    const ForReaders together = predict_readers(bytes, readers);
    if (together.outcome.format == nullptr) return std::nullopt;
    for (const ReaderVerdict& of_one : together.verdicts) {
        const std::vector<const TraceReader*> one = {of_one.reader};
        const ForReaders predicted = predict_readers(bytes, one);
        if (predicted.verdicts.size() != 1) return title_of(*of_one.reader) + ": no verdict alone";
        const ReaderVerdict& verdict = predicted.verdicts[0];
        const std::string sentence = sentence_of(verdict);
        const auto says = [&](std::string_view word) { return sentence.find(word) != std::string::npos; };
        const std::optional<Severity> severity = severity_of(verdict.outcome);
        if (verdict.untried + verdict.untried_warnings == 0 && !verdict.unpredicted) {
            std::optional<Severity> worst = predicted.outcome.report().worst();
            if (worst == Severity::note) worst.reset();
            if (worst != severity) return sentence + ", but the worst finding is another";
        }
        if (says("refuses") != (verdict.outcome == ReaderOutcome::refuses)) return sentence + ": not its outcome";
        if (verdict.outcome == ReaderOutcome::loads && says("misreads")) return sentence + ": it loads the file";
        if (!severity || verdict.unpredicted || verdict.rule == nullptr) continue;
        const auto& findings = predicted.outcome.report().diagnostics();
        const auto is_named = [&](const Diagnostic& finding) {
            return finding.rule == verdict.rule && (verdict.offset == kNone || finding.place.offset == verdict.offset);
        };
        if (std::none_of(findings.begin(), findings.end(), is_named))
            return sentence + ", but no finding of " + std::string(verdict.rule->id) + " is there";
    }
    return std::nullopt;
}

Complaint readers_within_limits(Bytes bytes, uint64_t seed) {
    static const std::vector<const TraceReader*> readers = all_readers();
    CheckOptions options;
    options.report.kept_per_rule = 0;
    options.limits = {.record = kNone, .memory = kNone};
    const ForReaders all = predict_readers(bytes, readers, options);
    Random random(seed);
    const uint64_t most = one_in(random, 2) ? all.memory : std::min<uint64_t>(all.memory, 4096);
    return holds_within(bytes, below(random, most + 1), all, readers);
}

Complaint readers_fail(Bytes bytes, uint64_t number, bool* has_failed) {
    static const std::vector<const TraceReader*> readers = all_readers();
    MemorySource inner(bytes);
    FailingSource source(inner, number);
    const ForReaders predicted(source, readers, {});
    if (has_failed != nullptr) *has_failed = source.has_failed();
    if (!source.has_failed()) return std::nullopt;
    if (predicted.outcome.failure != "told to fail") return "read " + std::to_string(number) + " failed unseen";
    return whole_or_none(predicted, "after a failed read");
}

Complaint readers_end(Bytes bytes, uint64_t number, bool* was_asked) {
    static const std::vector<const TraceReader*> readers = all_readers();
    MemorySource source(bytes);
    uint64_t questions = 0;
    const ForReaders predicted(source, readers, {}, [&] { return ++questions >= number; });
    if (was_asked != nullptr) *was_asked = questions >= number;
    if (questions < number) return std::nullopt;
    if (predicted.outcome.failure != kInterrupted || !predicted.outcome.context.limit_hit)
        return "goes on after a signal";
    if (questions > number + 1) return "asks again after a signal";
    return whole_or_none(predicted, "after a signal");
}

}  // namespace tracelint
