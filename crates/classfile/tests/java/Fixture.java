import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A program with every kind of instruction that an edit has to move. It prints one number for each part. */
public class Fixture {
    interface Shape {
        double area();
    }

    static class Square implements Shape {
        final double side;
        final String label;

        Square(double side, String... names) {
            this(side, names.length > 0 ? names[0] : "none");
        }

        Square(double side, String label) {
            this.side = side;
            this.label = label == null ? "null" : label;
        }

        public double area() {
            return side * side;
        }
    }

    static class Broken extends Exception {
        Broken(String message, Throwable cause) {
            super(message == null ? "broken" : message, cause);
        }
    }

    enum Colour {
        RED,
        GREEN,
        BLUE
    }

    static int tables(int key) {
        switch (key) {
            case 0: return 10;
            case 1: key += 5;
            case 2: return key;
            case 5: return 50;
            default: break;
        }
        switch (key) {
            case -100000: return 1;
            case 77: return 2;
            case 100000: return 3;
            default: return 4;
        }
    }

    static int names(String name, Colour colour) {
        int result = 0;
        switch (name) {
            case "one": result = 1; break;
            case "two": result = 2; break;
            default: result = -1;
        }
        switch (colour) {
            case RED: return result + 100;
            case GREEN: return result + 200;
            default: return result + 300;
        }
    }

    static long loops(int limit) {
        long sum = 0;
        double half = 0.5;
        outer:
        for (int i = 0; i < limit; i++) {
            int j = i;
            while (true) {
                if (j > 100) continue outer;
                if (j == 77) break;
                sum += j % 2 == 0 ? j : -j;
                j += 3;
            }
            half *= 1.5;
            sum += (long) half % 1000;
        }
        return sum;
    }

    static int loopAtTheStart(int n) {
        do {
            n -= 7;
        } while (n > 0);
        return n;
    }

    static String handlers(int way, Object lock) {
        StringBuilder text = new StringBuilder();
        try {
            synchronized (lock) {
                try {
                    if (way == 0) throw new Broken(null, null);
                    if (way == 1) throw new IllegalStateException("state");
                    if (way == 2) text.append(((int[]) lock).length);
                    text.append("fine");
                } catch (Broken e) {
                    text.append(e.getMessage());
                } finally {
                    text.append("+");
                }
            }
        } catch (IllegalStateException | ClassCastException e) {
            text.append(e.getClass().getSimpleName());
        }
        return text.toString();
    }

    static Square conditionalArguments(boolean big, String first, String second) {
        return new Square(big ? 10 : 1, first != null ? first : second != null ? second : "none");
    }

    static int lambdas(List<String> words) {
        Map<String, Integer> counts = new HashMap<>();
        words.forEach(word -> counts.merge(word, 1, (a, b) -> a + b));
        int[][] grid = new int[3][4];
        for (int[] row : grid) {
            for (int i = 0; i < row.length; i++) row[i] += counts.size();
        }
        int sum = 0;
        for (int[] row : grid) for (int cell : row) sum += cell;
        return sum;
    }

    static int manyLocals(int a, long b, double c, int[] d, String[] e, float f) {
        int r = a;
        if (b > 3) {
            long x = b * 2;
            double y = c + x;
            r += (int) y;
        } else {
            float z = f;
            String s = e[0];
            r += s.length() + (int) z;
        }
        for (int v : d) r += v;
        return r;
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Mark {
        String name();

        int[] counts() default {};

        Class<?> type() default void.class;

        Class<?>[] types() default {};

        Colour[] colours() default {};

        Deprecated inner() default @Deprecated;
    }

    @Mark(name = "a", counts = {1, 2}, type = String.class, types = {List.class, Map.class},
        colours = {Colour.RED, Colour.BLUE}, inner = @Deprecated)
    @Deprecated
    static void marked() {}

    public static void main(String[] arguments) {
        for (int key = -1; key < 8; key++) System.out.println(tables(key));
        System.out.println(tables(100000) + tables(77) + tables(-100000));
        System.out.println(names("one", Colour.RED) + names("two", Colour.GREEN) + names("x", Colour.BLUE));
        System.out.println(loops(60));
        System.out.println(loopAtTheStart(40));
        for (int way = 0; way < 4; way++) System.out.println(handlers(way, "lock"));
        System.out.println(conditionalArguments(true, null, "b").area());
        System.out.println(conditionalArguments(false, "a", null).label + new Square(2).area());
        List<String> words = new ArrayList<>();
        for (String word : "a b c a b a".split(" ")) words.add(word);
        System.out.println(lambdas(words));
        System.out.println(manyLocals(1, 2, 3, new int[] {4, 5}, new String[] {"abc"}, 6f));
        System.out.println(manyLocals(1, 20, 3, new int[] {4, 5}, new String[] {"abc"}, 6f));
        System.out.println(Thread.currentThread().getStackTrace()[1].getLineNumber());
    }
}
