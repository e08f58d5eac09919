// releases: 8 17
import java.util.Arrays;

/**
 * Arrays that another thread has filled, copied to and sorted. After `//?` stands what a line asks for and the label of the
 * line that it has to come from, `//=` gives a line its label.
 */
public class ArraysOfThreads {
    static int[] source = new int[600];
    static int[] filled = new int[20];
    static int[] copied = new int[600];
    static int[] few = new int[10];
    static int[] sorted = {3, 1, 2};
    static int[] twice = new int[40];

    static void work(int value) {
        for (int i = 0; i < source.length; i++) {
            source[i] = i * value;
        }
        Arrays.fill(filled, 5, 15, value); //= fill
        filled[6] = 8; //= eight
        System.arraycopy(source, 0, copied, 0, 600); //= copy
        System.arraycopy(source, 0, few, 0, 10); //= copy-few
        few[1] = 9; //= nine
        Arrays.sort(sorted); //= sort
        twice[3] = 1;
        Arrays.fill(twice, 2); //= fill-again
    }

    public static void main(String[] args) throws Exception {
        int value = Integer.parseInt("7");
        Thread thread = new Thread(() -> work(value));
        thread.start();
        thread.join();
        int inside = filled[5]; //? inside from fill
        int after = filled[6]; //? after from eight
        int long1 = copied[500]; //? long1 from copy
        int short1 = few[5]; //? short1 from copy-few
        int written = few[1]; //? written from nine
        int first = sorted[0]; //? first from sort
        int last = twice[3]; //? last from fill-again
        System.out.println(inside + after + long1 + short1 + written + first + last);
    }
}
