// Allocate ROUNDS THREADS: lists of objects, most of them soon garbage; finalizers, handles, collections.
using System;
using System.Runtime.InteropServices;
using System.Threading;

class Node {
    public Node Next;
    public object[] Items;
}

class Finalized {
    ~Finalized() {}
}

static class Allocate {
    static Node kept;

    static void Round(int length) {
        Node list = null;
        for (int i = 0; i < length; i++) {
            list = new Node { Next = list, Items = new object[i % 5] };
            if (i % 5 > 1) list.Items[1] = list;
        }
        new Finalized();
        GCHandle[] handles = {
            GCHandle.Alloc(list), GCHandle.Alloc(list, GCHandleType.Weak),
            GCHandle.Alloc(list, GCHandleType.WeakTrackResurrection),
            GCHandle.Alloc(new byte[8], GCHandleType.Pinned),
        };
        GC.Collect(0);
        foreach (GCHandle handle in handles) handle.Free();
        kept = list;
    }

    static void Main(string[] arguments) {
        int rounds = int.Parse(arguments[0]);
        var threads = new Thread[int.Parse(arguments[1])];
        for (int i = 0; i < threads.Length; i++) {
            threads[i] = new Thread(() => {
                for (int n = 0; n < rounds; n++) Round(20);
            }) { Name = "allocates " + i };
            threads[i].Start();
        }
        foreach (Thread thread in threads) thread.Join();
        Round(20);
        // More references than one event of a heapshot has room for.
        var table = new object[400];
        for (int i = 0; i < table.Length; i += 2) table[i] = kept;
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.KeepAlive(table);
    }
}
