// releases: 11
/** Default, static and private interface methods, diamonds and calls of a super interface. */
public class InterfaceMethods {
    interface Named {
        String name();

        default String greet() {
            return prefix() + name();
        }

        private String prefix() {
            return "hello ";
        }

        static Named of(String text) {
            return () -> text;
        }
    }

    interface Polite extends Named {
        @Override
        default String greet() {
            return "dear " + Named.super.greet();
        }
    }

    interface Rude extends Named {
        @Override
        default String greet() {
            return "hey " + name();
        }
    }

    static class Both implements Polite, Rude {
        @Override
        public String name() {
            return "both";
        }

        @Override
        public String greet() {
            return Polite.super.greet() + "/" + Rude.super.greet();
        }
    }

    abstract static class Abstract implements Named {
        public String name() {
            return "abstract " + kind();
        }

        abstract String kind();
    }

    static class Concrete extends Abstract implements Polite {
        @Override
        String kind() {
            return "concrete";
        }
    }

    static class Overrides extends Concrete {
        @Override
        public String greet() {
            return "[" + super.greet() + "]";
        }
    }

    public static void main(String[] args) {
        Named[] all = {Named.of("lambda"), new Both(), new Concrete(), new Overrides(), new Rude() {
            @Override
            public String name() {
                return "anonymous";
            }
        }};
        for (Named named : all) {
            System.out.println(named.greet());
        }
    }
}
