// chains FILE: more different chains than the profiler's table holds, until the profiler has written some of them to
// FILE. Then the process is killed, so that FILE has only those.
#include <sys/stat.h>

#include <csignal>

#include "work.hpp"

namespace {

constexpr unsigned kFrames = 235;
constexpr unsigned kBranches = 14;  // of the outermost frames, so many tell one chain from another

// NOLINTNEXTLINE(misc-no-recursion): that is what it is for
[[gnu::noinline]] void descend(unsigned frames, unsigned branches) {
    if (frames == 0) {
        mix(100'000);
    } else if ((branches & 1) != 0) {
        descend(frames - 1, branches >> 1);
    } else {
        descend(frames - 1, branches >> 1);
    }
    sink = frames;
}

bool has_bytes(const char* path) {
    struct stat status{};
    return stat(path, &status) == 0 && status.st_size > 0;
}

}  // namespace

int main(int, char** arguments) {
    for (unsigned chain = 0; !has_bytes(arguments[1]); chain = (chain + 1) % (1U << kBranches)) descend(kFrames, chain);
    std::raise(SIGKILL);
}
