// Runs a command once for each file, several at a time, within limits.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "validator/tool/conformance/sandbox.hpp"

namespace tracelint {

enum class RunEnd : uint8_t { accepts, refuses, crashes, hangs };

// What a reader did with a file.
struct ReaderRun {
    RunEnd end = RunEnd::accepts;
    int status = 0;  // exit status; 0 if a signal ended it
    int signal = 0;  // that ended it; 0: none
};

struct RunnerOptions {
    std::vector<std::string> words;  // of the command. "{}" in a word stands for the file; without it, it is the input
    uint64_t seconds = 10;           // after which a run hangs
    uint64_t memory = 0;             // bytes of address space; 0: no limit
    std::vector<int> crash_statuses{};  // exit statuses that mean a crash
    unsigned jobs = 1;
    Sandbox sandbox{};
    // Where each run has a folder of its own, which TMPDIR names, and outside of which a sandbox keeps it from writing.
    // Empty without a sandbox.
    std::string scratch{};
};

// The exit status that a shell gives for a command that a signal ended is 128 and the signal.
inline constexpr int kShellSignal = 128;

// How a run ended that was not stopped. `wait_status` is waitpid()'s.
ReaderRun run_of(int wait_status, const std::vector<int>& crash_statuses);

struct RunnerFiles {
    size_t count = 0;
    std::function<std::string(size_t)> place;  // the path of a file; called before its run
    std::function<void(size_t)> done;          // called after its run
};

// The runs in the order of the files; fewer if a signal came. What the command prints is dropped. Nothing if it cannot
// be run, with the reason. Processes that a run leaves behind in its process group are killed.
std::optional<std::vector<ReaderRun>> run_reader(const RunnerOptions& options, const RunnerFiles& files,
                                                 std::string& failure);

}  // namespace tracelint
