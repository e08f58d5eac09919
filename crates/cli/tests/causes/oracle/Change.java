import java.lang.reflect.Method;

/** Runs programs with one value changed, or one statement left out, and says when another result comes out. */
public class Change {
    static final int KINDS = 4;
    static int changed;
    static int kind;

    static int value(int number, int value) {
        if (number != changed) {
            return value;
        }
        return switch (kind) {
            case 0 -> value + 1;
            case 1 -> ~value;
            case 2 -> 0;
            default -> value * 7 + 13;
        };
    }

    static long value(int number, long value) {
        return number != changed ? value : value + value((int) changed, (int) value) + 1;
    }

    static boolean value(int number, boolean value) {
        return number != changed ? value : kind == 2 ? true : kind == 3 ? false : !value;
    }

    static String value(int number, String value) {
        if (number != changed) {
            return value;
        }
        return switch (kind) {
            case 0 -> value + "1";
            case 1 -> "";
            case 2 -> "changed";
            default -> new StringBuilder(value).reverse().toString();
        };
    }

    static Integer value(int number, Integer value) {
        return number != changed ? value : Integer.valueOf(value(number, value.intValue()));
    }

    static boolean isKept(int number) {
        return number != changed;
    }

    /** Arguments: classes, each followed by the number of its changes. */
    public static void main(String[] arguments) throws Exception {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < arguments.length; i += 2) {
            Class<?> program = Class.forName(arguments[i]);
            changed = -1;
            String expected = run(program);
            out.append("result ").append(expected).append('\n');
            for (int number = 0; number < Integer.parseInt(arguments[i + 1]); number++) {
                for (int each = 0; each < KINDS; each++) {
                    changed = number;
                    kind = each;
                    String found = run(program);
                    if (!expected.equals(found)) {
                        out.append("change ").append(number).append(' ').append(found).append('\n');
                    }
                }
            }
        }
        System.out.print(out);
    }

    private static String run(Class<?> program) throws ReflectiveOperationException {
        Method run = program.getMethod("run");
        run.invoke(null);
        return (String) program.getDeclaredField("result").get(null);
    }
}
