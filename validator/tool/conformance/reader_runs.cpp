// One process waits for all runs: a handler of SIGCHLD writes to a pipe, which poll() watches until the next deadline.
#include "validator/tool/conformance/reader_runs.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <utility>

#include "validator/tool/inputs/interruption.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

using Clock = std::chrono::steady_clock;

int child_pipe[2] = {-1, -1};

void note_child(int) {
    const int kept = errno;
    const char byte = 0;
    (void)!write(child_pipe[1], &byte, 1);
    errno = kept;
}

// Makes poll() return when a child ends.
class ChildEnds {
  public:
    ChildEnds() {
        is_open_ = pipe2(child_pipe, O_CLOEXEC | O_NONBLOCK) == 0;
        struct sigaction action = {};
        action.sa_handler = note_child;
        action.sa_flags = SA_NOCLDSTOP;
        sigaction(SIGCHLD, &action, &before_);
    }
    ChildEnds(const ChildEnds&) = delete;
    ChildEnds& operator=(const ChildEnds&) = delete;
    ~ChildEnds() {
        sigaction(SIGCHLD, &before_, nullptr);
        for (int& end : child_pipe)
            if (is_open_) close(std::exchange(end, -1));
    }

    bool is_open() const { return is_open_; }
    // Returns when a child ends, a signal comes, or the time is over.
    static void wait(Clock::duration longest, const Interruption& interruption) {
        const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(longest).count() + 1;
        pollfd awaited[] = {{child_pipe[0], POLLIN, 0}, {interruption.descriptor(), POLLIN, 0}};
        poll(awaited, std::size(awaited), static_cast<int>(std::clamp<int64_t>(milliseconds, 0, 60'000)));
        char bytes[64];
        while (read(child_pipe[0], bytes, sizeof bytes) > 0) continue;
    }

  private:
    bool is_open_ = false;
    struct sigaction before_ = {};
};

struct Child {
    pid_t pid = 0;
    size_t file = 0;
    Clock::time_point deadline;
};

std::vector<std::string> words_for(const std::vector<std::string>& words, const std::string& path) {
    std::vector<std::string> replaced = words;
    for (std::string& word : replaced)
        for (size_t at = word.find("{}"); at != word.npos; at = word.find("{}", at + path.size()))
            word.replace(at, 2, path);
    return replaced;
}

// The environment of this process, but with another TMPDIR.
class ReaderEnvironment {
  public:
    explicit ReaderEnvironment(const std::string& scratch) : assignment_("TMPDIR=" + scratch) {
        for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
            if (!std::string_view(*variable).starts_with("TMPDIR=")) variables_.push_back(*variable);
        variables_.push_back(assignment_.data());
        variables_.push_back(nullptr);
    }
    char** variables() { return variables_.data(); }

  private:
    std::string assignment_;
    std::vector<char*> variables_;
};

// In the child. `scratch` is empty without a sandbox. Ends it with the errno of what failed, written to `failure_end`.
// Must not allocate: this process may have more memory than the reader is given, and sanitizers end a process that gets
// none with status 1, as if the reader had refused the file.
[[noreturn]] void become(char* const* words, const char* input, char** variables, const RunnerOptions& options,
                         const std::string& scratch, int failure_end) {
    setpgid(0, 0);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    const int in = open(input, O_RDONLY), out = open("/dev/null", O_WRONLY);
    if (in >= 0 && out >= 0 && dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(out, STDERR_FILENO) >= 0) {
        for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_DFL);
        errno = enter_sandbox(options.sandbox, scratch.c_str());
        if (errno == 0) {
            environ = variables;
            if (options.memory != 0) {
                const rlimit bounded{options.memory, options.memory};
                setrlimit(RLIMIT_AS, &bounded);
            }
            execvp(words[0], words);
        }
    }
    const int error = errno;
    (void)!write(failure_end, &error, sizeof error);
    _exit(127);
}

class Runner {
  public:
    Runner(const RunnerOptions& options, const RunnerFiles& files) : options_(options), files_(files) {
        has_place_ = std::ranges::any_of(options.words, [](const auto& word) { return word.find("{}") != word.npos; });
    }

    std::optional<std::vector<ReaderRun>> run(std::string& failure) {
        const Interruption interruption;
        const ChildEnds ends;
        if (!ends.is_open()) return failed(failure, errno);
        runs_.resize(files_.count);
        size_t next = 0;
        while ((next < files_.count || !children_.empty()) && !Interruption::has_come()) {
            while (next < files_.count && children_.size() < options_.jobs) {
                if (const int error = start(next); error != 0) {
                    stop_all();
                    return failed(failure, error);
                }
                ++next;
            }
            ChildEnds::wait(time_left(), interruption);
            reap();
        }
        if (Interruption::has_come()) {
            size_t finished = next;
            for (const Child& child : children_) finished = std::min(finished, child.file);
            stop_all();
            runs_.resize(finished);
        }
        return runs_;
    }

  private:
    std::nullopt_t failed(std::string& failure, int error) const {
        failure = fmt::format("cannot run {}: {}", printable(options_.words[0]), std::strerror(error));
        return std::nullopt;
    }

    // Returns an errno, or 0.
    int start(size_t file) {
        const std::string path = files_.place(file);
        if (path.empty()) return ENOSPC;
        std::vector<std::string> words = words_for(options_.words, path);
        std::vector<char*> pointers;
        for (std::string& word : words) pointers.push_back(word.data());
        pointers.push_back(nullptr);
        const std::string scratch = new_scratch(file);
        ReaderEnvironment changed(scratch);
        char** const variables = scratch.empty() ? environ : changed.variables();
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) return errno;
        const pid_t pid = fork();
        if (pid == 0)
            become(pointers.data(), has_place_ ? "/dev/null" : path.c_str(), variables, options_, scratch, ends[1]);
        const int forked = pid < 0 ? errno : 0;
        close(ends[1]);
        int error = forked;
        if (pid > 0) {
            while (read(ends[0], &error, sizeof error) < 0 && errno == EINTR) continue;
            if (error != 0) waitpid(pid, nullptr, 0);
        }
        close(ends[0]);
        if (error == 0) children_.push_back({pid, file, Clock::now() + std::chrono::seconds(options_.seconds)});
        return error;
    }

    Clock::duration time_left() const {
        Clock::duration left = std::chrono::minutes(1);
        for (const Child& child : children_) left = std::min(left, child.deadline - Clock::now());
        return left;
    }

    void reap() {
        std::erase_if(children_, [&](const Child& child) {
            int status = 0;
            const bool ended = waitpid(child.pid, &status, WNOHANG) == child.pid;
            if (!ended && Clock::now() < child.deadline) return false;
            runs_[child.file] = ended ? run_of(status, options_.crash_statuses) : ReaderRun{RunEnd::hangs, 0, 0};
            stop(child, ended);
            finish(child);
            return true;
        });
    }

    // Where the run of a file keeps its own files; empty without a sandbox.
    std::string scratch_of(size_t file) const {
        return options_.scratch.empty() ? "" : options_.scratch + "/run-" + std::to_string(file);
    }
    // The same, made. If that fails, the sandbox cannot be entered, which says so.
    std::string new_scratch(size_t file) const {
        const std::string scratch = scratch_of(file);
        std::error_code ignored;
        if (!scratch.empty()) std::filesystem::create_directory(scratch, ignored);
        return scratch;
    }
    void finish(const Child& child) {
        std::error_code ignored;
        if (const std::string scratch = scratch_of(child.file); !scratch.empty())
            std::filesystem::remove_all(scratch, ignored);
        files_.done(child.file);
    }

    static void stop(const Child& child, bool ended) {
        kill(-child.pid, SIGKILL);
        if (ended) return;
        kill(child.pid, SIGKILL);
        while (waitpid(child.pid, nullptr, 0) < 0 && errno == EINTR) continue;
    }

    void stop_all() {
        for (const Child& child : children_) {
            stop(child, false);
            finish(child);
        }
        children_.clear();
    }

    const RunnerOptions& options_;
    const RunnerFiles& files_;
    bool has_place_ = false;
    std::vector<Child> children_;
    std::vector<ReaderRun> runs_;
};

}  // namespace

ReaderRun run_of(int wait_status, const std::vector<int>& crash_statuses) {
    if (WIFSIGNALED(wait_status)) return {RunEnd::crashes, 0, WTERMSIG(wait_status)};
    const int status = WEXITSTATUS(wait_status);
    if (status > kShellSignal && status <= kShellSignal + 64) return {RunEnd::crashes, status, status - kShellSignal};
    if (std::ranges::count(crash_statuses, status) != 0) return {RunEnd::crashes, status, 0};
    return {status == 0 ? RunEnd::accepts : RunEnd::refuses, status, 0};
}

std::optional<std::vector<ReaderRun>> run_reader(const RunnerOptions& options, const RunnerFiles& files,
                                                 std::string& failure) {
    return Runner(options, files).run(failure);
}

}  // namespace tracelint
