import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Arrays and fields that code of the library writes. */
public class LibraryWrites {
    static class Box {
        int[] sorted = {3, 1, 2};
        Integer[] viewed = {1, 2, 3};
        int[] late = {1, 1};
        int value = 1;
    }

    static long work(int rounds) {
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum += i % 7;
        }
        return sum;
    }

    public static void main(String[] arguments) throws Exception {
        Box box = new Box();
        Arrays.sort(box.sorted);
        System.out.println("sorted");
        int first = box.sorted[0];
        System.arraycopy(box.sorted, 1, box.sorted, 0, 2);
        System.out.println("copied");
        List<Integer> view = Arrays.asList(box.viewed);
        Collections.reverse(view);
        System.out.println("reversed");
        String[] names = new ArrayList<>(List.of("a", "b")).stream().toArray(String[]::new);
        System.out.println("filled");
        Field field = Box.class.getDeclaredField("value");
        field.setInt(box, 7);
        System.out.println("set");
        int got = box.value;
        long sum = work(150_000);
        Arrays.fill(box.late, 1, 2, 5);
        sum += work(150_000);
        System.out.println("late " + sum);
        System.out.println(first + got + names[0] + box.late[0]);
    }
}
