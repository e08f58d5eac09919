/** Exceptions in a constructor before, in and after the call of super(...) or this(...). */
public class ExceptionsInConstructors {
    static Base leaked;
    static int finished;

    static int check(int value) {
        if (value < 0) {
            throw new IllegalArgumentException("before super: " + value);
        }
        return value;
    }

    static class Base {
        final int value;

        Base(int value) {
            leaked = this;
            if (value == 13) {
                throw new IllegalStateException("in super");
            }
            this.value = value;
        }
    }

    static class Derived extends Base {
        final String text;
        int extra = 5;

        Derived(int value, String text) {
            super(check(value) + text.length());
            if (extra + value > 100) {
                throw new ArithmeticException("after super");
            }
            this.text = text;
            finished++;
        }

        Derived(int value) {
            this(10 / value, value == 1 ? null : "x" + value);
            try {
                extra += Integer.parseInt(text);
            } catch (NumberFormatException e) {
                extra = -1;
            }
        }
    }

    static class FieldFails {
        int[] numbers = new int[2];
        int third = numbers[2];
    }

    static String attempt(int which) {
        leaked = null;
        try {
            switch (which) {
                case 0:
                    return "made " + new Derived(4, "abc").value;
                case 1:
                    return "made " + new Derived(-4, "abc").value;
                case 2:
                    return "made " + new Derived(10, "abc").value;
                case 3:
                    return "made " + new Derived(99, "abc").value;
                case 4:
                    return "made " + new Derived(0).value;
                case 5:
                    return "made " + new Derived(1).value;
                case 6:
                    return "made " + new Derived(5).extra;
                case 7:
                    return "made " + new Derived(2, new String(new char[check(-2)])).extra;
                default:
                    return "made " + new FieldFails().third;
            }
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName();
        }
    }

    public static void main(String[] args) {
        for (int which = 0; which < 9; which++) {
            System.out.println(which + " " + attempt(which) + " leaked " + (leaked == null ? "none" : leaked.value));
        }
        System.out.println(finished);
    }
}
