// releases: 11 17
/** Private fields, methods and constructors reached across nested classes (by accessors before release 11). */
public class NestMates {
    private int secret = 1;
    private static long counter;
    private final double[] values = {1.5, 2.5};

    private int hidden(int x) {
        return secret + x;
    }

    private static long count(long step) {
        return counter += step;
    }

    private NestMates() {
    }

    private NestMates(int secret) {
        this.secret = secret;
    }

    static class Nested {
        private final NestMates outer = new NestMates(20);
        private int own = 3;

        private int use() {
            outer.secret++;
            outer.secret += 5;
            counter++;
            outer.values[0] *= 2;
            return outer.hidden(own) + (int) count(100);
        }

        private class Deeper {
            private int use() {
                own--;
                return outer.hidden(own) + new NestMates().secret++ + Sibling.helper(own);
            }
        }
    }

    private static class Sibling {
        private static int helper(int x) {
            return -x;
        }

        private Sibling() {
            counter += 1000;
        }
    }

    class Inner {
        private int read() {
            return secret + hidden(1) + NestMates.this.secret;
        }
    }

    interface Contract {
        private int base() {
            return 5;
        }

        default int value() {
            return base() + offset();
        }

        private static int offset() {
            return 2;
        }
    }

    public static void main(String[] args) {
        Nested nested = new Nested();
        System.out.println(nested.use() + " " + nested.outer.secret + " " + nested.outer.values[0]);
        Nested.Deeper deeper = nested.new Deeper();
        System.out.println(deeper.use() + " " + nested.own);
        new Sibling();
        System.out.println(counter + " " + nested.outer.new Inner().read());
        System.out.println(new Contract() { }.value());
        Runnable lambda = () -> System.out.println(nested.outer.hidden(0) + Sibling.helper(1));
        lambda.run();
    }
}
