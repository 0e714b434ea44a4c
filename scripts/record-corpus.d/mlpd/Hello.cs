// The least that a program does.
static class Hello {
    static void Main() {
        System.Console.WriteLine("hello");
    }
}
