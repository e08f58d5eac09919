// releases: 8 17
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A small program that checks itself. */
public class SelfChecking {
    static final class Line {
        final String name;
        final int price;
        int count;
        boolean isReduced;

        Line(String name, int price) {
            this.name = name;
            this.price = price;
        }

        int sum() {
            int sum = price * count;
            if (isReduced && count >= 3) {
                sum -= price;
            }
            return sum;
        }
    }

    private final Map<String, Line> byName = new HashMap<>();
    private final List<Line> lines = new ArrayList<>();
    private int sold;

    void offer(String name, int price) {
        Line line = new Line(name, price);
        byName.put(name, line);
        lines.add(line);
    }

    void reduce(String name) {
        byName.get(name).isReduced = true;
    }

    int kinds() {
        int kinds = 0;
        for (Line line : lines) {
            if (line.count > 0) {
                kinds++;
            }
        }
        return kinds;
    }

    void sell(String name, int count) {
        Line line = byName.get(name);
        for (int i = 0; i < count; i++) {
            line.count++;
        }
        sold = sold + count;
    }

    int total() {
        int total = 0;
        for (Line line : lines) {
            total += line.sum();
        }
        return total;
    }

    boolean isBusy() {
        return sold > 6;
    }

    static void check(Object expected, Object found) {
        if (!expected.equals(found)) {
            throw new IllegalStateException("expected " + expected + ", found " + found);
        }
    }

    public static void main(String[] arguments) {
        SelfChecking till = new SelfChecking();
        till.offer("tea", 5);
        till.offer("milk", 2);
        till.offer("bread", 4);
        till.reduce("tea");
        till.sell("tea", 3);
        till.sell("milk", 4);
        check(18, till.total());
        check(true, till.isBusy());
        till.sell("bread", 1);
        check(22, till.total());
        check(3, till.kinds());
        System.out.println("all checks passed");
    }
}
