// threads [MODE OPTIONS] ROUNDS: main and two more threads. Without a mode it leaves the start to XRAY_OPTIONS: basic
// mode writes main's records only when it was started so.
#include <pthread.h>

#include <cstdlib>
#include <optional>
#include <thread>

#include "recording.hpp"
#include "work.hpp"

namespace {

// Every round begins together, so that the threads take their buffers in turns.
void rounds(int count, pthread_barrier_t* together) {
    for (int round = 0; round < count; ++round) {
        pthread_barrier_wait(together);
        work(1);
    }
}

}  // namespace

[[clang::xray_never_instrument]] int main(int count, char** arguments) {
    std::optional<Recording> recording;
    if (count > 2) recording.emplace(arguments[1], arguments[2]);
    const int wanted = std::atoi(arguments[count - 1]);
    pthread_barrier_t together;
    pthread_barrier_init(&together, nullptr, 3);
    std::thread first(rounds, wanted, &together);
    std::thread second(rounds, wanted, &together);
    rounds(wanted, &together);
    first.join();
    second.join();
}
