// Waits for room, and for results.
#include "validator/tool/run/result_queue.hpp"

#include <algorithm>

namespace tracelint {

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
