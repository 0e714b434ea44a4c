%% Runs long enough to be sampled in the code of its functions.
-module(t).
-export([main/0]).
main() -> erlang:display(fib(36)), halt().
fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).
