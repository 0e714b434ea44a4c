// Processor time that several functions spend, so that chains differ in their leaves and in their length.
#pragma once
#include <ctime>

inline volatile unsigned sink;

[[gnu::noinline]] inline void add(unsigned n) {
    for (unsigned i = 0; i < n; ++i) sink = sink + i;
}

[[gnu::noinline]] inline void mix(unsigned n) {
    for (unsigned i = 0; i < n; ++i) sink = (sink ^ i) * 2654435761U;
}

[[gnu::noinline]] inline void nest(unsigned depth) {
    add(2000);
    if (depth > 0) nest(depth - 1);
    mix(3000);
}

// Of this thread, in ms.
inline double processor_time() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

[[gnu::noinline]] inline void work(int milliseconds) {
    const double end = processor_time() + milliseconds;
    while (processor_time() < end) nest(7);
}
