// Two processes: one checks, the other one waits.
#include "validator/tool/run/supervisor.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <iterator>
#include <new>
#include <vector>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "validator/input/system_call.hpp"
#include "validator/tool/inputs/interruption.hpp"
#include "validator/tool/run/commands.hpp"

namespace tracelint {
namespace {

constexpr int kTick = 100;  // milliseconds between two looks at the clock
// One death with the file in progress may have another reason: somebody ended the process, or memory was short.
constexpr unsigned kDeathsOfCulprit = 2;
constexpr unsigned kMostUnexplained = 3;

std::string name_of_signal(int number) {
    constexpr std::pair<int, const char*> kNames[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGABRT, "SIGABRT"},
                                                      {SIGFPE, "SIGFPE"},   {SIGILL, "SIGILL"}, {SIGKILL, "SIGKILL"}};
    const auto found = std::ranges::find(kNames, number, &std::pair<int, const char*>::first);
    return found == std::end(kNames) ? fmt::format("signal {}", number) : found->second;
}

// Has this process killed when its parent ends, whatever ends that.
void end_with(pid_t parent) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent) _exit(kInternal);
}

}  // namespace

// What a thread shows. The processes share it, so it has no pointers.
struct Supervisor::Slot {
    std::atomic<uint64_t> file{0};  // its index and 1; 0: none is in progress
};

Supervisor::Supervisor(unsigned threads, uint64_t most_seconds) : threads_(threads), most_seconds_(most_seconds) {
    static_assert(std::atomic<uint64_t>::is_always_lock_free);
    void* const shared =
        mmap(nullptr, threads * sizeof(Slot), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared != MAP_FAILED) slots_ = new (shared) Slot[threads];
}

Supervisor::~Supervisor() {
    if (slots_ != nullptr) munmap(slots_, threads_ * sizeof(Slot));
}

const std::string* Supervisor::failure_of(size_t file) const {
    const auto found = failures_.find(file);
    return found == failures_.end() ? nullptr : &found->second;
}

Supervisor::Mark::Mark(const Supervisor* supervisor, size_t file) {
    if (supervisor == nullptr || supervisor->slots_ == nullptr) return;
    for (unsigned i = 0; i < supervisor->threads_ && slot_ == nullptr; ++i) {
        uint64_t none = 0;
        if (supervisor->slots_[i].file.compare_exchange_strong(none, file + 1)) slot_ = &supervisor->slots_[i];
    }
}

Supervisor::Mark::~Mark() {
    if (slot_ != nullptr) slot_->file = 0;
}

ExitStatus Supervisor::run(const std::function<ExitStatus()>& check, const std::function<void(pid_t)>& died) {
    for (;;) {
        int ends[2];  // of a pipe, which shows when the other process has ended
        if (slots_ == nullptr || pipe2(ends, O_CLOEXEC) != 0) return check();
        std::for_each_n(slots_, threads_, [](Slot& slot) { slot.file = 0; });
        std::optional<Interruption> interruption(std::in_place);
        const pid_t self = getpid();
        const pid_t child = fork();
        if (child != 0) close(ends[1]);
        if (child <= 0) {
            interruption.reset();  // the check has its own
            close(ends[0]);
            if (child == 0) end_with(self);
            return check();
        }
        const End end = wait_for(child, ends[0], *interruption);
        close(ends[0]);
        if (WIFEXITED(end.status)) return static_cast<ExitStatus>(WEXITSTATUS(end.status));
        died(child);
        if (Interruption::has_come()) {
            complain(fmt::format("interrupted by {}", Interruption::signal_name()));
            return kInternal;
        }
        if (!learn_from(end)) return kInternal;
    }
}

Supervisor::End Supervisor::wait_for(pid_t child, int exit_end, const Interruption& interruption) const {
    struct FileProgress {
        uint64_t file = 0;
        uint64_t ticks = 0;
    };
    std::vector<FileProgress> seen(threads_);
    const uint64_t most_ticks = most_seconds_ * (1000 / kTick);
    pollfd waited[] = {{exit_end, POLLIN, 0}, {interruption.descriptor(), POLLIN, 0}};
    End end;
    while (waited[0].revents == 0) {
        const int ready = poll(waited, std::size(waited), most_seconds_ == 0 ? -1 : kTick);
        if (Interruption::has_come() && waited[1].fd >= 0) {
            kill(child, Interruption::signal_number());
            waited[1].fd = -1;  // the next one ends this process, and the other one with it
        }
        // Ticks and not the time: both processes may have been stopped.
        for (unsigned i = 0; ready == 0 && i < threads_; ++i) {
            const uint64_t file = slots_[i].file;
            if (file != seen[i].file) seen[i] = {file, 0};
            if (file == 0 || ++seen[i].ticks <= most_ticks || end.hung_file) continue;
            end.hung_file = file - 1;
            kill(child, SIGKILL);
        }
    }
    uninterrupted([&] { return waitpid(child, &end.status, 0); });
    return end;
}

bool Supervisor::learn_from(const End& end) {
    const std::string cause = "the check was ended by " + name_of_signal(WTERMSIG(end.status));
    bool is_explained = end.hung_file.has_value();
    if (end.hung_file) failures_[*end.hung_file] = fmt::format("the check took longer than {} s", most_seconds_);
    for (unsigned i = 0; i < threads_ && !end.hung_file; ++i) {
        const uint64_t file = slots_[i].file;
        if (file == 0) continue;
        is_explained = true;
        if (++deaths_[file - 1] >= kDeathsOfCulprit && is_careful_) failures_[file - 1] = "internal error: " + cause;
    }
    is_careful_ = true;
    unexplained_ += !is_explained;
    const bool continues = unexplained_ < kMostUnexplained;
    complain(fmt::format("{}; {}", end.hung_file ? "a file took too long" : cause,
                         continues ? "starting over" : "stopping"));
    return continues;
}

}  // namespace tracelint
