import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** An overriding method that is too large to be recorded calls the inherited one, which is. */
public class RefusedOverride {
    public static class Base {
        int calls;

        public int step(int x) {
            calls++;
            return x + calls;
        }
    }

    /** Defines classes next to the program's own. */
    static class Loader extends ClassLoader {
        Loader() {
            super(RefusedOverride.class.getClassLoader());
        }

        Class<?> define(byte[] bytes) {
            return defineClass("Large", bytes, 0, bytes.length);
        }
    }

    public static int mix(int x) {
        return x * 31 + 7;
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

    static void method(DataOutputStream out, int name, int type, byte[] code) throws IOException {
        out.writeShort(1);
        out.writeShort(name);
        out.writeShort(type);
        out.writeShort(1);
        out.writeShort(5);
        out.writeInt(12 + code.length);
        out.writeShort(3);
        out.writeShort(2);
        out.writeInt(code.length);
        out.write(code);
        out.writeShort(0);
        out.writeShort(0);
    }

    /** {@code int step(int x) { x = super.step(x); x = mix(x); …; return x; }} */
    static byte[] largeStep() {
        ByteArrayOutputStream code = new ByteArrayOutputStream();
        code.writeBytes(new byte[] {42, 27, (byte) 183, 0, 10, 60});
        for (int i = 0; i < 9000; i++) {
            code.writeBytes(new byte[] {27, (byte) 184, 0, 15, 60});
        }
        code.writeBytes(new byte[] {27, (byte) 172});
        return code.toByteArray();
    }

    static byte[] build() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeShort(0);
        out.writeShort(52);
        out.writeShort(19);
        utf8(out, "Large"); // 1
        two(out, 12, 8, 9); // 2: step(I)I
        utf8(out, "RefusedOverride$Base"); // 3
        out.writeByte(7); // 4
        out.writeShort(3);
        utf8(out, "Code"); // 5
        utf8(out, "<init>"); // 6
        utf8(out, "()V"); // 7
        utf8(out, "step"); // 8
        utf8(out, "(I)I"); // 9
        two(out, 10, 4, 2); // 10: Base.step
        utf8(out, "RefusedOverride"); // 11
        out.writeByte(7); // 12
        out.writeShort(11);
        utf8(out, "mix"); // 13
        two(out, 12, 13, 9); // 14
        two(out, 10, 12, 14); // 15: RefusedOverride.mix
        two(out, 12, 6, 7); // 16
        two(out, 10, 4, 16); // 17: Base.<init>
        out.writeByte(7); // 18
        out.writeShort(1);
        out.writeShort(0x21);
        out.writeShort(18);
        out.writeShort(4);
        out.writeShort(0);
        out.writeShort(0);
        out.writeShort(2);
        method(out, 6, 7, new byte[] {42, (byte) 183, 0, 17, (byte) 177});
        method(out, 8, 9, largeStep());
        out.writeShort(0);
        return bytes.toByteArray();
    }

    public static void main(String[] args) throws Exception {
        Base large = (Base) new Loader().define(build()).getConstructor().newInstance();
        Base[] steps = {new Base(), large, new Base(), large};
        int x = 1;
        for (Base each : steps) {
            x = each.step(x);
            System.out.println(x + " " + each.calls);
        }
        System.out.println(new Base().step(5));
    }
}
