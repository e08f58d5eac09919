// exit: 4
/** System.exit in a finally, while an exception is on its way. */
public class ExitInFinally {
    static void fail(int n) {
        try {
            if (n == 0) {
                throw new IllegalStateException("lost");
            }
            fail(n - 1);
        } finally {
            if (n == 2) {
                System.out.println("leaving");
                System.exit(4);
            }
        }
    }

    public static void main(String[] args) {
        fail(5);
    }
}
