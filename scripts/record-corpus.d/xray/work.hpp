// What the threads of several programs do: nested calls, short ones, one that logs its argument.
#pragma once

inline volatile int sink;

[[gnu::noinline]] inline void leaf(int n) { sink = sink + n; }

[[gnu::noinline, clang::xray_always_instrument, clang::xray_log_args(1)]] inline void with_argument(long n) {
    leaf(static_cast<int>(n));
    sink = sink + 1;
}

[[gnu::noinline]] inline int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

[[gnu::noinline]] inline void work(int rounds) {
    for (int round = 0; round < rounds; ++round) {
        with_argument(round);
        sink = fib(4);
    }
    sink = 0;
}
