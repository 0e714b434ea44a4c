// Counter: one that the program makes itself, and changes while the runtime's are sampled.
using System.Diagnostics;
using System.Threading;

static class Counter {
    static void Main() {
        var data = new CounterCreationDataCollection {
            new CounterCreationData("greetings", "how many", PerformanceCounterType.NumberOfItems64)
        };
        PerformanceCounterCategory.Create("tracelint", "", PerformanceCounterCategoryType.SingleInstance, data);
        var counter = new PerformanceCounter("tracelint", "greetings", false);
        for (int i = 0; i < 25; i++) {
            counter.Increment();
            Thread.Sleep(100);
        }
    }
}
