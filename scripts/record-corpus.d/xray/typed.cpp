// typed MODE OPTIONS: four events of two types.
#include <cstddef>

#include "recording.hpp"

namespace {

const char payload[] = "typed";

// An event calls the runtime without the compiler's knowledge, and of a typed one three registers are saved first: the
// stack is aligned for it only in a function that calls nothing.
[[gnu::noinline]] void event(std::size_t type) { __xray_typedevent(type, payload, sizeof payload - 1); }

}  // namespace

[[clang::xray_never_instrument]] int main(int, char** arguments) {
    const std::size_t first = __xray_register_event_type("first type of the corpus");
    const std::size_t second = __xray_register_event_type("second type of the corpus");
    const Recording recording(arguments[1], arguments[2]);
    event(first);
    event(second);
    event(first);
    event(second);
}
