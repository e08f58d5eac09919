// releases: 8
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** hashCode, equals and toString of the program called by hash collections and string building. */
public class CallbackHashing {
    static class Point {
        static int hashes;
        static int comparisons;
        final int x;
        final int y;

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }

        @Override
        public int hashCode() {
            hashes++;
            return x % 3;
        }

        @Override
        public boolean equals(Object other) {
            comparisons++;
            return other instanceof Point && ((Point) other).x == x && ((Point) other).y == y;
        }

        @Override
        public String toString() {
            return "(" + x + "," + y + ")";
        }
    }

    static class Fickle {
        @Override
        public int hashCode() {
            throw new UnsupportedOperationException("no hash");
        }
    }

    public static void main(String[] args) {
        Map<Point, String> names = new HashMap<>();
        for (int i = 0; i < 12; i++) {
            names.put(new Point(i % 5, i % 2), "p" + i);
        }
        System.out.println(names.size() + " " + names.get(new Point(3, 1)) + " " + names.get(new Point(9, 9)));
        System.out.println(names.computeIfAbsent(new Point(7, 7), p -> "new " + p));
        System.out.println(names.merge(new Point(7, 7), "!", String::concat));
        Set<Point> points = new HashSet<>(names.keySet());
        System.out.println(points.contains(new Point(7, 7)) + " " + points.remove(new Point(0, 0)));
        System.out.println(Objects.hash(new Point(1, 2), 5) + " " + Objects.equals(new Point(1, 2), new Point(1, 2)));
        System.out.println(Point.hashes + " " + Point.comparisons);
        try {
            new HashSet<Object>().add(new Fickle());
        } catch (UnsupportedOperationException e) {
            System.out.println("caught " + e.getMessage());
        }
    }
}
