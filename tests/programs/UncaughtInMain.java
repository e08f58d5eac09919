// exit: 1
/** An uncaught exception with a cause ends the program with exit code 1. */
public class UncaughtInMain {
    static int depth(int[] values, int index) {
        if (index == values.length - 1) {
            return values[index + 1];
        }
        return depth(values, index + 1) + values[index];
    }

    static int wrapped(int[] values) {
        try {
            return depth(values, 0);
        } catch (ArrayIndexOutOfBoundsException e) {
            throw new IllegalStateException("wrapped", e);
        } finally {
            System.out.println("finally");
        }
    }

    public static void main(String[] args) {
        System.out.println("start");
        System.out.println(wrapped(new int[] {1, 2, 3}));
    }
}
