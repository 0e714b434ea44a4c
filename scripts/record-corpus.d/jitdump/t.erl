-module(t).
-export([main/0]).
main() -> erlang:display(lists:sum(lists:map(fun fib/1, lists:seq(1, 15)))), halt().
fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).
