// releases: 8 17
/** int, long, float and double arithmetic with overflow, NaN, infinities, signed zeros, shifts and remainders. */
public class Arithmetic {
    static final int[] INTS = {0, 1, -1, 2, 7, -7, 31, 32, 33, 46341, Integer.MAX_VALUE, Integer.MIN_VALUE};
    static final long[] LONGS = {0, 1, -1, 63, 64, 65, -7, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE, 0x8000_0000L};
    static final double[] DOUBLES = {0.0, -0.0, 1.0, -1.5, 1e308, Double.MIN_VALUE, Double.NaN,
        Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0.1};
    static final float[] FLOATS = {0f, -0f, 1f, -2.5f, 3e38f, Float.MIN_VALUE, Float.NaN, Float.POSITIVE_INFINITY,
        Float.NEGATIVE_INFINITY, 0.1f};

    static long mix(long hash, long value) {
        return (hash ^ value) * 1099511628211L + (hash >>> 29);
    }

    static long ints() {
        long hash = 1;
        for (int a : INTS) {
            hash = mix(hash, -a);
            hash = mix(hash, ~a);
            for (int b : INTS) {
                hash = mix(hash, a + b);
                hash = mix(hash, a - b);
                hash = mix(hash, a * b);
                hash = mix(hash, b == 0 ? 0 : a / b);
                hash = mix(hash, b == 0 ? 0 : a % b);
                hash = mix(hash, (a << b) + (a >> b) + (a >>> b));
                hash = mix(hash, (a & b) * 3 + (a | b) * 5 + (a ^ b) * 7);
                hash = mix(hash, (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a == b ? 4 : 0) + (a != b ? 8 : 0)
                        + (a > b ? 16 : 0) + (a >= b ? 32 : 0));
            }
        }
        return hash;
    }

    static long longs() {
        long hash = 2;
        for (long a : LONGS) {
            hash = mix(hash, -a);
            for (long b : LONGS) {
                hash = mix(hash, a + b);
                hash = mix(hash, a - b);
                hash = mix(hash, a * b);
                hash = mix(hash, b == 0 ? 0 : a / b);
                hash = mix(hash, b == 0 ? 0 : a % b);
                hash = mix(hash, (a << b) + (a >> b) + (a >>> (int) b));
                hash = mix(hash, (a & b) * 3 + (a | b) * 5 + (a ^ b) * 7);
                hash = mix(hash, (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a == b ? 4 : 0) + (a > b ? 8 : 0));
            }
        }
        return hash;
    }

    static long doubles() {
        long hash = 3;
        for (double a : DOUBLES) {
            hash = mix(hash, Double.doubleToLongBits(-a));
            for (double b : DOUBLES) {
                hash = mix(hash, Double.doubleToLongBits(a + b));
                hash = mix(hash, Double.doubleToLongBits(a - b));
                hash = mix(hash, Double.doubleToLongBits(a * b));
                hash = mix(hash, Double.doubleToLongBits(a / b));
                hash = mix(hash, Double.doubleToLongBits(a % b));
                hash = mix(hash, (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a == b ? 4 : 0) + (a != b ? 8 : 0)
                        + (a > b ? 16 : 0) + (a >= b ? 32 : 0) + (!(a < b) ? 64 : 0));
            }
        }
        return hash;
    }

    static long floats() {
        long hash = 4;
        for (float a : FLOATS) {
            hash = mix(hash, Float.floatToIntBits(-a));
            for (float b : FLOATS) {
                hash = mix(hash, Float.floatToIntBits(a + b));
                hash = mix(hash, Float.floatToIntBits(a - b));
                hash = mix(hash, Float.floatToIntBits(a * b));
                hash = mix(hash, Float.floatToIntBits(a / b));
                hash = mix(hash, Float.floatToIntBits(a % b));
                hash = mix(hash, (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a == b ? 4 : 0) + (a > b ? 8 : 0));
            }
        }
        return hash;
    }

    static String increments() {
        int i = Integer.MAX_VALUE;
        i++;
        int wide = 5;
        wide += 300;
        wide -= 40000;
        byte b = 127;
        b++;
        char c = 0;
        c--;
        short s = -32768;
        s -= 1;
        long l = Long.MAX_VALUE;
        l++;
        float f = 16777216f;
        f++;
        double d = 0.1 + 0.2;
        int shifted = 1;
        shifted <<= 35L;
        b >>>= 1;
        return i + " " + wide + " " + b + " " + (int) c + " " + s + " " + l + " " + f + " " + d + " " + shifted;
    }

    public static void main(String[] args) {
        System.out.println(ints() + " " + longs() + " " + doubles() + " " + floats());
        System.out.println(increments());
        System.out.println(5.5 % -2 + " " + -5.5f % 2 + " " + -0.0 % 1 + " " + 1e300 % 7);
        System.out.println((0.0 == -0.0) + " " + Double.valueOf(0.0).equals(-0.0) + " " + (Double.NaN == Double.NaN));
        System.out.println(Math.floorMod(-7, 3) + " " + -7 % 3 + " " + Math.sqrt(2) + " " + StrictMath.sin(1));
    }
}
