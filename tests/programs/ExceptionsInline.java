/** Implicit exceptions caught in the very method that raises them, with locals that are used afterwards. */
public class ExceptionsInline {
    static int[] data = {1, 2, 3};
    int value;

    static int sumUntilEnd() {
        int sum = 0;
        int i = 0;
        try {
            while (true) {
                sum += data[i];
                i++;
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            return sum * 10 + i;
        }
    }

    static int nested(int which, ExceptionsInline object, int divisor, Object thing) {
        int state = 1;
        try {
            state = 2;
            try {
                state = 3;
                if (which == 0) {
                    state += object.value;
                } else if (which == 1) {
                    state += 10 / divisor;
                } else if (which == 2) {
                    state += ((String) thing).length();
                } else {
                    throw new IllegalArgumentException("which " + which);
                }
                state = 4;
            } catch (NullPointerException e) {
                state += 100;
            } finally {
                state += 1000;
            }
            state++;
        } catch (ArithmeticException | ClassCastException e) {
            state += 20000;
        } finally {
            state *= 2;
        }
        return state;
    }

    static long wideAfterwards(long a, double b, String text) {
        long result = a;
        try {
            result += 5;
            result += text.length();
        } catch (NullPointerException e) {
            result -= (long) b;
        }
        return result;
    }

    @SuppressWarnings("finally")
    static int finallyWins() {
        try {
            throw new IllegalStateException("lost");
        } finally {
            return 7;
        }
    }

    static int loopWithContinue() {
        int caught = 0;
        for (int i = -2; i <= 2; i++) {
            try {
                if (10 / i > 0) {
                    continue;
                }
                caught += 10;
            } catch (ArithmeticException e) {
                caught += 1;
                continue;
            } finally {
                caught += 100;
            }
        }
        return caught;
    }

    public static void main(String[] args) {
        System.out.println(sumUntilEnd());
        System.out.println(nested(0, null, 0, ""));
        System.out.println(nested(0, new ExceptionsInline(), 0, ""));
        System.out.println(nested(1, null, 0, ""));
        System.out.println(nested(1, null, 5, ""));
        System.out.println(nested(2, null, 0, 5));
        System.out.println(nested(2, null, 0, null));
        try {
            nested(9, null, 0, null);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(wideAfterwards(1L << 40, 3.9, null) + " " + wideAfterwards(1, 2, "abc"));
        System.out.println(finallyWins() + " " + loopWithContinue());
    }
}
