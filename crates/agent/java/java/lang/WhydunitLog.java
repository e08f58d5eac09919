package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The log of one thread, and what rewritten code calls. Lives in java.lang so that every class of every
 * module may call it. It must not use java.util: that can be recorded itself. All methods are hidden: a
 * StackOverflowError that strikes in one of them shows the program's own frames.
 */
public final class WhydunitLog {
    private static final Unsafe U = Unsafe.getUnsafe();
    static final Object LOCK = new Object();

    // Streams, as the agent numbers them.
    private static final int VALUES = 0;
    private static final int CONTROL = 1;
    static final int OBJECTS = 2;
    private static final int CHECK = 3;

    private static final byte NOTHING = (byte) 0xD0;
    /** What `method` is after a direct call has returned, and `direct` in a method that was called so. */
    private static final int RETURNED = -1;

    // Where the object header keeps the class; found out at start.
    private static final boolean COMPACT_HEADERS = WhydunitIds.BYTE_ARRAY_BASE < 16;
    // The class pointer is read as the upper half of a long: the compiler has no intrinsic for a read that
    // starts at the class pointer.
    private static final long CLASS_OFFSET = COMPACT_HEADERS ? 0 : 4;
    private static final int CLASS_MASK = COMPACT_HEADERS ? -1 << 10 : -1;
    /** Whether callers and callees can tell each other apart by class pointers. */
    private static final boolean HANDSHAKE = classPointersWork();
    private static final long THREAD_ID = U.objectFieldOffset(Thread.class, "tid");

    /** Logs by Thread.tid. Replaced, never changed in size, when a thread with a higher number comes. */
    private static WhydunitLog[] logs = new WhydunitLog[64];

    /** 1 when entries from unrecorded code are to tell which instruction they interrupt. */
    private static int places;

    /** Address of the number of the next synchronisation of all threads. */
    private static final long NEXT_SEQUENCE = WhydunitIds.newCounter(1);

    // Read and written by the agent through JNI: next address to write and the address from which on the
    // buffer is to be handed over, for each stream.
    private long position;
    private long end;
    private long controlPosition;
    private long controlEnd;
    long objectsPosition;
    long objectsEnd;
    private long checkPosition;
    private long checkEnd;
    /** Add it to position to get the offset in the values stream. */
    private long offsetMinusPosition;
    /** The same for the check stream. */
    private long checkOffsetMinusPosition;
    /** The agent's own record of this thread. */
    private long handle;

    /**
     * What caller and callee tell each other. Before a call: the number of the method; after a direct call:
     * RETURNED. Rewritten code writes it itself where it can.
     */
    public int method;
    /** The class pointer of the receiver of the call. */
    private int receiver;
    /**
     * For rewritten code to fetch after `enter`, and to leave in `method` when it returns: RETURNED when the
     * method was called directly; otherwise the token that was left for another method, or 0.
     */
    public int direct;
    /**
     * Recorded frames that an exception has left and that are not in a record yet. Rewritten code counts
     * itself, because a call could run into a full stack once more.
     */
    public int left;
    /** Recorded frames, and the address of the instruction that the topmost is at, plus 1. */
    private int depth;
    public int site;
    /** What the next number was when this thread took one last. */
    private long nextSequence;
    /** The exception of the last record. */
    private int lastThrown;
    int nextId;
    int lastId;

    static {
        // Finding a native method runs code of java.util, which may be recorded: it must not be at the first log.
        open(null, null, null, 0);
        full(null, VALUES);
        close(null);
        register(null);
        recordedFrames();
        WhydunitIds.outOfIds();
        if (WhydunitIds.OWN_IDS) {
            WhydunitIds.takeOverHashing();
        }
    }

    private WhydunitLog() {}

    // ---- the agent's side ----

    @Hidden
    private static native void open(WhydunitLog log, Thread thread, String name, long javaId);

    @Hidden
    static native void full(WhydunitLog log, int stream);

    @Hidden
    private static native void close(WhydunitLog log);

    /** Numbers a class and its supertypes; the kind is in the upper half. */
    @Hidden
    static native long register(Class<?> type);

    /** Frames of recorded methods on the stack of the calling thread. */
    @Hidden
    private static native int recordedFrames();

    /** Called by the agent when a thread ends. */
    @Hidden
    private static void detach() {
        int id = (int) U.getLong(Thread.currentThread(), THREAD_ID);
        WhydunitLog log;
        synchronized (LOCK) {
            log = id < logs.length ? logs[id] : null;
            if (log == null) {
                return;
            }
            logs[id] = null;
        }
        close(log);
    }

    // ---- entry and calls ----

    @Hidden
    private static WhydunitLog current() {
        WhydunitLog[] all = logs;
        long id = U.getLong(Thread.currentThread(), THREAD_ID);
        if (id < all.length) {
            WhydunitLog log = all[(int) id];
            if (log != null) {
                return log;
            }
        }
        return attach();
    }

    @DontInline
    @Hidden
    private static WhydunitLog attach() {
        Thread thread = Thread.currentThread();
        long tid = U.getLong(thread, THREAD_ID);
        int id = (int) tid;
        WhydunitLog log = new WhydunitLog();
        open(log, thread, thread.getName(), tid);
        // On a full stack it is too late to look for it.
        WhydunitIds.overflowClass = WhydunitClass.of(StackOverflowError.class);
        synchronized (LOCK) {
            WhydunitLog[] all = logs;
            if (id >= all.length) {
                int size = all.length;
                while (size <= id) {
                    size *= 2;
                }
                WhydunitLog[] larger = new WhydunitLog[size];
                System.arraycopy(all, 0, larger, 0, all.length);
                larger[id] = log;
                logs = larger;
            } else {
                all[id] = log;
            }
        }
        sync(log);
        return log;
    }

    @Hidden
    public static WhydunitLog enter(int method) {
        WhydunitLog log = current();
        int token = log.method;
        log.direct = HANDSHAKE && token == method ? RETURNED : pending(token);
        log.method = 0;
        return log;
    }

    /** A virtual call leaves the signature and the receiver's class, a call of `super` the method. */
    @Hidden
    public static WhydunitLog enter(int method, int signature, Object self) {
        WhydunitLog log = current();
        int token = log.method;
        boolean isDirect =
                token == signature ? log.receiver == classPointer(self) : HANDSHAKE && token == method;
        log.direct = isDirect ? RETURNED : pending(token);
        log.method = 0;
        return log;
    }

    /**
     * The token of a call that is under way below the method that was entered; 0 for none. A signature's, which
     * is even, is of no use later: the receiver's class will be another one.
     */
    @Hidden
    private static int pending(int token) {
        return token > 0 && (token & 1) != 0 ? token : 0;
    }

    @Hidden
    private static int classPointer(Object object) {
        return (int) (U.getLong(object, CLASS_OFFSET) >>> 32) & CLASS_MASK;
    }

    @Hidden
    public static void call(Object receiver, WhydunitLog log, int method) {
        if (receiver != null && HANDSHAKE) {
            log.receiver = classPointer(receiver);
            log.method = method;
        } else {
            log.method = 0;
        }
    }

    @Hidden
    public static void call(Object receiver, int argument, WhydunitLog log, int method) {
        call(receiver, log, method);
    }

    @Hidden
    public static void call(Object receiver, float argument, WhydunitLog log, int method) {
        call(receiver, log, method);
    }

    @Hidden
    public static void call(Object receiver, Object argument, WhydunitLog log, int method) {
        call(receiver, log, method);
    }

    /** A method that is not recorded starts, which may call the one it overrides: nobody is called directly. */
    @Hidden
    public static void stepAside() {
        WhydunitLog[] all = logs;
        long id = U.getLong(Thread.currentThread(), THREAD_ID);
        WhydunitLog log = id < all.length ? all[(int) id] : null;
        if (log != null) {
            log.method = 0;
        }
    }

    // ---- the place of each frame, when the platform is recorded ----

    /** A method starts; its depth. */
    @Hidden
    public static int down(WhydunitLog log) {
        log.site = 0;
        return ++log.depth;
    }

    /** The frame of this depth is about to run the instruction before this address. */
    @Hidden
    public static void at(WhydunitLog log, int depth, int site) {
        log.depth = depth;
        log.site = site;
    }

    // ---- control records ----

    @Hidden
    public static void outside(WhydunitLog log, int method) {
        // Unrecorded code may have waited for another thread, which took a number before it let this one go on.
        if (U.getLongOpaque(null, NEXT_SEQUENCE) != log.nextSequence) {
            log.takeNumber();
        }
        long at = log.controlRoom();
        if (places != 0) {
            U.putByte(null, at, (byte) 6);
            U.putLong(null, at + 1, log.position + log.offsetMinusPosition);
            U.putInt(null, at + 9, method);
            U.putInt(null, at + 13, log.depth);
            U.putInt(null, at + 17, log.site);
            log.controlPosition = at + 21;
            return;
        }
        int pending = log.direct;
        U.putByte(null, at, (byte) (pending == 0 ? 1 : 5));
        U.putLong(null, at + 1, log.position + log.offsetMinusPosition);
        U.putInt(null, at + 9, method);
        U.putInt(null, at + 13, pending);
        log.controlPosition = pending == 0 ? at + 13 : at + 17;
    }

    @Hidden
    public static void caught(Throwable exception, WhydunitLog log, int method, int handler) {
        log.method = 0;
        long at = log.controlRoom();
        int id = WhydunitIds.idOf(exception, log);
        log.thrown(id, log.putCatch(at, exception, id, method, handler));
    }

    /** The handler gives a lock back: both records or none. */
    @Hidden
    public static void caughtUnlocking(Throwable exception, WhydunitLog log, int method, int handler) {
        log.method = 0;
        long at = log.controlRoom();
        int id = WhydunitIds.idOf(exception, log);
        long end = log.putCatch(at, exception, id, method, handler);
        log.thrown(id, log.putSync(end, U.getAndAddLong(null, NEXT_SEQUENCE, 1)));
    }

    @Hidden
    private long putCatch(long at, Throwable exception, int id, int method, int handler) {
        U.putByte(null, at, (byte) 2);
        U.putLong(null, at + 1, position + offsetMinusPosition);
        U.putInt(null, at + 9, id);
        U.putInt(null, at + 13, method);
        U.putShort(null, at + 17, (short) handler);
        U.putInt(null, at + 19, left);
        U.putInt(null, at + 23, depthAt(exception, id));
        U.putLong(null, at + 27, checkPosition + checkOffsetMinusPosition);
        return at + 35;
    }

    @Hidden
    public static void unwound(Throwable exception, WhydunitLog log, int method, int direct) {
        log.method = pending(direct);
        try {
            long at = log.controlRoom();
            int id = WhydunitIds.idOf(exception, log);
            U.putByte(null, at, (byte) 3);
            U.putLong(null, at + 1, log.position + log.offsetMinusPosition);
            U.putInt(null, at + 9, id);
            U.putInt(null, at + 13, method);
            U.putInt(null, at + 17, log.left);
            U.putInt(null, at + 21, log.depthAt(exception, id));
            U.putLong(null, at + 25, log.checkPosition + log.checkOffsetMinusPosition);
            log.thrown(id, at + 33);
        } catch (StackOverflowError full) {
            // The frame is counted in `left`; the program's own exception goes on.
            return;
        }
    }

    /** Ends the record of an exception. Calls nothing: it is there whole or not at all. */
    @Hidden
    private void thrown(int exception, long end) {
        lastThrown = exception;
        left = 0;
        controlPosition = end;
    }

    /**
     * How many recorded frames there are where a StackOverflowError comes to a handler first; 0 later on. No
     * value need have been logged on the way down, so that the log alone does not tell.
     */
    @Hidden
    private int depthAt(Throwable exception, int id) {
        return exception instanceof StackOverflowError && id != lastThrown ? recordedFrames() : 0;
    }

    /** A place at which this thread may wait for another or let another go on. */
    @Hidden
    public static void sync(WhydunitLog log) {
        log.takeNumber();
    }

    /** Called by the agent when another agent changes a class: the number from which on it is changed. */
    @Hidden
    private static long change() {
        return current().takeNumber();
    }

    @Hidden
    private long takeNumber() {
        long at = controlRoom();
        long sequence = U.getAndAddLong(null, NEXT_SEQUENCE, 1);
        controlPosition = putSync(at, sequence);
        nextSequence = sequence + 1;
        return sequence;
    }

    @Hidden
    private long putSync(long at, long sequence) {
        U.putByte(null, at, (byte) 4);
        U.putLong(null, at + 1, position + offsetMinusPosition);
        U.putLong(null, at + 9, sequence);
        return at + 17;
    }

    @Hidden
    private long controlRoom() {
        if (controlPosition >= controlEnd) {
            full(this, CONTROL);
        }
        return controlPosition;
    }

    // ---- values ----

    /**
     * Where the next value goes. A full buffer is handed over before a value is written, here and in the other
     * streams: on a full stack that fails, and then nothing is written behind the buffer's end.
     */
    @Hidden
    private long room() {
        long at = position;
        if (at < end) {
            return at;
        }
        full(this, VALUES);
        return position;
    }

    @Hidden
    public static void nothing(WhydunitLog log) {
        long at = log.room();
        U.putByte(null, at, NOTHING);
        log.position = at + 1;
    }

    @Hidden
    public static void b(int value, WhydunitLog log) {
        long at = log.room();
        U.putByte(null, at, (byte) value);
        log.position = at + 1;
    }

    @Hidden
    public static void s(int value, WhydunitLog log) {
        long at = log.room();
        U.putShort(null, at, (short) value);
        log.position = at + 2;
    }

    @Hidden
    public static void i(int value, WhydunitLog log) {
        long at = log.room();
        U.putInt(null, at, value);
        log.position = at + 4;
    }

    @Hidden
    public static void f(float value, WhydunitLog log) {
        i(Float.floatToRawIntBits(value), log);
    }

    @Hidden
    public static void j(long value, WhydunitLog log) {
        long at = log.room();
        U.putLong(null, at, value);
        log.position = at + 8;
    }

    @Hidden
    public static void d(double value, WhydunitLog log) {
        j(Double.doubleToRawLongBits(value), log);
    }

    @Hidden
    public static void a(Object value, WhydunitLog log) {
        i(WhydunitIds.idOf(value, log), log);
    }

    /** An object that was made just now and that no other thread can know. */
    @Hidden
    public static void fresh(Object value, WhydunitLog log) {
        i(WhydunitIds.identifyFresh(value, log), log);
    }

    // ---- results of calls, logged unless the callee was entered directly. A token that nobody took must not
    // ---- outlive its call.

    @Hidden
    public static void resultNothing(WhydunitLog log) {
        if (log.method != RETURNED) {
            log.method = 0;
            nothing(log);
        }
    }

    @Hidden
    public static void resultB(int value, WhydunitLog log) {
        if (log.method != RETURNED) {
            log.method = 0;
            b(value, log);
        }
    }

    @Hidden
    public static void resultS(int value, WhydunitLog log) {
        if (log.method != RETURNED) {
            log.method = 0;
            s(value, log);
        }
    }

    @Hidden
    public static void resultI(int value, WhydunitLog log) {
        if (log.method != RETURNED) {
            log.method = 0;
            i(value, log);
        }
    }

    @Hidden
    public static void resultF(float value, WhydunitLog log) {
        if (log.method != RETURNED) {
            log.method = 0;
            f(value, log);
        }
    }

    @Hidden
    public static void resultJ(long value, WhydunitLog log) {
        if (log.method != RETURNED) {
            log.method = 0;
            j(value, log);
        }
    }

    @Hidden
    public static void resultD(double value, WhydunitLog log) {
        if (log.method != RETURNED) {
            log.method = 0;
            d(value, log);
        }
    }

    @Hidden
    public static void resultA(Object value, WhydunitLog log) {
        if (log.method != RETURNED) {
            log.method = 0;
            a(value, log);
        }
    }

    // ---- facts of check mode ----

    @Hidden
    private long checkRoom() {
        if (checkPosition >= checkEnd) {
            full(this, CHECK);
        }
        return checkPosition;
    }

    @Hidden
    public static void checkB(int value, WhydunitLog log) {
        long at = log.checkRoom();
        U.putByte(null, at, (byte) value);
        log.checkPosition = at + 1;
    }

    @Hidden
    public static void checkS(int value, WhydunitLog log) {
        long at = log.checkRoom();
        U.putShort(null, at, (short) value);
        log.checkPosition = at + 2;
    }

    @Hidden
    public static void checkI(int value, WhydunitLog log) {
        long at = log.checkRoom();
        U.putInt(null, at, value);
        log.checkPosition = at + 4;
    }

    /** Both or none: the stack may be full. */
    @Hidden
    public static void checkII(int lower, int upper, WhydunitLog log) {
        long at = log.checkRoom();
        U.putInt(null, at, lower);
        U.putInt(null, at + 4, upper);
        log.checkPosition = at + 8;
    }

    @Hidden
    public static void checkF(float value, WhydunitLog log) {
        checkI(Float.floatToRawIntBits(value), log);
    }

    @Hidden
    public static void checkJ(long value, WhydunitLog log) {
        long at = log.checkRoom();
        U.putLong(null, at, value);
        log.checkPosition = at + 8;
    }

    @Hidden
    public static void checkD(double value, WhydunitLog log) {
        checkJ(Double.doubleToRawLongBits(value), log);
    }

    @Hidden
    public static void checkA(Object value, WhydunitLog log) {
        checkI(WhydunitIds.idOf(value, log), log);
    }

    @Hidden
    public static void checkAA(Object lower, Object upper, WhydunitLog log) {
        checkII(WhydunitIds.idOf(lower, log), WhydunitIds.idOf(upper, log), log);
    }

    // ---- finding out about the JVM ----

    @Hidden
    private static boolean classPointersWork() {
        Object[] probes = {new Object(), new Object(), new int[1], "", Integer.valueOf(7), new Object[0], LOCK};
        for (Object first : probes) {
            System.identityHashCode(first);
            for (Object second : probes) {
                boolean equal = classPointer(first) == classPointer(second);
                if (equal != (first.getClass() == second.getClass())) {
                    return false;
                }
            }
        }
        return true;
    }
}
