/** Interfaces are initialised when a constant of theirs is read, and with a class only if they have default methods. */
public class InterfaceConstants {
    static class Separators {
        final String text;

        Separators(String text) {
            this.text = text;
            System.out.println("made " + text);
        }

        static Separators make(String text) {
            return new Separators(text);
        }
    }

    interface Printer {
        Separators COMMON = Separators.make("common");
        Separators ROOT = new Separators("root of the interface");

        void print();
    }

    static class DefaultPrinter implements Printer {
        static final Separators ROOT = new Separators("root of the class");
        final Separators separators;

        DefaultPrinter() {
            this(COMMON);
        }

        DefaultPrinter(Separators separators) {
            this.separators = separators;
        }

        @Override
        public void print() {
            System.out.println(separators.text + " " + ROOT.text + " " + Printer.ROOT.text);
        }
    }

    static class Configuration {
        static final Printer DEFAULT = new DefaultPrinter();
    }

    interface WithDefault {
        Separators EARLY = Separators.make("with the class");

        default String name() {
            return EARLY.text;
        }
    }

    interface Between extends WithDefault {
        Separators NEVER = Separators.make("only when read");
    }

    static class Base implements Between {
        static int count;
        static Separators own = Separators.make("base");

        static {
            count = 1;
        }
    }

    static class Derived extends Base {
        static int more;

        static {
            more = count + 1;
            own = null;
        }

        static void touch() {
            more++;
            count++;
        }
    }

    public static void main(String[] args) {
        Configuration.DEFAULT.print();
        Derived.more = 5;
        Derived.touch();
        Derived.count = 7;
        System.out.println(new Derived().name() + Derived.more + Derived.count + Base.own);
        System.out.println(Derived.NEVER.text);
    }
}
