// Calls of the system.
#pragma once

#include <cerrno>

namespace tracelint {

// Repeats a system call that a signal interrupts.
template <class Call>
auto uninterrupted(Call call) {
    auto result = call();
    while (result < 0 && errno == EINTR) result = call();
    return result;
}

}  // namespace tracelint
