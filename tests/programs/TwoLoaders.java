// releases: 8
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.IntSupplier;

/** One class defined by two loaders of the program, which the virtual machine asks for further classes. */
public class TwoLoaders {
    public static class Part {
        static int made;

        public Part() {
            made++;
        }

        int size() {
            return made * 100;
        }
    }

    public static class Plugin implements IntSupplier {
        static int calls = start();

        static int start() {
            System.out.println("plugin starts");
            return 0;
        }

        @Override
        public int getAsInt() {
            calls++;
            return new Part().size() + calls;
        }

        public boolean same(Object other) {
            return other instanceof Plugin;
        }
    }

    static class Isolating extends ClassLoader {
        int asked;

        Isolating() {
            super(TwoLoaders.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            asked++;
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null) {
                    return known;
                }
                if (!name.startsWith("TwoLoaders$P")) {
                    return super.loadClass(name, resolve);
                }
                byte[] bytes = read(name);
                return defineClass(name, bytes, 0, bytes.length);
            }
        }

        private byte[] read(String name) throws ClassNotFoundException {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                byte[] buffer = new byte[512];
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    out.write(buffer, 0, n);
                }
                return out.toByteArray();
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Isolating first = new Isolating();
        Isolating second = new Isolating();
        Class<?> a = first.loadClass("TwoLoaders$Plugin");
        Class<?> b = Class.forName("TwoLoaders$Plugin", true, second);
        IntSupplier one = (IntSupplier) a.getDeclaredConstructor().newInstance();
        IntSupplier two = (IntSupplier) b.getDeclaredConstructor().newInstance();
        IntSupplier own = new Plugin();
        System.out.println((a == b) + " " + a.getName().equals(b.getName()));
        System.out.println(one.getAsInt() + " " + one.getAsInt() + " " + two.getAsInt() + " " + own.getAsInt());
        System.out.println(new Plugin().same(one) + " " + new Plugin().same(own));
        System.out.println(a.getMethod("same", Object.class).invoke(one, two));
        System.out.println(first.asked > 2 && second.asked > 2);
        try {
            Plugin cast = (Plugin) one;
            System.out.println(cast);
        } catch (ClassCastException e) {
            System.out.println("other class");
        }
        try {
            Class.forName("TwoLoaders$Plugless", true, first);
        } catch (ClassNotFoundException | NullPointerException e) {
            System.out.println("no such class");
        }
    }
}
