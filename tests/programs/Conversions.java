/** Every primitive conversion with edge values, boxing and unboxing included. */
public class Conversions {
    static void fromInt(int i) {
        System.out.println((byte) i + " " + (short) i + " " + (int) (char) i + " " + (long) i + " " + (float) i + " " + (double) i);
    }

    static void fromLong(long l) {
        System.out.println((int) l + " " + (byte) l + " " + (float) l + " " + (double) l + " " + (int) (char) l);
    }

    static void fromDouble(double d) {
        System.out.println((int) d + " " + (long) d + " " + (float) d + " " + (byte) d + " " + (int) (char) d + " " + (short) d);
    }

    static void fromFloat(float f) {
        System.out.println((int) f + " " + (long) f + " " + (double) f);
    }

    static Object box(int which) {
        return switch (which) {
            case 0 -> (byte) 200;
            case 1 -> 'c';
            case 2 -> (short) 40000;
            case 3 -> 123456;
            case 4 -> 1L << 50;
            case 5 -> 1.1f;
            case 6 -> 1.1;
            default -> true;
        };
    }

    static double unboxed(Object object) {
        if (object instanceof Character c) {
            return c + 0.5;
        }
        if (object instanceof Boolean b) {
            return b ? 1 : 0;
        }
        if (object instanceof Long l) {
            long copy = l;
            return copy;
        }
        return ((Number) object).doubleValue();
    }

    public static void main(String[] args) {
        for (int i : new int[] {0, -1, 127, 128, 255, 256, 32768, 65535, 65536, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            fromInt(i);
        }
        for (long l : new long[] {0, -1, 1L << 31, 1L << 32, (1L << 53) + 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            fromLong(l);
        }
        for (double d : new double[] {0, -0.0, 0.99, -0.99, 2147483647.5, -2147483649.0, 1e19, -1e19, Double.NaN,
            Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e-50, 3.5e38, 65536.7}) {
            fromDouble(d);
        }
        for (float f : new float[] {0, -1.5f, 1e10f, -1e20f, Float.NaN, Float.MAX_VALUE, Float.MIN_VALUE, 16777217f}) {
            fromFloat(f);
        }
        double sum = 0;
        for (int which = 0; which < 8; which++) {
            sum += unboxed(box(which));
        }
        System.out.println(sum);
        Integer counter = 126;
        counter++;
        counter += 2;
        Long wide = 5L;
        wide = wide * counter;
        Character letter = 'a';
        letter++;
        System.out.println(counter + " " + wide + " " + letter + " " + (true ? 1 : 2.0) + " " + (Object) (true ? 65 : 'c'));
    }
}
