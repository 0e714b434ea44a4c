// The order of results and the memory that they wait in.
#include "validator/tool/result_queue.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace tracelint {
namespace {

using std::chrono::milliseconds;

constexpr size_t kFindings = 1000;

// With `kFindings` findings, and known by its size.
std::unique_ptr<Outcome> outcome_of(size_t input) {
    CheckOptions options;
    options.report.kept_per_rule = 0;
    auto outcome = std::make_unique<Outcome>(options);
    for (size_t i = 0; i < kFindings; ++i) outcome->context.report.add(kUnknownFormat, {});
    outcome->size = input;
    return outcome;
}

uint64_t bytes_of_one() { return outcome_of(0)->report().memory(); }

// Threads that put what they take; input 0 not before release().
class Workers {
  public:
    Workers(ResultQueue& queue, size_t threads) : queue_(queue) {
        for (size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
    }
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    ~Workers() {
        release();
        queue_.stop();
        for (std::thread& thread : threads_) thread.join();
    }
    void release() { released_ = true; }

    // The number of inputs taken, once it no longer grows.
    size_t taken() const {
        size_t before = 0;
        for (size_t now = taken_; before != now || now == 0; now = taken_) {
            before = now;
            std::this_thread::sleep_for(milliseconds(100));
        }
        return before;
    }

  private:
    void work() {
        while (const std::optional<size_t> input = queue_.take()) {
            ++taken_;
            while (*input == 0 && !released_) std::this_thread::sleep_for(milliseconds(1));
            queue_.put(*input, outcome_of(*input));
        }
    }

    ResultQueue& queue_;
    std::atomic<bool> released_{false};
    std::atomic<size_t> taken_{0};
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
