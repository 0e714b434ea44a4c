// Contend: exceptions through several frames, locks that two threads want.
using System;
using System.Threading;

static class Contend {
    static readonly object gate = new object();

    static void Throw(int depth) {
        try {
            if (depth == 0) throw new InvalidOperationException();
            Throw(depth - 1);
        } finally {
            GC.KeepAlive(gate);
        }
    }

    static void Catch() {
        try {
            Throw(3);
        } catch (InvalidOperationException error) when (error.Message.Length > 0) {
        }
        try {
            object nothing = null;
            nothing.ToString();
        } catch (NullReferenceException) {
        }
    }

    static void Main() {
        var second = new Thread(() => {
            for (int i = 0; i < 3; i++)
                lock (gate) Thread.Sleep(2);
            if (Monitor.TryEnter(gate, 20)) Monitor.Exit(gate);
        }) { Name = "second" };
        lock (gate) {
            second.Start();
            Thread.Sleep(50);
        }
        for (int i = 0; i < 3; i++)
            lock (gate) Thread.Sleep(2);
        Catch();
        lock (gate) Thread.Sleep(100);
        second.Join();
    }
}
