import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** A hand-made class whose methods load dynamic constants: an object, an int, a long and a failing one. */
public class CondyHandmade {
    public static Object makeObject(java.lang.invoke.MethodHandles.Lookup lookup, String name, Class<?> type) {
        System.out.println("bootstrap " + name + " " + type.getSimpleName());
        return new StringBuilder("made ").append(name);
    }

    public static Object makeNumber(java.lang.invoke.MethodHandles.Lookup lookup, String name, Class<?> type) {
        System.out.println("bootstrap " + name + " " + type.getSimpleName());
        if (name.equals("bad")) {
            throw new IllegalStateException("bad constant");
        }
        return type == int.class ? (Object) 42 : (Object) (1L << 40);
    }

    static class Loader extends ClassLoader {
        Loader() {
            super(CondyHandmade.class.getClassLoader());
        }

        Class<?> define(byte[] bytes) {
            return defineClass("Condy", bytes, 0, bytes.length);
        }
    }

    /** Writes the constant pool and knows the number of each entry. */
    static class Pool {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final DataOutputStream out = new DataOutputStream(bytes);
        int next = 1;

        int utf8(String text) throws IOException {
            out.writeByte(1);
            out.writeUTF(text);
            return next++;
        }

        int one(int tag, int a) throws IOException {
            out.writeByte(tag);
            out.writeShort(a);
            return next++;
        }

        int two(int tag, int a, int b) throws IOException {
            out.writeByte(tag);
            out.writeShort(a);
            out.writeShort(b);
            return next++;
        }

        int dynamic(int bootstrap, String name, String type) throws IOException {
            int nameAndType = two(12, utf8(name), utf8(type));
            return two(17, bootstrap, nameAndType);
        }

        int bootstrapHandle(int host, String name) throws IOException {
            String type = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Object;";
            int method = two(10, host, two(12, utf8(name), utf8(type)));
            out.writeByte(15);
            out.writeByte(6);
            out.writeShort(method);
            return next++;
        }
    }

    static void method(DataOutputStream out, int name, int type, int code, int constant, int opcode, int size, int ret)
            throws IOException {
        out.writeShort(9);
        out.writeShort(name);
        out.writeShort(type);
        out.writeShort(1);
        out.writeShort(code);
        out.writeInt(2 + 2 + 4 + 4 + 2 + 2);
        out.writeShort(size);
        out.writeShort(0);
        out.writeInt(4);
        out.writeByte(opcode);
        out.writeShort(constant);
        out.writeByte(ret);
        out.writeShort(0);
        out.writeShort(0);
    }

    static byte[] build() throws IOException {
        Pool pool = new Pool();
        int self = pool.one(7, pool.utf8("Condy"));
        int parent = pool.one(7, pool.utf8("java/lang/Object"));
        int host = pool.one(7, pool.utf8("CondyHandmade"));
        int code = pool.utf8("Code");
        int bootstraps = pool.utf8("BootstrapMethods");
        int makeObject = pool.bootstrapHandle(host, "makeObject");
        int makeNumber = pool.bootstrapHandle(host, "makeNumber");
        int object = pool.dynamic(0, "thing", "Ljava/lang/Object;");
        int integer = pool.dynamic(1, "small", "I");
        int wide = pool.dynamic(1, "wide", "J");
        int bad = pool.dynamic(1, "bad", "I");
        int returnsObject = pool.utf8("()Ljava/lang/Object;");
        int returnsInt = pool.utf8("()I");
        int returnsLong = pool.utf8("()J");
        int[] names = {pool.utf8("object"), pool.utf8("integer"), pool.utf8("wide"), pool.utf8("bad")};

        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeShort(0);
        out.writeShort(55);
        out.writeShort(pool.next);
        pool.bytes.writeTo(out);
        out.writeShort(0x21);
        out.writeShort(self);
        out.writeShort(parent);
        out.writeShort(0);
        out.writeShort(0);
        out.writeShort(4);
        method(out, names[0], returnsObject, code, object, 19, 1, 176);
        method(out, names[1], returnsInt, code, integer, 19, 1, 172);
        method(out, names[2], returnsLong, code, wide, 20, 2, 173);
        method(out, names[3], returnsInt, code, bad, 19, 1, 172);
        out.writeShort(1);
        out.writeShort(bootstraps);
        out.writeInt(2 + 2 * 4);
        out.writeShort(2);
        out.writeShort(makeObject);
        out.writeShort(0);
        out.writeShort(makeNumber);
        out.writeShort(0);
        return bytes.toByteArray();
    }

    public static void main(String[] args) throws Exception {
        Class<?> condy = new Loader().define(build());
        Object first = condy.getMethod("object").invoke(null);
        Object second = condy.getMethod("object").invoke(null);
        System.out.println(first + " " + (first == second));
        for (String name : new String[] {"integer", "wide", "integer"}) {
            System.out.println(condy.getMethod(name).invoke(null));
        }
        for (int i = 0; i < 2; i++) {
            try {
                condy.getMethod("bad").invoke(null);
            } catch (java.lang.reflect.InvocationTargetException e) {
                System.out.println(e.getCause().getClass().getSimpleName());
            }
        }
    }
}
