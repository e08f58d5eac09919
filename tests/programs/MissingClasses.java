import java.io.IOException;
import java.io.InputStream;

/** Linkage errors in recorded code, because the program's own loader refuses a class. */
public class MissingClasses {
    public static class Missing {
        static int value = 1;
        int field = 2;

        static int get() {
            return value;
        }
    }

    public static class MissingChild extends Missing {
    }

    public static class User implements Runnable {
        static int attempts;
        Object seen = "text";

        private String attempt(int which) {
            int before = attempts;
            try {
                attempts++;
                switch (which) {
                    case 0:
                        return "new " + new Missing().field;
                    case 1:
                        return "getstatic " + Missing.value;
                    case 2:
                        Missing.value = before;
                        return "putstatic";
                    case 3:
                        return "invokestatic " + Missing.get();
                    case 4:
                        return "instanceof " + (seen instanceof Missing);
                    case 5:
                        return "checkcast " + ((Missing) seen).field;
                    case 6:
                        return "ldc " + Missing.class;
                    case 7:
                        return "anewarray " + new Missing[before].length;
                    case 8:
                        return "multianewarray " + new Missing[2][before].length;
                    case 9:
                        return "child " + new MissingChild();
                    default:
                        seen = null;
                        return "null instanceof " + (seen instanceof Missing) + (Missing) seen;
                }
            } catch (NoClassDefFoundError e) {
                return which + " refused after " + before;
            }
        }

        @Override
        public void run() {
            for (int which = 0; which <= 10; which++) {
                System.out.println(attempt(which));
            }
            System.out.println(attempt(0));
        }
    }

    static class Refusing extends ClassLoader {
        int refused;

        Refusing() {
            super(MissingClasses.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.endsWith("$Missing")) {
                refused++;
                throw new ClassNotFoundException("refused");
            }
            if (!name.endsWith("$User") && !name.endsWith("$MissingChild")) {
                return super.loadClass(name, resolve);
            }
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            try (InputStream in = getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Refusing loader = new Refusing();
        Runnable user = (Runnable) loader.loadClass("MissingClasses$User").getDeclaredConstructor().newInstance();
        user.run();
        System.out.println(loader.refused > 0);
        // The program's first loader has no objection.
        System.out.println(new Missing().field + new MissingChild().field + Missing.get());
        user.run();
    }
}
