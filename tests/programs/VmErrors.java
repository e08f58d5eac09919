/** Errors that the virtual machine raises without a visible cause: memory, and the stack in odd places. */
public class VmErrors {
    static int depth;

    static String allocate(int which, int size) {
        try {
            switch (which) {
                case 0:
                    return "ints " + new int[size].length;
                case 1:
                    return "longs " + new long[size].length;
                case 2:
                    return "objects " + new Object[size].length;
                default:
                    return "rows " + new long[2][size].length;
            }
        } catch (OutOfMemoryError e) {
            return "out of memory " + which;
        }
    }

    static int endless(int n) {
        depth++;
        return endless(n + 1) + 1;
    }

    static class OverflowsInInitialiser {
        static int value = endless(0);
    }

    static class OverflowsInConstructor {
        final OverflowsInConstructor next;

        OverflowsInConstructor() {
            next = new OverflowsInConstructor();
        }
    }

    static class OverflowsBeforeSuper extends Exception {
        private static final long serialVersionUID = 1;

        OverflowsBeforeSuper(String text) {
            super(new OverflowsBeforeSuper(text + "x").getMessage());
        }
    }

    static synchronized int synchronizedEndless(int n) {
        return synchronizedEndless(n + 1) - 1;
    }

    static int caughtAtEachLevel(int n) {
        try {
            return caughtAtEachLevel(n + 1);
        } catch (StackOverflowError e) {
            return 1;
        }
    }

    static String overflow(Runnable action) {
        try {
            action.run();
            return "returned";
        } catch (StackOverflowError e) {
            return "overflow";
        } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
            return "initialiser";
        }
    }

    public static void main(String[] args) {
        for (int which = 0; which < 4; which++) {
            System.out.println(allocate(which, Integer.MAX_VALUE) + ", " + allocate(which, 3));
        }
        System.out.println(overflow(() -> System.out.println(OverflowsInInitialiser.value)));
        System.out.println(overflow(() -> System.out.println(OverflowsInInitialiser.value)));
        System.out.println(overflow(OverflowsInConstructor::new));
        System.out.println(overflow(() -> new OverflowsBeforeSuper("")));
        System.out.println(overflow(() -> synchronizedEndless(0)) + " " + Thread.holdsLock(VmErrors.class));
        System.out.println(caughtAtEachLevel(0));
        System.out.println(depth > 0);
    }
}
