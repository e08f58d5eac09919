import java.util.Arrays;

/** Every array type, multi-arrays, jagged ones, compound assignment, and arrays changed by the library. */
public class ArrayTypes {
    static boolean[] booleans = {true, false, true};
    static byte[] bytes = {-128, 127, 0};
    static char[] chars = {'a', '\uffff', 0};
    static short[] shorts = {-32768, 32767, 5};
    static int[] ints = {Integer.MIN_VALUE, Integer.MAX_VALUE, 7};
    static long[] longs = {Long.MIN_VALUE, Long.MAX_VALUE, 9};
    static float[] floats = {Float.NaN, -0f, 1.5f};
    static double[] doubles = {Double.NaN, -0.0, 2.5};
    static String[] strings = {"a", null, "c"};

    static void change() {
        booleans[1] = !booleans[0];
        booleans[2] ^= true;
        bytes[0]--;
        bytes[1] += 2;
        chars[0]++;
        chars[2]--;
        shorts[0]--;
        shorts[2] *= 10000;
        ints[0]--;
        ints[ints.length - 1] <<= 3;
        longs[1]++;
        longs[2] /= 2;
        floats[2] %= 1f;
        floats[1] -= 1;
        doubles[2] *= -doubles[1];
        strings[1] += "b";
        strings[0] = strings[2] + strings[1];
    }

    static void multi() {
        int[][][] cube = new int[3][4][];
        cube[2][1] = new int[] {1, 2};
        cube[0] = new int[][] {{5}, {6, 7}, {}};
        cube[2][1][1] += cube[0][1][0]++;
        long[][] table = new long[2][3];
        table[1][2] = 1L << 40;
        table[0] = table[1];
        table[0][0]--;
        double[][][] full = new double[2][2][2];
        full[1][0][1] = 0.5;
        String[][] jagged = {{}, {"x"}, null, {"y", "z"}};
        boolean[][] flags = new boolean[2][2];
        flags[1][1] = true;
        byte[][] raw = new byte[2][3];
        raw[1][1] = (byte) 300;
        Object[] objects = new Object[] {cube, table, full, jagged, flags, raw, ints, 5};
        System.out.println(Arrays.deepToString(objects));
        System.out.println(jagged[2] == null ? "null row" : "row");
        System.out.println(cube.getClass().getName() + " " + objects[4].getClass().getSimpleName());
    }

    static void library() {
        int[] numbers = {5, 3, 8, 1, 9, 2};
        int[] alias = numbers;
        Arrays.sort(numbers);
        System.out.println(alias[0] + " " + alias[5]);
        System.arraycopy(numbers, 0, numbers, 1, 5);
        System.out.println(Arrays.toString(alias));
        int[] copy = numbers.clone();
        copy[0] = 100;
        Arrays.fill(numbers, 2, 4, -1);
        System.out.println(numbers[0] + numbers[2] + numbers[3] + copy[0] + copy[2]);
        int[][] shallow = {{1}, {2}};
        int[][] cloned = shallow.clone();
        cloned[0][0] = 50;
        cloned[1] = new int[] {60};
        System.out.println(shallow[0][0] + " " + shallow[1][0]);
        Integer[] boxed = {3, 1, 2};
        Arrays.sort(boxed, (a, b) -> {
            // The array is seen half sorted from inside the sort.
            return boxed.length == 3 ? b - a : a - b;
        });
        System.out.println(Arrays.toString(boxed));
        Arrays.setAll(numbers, i -> i == 0 ? 1 : numbers[i - 1] * 2);
        System.out.println(Arrays.stream(numbers).sum() + " " + Arrays.hashCode(numbers));
        char[] text = "hello".toCharArray();
        "world".getChars(0, 2, text, 3);
        System.out.println(new String(text) + " " + Arrays.binarySearch(numbers, 8));
        Object array = new long[] {4, 5};
        System.out.println(((long[]) array)[1] + java.lang.reflect.Array.getLong(array, 0));
        try {
            System.arraycopy(new int[1], 0, numbers, 0, 2);
        } catch (IndexOutOfBoundsException e) {
            System.out.println("copy too long");
        }
        try {
            System.arraycopy(new Object[] {"s", 1}, 0, strings, 0, 2);
        } catch (ArrayStoreException e) {
            System.out.println("copied until " + strings[0] + strings[1]);
        }
    }

    public static void main(String[] args) {
        change();
        System.out.println(Arrays.toString(booleans) + Arrays.toString(bytes) + (int) chars[0] + (int) chars[2]
                + Arrays.toString(shorts) + Arrays.toString(ints) + Arrays.toString(longs));
        System.out.println(Arrays.toString(floats) + Arrays.toString(doubles) + Arrays.toString(strings));
        multi();
        library();
    }
}
