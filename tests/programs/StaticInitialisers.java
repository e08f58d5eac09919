/** Static initialisers started by each instruction that can start one, and in each order. */
public class StaticInitialisers {
    static StringBuilder log = new StringBuilder();

    static int note(String what, int value) {
        log.append(what).append(' ');
        return value;
    }

    static class ByGetstatic {
        static int value = note("getstatic", 1);
    }

    static class ByPutstatic {
        static int value = note("putstatic", 2);
    }

    static class ByInvokestatic {
        static final int BASE = note("invokestatic", 3);

        static int add(int x, long y) {
            return (int) (BASE + x + y);
        }
    }

    static class ByNew {
        static final Object FIRST = new Object();

        static {
            note("new", 4);
        }

        final int seen;

        ByNew(int seen) {
            this.seen = seen;
        }
    }

    static class Base {
        static int shared = note("base", 5);

        static int inherited() {
            return shared;
        }
    }

    static class Derived extends Base {
        static int own = note("derived", shared + 1);
    }

    static class ConstantHolder {
        static final int CONSTANT = 42;

        static {
            note("never", 0);
        }
    }

    interface WithDefault {
        int STARTED = note("interface-with-default", 6);

        default int twice(int x) {
            return 2 * x;
        }
    }

    interface WithoutDefault {
        int STARTED = note("interface-without-default", 7);

        int size();
    }

    static class Implementor implements WithDefault, WithoutDefault {
        static int mark = note("implementor", 8);

        @Override
        public int size() {
            return STARTED_BY_HAND;
        }

        static final int STARTED_BY_HAND = note("by-hand", 9);
    }

    static class CycleA {
        static int a = note("cycle-a", CycleB.b + 1);
    }

    static class CycleB {
        static int b = note("cycle-b", CycleA.a + 1);
    }

    enum Planet {
        EARTH(1), MARS(2);

        static final int TOTAL;
        final int mass;

        static {
            int sum = 0;
            for (Planet planet : values()) {
                sum += planet.mass;
            }
            TOTAL = sum;
        }

        Planet(int mass) {
            this.mass = note("planet" + mass, mass);
        }
    }

    static class BeforeRefusal {
        static final Object FIRST = new Object();

        static int tooMany(int count) {
            return count + 1;
        }
    }

    /** The call that starts the initialiser is over when the one behind it fails. */
    static void refused(String text) {
        try {
            System.out.println(text.substring(BeforeRefusal.tooMany(3)));
        } catch (StringIndexOutOfBoundsException refused) {
            System.out.println("refused");
        }
    }

    static void flush() {
        System.out.println(log.toString().trim());
        log = new StringBuilder();
    }

    public static void main(String[] args) {
        System.out.println(ByGetstatic.value);
        ByPutstatic.value = 20;
        System.out.println(ByPutstatic.value);
        System.out.println(ByInvokestatic.add(note("argument", 1), ByInvokestatic.BASE));
        System.out.println(new ByNew(log.length()).seen > 0);
        flush();
        System.out.println(Derived.inherited());
        flush();
        System.out.println(Derived.own);
        System.out.println(ConstantHolder.CONSTANT);
        flush();
        Implementor implementor = new Implementor();
        System.out.println(implementor.twice(4) + implementor.size());
        flush();
        System.out.println(WithoutDefault.STARTED);
        flush();
        System.out.println(CycleA.a + " " + CycleB.b);
        flush();
        System.out.println(Planet.TOTAL);
        flush();
        refused("abc");
    }
}
