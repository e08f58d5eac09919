import java.util.Arrays;

public class Odd {
    static int[] marks = {1, 2, 3, 4};
    static long total;
    static final Object lock = new Object();
    String name = "odd";
    int[] own = new int[3];

    static int first(int start) {
        int n = start;
        if (n > 0) {
            do {
                n = n - 2;
            } while (n > 0);
        }
        return n;
    }

    static int depth(int n) {
        int x = n * 10;
        if (n > 0) {
            depth(n - 1);
        }
        x = x + 1;
        return x;
    }

    void fill() {
        own[1] = 5;
        own[2] = 6;
        Arrays.fill(own, 9);
        int seen = own[1];
        total = seen + own.length;
    }

    static void pass(String word, int count) {
        if (word.equals("three") && count != 2) {
            total++;
        }
    }

    public static void main(String[] arguments) throws Exception {
        first(2);
        first(5);
        depth(2);
        marks[2] = 30;
        marks[3] = 40;
        marks[2] = 31;
        Odd odd = new Odd();
        odd.fill();
        Thread other = new Thread(() -> {
            synchronized (lock) {
                total = 1000;
            }
        }, "other");
        synchronized (lock) {
            total = 7;
        }
        other.start();
        other.join();
        synchronized (lock) {
            System.out.println(total);
        }
        String[] words = {"one", "two", "three"};
        for (int i = 0; i < words.length; i++) {
            pass(words[i], i + arguments.length);
        }
    }
}
