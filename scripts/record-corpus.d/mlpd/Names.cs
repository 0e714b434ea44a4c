// Names: of types, methods and threads beyond ASCII; threads one after the other, whose ids come again.
using System.Threading;

class Größe<T> {
    public void 測る() {}
}

static class Names {
    static readonly string[] names = {
        "größer", "糸", "\U0001f9f5", "lone \ud800 surrogate", "two\nlines", "nul\0within", "", new string('x', 300),
    };

    static void Main() {
        new Größe<string>().測る();
        foreach (string name in names) {
            var thread = new Thread(() => {}) { Name = name };
            thread.Start();
            thread.Join();
        }
    }
}
