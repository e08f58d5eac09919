/** Recursion thousands of frames deep, direct, mutual and through a data structure. */
public class DeepRecursion {
    static int depth(int n) {
        return n == 0 ? 0 : depth(n - 1) + 1;
    }

    static boolean even(int n) {
        return n == 0 || odd(n - 1);
    }

    static boolean odd(int n) {
        return n != 0 && even(n - 1);
    }

    static class Cell {
        final long head;
        final Cell tail;

        Cell(long head, Cell tail) {
            this.head = head;
            this.tail = tail;
        }

        long sum(long so_far, double weight) {
            long here = so_far + head;
            return tail == null ? here : tail.sum(here, weight * 0.5);
        }
    }

    static int ackermann(int m, int n) {
        if (m == 0) {
            return n + 1;
        }
        return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    static int unwind(int n) {
        if (n == 0) {
            throw new IllegalStateException("bottom");
        }
        return unwind(n - 1) + 1;
    }

    static void run() {
        System.out.println(depth(10_000));
        System.out.println(even(10_000) + " " + odd(10_000));
        Cell cells = null;
        for (int i = 0; i < 10_000; i++) {
            cells = new Cell(i, cells);
        }
        System.out.println(cells.sum(0, 1));
        System.out.println(ackermann(2, 300));
        try {
            unwind(10_000);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread roomy = new Thread(null, DeepRecursion::run, "roomy", 256L << 20);
        roomy.start();
        roomy.join();
    }
}
