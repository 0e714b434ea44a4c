// events MODE OPTIONS SIZE...: a custom event of each size, between calls.
#include <cstdlib>
#include <cstring>

#include "recording.hpp"

namespace {

char payload[32768];
volatile int sink;

[[gnu::noinline]] void leaf() { sink = sink + 1; }

// An event calls the runtime without the compiler's knowledge; the call of leaf() is what aligns the stack for it.
[[gnu::noinline]] void event(std::size_t size) {
    leaf();
    __xray_customevent(payload, size);
}

}  // namespace

[[clang::xray_never_instrument]] int main(int count, char** arguments) {
    std::memset(payload, 'x', sizeof payload);
    const Recording recording(arguments[1], arguments[2]);
    for (int argument = 3; argument < count; ++argument) event(std::strtoul(arguments[argument], nullptr, 10));
    leaf();
}
