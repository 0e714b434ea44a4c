// Does the checks of a run, on several threads if there are jobs for them, and hands on their outcomes in order. Bounds
// what waits for its turn. Knows inputs only by their numbers.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "validator/tool/run/supervisor.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

// The memory, in bytes, that the finished reports that wait for slower ones before them may take together. A thread
// whose report does not fit keeps it, and checks nothing else until there is room.
inline constexpr uint64_t kWaitingReports = 64 * kMiB;

// The inputs are numbered from 0. Threads take them in order and put their results; one other thread waits for the
// results in order.
class ResultQueue {
  public:
    // `ahead`: how many inputs may be taken before the result of the first of them was waited for.
    ResultQueue(size_t inputs, size_t ahead, uint64_t budget = kWaitingReports)
        : results_(inputs), ahead_(ahead), budget_(budget) {}

    // The next input to check; empty at the end and after stop(). Waits while too many are ahead.
    std::optional<size_t> take();
    // The result of an input, null if there was no memory for one. Waits until the budget has room for it or it is the
    // one that is waited for; after stop() it is dropped.
    void put(size_t input, std::unique_ptr<Outcome> outcome);
    // Waits for the result of an input: of 0 first, then of 1 and so on.
    std::unique_ptr<Outcome> wait_for(size_t input);
    // Ends all waiting of take() and put().
    void stop();

    // The most that ever waited, in bytes.
    uint64_t most_waiting() const { return most_waiting_; }

  private:
    struct Result {
        bool is_ready = false;
        uint64_t bytes = 0;
        std::unique_ptr<Outcome> outcome;
    };
    bool has_room(size_t input, uint64_t bytes) const;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Result> results_;
    size_t ahead_;
    uint64_t budget_;
    size_t next_ = 0;       // the first input that no thread has taken
    size_t wanted_ = 0;     // the input whose result is waited for next
    uint64_t waiting_ = 0;  // bytes of the results that are ready, but for the one that is waited for
    uint64_t most_waiting_ = 0;
    bool stopped_ = false;
};

// The failure of an input whose turn came after a signal.
inline constexpr std::string_view kNotStarted = "not checked";

class ParallelChecks {
  public:
    // The outcome for an input; null if there was no memory for one. Never throws.
    using Check = std::function<std::unique_ptr<Outcome>(size_t input)>;
    // False: no more outcomes are wanted.
    using Take = std::function<bool(size_t input, const Outcome& outcome)>;

    // `supervisor` learns which inputs are in progress; it may be null.
    ParallelChecks(size_t inputs, unsigned jobs, const Supervisor* supervisor, Check check)
        : inputs_(inputs),
          jobs_(jobs),
          supervisor_(supervisor),
          check_(std::move(check)),
          queue_(inputs, kAhead * jobs) {}
    ParallelChecks(const ParallelChecks&) = delete;
    ParallelChecks& operator=(const ParallelChecks&) = delete;
    ~ParallelChecks();

    // Calls `take` for each input in order until it returns false. False: inputs are left unchecked.
    bool run(const Take& take);

  private:
    // Finished results wait for slower ones before them. For each thread, this many inputs may be ahead of the next one
    // to be written.
    static constexpr size_t kAhead = 4;

    void start_threads();
    void work();

    size_t inputs_;
    unsigned jobs_;
    const Supervisor* supervisor_;
    Check check_;
    ResultQueue queue_;
    std::vector<std::thread> threads_;
};

}  // namespace tracelint
