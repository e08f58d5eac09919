import java.io.IOException;
import java.io.InputStream;

/** A class that is verified before it is first used, which asks the program's own loader for the classes it names. */
public class VerifiedLoading {
    static class Loader extends ClassLoader {
        int defined;

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            if (!name.startsWith("VerifiedLoading$My")) {
                return super.loadClass(name, resolve);
            }
            defined++;
            try (InputStream in = VerifiedLoading.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static class MyApp implements Runnable {
        @Override
        public void run() {
            new MyHolder();
            MyStatics.value = 3;
            System.out.println(new MyHolder().make() != null);
        }
    }

    static class MyHolder {
        MyBase make() {
            return new MyDerived();
        }
    }

    static class MyStatics {
        static int value;

        static MyBase make() {
            return new MyOther();
        }
    }

    static class MyBase {
    }

    static class MyDerived extends MyBase {
    }

    static class MyOther extends MyBase {
    }

    public static void main(String[] args) throws Exception {
        Loader loader = new Loader();
        ((Runnable) loader.loadClass("VerifiedLoading$MyApp").getDeclaredConstructor().newInstance()).run();
        System.out.println(loader.defined);
    }
}
