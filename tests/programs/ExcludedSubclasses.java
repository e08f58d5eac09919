/** Overrides that call what they override, over several levels; the tests exclude some of the classes. */
public class ExcludedSubclasses {
    static class Base {
        int left = 9;

        int pop() {
            return left--;
        }
    }

    static class Middle extends Base {
    }

    static class Lowest extends Middle {
        @Override
        int pop() {
            return 10 * super.pop();
        }
    }

    interface Shape {
        int area();

        default int twice() {
            return 2 * area();
        }
    }

    interface Named extends Shape {
        String name();
    }

    static class Square implements Named {
        @Override
        public int area() {
            return 16;
        }

        @Override
        public String name() {
            return "square";
        }

        @Override
        public int twice() {
            return Named.super.twice() + 1;
        }
    }

    static int run(Base base) {
        return base.pop() + base.pop();
    }

    static int run(Shape shape) {
        return shape.twice() + shape.area();
    }

    public static void main(String[] args) {
        System.out.println(run(new Lowest()));
        System.out.println(run(new Middle()));
        System.out.println(run(new Square()));
    }
}
