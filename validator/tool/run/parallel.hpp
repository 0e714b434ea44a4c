// Does the checks of a run, on several threads if there are jobs for them, and hands on their outcomes in order. Knows
// inputs by their numbers alone.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "validator/tool/run/result_queue.hpp"
#include "validator/tool/run/supervisor.hpp"

namespace tracelint {

// The failure of an input whose turn came after a signal.
inline constexpr std::string_view kNotStarted = "not checked";

class ParallelChecks {
  public:
    // The outcome for an input; null if there was no memory for one. Never throws.
    using Check = std::function<std::unique_ptr<Outcome>(size_t input)>;
    // False: no more outcomes are wanted.
    using Take = std::function<bool(size_t input, const Outcome& outcome)>;

    // `supervisor` is told which inputs are in progress; it may be null.
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
