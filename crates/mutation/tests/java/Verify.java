import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** {@code verify CLASSES MUTANTS}: links each class file of a folder of folders; {@code dump PACKAGE TO}: classes of the JDK. */
public class Verify {
    public static void main(String[] arguments) throws IOException {
        switch (arguments[0]) {
            case "verify" -> verify(Path.of(arguments[1]), Path.of(arguments[2]));
            case "dump" -> dump(arguments[1], Path.of(arguments[2]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void verify(Path classes, Path mutants) throws IOException {
        int linked = 0;
        try (Stream<Path> files = Files.walk(mutants).filter(Files::isRegularFile)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = file.getParent().getFileName().toString();
                byte[] bytes = Files.readAllBytes(file);
                try (One loader = new One(classes.toUri().toURL(), name, bytes)) {
                    // HotSpot links a class, and so verifies it, before it tells its methods; it does not initialise it.
                    Class.forName(name, false, loader).getDeclaredMethods();
                    linked++;
                } catch (ClassNotFoundException | LinkageError refused) {
                    System.out.println(file + ": " + refused);
                }
            }
        }
        System.out.println("linked " + linked);
    }

    private static void dump(String packageName, Path to) throws IOException {
        Path from = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", "java.base", packageName);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (file.toString().endsWith(".class")) {
                    Files.write(to.resolve(file.getFileName().toString()), Files.readAllBytes(file));
                }
            }
        }
    }

    /** Has one class of its own and takes all others from a folder. */
    private static final class One extends URLClassLoader {
        private final String name;
        private final byte[] bytes;

        One(URL classes, String name, byte[] bytes) {
            super(new URL[] {classes}, ClassLoader.getPlatformClassLoader());
            this.name = name;
            this.bytes = bytes;
        }

        @Override
        protected Class<?> findClass(String wanted) throws ClassNotFoundException {
            return wanted.equals(name) ? defineClass(name, bytes, 0, bytes.length) : super.findClass(wanted);
        }
    }
}
