// thread-exit MODE OPTIONS: two threads that end inside of their calls.
#include <pthread.h>

#include "recording.hpp"
#include "work.hpp"

namespace {

[[gnu::noinline]] void ends(int depth) {
    if (depth == 0) pthread_exit(nullptr);
    ends(depth - 1);
    sink = sink + 1;
}

void* run(void* depth) {
    work(2);
    ends(*static_cast<int*>(depth));
    return nullptr;
}

}  // namespace

[[clang::xray_never_instrument]] int main(int, char** arguments) {
    const Recording recording(arguments[1], arguments[2]);
    int depths[] = {1, 3};
    for (int& depth : depths) {
        pthread_t thread;
        pthread_create(&thread, nullptr, run, &depth);
        pthread_join(thread, nullptr);
    }
    work(2);
}
