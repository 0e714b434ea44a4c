// The threads of a run.
#include "validator/tool/run/parallel.hpp"

#include <algorithm>

namespace tracelint {
namespace {

std::unique_ptr<Outcome> out_of_memory() {
    auto outcome = std::make_unique<Outcome>(CheckOptions());
    outcome->failure = "out of memory";
    outcome->context.limit_hit = true;
    return outcome;
}

}  // namespace

ParallelChecks::~ParallelChecks() {
    queue_.stop();
    for (std::thread& thread : threads_) thread.join();
}

bool ParallelChecks::run(const Take& take) {
    const bool is_careful = supervisor_ != nullptr && supervisor_->is_careful();
    if (jobs_ > 1 && inputs_ > 1 && !is_careful) start_threads();
    for (size_t i = 0; i < inputs_; ++i) {
        const Supervisor::Mark mark(threads_.empty() ? supervisor_ : nullptr, i);
        std::unique_ptr<Outcome> outcome = threads_.empty() ? check_(i) : queue_.wait_for(i);
        if (outcome == nullptr) outcome = out_of_memory();
        if (outcome->failure == kNotStarted) return false;
        if (!take(i, *outcome)) return i + 1 == inputs_;
    }
    return true;
}

// Starts as many as requested or as the system allows. If it allows none, the caller does the work.
void ParallelChecks::start_threads() {
    try {
        for (size_t i = 0; i < std::min<size_t>(jobs_, inputs_); ++i) threads_.emplace_back([this] { work(); });
    } catch (const std::exception&) {
        return;  // continue with the existing threads
    }
}

void ParallelChecks::work() {
    while (const std::optional<size_t> mine = queue_.take()) {
        const Supervisor::Mark mark(supervisor_, *mine);
        queue_.put(*mine, check_(*mine));
    }
}

std::optional<size_t> ResultQueue::take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stopped_ || next_ - wanted_ < ahead_; });
    if (stopped_ || next_ == results_.size()) return std::nullopt;
    return next_++;
}

// The result that is waited for is always let in: it is written at once, and all others wait for it.
bool ResultQueue::has_room(size_t input, uint64_t bytes) const {
    return input == wanted_ || (bytes <= budget_ && waiting_ <= budget_ - bytes);
}

void ResultQueue::put(size_t input, std::unique_ptr<Outcome> outcome) {
    const uint64_t bytes = outcome == nullptr ? 0 : outcome->report().memory();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || has_room(input, bytes); });
    if (stopped_) return;
    results_[input] = {true, bytes, std::move(outcome)};
    if (input != wanted_) waiting_ += bytes;
    most_waiting_ = std::max(most_waiting_, waiting_);
    changed_.notify_all();
}

std::unique_ptr<Outcome> ResultQueue::wait_for(size_t input) {
    std::unique_lock lock(mutex_);
    if (input != wanted_) {
        wanted_ = input;
        if (results_[input].is_ready) waiting_ -= results_[input].bytes;
        changed_.notify_all();
    }
    changed_.wait(lock, [&] { return results_[input].is_ready; });
    return std::move(results_[input].outcome);
}

void ResultQueue::stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
}

}  // namespace tracelint
