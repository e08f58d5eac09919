/** Exceptions of the JVM that come at the second of two instructions that both could throw them. */
public class LateFaults {
    static class Fine {
        static int x;
    }

    static class Broken {
        static int y = fail();

        static int fail() {
            throw new IllegalStateException("broken");
        }
    }

    static class Other {
        static int z = 3;
    }

    static void store(Object[] takes, Object[] refuses, Object value) {
        takes[0] = value;
        refuses[0] = value;
    }

    static void storeInLoop(Object[][] arrays, Object value) {
        Object[] a = arrays[0];
        Object[] b = arrays[1];
        int i = 0;
        while (i < 3) {
            (i < 2 ? a : b)[i] = value;
            i++;
        }
    }

    static void initialise() {
        Fine.x = 1;
        Broken.y = 2;
    }

    static void initialiseAfter() {
        Other.z = 4;
        Fine.x = 5;
        Broken.y = 6;
    }

    static void run(Runnable action) {
        try {
            action.run();
            System.out.println("fine");
        } catch (Throwable t) {
            System.out.println(t.getClass().getName() + " " + t.getMessage());
            StackTraceElement top = t.getStackTrace()[0];
            System.out.println("  " + top.getMethodName() + ":" + top.getLineNumber());
        }
    }

    public static void main(String[] args) {
        Object[] any = new Object[3];
        Object[] strings = new String[3];
        Object[] arrays = new CharSequence[3][];
        run(() -> store(any, strings, 1));
        run(() -> store(strings, any, "text"));
        run(() -> store(arrays, strings, new String[0]));
        run(() -> store(any, arrays, new int[0]));
        run(() -> storeInLoop(new Object[][] {any, strings}, 2));
        run(LateFaults::initialise);
        run(LateFaults::initialise);
        run(LateFaults::initialiseAfter);
        System.out.println(Fine.x + " " + Other.z + " " + any[0] + " " + strings[0]);
    }
}
