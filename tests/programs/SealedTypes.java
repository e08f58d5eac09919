/** Sealed hierarchies with instanceof patterns and switch expressions. */
public class SealedTypes {
    sealed interface Shape permits Circle, Rectangle, Group {
        double area();
    }

    record Circle(double radius) implements Shape {
        @Override
        public double area() {
            return 3 * radius * radius;
        }
    }

    static final class Rectangle implements Shape {
        final double width;
        final double height;

        Rectangle(double width, double height) {
            this.width = width;
            this.height = height;
        }

        @Override
        public double area() {
            return width * height;
        }
    }

    abstract static sealed class Group implements Shape permits Pair, Open {
        abstract Shape[] parts();

        @Override
        public double area() {
            double sum = 0;
            for (Shape shape : parts()) {
                sum += shape.area();
            }
            return sum;
        }
    }

    static final class Pair extends Group {
        private final Shape a;
        private final Shape b;

        Pair(Shape a, Shape b) {
            this.a = a;
            this.b = b;
        }

        @Override
        Shape[] parts() {
            return new Shape[] {a, b};
        }
    }

    static non-sealed class Open extends Group {
        @Override
        Shape[] parts() {
            return new Shape[0];
        }
    }

    static String describe(Object object) {
        if (object instanceof Circle circle && circle.radius() > 1) {
            return "large circle " + circle.radius();
        } else if (!(object instanceof Shape shape)) {
            return "no shape";
        } else {
            return shape.getClass().getSimpleName() + " " + shape.area();
        }
    }

    enum Size { SMALL, MEDIUM, LARGE }

    static Size size(Shape shape) {
        int whole = (int) shape.area();
        return switch (whole) {
            case 0, 1, 2, 3 -> Size.SMALL;
            case 4, 5 -> {
                int half = whole / 2;
                yield half > 2 ? Size.LARGE : Size.MEDIUM;
            }
            default -> Size.LARGE;
        };
    }

    public static void main(String[] args) {
        Object[] objects = {new Circle(1), new Circle(2), new Rectangle(2, 2.5), new Open() { },
            new Pair(new Circle(0.5), new Pair(new Rectangle(1, 1), new Open())), "text", null};
        for (Object object : objects) {
            String size = object instanceof Shape s ? size(s).name() : "-";
            System.out.println(describe(object) + " " + size);
        }
        System.out.println(switch (size(new Circle(1))) {
            case SMALL -> "s";
            case MEDIUM -> "m";
            case LARGE -> "l";
        });
    }
}
