import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Runs programs with one value changed, or one statement left out, and says when another result comes out without an
 * exception that was not there before.
 */
public class Change {
    static final int KINDS = 4;
    static int changed;
    static int kind;
    static final Map<Integer, Integer> TRIED = new HashMap<>();
    static final Set<String> THROWN = new HashSet<>();

    private static int ticks;

    /** A loop that a statement that was left out should have ended. */
    static void tick() {
        if (++ticks > 10_000) {
            throw new AssertionError("endless");
        }
    }

    static void tries(int site) {
        TRIED.merge(site, 1, Integer::sum);
    }

    static void caught(int site, RuntimeException exception) {
        String line = "";
        for (StackTraceElement frame : exception.getStackTrace()) {
            if (frame.getClassName().startsWith("Changing")) {
                line = frame.getMethodName() + ":" + frame.getLineNumber();
                break;
            }
        }
        THROWN.add(site + " " + TRIED.get(site) + " " + line);
    }

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
            Set<String> thrown = new HashSet<>(THROWN);
            out.append("result ").append(expected).append('\n');
            for (int number = 0; number < Integer.parseInt(arguments[i + 1]); number++) {
                for (int each = 0; each < KINDS; each++) {
                    changed = number;
                    kind = each;
                    String found = run(program);
                    if (found != null && !expected.equals(found) && thrown.containsAll(THROWN)) {
                        out.append("change ").append(number).append(' ').append(found).append('\n');
                    }
                }
            }
        }
        System.out.print(out);
    }

    private static String run(Class<?> program) throws ReflectiveOperationException {
        TRIED.clear();
        THROWN.clear();
        ticks = 0;
        Method run = program.getMethod("run");
        try {
            run.invoke(null);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof AssertionError) {
                return null;
            }
            throw e;
        }
        return (String) program.getDeclaredField("result").get(null);
    }
}
