import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Records with generated and own members, nested, generic, with compact constructors. */
public class Records {
    record Point(int x, int y) {
        static final Point ORIGIN = new Point(0, 0);

        Point {
            if (x < -100) {
                throw new IllegalArgumentException("too far");
            }
            y = Math.max(y, -10);
        }

        Point(int both) {
            this(both, both);
        }

        Point plus(Point other) {
            return new Point(x + other.x, y + other.y());
        }
    }

    record Wide(long a, double b, String c, int[] d, float e) {
        @Override
        public String c() {
            return "<" + c + ">";
        }
    }

    record Box<T extends Comparable<T>>(T value, List<T> rest) implements Comparable<Box<T>> {
        @Override
        public int compareTo(Box<T> other) {
            return value.compareTo(other.value);
        }
    }

    record Empty() {
    }

    public static void main(String[] args) {
        Point p = new Point(1, 2);
        System.out.println(p + " " + p.equals(new Point(1, 2)) + " " + p.hashCode() + " " + new Point(5));
        System.out.println(p.plus(Point.ORIGIN).plus(new Point(3, -50)));
        try {
            new Point(-101, 0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Wide wide = new Wide(1L << 33, 0.1, "c", new int[] {1}, Float.NaN);
        System.out.println(wide.c() + wide.a() + wide.b() + wide.d()[0] + wide.e());
        System.out.println(wide.equals(new Wide(1L << 33, 0.1, "c", wide.d(), Float.NaN)) + " " + wide.equals(null));
        Box<String> box = new Box<>("m", List.of("n", "o"));
        System.out.println(box + " " + box.compareTo(new Box<>("k", List.of())));
        System.out.println(new Empty().equals(new Empty()) + " " + new Empty());
        Map<Point, Box<Integer>> map = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            map.put(new Point(i % 7, i % 2), new Box<>(i, List.of(i)));
        }
        System.out.println(map.size() + " " + map.get(new Point(3, 1)).value());
        record Local(String name, int length) {
            Local(String name) {
                this(name, name.length());
            }
        }
        System.out.println(new Local("local"));
    }
}
