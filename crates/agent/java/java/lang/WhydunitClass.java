package java.lang;

import java.lang.ref.WeakReference;

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
}
