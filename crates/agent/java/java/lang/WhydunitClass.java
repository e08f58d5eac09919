package java.lang;

import java.lang.ref.WeakReference;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

/** A class that the recorder has met: its number, and what is to be written of its objects. */
final class WhydunitClass {
    static final int PLAIN = 0;
    static final int ARRAY = 1;
    static final int STRING = 2;
    static final int CLASS = 3;
    static final int BOOLEAN = 4;
    static final int CHARACTER = 5;
    static final int FLOAT = 6;
    static final int DOUBLE = 7;
    static final int INTEGRAL = 8;

    /** Open-addressing table of classes met so far. */
    private static WhydunitClass[] met = new WhydunitClass[1024];
    private static int count;

    /** Weak, so that recording does not keep classes from being unloaded. */
    final WeakReference<Class<?>> type;
    final int id;
    final int kind;
    /** The id of the java.lang.Class object itself; 0 when recorded code has not met it. */
    volatile int objectId;

    WhydunitClass(Class<?> type, int id, int kind) {
        this.type = new WeakReference<>(type);
        this.id = id;
        this.kind = kind;
    }

    @Hidden
    static WhydunitClass of(Class<?> type) {
        WhydunitClass[] table = met;
        int mask = table.length - 1;
        int slot = slotOf(type, mask);
        for (;;) {
            WhydunitClass entry = table[slot];
            if (entry == null) {
                return add(type);
            }
            if (entry.type.get() == type) {
                return entry;
            }
            slot = slot + 1 & mask;
        }
    }

    @Hidden
    private static int slotOf(Class<?> type, int mask) {
        return System.identityHashCode(type) * 0x9e3779b1 >>> 8 & mask;
    }

    @DontInline
    @Hidden
    private static WhydunitClass add(Class<?> type) {
        long registered = type.isPrimitive() ? 0 : WhydunitLog.register(type);
        synchronized (WhydunitLog.LOCK) {
            WhydunitClass[] table = met;
            if (count * 2 >= table.length) {
                table = larger(table);
            }
            int mask = table.length - 1;
            int slot = slotOf(type, mask);
            while (table[slot] != null && table[slot].type.get() != type) {
                slot = slot + 1 & mask;
            }
            if (table[slot] == null) {
                table[slot] = new WhydunitClass(type, (int) registered, (int) (registered >>> 32));
                count++;
            }
            met = table;
            return table[slot];
        }
    }

    /** A table of twice the size, without the classes that were unloaded. */
    @Hidden
    private static WhydunitClass[] larger(WhydunitClass[] table) {
        WhydunitClass[] copy = new WhydunitClass[table.length * 2];
        count = 0;
        for (WhydunitClass entry : table) {
            Class<?> type = entry == null ? null : entry.type.get();
            if (type != null) {
                int slot = slotOf(type, copy.length - 1);
                while (copy[slot] != null) {
                    slot = slot + 1 & copy.length - 1;
                }
                copy[slot] = entry;
                count++;
            }
        }
        return copy;
    }
}
