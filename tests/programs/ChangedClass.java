// args: parent
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.function.IntUnaryOperator;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Another agent changes classes after they were loaded, as frameworks for mocks do, and changes them back. */
public class ChangedClass {
    static Instrumentation instrumentation;
    static boolean isMocking;

    public static void premain(String arguments, Instrumentation given) {
        instrumentation = given;
        given.addTransformer(new Mocker(), true);
    }

    /** Puts the code of Sh0p in the place of that of Shop. */
    static class Mocker implements ClassFileTransformer {
        @Override
        public byte[] transform(
                ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
            if (!isMocking || !"Shop".equals(name)) {
                return null;
            }
            try (InputStream in = loader.getResourceAsStream("Sh0p.class")) {
                byte[] other = in.readAllBytes();
                for (int i = 0; i + 4 <= other.length; i++) {
                    if (other[i] == 'S' && other[i + 1] == 'h' && other[i + 2] == '0' && other[i + 3] == 'p') {
                        other[i + 2] = 'o';
                    }
                }
                return other;
            } catch (IOException e) {
                return null;
            }
        }
    }

    static int use(Shop shop, int start) {
        int sum = 0;
        for (int i = start; i < start + 5; i++) {
            sum += shop.price(i);
            sum -= Shop.discount(sum);
            sum += shop.count;
        }
        return sum;
    }

    static void change(boolean mock) throws Exception {
        isMocking = mock;
        instrumentation.retransformClasses(Shop.class);
    }

    static void child() throws Exception {
        Shop old = new Shop(3);
        System.out.println("before " + use(old, 1));
        change(true);
        System.out.println("changed " + use(old, 1) + " " + use(new Shop(2), 2));
        int[] result = new int[1];
        Thread thread = new Thread(() -> result[0] = use(old, 3));
        thread.start();
        thread.join();
        System.out.println("other thread " + result[0]);
        try {
            old.price(-1);
            System.out.println("no exception");
        } catch (IllegalArgumentException e) {
            System.out.println("caught " + e.getMessage());
        }
        System.out.println("subclass " + use(new Discounter(4), 1));
        IntUnaryOperator reference = old::price;
        System.out.println("reference " + reference.applyAsInt(9));
        change(false);
        System.out.println("as before " + use(old, 1) + " " + use(new Shop(2), 2) + " " + reference.applyAsInt(9));
        change(true);
        System.out.println("changed again " + use(old, 1) + " " + use(new Discounter(4), 1));
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("child")) {
            child();
            return;
        }
        File jar = File.createTempFile("agent", ".jar");
        jar.deleteOnExit();
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Premain-Class", "ChangedClass");
        attributes.putValue("Can-Retransform-Classes", "true");
        new JarOutputStream(new FileOutputStream(jar), manifest).close();
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-javaagent:" + jar,
                        "-cp",
                        System.getProperty("java.class.path"),
                        "ChangedClass",
                        "child")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        process.getInputStream().transferTo(output);
        System.out.print(output);
        System.out.println("exit " + process.waitFor());
    }
}

class Tax {
    static int of(int amount) {
        return amount / 5;
    }
}

class Shop {
    int count;

    Shop(int count) {
        this.count = count;
    }

    int price(int item) {
        int price = item + base();
        for (int i = 0; i < count; i++) {
            price += Tax.of(price) + i;
        }
        return price;
    }

    private int base() {
        return 10 * count;
    }

    static int discount(int sum) {
        return sum > 100 ? sum / 10 : 0;
    }
}

/** What Shop becomes: the same members with other code. */
class Sh0p {
    int count;

    Sh0p(int count) {
        this.count = count;
    }

    int price(int item) {
        if (item < 0) {
            throw new IllegalArgumentException("price of " + item);
        }
        return 7 + Tax.of(item * base());
    }

    private int base() {
        return 100;
    }

    static int discount(int sum) {
        return 1;
    }
}

class Discounter extends Shop {
    Discounter(int count) {
        super(count);
    }

    @Override
    int price(int item) {
        return super.price(item) - 1;
    }
}
