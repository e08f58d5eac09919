import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** A hand-made class that keeps an object in a local before its constructor is called, as some compilers do. */
public class EarlyStores {
    static class Loader extends ClassLoader {
        Loader() {
            super(EarlyStores.class.getClassLoader());
        }

        Class<?> define(byte[] bytes) {
            return defineClass("Early", bytes, 0, bytes.length);
        }
    }

    static void utf8(DataOutputStream out, String text) throws IOException {
        out.writeByte(1);
        out.writeUTF(text);
    }

    static void two(DataOutputStream out, int tag, int a, int b) throws IOException {
        out.writeByte(tag);
        out.writeShort(a);
        out.writeShort(b);
    }

    static void method(DataOutputStream out, int access, int name, int type, int... code) throws IOException {
        out.writeShort(access);
        out.writeShort(name);
        out.writeShort(type);
        out.writeShort(1);
        out.writeShort(7);
        out.writeInt(12 + code.length);
        out.writeShort(3);
        out.writeShort(4);
        out.writeInt(code.length);
        for (int b : code) {
            out.writeByte(b);
        }
        out.writeShort(0);
        out.writeShort(0);
    }

    static byte[] build() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeShort(0);
        out.writeShort(52);
        out.writeShort(18);
        utf8(out, "Early"); // 1
        out.writeByte(7); // 2
        out.writeShort(1);
        utf8(out, "java/lang/Object"); // 3
        out.writeByte(7); // 4
        out.writeShort(3);
        utf8(out, "<init>"); // 5
        utf8(out, "()V"); // 6
        utf8(out, "Code"); // 7
        two(out, 12, 5, 6); // 8
        two(out, 10, 4, 8); // 9: Object.<init>
        two(out, 10, 2, 8); // 10: Early.<init>
        utf8(out, "make"); // 11
        utf8(out, "()Ljava/lang/Object;"); // 12
        utf8(out, "(Ljava/lang/Object;)Ljava/lang/Object;"); // 13
        utf8(out, "twice"); // 14
        utf8(out, "plain"); // 15
        utf8(out, "dropped"); // 16
        utf8(out, "unused"); // 17
        out.writeShort(0x21);
        out.writeShort(2);
        out.writeShort(4);
        out.writeShort(0);
        out.writeShort(0);
        out.writeShort(5);
        // this, kept in local 1 before super(): aload_0, astore_1, aload_1, invokespecial, return.
        method(out, 1, 5, 6, 42, 76, 43, 183, 0, 9, 177);
        // new, dup, astore_0, invokespecial, aload_0, astore_1, aload_1, areturn.
        method(out, 9, 11, 12, 187, 0, 2, 89, 75, 183, 0, 10, 42, 76, 43, 176);
        // aload_0, dup, astore_1, astore_2, aload_2, areturn.
        method(out, 9, 14, 13, 42, 89, 76, 77, 44, 176);
        // The same as `make` with an Object.
        method(out, 9, 15, 12, 187, 0, 4, 89, 75, 183, 0, 9, 42, 176);
        // An Object that nobody keeps, above another one: aload_0, new, invokespecial, areturn.
        method(out, 9, 16, 13, 42, 187, 0, 4, 183, 0, 9, 176);
        out.writeShort(0);
        return bytes.toByteArray();
    }

    public static void main(String[] args) throws Exception {
        Class<?> early = new Loader().define(build());
        Object made = early.getMethod("make").invoke(null);
        System.out.println(made.getClass().getName());
        System.out.println(early.getMethod("twice", Object.class).invoke(null, "text"));
        System.out.println(early.getMethod("plain").invoke(null).getClass().getName());
        System.out.println(early.getMethod("dropped", Object.class).invoke(null, "kept"));
    }
}
