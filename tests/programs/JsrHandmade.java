import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** A hand-made class of version 48: one method with jsr and ret, which the recorder leaves alone, and one without. */
public class JsrHandmade {
    static class Loader extends ClassLoader {
        Loader() {
            super(JsrHandmade.class.getClassLoader());
        }

        Class<?> define(byte[] bytes) {
            return defineClass("Jsr", bytes, 0, bytes.length);
        }
    }

    public static int callBack(int x) {
        return x * 3;
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

    static void method(DataOutputStream out, int name, int type, int locals, int... code) throws IOException {
        out.writeShort(9);
        out.writeShort(name);
        out.writeShort(type);
        out.writeShort(1);
        out.writeShort(7);
        out.writeInt(12 + code.length);
        out.writeShort(2);
        out.writeShort(locals);
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
        out.writeShort(48);
        out.writeShort(15);
        utf8(out, "Jsr"); // 1
        out.writeByte(7); // 2
        out.writeShort(1);
        utf8(out, "java/lang/Object"); // 3
        out.writeByte(7); // 4
        out.writeShort(3);
        utf8(out, "subroutine"); // 5
        utf8(out, "(I)I"); // 6
        utf8(out, "Code"); // 7
        utf8(out, "JsrHandmade"); // 8
        out.writeByte(7); // 9
        out.writeShort(8);
        utf8(out, "callBack"); // 10
        two(out, 12, 10, 6); // 11
        two(out, 10, 9, 11); // 12
        utf8(out, "plain"); // 13
        two(out, 12, 13, 6); // 14
        out.writeShort(0x21);
        out.writeShort(2);
        out.writeShort(4);
        out.writeShort(0);
        out.writeShort(0);
        out.writeShort(2);
        // Twice: jsr to a subroutine that sets local 0 to callBack(local 0) + 1.
        method(out, 5, 6, 2,
                168, 0, 8, // 0: jsr 8
                168, 0, 5, // 3: jsr 8
                26, 172, // 6: iload_0, ireturn
                76, // 8: astore_1
                26, 184, 0, 12, // 9: iload_0, invokestatic callBack
                4, 96, 59, // 13: iconst_1, iadd, istore_0
                169, 1); // 16: ret 1
        method(out, 13, 6, 1, 26, 184, 0, 12, 5, 104, 172);
        out.writeShort(0);
        return bytes.toByteArray();
    }

    public static void main(String[] args) throws Exception {
        Class<?> jsr = new Loader().define(build());
        System.out.println(jsr.getMethod("subroutine", int.class).invoke(null, 5));
        System.out.println(jsr.getMethod("plain", int.class).invoke(null, 5));
        System.out.println(callBack(1));
    }
}
