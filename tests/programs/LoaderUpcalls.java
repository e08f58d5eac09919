import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Instructions whose classes a loader of the program's own is asked for when they first run. */
public class LoaderUpcalls {
    public interface Shape {
        int area();

        default int twice() {
            return 2 * area();
        }
    }

    public static class Square implements Shape {
        public int side = 3;
        public static int made;

        public Square() {
            made++;
        }

        @Override
        public int area() {
            return side * side;
        }
    }

    public static class Factory {
        public static Shape make() {
            return new Square();
        }

        public static Square square() {
            return new Square();
        }
    }

    /** Loaded by the loader below; all that it names is asked of that loader. */
    public static class App implements Runnable {
        @Override
        public void run() {
            int calls = Factory.make().area() + Factory.make().twice();
            Square square = Factory.square();
            square.side = 4;
            Object other = square;
            System.out.println(calls + " " + square.side + " " + (other instanceof Shape) + " " + Square.made);
            for (int i = 0; i < 3; i++) {
                System.out.println(new Helper(i).help(Factory.make()));
            }
        }
    }

    public static class Helper {
        final int n;

        Helper(int n) {
            this.n = n;
        }

        int help(Shape shape) {
            return shape.area() + n;
        }
    }

    static class ByName extends ClassLoader {
        final List<String> asked = new ArrayList<>();

        ByName() {
            super(LoaderUpcalls.class.getClassLoader());
        }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            asked.add(name);
            if (name.endsWith("$App") || name.endsWith("$Helper")) {
                return findClass(name);
            }
            return super.loadClass(name);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            try (InputStream in = getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Its parent cannot find the classes, so the JDK's loadClass asks findClass. */
    static class ByFinding extends ClassLoader {
        final ClassLoader real = LoaderUpcalls.class.getClassLoader();
        int found;

        ByFinding() {
            super(null);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            found++;
            if (!name.endsWith("$App") && !name.endsWith("$Helper")) {
                return real.loadClass(name);
            }
            try (InputStream in = real.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ByName byName = new ByName();
        ((Runnable) byName.loadClass("LoaderUpcalls$App").getConstructor().newInstance()).run();
        System.out.println(byName.asked.contains("LoaderUpcalls$Shape"));
        ByFinding byFinding = new ByFinding();
        ((Runnable) byFinding.loadClass("LoaderUpcalls$App").getConstructor().newInstance()).run();
        System.out.println(byFinding.found > 2);
    }
}
