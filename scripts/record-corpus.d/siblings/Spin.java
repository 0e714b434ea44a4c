// Runs long enough to be sampled in the code of its methods.
public class Spin {
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 4; i++) sum ^= fib(34 + i);
        System.out.println(sum);
    }
}
