import java.util.function.Supplier;

/** Every exception that an instruction throws by itself. */
public class ImplicitExceptions {
    int field = 1;
    long wide = 2;
    Integer boxed;

    int method() {
        return field;
    }

    private int secret() {
        return field;
    }

    static int zero() {
        return 0;
    }

    static <T> T nothing() {
        return null;
    }

    static void expect(String what, Supplier<Object> action) {
        try {
            System.out.println(what + ": no exception, " + action.get());
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e.getClass().getSimpleName());
        }
    }

    static void arrays() {
        int[] ints = new int[2];
        expect("iaload", () -> ints[2]);
        expect("iaload negative", () -> ints[zero() - 1]);
        expect("iastore", () -> ints[5] = 1);
        long[] longs = {1, 2};
        expect("laload", () -> longs[zero() + 7]);
        expect("lastore", () -> longs[2] = 3L);
        expect("aaload", () -> new String[zero()][1].length);
        expect("aaload index", () -> new String[] {"a"}[zero() + 1]);
        double[] doubles = new double[1];
        expect("dastore index", () -> doubles[1] = 2.0);
        byte[] bytes = new byte[1];
        expect("bastore index", () -> bytes[3] = 2);
        char[] chars = ImplicitExceptions.<char[]>nothing();
        expect("caload null", () -> chars[0]);
        expect("castore null", () -> chars[0] = 'x');
        expect("arraylength null", () -> chars.length);
        Object[] strings = new String[1];
        expect("aastore type", () -> strings[0] = 1);
        expect("aastore null value", () -> strings[0] = null);
        expect("negative newarray", () -> new int[zero() - 1].length);
        expect("negative anewarray", () -> new String[zero() - 2]);
        expect("negative multianewarray", () -> new int[3][zero() - 3]);
    }

    static void nulls() {
        ImplicitExceptions none = nothing();
        expect("getfield", () -> none.field);
        expect("getfield wide", () -> none.wide);
        expect("putfield", () -> none.field = 4);
        expect("putfield wide", () -> none.wide = 4L);
        expect("invokevirtual", () -> none.method());
        expect("invokespecial", () -> none.secret());
        Supplier<Object> noSupplier = nothing();
        expect("invokeinterface", noSupplier == null ? () -> noSupplier.get() : noSupplier);
        expect("library call", () -> ImplicitExceptions.<String>nothing().length());
        expect("unboxing", () -> 1 + new ImplicitExceptions().boxed);
        expect("throw null", () -> {
            throw ImplicitExceptions.<RuntimeException>nothing();
        });
        expect("monitorenter", () -> {
            synchronized (ImplicitExceptions.nothing()) {
                return 1;
            }
        });
        expect("switch on null string", () -> {
            switch (ImplicitExceptions.<String>nothing()) {
                case "a":
                    return 1;
                default:
                    return 2;
            }
        });
        expect("outer null", () -> none.new Inner());
    }

    class Inner {
    }

    public static void main(String[] args) {
        arrays();
        nulls();
        expect("idiv", () -> 7 / zero());
        expect("irem", () -> 7 % zero());
        expect("ldiv", () -> 7L / zero());
        expect("lrem", () -> 7L % zero());
        expect("ddiv", () -> 7.0 / zero());
        expect("drem", () -> 7.0 % zero());
        expect("min idiv", () -> Integer.MIN_VALUE / (zero() - 1));
        expect("min ldiv", () -> Long.MIN_VALUE / (zero() - 1L));
        Object text = "text";
        expect("checkcast", () -> (Integer) text);
        expect("checkcast array", () -> (int[]) text);
        expect("checkcast interface", () -> ((Runnable) text).hashCode());
        expect("checkcast null", () -> (Integer) nothing());
    }
}
