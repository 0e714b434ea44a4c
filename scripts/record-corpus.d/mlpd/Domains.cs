// Domains [SECONDS]: a second application domain that lives as long as what it runs. Then it sleeps.
using System;
using System.Threading;

static class Domains {
    static void Greet() {
        Console.WriteLine(AppDomain.CurrentDomain.FriendlyName);
    }

    static void Main(string[] arguments) {
        Greet();
        AppDomain other = AppDomain.CreateDomain("other");
        other.DoCallBack(Greet);
        AppDomain.Unload(other);
        if (arguments.Length > 0) Thread.Sleep(int.Parse(arguments[0]) * 1000);
    }
}
