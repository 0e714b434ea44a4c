public class App {
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 300; i++) sum ^= fib(i % 20);
        System.out.println(sum);
    }
}
