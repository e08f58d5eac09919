/** Initialisers that throw, and every later use of such a class. */
public class FailingInitialisers {
    static class Divides {
        static int zero;
        static int result = 1 / zero;

        static int get() {
            return result;
        }
    }

    static class ThrowsError {
        static {
            if (true) {
                throw new AssertionError("in initialiser");
            }
        }

        int field = 3;
    }

    static class Outer {
        static int value;

        static {
            try {
                value = Divides.get();
            } catch (NoClassDefFoundError e) {
                value = -1;
            }
        }
    }

    static class BadParent {
        static int x = Integer.parseInt("not a number");
    }

    static class GoodChild extends BadParent {
        static int y = 5;
    }

    static void attempt(String what, Runnable action) {
        try {
            action.run();
            System.out.println(what + ": fine");
        } catch (ExceptionInInitializerError e) {
            System.out.println(what + ": initialiser " + e.getCause().getClass().getSimpleName());
        } catch (NoClassDefFoundError e) {
            System.out.println(what + ": no class");
        } catch (AssertionError e) {
            System.out.println(what + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        attempt("invokestatic", () -> System.out.println(Divides.get()));
        attempt("invokestatic again", () -> System.out.println(Divides.get()));
        attempt("getstatic", () -> System.out.println(Divides.result));
        attempt("putstatic", () -> Divides.zero = 1);
        attempt("new", () -> new ThrowsError());
        attempt("new again", () -> System.out.println(new ThrowsError().field));
        attempt("nested", () -> System.out.println(Outer.value));
        attempt("child", () -> System.out.println(GoodChild.y));
        attempt("child again", () -> System.out.println(GoodChild.y));
    }
}
