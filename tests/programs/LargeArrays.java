import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Arrays of thousands of elements that the library reads, fills and copies, also long after they were written. After `//?`
 * stands what slices of a value have, after `//!` what they must not have, `//=` gives a line its label.
 */
public class LargeArrays {
    static class IntList {
        int[] items = new int[8];
        int size;

        void add(int item) {
            if (size == items.length) {
                items = Arrays.copyOf(items, size * 2); //= grow
            }
            items[size++] = item;
        }
    }

    static void grown() {
        IntList list = new IntList();
        int special = Integer.parseInt("4711"); //= special
        int other = Integer.parseInt("815"); //= other
        for (int i = 0; i < 2500; i++) {
            list.add(i == 700 ? special : i == 701 ? other : i);
        }
        int found = list.items[700];
        System.out.println(found); //? found thinned to special, grow //! found thinned to other
    }

    static void readAsAWhole() {
        int start = Integer.parseInt("5"); //= start
        int[] values = new int[3000];
        for (int i = 0; i < 2000; i++) {
            values[i] = start + i; //= filled
        }
        int sum = IntStream.of(values).sum();
        int place = Arrays.binarySearch(values, 2500, 3000, 0);
        int again = IntStream.of(values).sum();
        values[2999] = Integer.parseInt("9"); //= last
        int more = IntStream.of(values).sum();
        System.out.println(sum + place); //? sum thinned to start, filled //! sum thinned to last
        System.out.println(again); //? again thinned to start, filled //! again thinned to last
        System.out.println(more); //? more thinned to start, filled, last
    }

    static void moved() {
        long[] from = new long[1200];
        long[] to = new long[1200];
        from[100] = Long.parseLong("100"); //= hundred
        from[101] = Long.parseLong("101"); //= next
        to[1150] = Long.parseLong("7"); //= seven
        System.arraycopy(from, 0, to, 50, 1000); //= move
        from[100] = Long.parseLong("8"); //= eight
        long moved = to[150];
        long kept = to[1150];
        System.out.println(moved); //? moved thinned to hundred, move //! moved thinned to next, seven, eight
        System.out.println(kept); //? kept thinned to seven //! kept thinned to move
    }

    static void filled() {
        char[] letters = new char[2000];
        Arrays.fill(letters, 10, 1990, "x".charAt(0)); //= fill
        char[] twin = letters.clone(); //= twin
        letters[500] = "y".charAt(0); //= y
        char kept = twin[500];
        char written = letters[500];
        System.out.println(kept); //? kept thinned to fill, twin //! kept thinned to y
        System.out.println(written); //? written thinned to y //! written thinned to fill
    }

    public static void main(String[] args) {
        grown();
        readAsAWhole();
        moved();
        filled();
    }
}
