// Does something in a process of its own, so that its memory is not that of others.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <type_traits>

namespace tracelint {

template <class Result>
struct Measured {
    Result result{};
    bool is_done = false;
    double resident = 0;  // MB
    double seconds = 0;   // of the processor
};

// What `action` returns comes back through a pipe.
template <class Action, class Result = std::invoke_result_t<Action>>
Measured<Result> measure_alone(Action action) {
    static_assert(std::is_trivially_copyable_v<Result>);
    Measured<Result> measured;
    int ends[2];
    if (pipe(ends) != 0) return measured;
    const pid_t child = fork();
    if (child == 0) {
        const Result result = action();
        const bool is_sent = write(ends[1], &result, sizeof result) == sizeof result;
        _exit(is_sent ? 0 : 1);
    }
    close(ends[1]);
    const bool is_received = read(ends[0], &measured.result, sizeof measured.result) == sizeof measured.result;
    close(ends[0]);
    rusage usage{};
    int status = 0;
    wait4(child, &status, 0, &usage);
    if (!is_received || status != 0) return {};
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    measured.is_done = true;
    measured.resident = static_cast<double>(usage.ru_maxrss) / 1024;
    measured.seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    return measured;
}

}  // namespace tracelint
