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
        return;  // go on with the threads there are
    }
}

void ParallelChecks::work() {
    while (const std::optional<size_t> mine = queue_.take()) {
        const Supervisor::Mark mark(supervisor_, *mine);
        queue_.put(*mine, check_(*mine));
    }
}

}  // namespace tracelint
