import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Each case is run with two numbers. A comment `case: kind` says that the runs of this case part in its line; `values` is
 * for values that differ.
 */
public class Cases {
    interface Shape { int area(int side); }

    static class Square implements Shape {
        public int area(int side) { return side * side; }
    }

    static class Flat implements Shape {
        public int area(int side) { return 0; }
    }

    static class Node {
        Node next;
        int value;
        long made;
        Node(int value, Node next) { this.value = value; this.next = next; }
    }

    static int sum;

    static void same(int x) {
        int even = x % 2;
        for (int i = 0; i < 3; i++) {
            sum += even;
        }
    }

    static void ifs(int x) {
        if (x > 1) { // ifs: branch
            sum += 10;
        } else {
            sum += 20;
        }
        if (sum > 5) {
            sum++;
        }
    }

    static void loop(int x) {
        for (int i = 0; i < x; i++) { // loop: branch
            sum++;
        }
        if (x > 0) {
            sum += 2;
        }
    }

    static void inside(int x) {
        for (int i = 0; i < 4; i++) {
            if (i == x) { // inside: branch
                sum += 100;
                if (sum > 1000) {
                    sum = 0;
                }
            }
            sum++;
            if (i > 2) {
                sum++;
            }
        }
    }

    static void leaving(int x) {
        outer:
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                if (j == x) { // leaving: branch
                    continue outer;
                }
                if (i == x + 1) {
                    break outer;
                }
                sum++;
            }
        }
        sum++;
    }

    static void both(int x) {
        if (x > 1 && sum >= 0 || x == 7) { // both: branch
            sum++;
        }
    }

    static void choice(int x) {
        switch (x) { // choice: switch
            case 1:
                sum += 1;
            case 2:
                sum += 2;
                if (sum > 100) {
                    sum = 0;
                }
                break;
            default:
                sum += 3;
        }
        sum++;
    }

    static void targets(int x) {
        Shape shape = x == 1 ? new Square() : new Flat(); // targets: branch
        for (int i = 0; i < 2; i++) {
            sum += shape.area(i); // targets: target
        }
    }

    static int checked(int x) {
        if (x > 1) { // thrown: branch // retried: branch // uncaught: branch
            throw new IllegalStateException("too large"); // thrown: exception // retried: exception // uncaught: exception
        }
        return x;
    }

    static void thrown(int x) {
        for (int i = 0; i < 2; i++) {
            try {
                sum += checked(x + i);
            } catch (IllegalStateException e) {
                sum -= 1;
            }
            if (i == 1) {
                sum++;
            }
        }
    }

    static void retried(int x) {
        for (;;) {
            try {
                sum += checked(x);
                break;
            } catch (IllegalStateException e) {
                x--;
            }
        }
        if (sum > 0) {
            sum++;
        }
    }

    static void middle(int x) {
        try {
            sum += checked(x);
        } finally {
            sum++;
        }
        sum += 5;
    }

    static void uncaught(int x) {
        try {
            middle(x);
        } catch (RuntimeException e) {
            sum = 7;
        }
        if (sum > 1) {
            sum++;
        }
    }

    static int fact(int n) {
        if (n <= 1) { // recursion: branch
            return 1;
        }
        return n * fact(n - 1);
    }

    static void recursion(int x) {
        sum += fact(x);
        if (x > 0) {
            sum++;
        }
    }

    static void values(int x) {
        int y = x + 1;
        int z = y - y;
        sum = z;
        int[] numbers = {1, y, z};
        sum += numbers[2];
    }

    static void objects(int x) {
        Node first = null;
        if (x > 1) { // objects: branch
            for (int i = 0; i < 5; i++) {
                new Node(i, null);
            }
        }
        for (int i = 0; i < 3; i++) {
            first = new Node(i, first);
        }
        Node second = new Node(9, first);
        second.next.next = null;
    }

    static void mixed(int x) {
        Node a = new Node(1, null);
        Node b = new Node(2, null);
        Node chosen = a;
        if (x > 1) { // mixed: branch
            chosen = b;
        }
        chosen.value = 3;
    }

    static void tables(int x) {
        Map<String, Integer> counts = new HashMap<>();
        for (String word : Arrays.asList("a", "b", "a")) {
            counts.merge(word + (x % 2), 1, Integer::sum);
        }
        String text = "n" + x % 2;
        sum += text.length() + counts.size() + counts.get("a1");
    }

    static void sorted(int x) {
        List<Integer> numbers = new ArrayList<>(List.of(3, 1, 2));
        numbers.sort(new Comparator<Integer>() {
            public int compare(Integer a, Integer b) {
                return x > 1 ? b - a : a - b; // sorted: branch
            }
        });
        sum += numbers.get(0);
    }

    static void clock(int x) {
        long start = System.nanoTime();
        Node node = new Node(1, null);
        node.made = start;
        long elapsed = System.nanoTime() - start;
        String text = "at " + start + " after " + elapsed;
        sum += text.length() - text.length() + Integer.signum(System.identityHashCode(node));
    }

    static void threads(int x) throws Exception {
        Thread one = new Thread(() -> loop(3), "one");
        Thread two = new Thread(() -> ifs2(x), "two");
        one.start();
        one.join();
        two.start();
        two.join();
    }

    static void ifs2(int x) {
        if (x > 1) { // threads: branch // order: branch
            sum++;
        }
    }

    static void guarded(int x) {
        int found = 0;
        for (int i = 0; i < x; i++) { // guarded: branch
            if (i > 5) {
                throw new IllegalStateException("too many");
            }
            found++;
        }
        int twice = found * 2;
        if (twice > 2) { // guarded: branch
            sum++;
        }
    }

    static void order(int x) throws Exception {
        Thread other = new Thread(() -> ifs2(x), "other");
        other.start();
        other.join();
        if (x > 1) { // order: branch
            sum++;
        }
    }

    public static void main(String[] arguments) throws Exception {
        int x = arguments[1].length();
        switch (arguments[0]) {
            case "same" -> same(x);
            case "ifs" -> ifs(x);
            case "loop" -> loop(x);
            case "inside" -> inside(x);
            case "leaving" -> leaving(x);
            case "both" -> both(x);
            case "choice" -> choice(x);
            case "targets" -> targets(x);
            case "thrown" -> thrown(x);
            case "retried" -> retried(x);
            case "uncaught" -> uncaught(x);
            case "recursion" -> recursion(x);
            case "values" -> values(x);
            case "objects" -> objects(x);
            case "mixed" -> mixed(x);
            case "tables" -> tables(x);
            case "sorted" -> sorted(x);
            case "clock" -> clock(x);
            case "threads" -> threads(x);
            case "guarded" -> guarded(x);
            case "order" -> order(x);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        sum++;
        System.out.println(sum > -100000);
    }
}
