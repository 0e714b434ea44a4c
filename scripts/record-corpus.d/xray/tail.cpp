// tail MODE OPTIONS: calls that an optimiser turns into jumps, one after the other.
#include "recording.hpp"

namespace {

volatile int sink;

[[gnu::noinline]] void last(int n) { sink = sink + n; }

[[gnu::noinline]] void middle(int n) {
    sink = sink + 1;
    last(n + 1);
}

[[gnu::noinline]] void first(int n) {
    sink = sink + 2;
    middle(n + 1);
}

}  // namespace

[[clang::xray_never_instrument]] int main(int, char** arguments) {
    const Recording recording(arguments[1], arguments[2]);
    for (int round = 0; round < 20; ++round) first(round);
}
