import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** StackOverflowError caught, after which the same methods are called again, also from unrecorded code. */
public class StackOverflow {
    static int depth;
    static final int LIMIT = 1_000_000_000;

    static int direct(int n) {
        depth = n;
        return n == LIMIT ? 0 : 1 + direct(n + 1);
    }

    int even(int n, int limit) {
        return n == limit ? 0 : 1 + odd(n + 1, limit);
    }

    int odd(int n, int limit) {
        return n == limit ? 0 : 1 + even(n + 1, limit);
    }

    static long withFinally(int n) {
        long sum = n;
        try {
            sum += withFinallyHelper(n + 1);
        } finally {
            depth = n;
        }
        return sum;
    }

    static long withFinallyHelper(int n) {
        return n >= LIMIT ? 1 : withFinally(n + 1);
    }

    static int throughLibrary(int n) {
        int[] result = {0};
        Arrays.asList(1).forEach(x -> result[0] = throughLibrary(n + x));
        return result[0];
    }

    static int bounded(int n) {
        return n == 0 ? 0 : 1 + bounded(n - 1);
    }

    static class Node {
        Node next;

        @Override
        public String toString() {
            return "node " + next;
        }

        @Override
        public int hashCode() {
            return 31 * next.hashCode() + 1;
        }
    }

    static class Deep implements Comparator<Integer> {
        boolean endless;

        @Override
        public int compare(Integer a, Integer b) {
            return endless ? compare(b, a) : bounded(a) - bounded(b);
        }
    }

    static String overflow(IntUnaryOperator action) {
        try {
            return "returned " + action.applyAsInt(0);
        } catch (StackOverflowError e) {
            boolean isForeign = Arrays.toString(e.getStackTrace()).contains("Whydunit");
            return isForeign ? "overflow of something else" : "overflow";
        }
    }

    public static void main(String[] args) {
        StackOverflow object = new StackOverflow();
        System.out.println(overflow(StackOverflow::direct) + " " + (depth > 100));
        System.out.println(direct(LIMIT - 50));
        System.out.println(overflow(n -> object.even(n, LIMIT)));
        System.out.println(object.even(0, 75) + " " + object.odd(0, 20));
        System.out.println(overflow(n -> (int) withFinally(n)) + " " + depth);
        System.out.println(overflow(StackOverflow::throughLibrary));

        Node loop = new Node();
        loop.next = loop;
        System.out.println(overflow(n -> loop.toString().length()));
        System.out.println(overflow(n -> loop.hashCode()));

        Deep deep = new Deep();
        List<Integer> numbers = Arrays.asList(30, 10, 20);
        deep.endless = true;
        try {
            numbers.sort(deep);
        } catch (StackOverflowError e) {
            System.out.println("overflow in sort");
        }
        deep.endless = false;
        numbers.sort(deep);
        System.out.println(numbers + " " + deep.compare(4, 9));
        for (int i = 0; i < 3; i++) {
            System.out.println(overflow(StackOverflow::direct) + bounded(100 + i));
        }
    }
}
