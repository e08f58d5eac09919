// releases: 8 11
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Inner, local and anonymous classes with captured variables, and enums with bodies. */
public class InnerClasses {
    private int state = 10;

    class Counter {
        private int step;

        Counter(int step) {
            this.step = step;
        }

        int next() {
            return state += step;
        }

        class Reset {
            void run() {
                state = 0;
                step = 1;
                InnerClasses.this.changed();
            }
        }
    }

    private int changes;

    private void changed() {
        changes++;
    }

    Iterable<Integer> range(final int from, final int to) {
        return new Iterable<Integer>() {
            @Override
            public Iterator<Integer> iterator() {
                return new Iterator<Integer>() {
                    int current = from;

                    @Override
                    public boolean hasNext() {
                        return current < to;
                    }

                    @Override
                    public Integer next() {
                        state++;
                        return current++;
                    }
                };
            }
        };
    }

    static List<Runnable> locals(int n, List<String> sink) {
        List<Runnable> result = new ArrayList<>();
        long wide = 1L << n;
        class Local implements Runnable {
            final int id;

            Local(int id) {
                this.id = id;
            }

            @Override
            public void run() {
                sink.add(id + ":" + wide + ":" + n);
                if (id == 0) {
                    new Local(id + 100).run();
                }
            }
        }
        for (int i = 0; i < n; i++) {
            result.add(new Local(i));
        }
        return result;
    }

    enum Op {
        PLUS("+") {
            @Override
            int apply(int a, int b) {
                return a + b;
            }
        },
        TIMES("*") {
            final int factor = 1;

            @Override
            int apply(int a, int b) {
                return a * b * factor;
            }

            @Override
            boolean binds() {
                return true;
            }
        };

        final String symbol;

        Op(String symbol) {
            this.symbol = symbol;
        }

        abstract int apply(int a, int b);

        boolean binds() {
            return false;
        }
    }

    public static void main(String[] args) {
        InnerClasses outer = new InnerClasses();
        Counter counter = outer.new Counter(5);
        System.out.println(counter.next() + " " + counter.next());
        counter.new Reset().run();
        System.out.println(counter.next() + " " + outer.changes);
        int sum = 0;
        for (int i : outer.range(3, 7)) {
            sum += i;
        }
        System.out.println(sum + " " + outer.state);
        List<String> sink = new ArrayList<>();
        for (Runnable runnable : locals(3, sink)) {
            runnable.run();
        }
        System.out.println(sink);
        for (Op op : Op.values()) {
            System.out.println(op + op.symbol + op.apply(3, 4) + op.binds() + Op.valueOf(op.name()).ordinal());
        }
        try {
            Op.valueOf("MINUS");
        } catch (IllegalArgumentException e) {
            System.out.println("no such op");
        }
    }
}
