// exit: 3
import java.util.Arrays;

/** System.exit from deep inside, through library frames, with a shutdown hook and a finally that never runs. */
public class ExitNested {
    static int deep(int n) {
        try {
            if (n == 0) {
                Arrays.asList(1).forEach(x -> System.exit(3));
            }
            return deep(n - 1);
        } finally {
            System.out.println("never");
        }
    }

    static void hook() {
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += i;
        }
        System.out.println("hook " + sum);
    }

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(ExitNested::hook));
        System.out.println("start");
        deep(5);
    }
}
