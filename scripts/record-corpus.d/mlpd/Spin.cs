// Spin SECONDS [SECONDS]: calls of several depths, for what takes samples. Then it sleeps.
using System;
using System.Diagnostics;
using System.Threading;

static class Spin {
    static int Fibonacci(int n) {
        return n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2);
    }

    static void Main(string[] arguments) {
        var clock = Stopwatch.StartNew();
        while (clock.Elapsed.TotalSeconds < double.Parse(arguments[0])) Fibonacci(20);
        if (arguments.Length > 1) Thread.Sleep(int.Parse(arguments[1]) * 1000);
    }
}
