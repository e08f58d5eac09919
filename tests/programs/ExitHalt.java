// exit: 5
/** Runtime.halt: no hooks, no end of threads. */
public class ExitHalt {
    static int count(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i;
        }
        return sum;
    }

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("never")));
        System.out.println(count(1000));
        System.out.flush();
        Runtime.getRuntime().halt(5);
    }
}
