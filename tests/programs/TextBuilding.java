/** StringBuilder, StringBuffer, string methods, characters beyond the BMP, CharSequence of the program. */
public class TextBuilding {
    static class Repeated implements CharSequence {
        final char c;
        final int length;

        Repeated(char c, int length) {
            this.c = c;
            this.length = length;
        }

        @Override
        public int length() {
            return length;
        }

        @Override
        public char charAt(int index) {
            if (index < 0 || index >= length) {
                throw new IndexOutOfBoundsException("index " + index);
            }
            return c;
        }

        @Override
        public CharSequence subSequence(int from, int to) {
            return new Repeated(c, to - from);
        }

        @Override
        public String toString() {
            StringBuilder out = new StringBuilder();
            for (int i = 0; i < length; i++) {
                out.append(c);
            }
            return out.toString();
        }
    }

    static String caesar(String text, int shift) {
        StringBuilder out = new StringBuilder(text.length());
        for (char c : text.toCharArray()) {
            if (Character.isLetter(c) && c < 128) {
                char base = Character.isUpperCase(c) ? 'A' : 'a';
                c = (char) (base + (c - base + shift + 26) % 26);
            }
            out.append(c);
        }
        return out.toString();
    }

    static boolean palindrome(String text) {
        int left = 0;
        int right = text.length() - 1;
        while (left < right) {
            if (text.charAt(left++) != text.charAt(right--)) {
                return false;
            }
        }
        return true;
    }

    public static void main(String[] args) {
        StringBuilder builder = new StringBuilder();
        builder.append(1).append('c').append(2L).append(1.5f).append(true).append((Object) null);
        builder.insert(0, "start-").reverse().setCharAt(0, '#');
        builder.deleteCharAt(1).replace(0, 2, "<>").setLength(8);
        System.out.println(builder);
        System.out.println(new StringBuilder().append(new Repeated('x', 4)).append(new Repeated('y', 5), 1, 3));
        System.out.println(String.join("/", new Repeated('a', 2), "b", new StringBuffer("c")));
        System.out.println(caesar("Hello, World", 3) + " " + caesar(caesar("Hello", 5), -5));
        System.out.println(palindrome("level") + " " + palindrome("levels") + " " + palindrome(""));
        String astral = "a\uD83D\uDE00b";
        System.out.println(astral.length() + " " + astral.codePointCount(0, astral.length()) + " " + astral.codePointAt(1));
        System.out.println(String.format("%5d|%-5s|%05.2f|%x", 42, "ab", 3.14159, 255));
        String[] parts = "k1=v1;k2=v2;;k3".split(";");
        int total = 0;
        for (String part : parts) {
            int equals = part.indexOf('=');
            total = total * 10 + equals;
        }
        System.out.println(parts.length + " " + total);
        String unknown = "\u00e4\u20ac";
        System.out.println((int) unknown.charAt(0) + " " + (int) unknown.charAt(1) + " " + unknown.hashCode());
        System.out.println("contentEquals".contentEquals(new Repeated('c', 3)) + " " + "aaa".contentEquals(new Repeated('a', 3)));
    }
}
