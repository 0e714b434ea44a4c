// exceptions MODE OPTIONS: frames that are left without an exit.
#include "recording.hpp"

namespace {

volatile int sink;

[[gnu::noinline]] void throws(int depth) {
    sink = sink + 1;
    if (depth == 0) throw depth;
    throws(depth - 1);
    sink = sink + 1;
}

[[gnu::noinline]] void catches(int depth) {
    try {
        throws(depth);
    } catch (int) {
        sink = sink + 2;
    }
}

}  // namespace

[[clang::xray_never_instrument]] int main(int, char** arguments) {
    const Recording recording(arguments[1], arguments[2]);
    for (int depth = 0; depth < 4; ++depth) catches(depth);
}
