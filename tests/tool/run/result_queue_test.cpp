// The order of results and the memory that they wait in.
#include "validator/tool/run/parallel.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

#include "tests/support/asleep.hpp"
#include "validator/input/input_rules.hpp"

namespace tracelint {
namespace {

constexpr size_t kHeldFindings = 1000;

// With `kHeldFindings` findings, and known by its size.
std::unique_ptr<Outcome> outcome_of(size_t input) {
    CheckOptions options;
    options.report.kept_per_rule = 0;
    auto outcome = std::make_unique<Outcome>(options);
    for (size_t i = 0; i < kHeldFindings; ++i) outcome->context.report.add(kUnknownFormat, {});
    outcome->size = input;
    return outcome;
}

uint64_t bytes_of_one() { return outcome_of(0)->report().memory(); }

// Threads that put what they take; input 0 not before release().
class Workers {
  public:
    Workers(ResultQueue& queue, size_t threads) : queue_(queue) {
        for (size_t i = 0; i < threads; ++i) threads_.emplace_back([this, i] { work(i); });
    }
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    ~Workers() {
        release();
        queue_.stop();
        for (std::thread& thread : threads_) thread.join();
    }
    void release() {
        released_ = true;
        released_.notify_all();
    }

    // The number of inputs taken, once it no longer grows. A thread that was just woken may look asleep, but not again
    // and again.
    size_t taken() const {
        size_t before = 0;
        for (int quiet = 0; quiet < 10; ++quiet) {
            const size_t steps = steps_;
            if (steps != before || !all_wait()) quiet = 0;
            before = steps;
            std::this_thread::yield();
        }
        return taken_;
    }

  private:
    bool all_wait() const {
        return started_ == threads_.size() && std::all_of(ids_.begin(), ids_.begin() + threads_.size(),
                                                          [](pid_t id) { return is_asleep(getpid(), id); });
    }

    void work(size_t thread) {
        ids_[thread] = gettid();
        ++started_;
        while (const std::optional<size_t> input = queue_.take()) {
            ++taken_;
            ++steps_;
            if (*input == 0) released_.wait(false);
            auto outcome = outcome_of(*input);
            ++steps_;
            queue_.put(*input, std::move(outcome));
        }
    }

    ResultQueue& queue_;
    std::atomic<bool> released_{false};
    std::atomic<size_t> taken_{0}, steps_{0}, started_{0};
    std::array<std::atomic<pid_t>, 8> ids_{};  // of the threads
    std::vector<std::thread> threads_;
};

TEST_CASE("results come in the order of the inputs") {
    ResultQueue queue(100, 16);
    Workers workers(queue, 4);
    workers.release();
    for (size_t input = 0; input < 100; ++input) CHECK(queue.wait_for(input)->size == input);
}

TEST_CASE("reports that wait for a slow one stay within their budget") {
    struct Case {
        uint64_t reports;  // that fit in the budget
        size_t taken;      // 1 that is slow, those that wait, and one for each of the 3 threads left
    };
    for (const auto& [reports, taken] : {Case{0, 4}, Case{1, 5}, Case{5, 9}, Case{100, 16}}) {
        CAPTURE(reports);
        const uint64_t budget = reports * bytes_of_one();
        ResultQueue queue(40, 16, budget);
        Workers workers(queue, 4);
        CHECK(workers.taken() == taken);
        workers.release();
        for (size_t input = 0; input < 40; ++input) CHECK(queue.wait_for(input)->size == input);
        CHECK(queue.most_waiting() <= budget);
    }
}

TEST_CASE("an end to the queue ends all waiting") {
    ResultQueue queue(40, 16, bytes_of_one());
    {
        Workers workers(queue, 4);
        workers.taken();
    }
    CHECK(queue.take() == std::nullopt);
}

}  // namespace
}  // namespace tracelint
