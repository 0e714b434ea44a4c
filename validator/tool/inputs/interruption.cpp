// Catches signals and ends reads.
#include "validator/tool/inputs/interruption.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

namespace tracelint {
namespace {

struct Caught {
    int number;
    const char* name;
};
constexpr Caught kCaught[] = {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}};

// All that a signal handler may touch. 0: no signal came.
std::atomic<int> came{0};
std::atomic<int> wakes{-1};  // a pipe to write to
static_assert(std::atomic<int>::is_always_lock_free);

// Sets how the signals are handled, those aside that are ignored.
void handle_signals(void (*handler)(int)) {
    for (const Caught& caught : kCaught) {
        struct sigaction before{}, now{};
        if (sigaction(caught.number, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
        now.sa_handler = handler;
        now.sa_flags = SA_RESTART;  // a write of an output continues
        sigemptyset(&now.sa_mask);
        sigaction(caught.number, &now, nullptr);
    }
}

extern "C" void note_signal(int number) {
    const int error = errno;
    came = number;
    handle_signals(SIG_DFL);  // the next one ends the program
    (void)!write(wakes, "", 1);
    errno = error;
}

}  // namespace

Interruption::Interruption() {
    came = 0;
    if (pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0) ends_[0] = ends_[1] = -1;
    wakes = ends_[1];
    handle_signals(note_signal);
}

Interruption::~Interruption() {
    handle_signals(SIG_DFL);
    wakes = -1;
    for (const int end : ends_)
        if (end >= 0) close(end);
}

bool Interruption::has_come() { return came != 0; }

int Interruption::signal_number() { return came; }

const char* Interruption::signal_name() {
    for (const Caught& caught : kCaught)
        if (caught.number == came) return caught.name;
    return nullptr;
}

size_t InterruptibleSource::read(uint8_t* to, size_t bytes) {
    const size_t got = Interruption::has_come() ? 0 : ForwardingSource::read(to, bytes);
    // Nothing may mean that waiting has ended.
    if (got == 0 && Interruption::has_come()) was_interrupted_ = true;
    return got;
}

std::string InterruptibleSource::failure() const {
    return was_interrupted_ ? std::string(kInterrupted) : ForwardingSource::failure();
}

}  // namespace tracelint
