// End exception|fail-fast|exit|signal: how a program may end.
using System;
using System.Diagnostics;
using System.Threading;

static class End {
    static void Main(string[] arguments) {
        switch (arguments[0]) {
        case "exception":
            throw new InvalidOperationException();
        case "fail-fast":
            Environment.FailFast("");
            break;
        case "exit":
            new Thread(() => Thread.Sleep(10000)).Start();
            Environment.Exit(0);
            break;
        case "signal":
            Process.GetCurrentProcess().Kill();
            break;
        }
    }
}
