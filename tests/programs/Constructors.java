/** Calls, ternaries and nested creations before super(...), chains of this(...), and `this` leaking early. */
public class Constructors {
    static StringBuilder log = new StringBuilder();

    static int note(int value) {
        log.append(value).append(' ');
        return value;
    }

    static class Pair {
        final Object left;
        final Object right;

        Pair(Object left, Object right) {
            this.left = left;
            this.right = right;
        }

        @Override
        public String toString() {
            return "<" + left + "|" + right + ">";
        }
    }

    static class Base {
        final Pair pair;
        final long total;

        Base(Pair pair, long total, double factor) {
            this.pair = pair;
            this.total = (long) (total * factor);
            hook();
        }

        void hook() {
            note(1000);
        }
    }

    static class Derived extends Base {
        int initialised = note(7);
        final int late;

        Derived(int a, boolean flag) {
            super(new Pair(flag ? new Pair(note(a), null) : "none", new Pair(new Pair(1, 2), note(2))),
                    flag ? note(a) + 1L : sum(a, a > 3 ? note(3) : note(4)),
                    new StringBuilder().append(a).append(".5").length() > 2 ? 1.5 : 2.5);
            late = initialised + a;
        }

        Derived(String text) {
            this(text == null || text.isEmpty() ? 0 : Integer.parseInt(text), text != null && text.length() > 1);
            note(late);
        }

        Derived() {
            this(String.valueOf(new Derived(2, false).late + note(5)));
        }

        static long sum(int a, int b) {
            return (long) a + b;
        }

        @Override
        void hook() {
            // Runs before the field initialisers of this class.
            note(initialised);
            registry[count++] = this;
        }
    }

    static Derived[] registry = new Derived[10];
    static int count;

    class Inner {
        final int captured;

        Inner(int x) {
            captured = x + base;
        }

        class Innermost extends Inner {
            Innermost() {
                super(Inner.this.captured + 1);
            }
        }
    }

    int base = 50;

    static void show(Derived derived) {
        System.out.println(derived.pair + " " + derived.total + " " + derived.late + " [" + log.toString().trim() + "]");
        log.setLength(0);
    }

    public static void main(String[] args) {
        show(new Derived(5, true));
        show(new Derived(2, false));
        show(new Derived("12"));
        show(new Derived((String) null));
        show(new Derived());
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += registry[i].late;
        }
        System.out.println(count + " " + sum);
        Constructors outer = new Constructors();
        Inner inner = outer.new Inner(1);
        System.out.println(inner.new Innermost().captured);
        Object anonymous = new Pair(new Pair(1, note(3)), log) {
            final int length = left.toString().length();

            @Override
            public String toString() {
                return super.toString() + length;
            }
        };
        System.out.println(anonymous);
        new Derived(9, true);
        Object unused = new Object[] {new Pair(1, 1), new Derived(1, false)}[0];
        System.out.println(unused);
    }
}
