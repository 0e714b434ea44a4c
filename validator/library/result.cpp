// The result of a check: the engine's outcome, and what users of the library see of it.
#include <algorithm>

#include "validator/library/state.hpp"

namespace tracelint {
namespace {

std::string_view text_of(Failure failure) {
    switch (failure) {
        case Failure::none: return "";
        case Failure::options: return "the options are wrong";
        case Failure::input: return "the input could not be read";
        case Failure::memory: return "out of memory";
        case Failure::thread: return "cannot start a thread";
        case Failure::callback: return "on_finding threw";
        case Failure::internal: return "internal error";
        case Failure::misuse: return "the session was finished before, moved from, or finished by its own on_finding";
    }
    return "";
}

std::vector<RuleCount> counts_of(const Report& report) {
    const auto not_kept = report.not_kept();
    std::vector<RuleCount> counts;
    for (const auto& [rule, found] : report.counts()) {
        const auto missing = not_kept.find(rule);
        counts.push_back({rule, found, found - (missing == not_kept.end() ? 0 : missing->second)});
    }
    return counts;
}

}  // namespace

std::string_view to_string(Verdict verdict) noexcept {
    switch (verdict) {
        case Verdict::clean: return "clean";
        case Verdict::note: return to_string(Severity::note);
        case Verdict::warning: return to_string(Severity::warning);
        case Verdict::error: return to_string(Severity::error);
        case Verdict::unreadable: return "unreadable";
    }
    return "";
}

std::string_view version() noexcept { return TRACELINT_VERSION; }

namespace {

ReaderResult reader_result(const ReaderVerdict& verdict) {
    ReaderResult result{.name = verdict.reader->name,
                        .version = verdict.reader->version,
                        .outcome = word_of(verdict.outcome),
                        .evidence = verdict.reader->evidence,
                        .offset = std::nullopt,
                        .rule = verdict.rule == nullptr ? std::string_view() : verdict.rule->id,
                        .unit = verdict.reader->unit.substr(0, verdict.reader->unit.find('|')),
                        .total = verdict.total,
                        .lost = verdict.lost,
                        .sentence = sentence_of(verdict)};
    if (verdict.offset != kNone) result.offset = verdict.offset;
    return result;
}

}  // namespace

Result result_of(EndedCheck&& ended, const CallbackObserver* observer) {
    auto state = std::make_unique<Result::State>(std::move(ended));
    state->counts = counts_of(state->outcome.report());
    for (const auto& [name, number] : state->outcome.context.statistics) state->statistics.push_back({name, number});
    for (const ReaderVerdict& verdict : state->verdicts) state->readers.push_back(reader_result(verdict));
    if (!state->outcome.failure.empty()) {
        state->failure = state->outcome.out_of_memory ? Failure::memory : Failure::input;
        state->failure_text = state->outcome.failure;
    } else if (const std::string* thrown = observer == nullptr ? nullptr : observer->thrown()) {
        state->failure = Failure::callback;
        if (!thrown->empty()) state->failure_text = "on_finding threw: " + *thrown;
    }
    return Result(std::move(state));
}

Result failed_result(Failure failure, const std::string& text) noexcept {
    try {
        auto state = std::make_unique<Result::State>(EndedCheck{Outcome(CheckOptions())});
        state->failure = failure;
        state->failure_text = text;
        return Result(std::move(state));
    } catch (const std::bad_alloc&) {
        return Result(failure);
    }
}

Result::Result(std::unique_ptr<State> state) noexcept
    : state_(std::move(state)), failure_(state_ == nullptr ? Failure::memory : state_->failure) {}
Result::Result(Failure failure) noexcept : failure_(failure) {}
Result::Result(Result&&) noexcept = default;
Result& Result::operator=(Result&&) noexcept = default;
Result::~Result() = default;

Failure Result::failure() const noexcept { return failure_; }

std::string_view Result::failure_text() const noexcept {
    return state_ == nullptr || state_->failure_text.empty() ? text_of(failure_) : state_->failure_text;
}

bool Result::limit_hit() const noexcept {
    return failure_ == Failure::memory || (state_ != nullptr && state_->outcome.context.limit_hit);
}

Verdict Result::verdict() const noexcept {
    if (failure_ != Failure::none && failure_ != Failure::callback) return Verdict::unreadable;
    if (state_ == nullptr) return Verdict::unreadable;
    const std::optional<Severity> worst = state_->outcome.report().worst();
    if (!worst) return Verdict::clean;
    return *worst == Severity::error ? Verdict::error : *worst == Severity::warning ? Verdict::warning : Verdict::note;
}

uint64_t Result::count(Severity severity) const noexcept {
    return state_ == nullptr ? 0 : state_->outcome.report().count(severity);
}

std::span<const RuleCount> Result::counts() const& noexcept {
    if (state_ == nullptr) return {};
    return state_->counts;
}

size_t Result::finding_count() const noexcept {
    return state_ == nullptr ? 0 : state_->outcome.report().diagnostics().size();
}

Finding Result::finding(size_t index) const noexcept {
    return Finding(state_->outcome.report().diagnostics()[index], state_->names);
}

std::string_view Result::format() const noexcept {
    return state_ == nullptr || state_->outcome.format == nullptr ? std::string_view() : state_->outcome.format->id;
}

Identity Result::identity() const noexcept { return state_ == nullptr ? Identity() : state_->outcome.context.identity; }

std::string_view Result::container() const noexcept {
    return state_ == nullptr ? std::string_view() : to_string(state_->outcome.container);
}

std::optional<uint64_t> Result::size() const noexcept {
    return state_ == nullptr ? std::nullopt : state_->outcome.size;
}

std::span<const Statistic> Result::statistics() const& noexcept {
    if (state_ == nullptr) return {};
    return state_->statistics;
}

std::span<const ReaderResult> Result::readers() const& noexcept {
    if (state_ == nullptr) return {};
    return state_->readers;
}

std::span<const Result> Result::companions() const& noexcept {
    if (state_ == nullptr) return {};
    return state_->companions;
}

std::span<const Pairing> Result::pairings() const& noexcept {
    if (state_ == nullptr) return {};
    return state_->outcome.pairings;
}

}  // namespace tracelint
