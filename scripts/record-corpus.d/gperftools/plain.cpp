// plain MILLISECONDS [FRAMES [THREADS]]: works below so many frames, in so many threads more. It knows of no profiler.
#include <cstdlib>
#include <thread>
#include <vector>

#include "work.hpp"

namespace {

[[gnu::noinline]] void descend(int frames, int milliseconds) {
    if (frames > 0) {
        descend(frames - 1, milliseconds);
    } else {
        work(milliseconds);
    }
    sink = 0;  // so that no call is a jump
}

}  // namespace

int main(int count, char** arguments) {
    const int milliseconds = std::atoi(arguments[1]);
    const int frames = count > 2 ? std::atoi(arguments[2]) : 0;
    std::vector<std::thread> threads(count > 3 ? std::atoi(arguments[3]) : 0);
    for (std::thread& thread : threads) thread = std::thread(descend, frames, milliseconds);
    descend(frames, milliseconds);
    for (std::thread& thread : threads) thread.join();
}
