// releases: 8 17
/**
 * Fields of objects that `clone` has copied. After `//?` stands what a line asks for and the label of the line that it has to
 * come from, or what slices of it have; `//=` gives a line its label.
 */
public class ClonedObjects {
    static int spin;

    static void slowly(int times) {
        for (int i = 0; i < times; i++) {
            spin += i ^ spin;
        }
    }

    static class Base implements Cloneable {
        int above;

        @Override
        public Base clone() {
            try {
                return (Base) super.clone(); //= cloned
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    static class Point extends Base {
        int x;
        int y;
        String name;

        Point(int x, int y) {
            this.x = x; //= x
            this.y = y; //= y
        }
    }

    static void copied() {
        Point first = new Point(3, 4);
        first.above = Integer.parseInt("7"); //= above
        Point second = (Point) first.clone();
        first.x = 9;
        second.y = 5; //= own
        int x = second.x;
        int y = second.y; //? y from own
        int above = second.above;
        String name = second.name;
        System.out.println(x + y + above + name); //? x thinned to x, cloned //! x thinned to above, y
        System.out.println(above); //? above thinned to above, cloned //! above thinned to x
        System.out.println(first.x);
    }

    static void longAgo() {
        Point first = new Point(30, 40);
        Point second = (Point) first.clone();
        first.x = 90;
        slowly(200_000);
        int x = second.x;
        System.out.println(x); //? x thinned to x, cloned //! x thinned to above, y
    }

    static void writtenByAnother() throws InterruptedException {
        Point first = new Point(50, 60);
        Thread writer = new Thread(() -> {
            first.x = 51; //= another
        });
        writer.start();
        writer.join();
        Point second = (Point) first.clone();
        int x = second.x;
        System.out.println(x); //? x thinned to another, cloned //! x thinned to x
    }

    public static void main(String[] args) throws InterruptedException {
        copied();
        longAgo();
        writtenByAnother();
    }
}
