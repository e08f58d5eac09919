// releases: 8 11 17
/** String concatenation of every type, by invokedynamic or by StringBuilder as the release has it. */
public class StringConcat {
    static class Loud {
        int asked;

        @Override
        public String toString() {
            asked++;
            return "loud" + asked;
        }
    }

    static class NullString {
        @Override
        public String toString() {
            return null;
        }
    }

    static class Thrower {
        @Override
        public String toString() {
            throw new IllegalStateException("no text");
        }
    }

    static String all(boolean z, byte b, char c, short s, int i, long l, float f, double d, Object o, int[] none) {
        return "z" + z + "b" + b + c + s + i + "l" + l + f + "d" + d + o + none;
    }

    public static void main(String[] args) {
        Loud loud = new Loud();
        System.out.println(all(true, (byte) -128, 'c', (short) 7, 1 << 31, Long.MIN_VALUE, 1e-3f, Double.NaN, loud, null));
        System.out.println("" + loud + loud + new NullString() + null + 'x' + 1 + 2L);
        String text = "start";
        text += 1;
        text += 'c';
        text += loud;
        text += 2.0;
        System.out.println(text);
        String many = text + 1 + text + 2 + text + 3 + text + 4 + "\u0001\u0002" + loud.asked;
        System.out.println(many.length());
        char[] letters = {'a', 'b'};
        letters[0] += 1;
        String[] parts = {"p"};
        int index = 0;
        parts[index++] += "q" + index;
        System.out.println(letters[0] + parts[0] + index + letters.length);
        final String constant = "con" + "stant" + 1;
        System.out.println(constant == "constant1");
        try {
            System.out.println("before " + new Thrower());
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + loud.asked);
        }
        System.out.println(1 + 2 + "three" + 4 + 5);
        System.out.println('a' + 1 + "" + (char) ('a' + 1) + -0.0f + 0x1p-1074 + 1e21 + 100.0f);
    }
}
