package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The ids of objects, and what is written of an object at first sight. In java.lang so that it may see String's bytes;
 * as in WhydunitLog, nothing of java.util is used and all methods are hidden.
 *
 * WhydunitLog's initialiser needs this class initialised, so this one's must not use WhydunitLog.
 */
final class WhydunitIds {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final int ID_MASK = 0x7fffffff;
    private static final int IDS_IN_BLOCK_BITS = 10;
    /**
     * An object's identity hash is its id times SPREAD, modulo 2^31, and its id the hash times UNSPREAD:
     * programs may rely on identity hashes that look random, and ids are best when they are dense.
     */
    private static final int SPREAD = 0x1e3779b1;
    private static final int UNSPREAD = inverse(SPREAD);

    // Where the object header keeps lock bits and identity hash; found out at start.
    private static final int HASH_SHIFT = findHashShift();
    static final boolean OWN_IDS = HASH_SHIFT != 0 && canSetHash();
    /**
     * A bit of the header that no JVM uses and all keep: the object is in the recording under the id that its identity
     * hash stands for. An object with a hash and without the bit has its hash from somebody else.
     */
    private static final long KNOWN = 1 << 7;
    private static final long LOCK_BITS = 7;
    private static final long UNLOCKED = 1;
    private static final long MONITOR = 2;
    static final long BYTE_ARRAY_BASE = findByteArrayBase();

    /** All ids below this one have been handed out to threads in blocks. */
    private static int idLimit = 1;
    /** One bit for each block of ids that has one of an object which got its identity hash from somebody else. */
    private static final long[] FOREIGN_BLOCKS = new long[1 << (31 - IDS_IN_BLOCK_BITS - 6)];
    /** Address of the next id for an object whose hash is asked for before recorded code has seen it. */
    private static final long NEXT_UNSEEN = newCounter(ID_MASK);

    static WhydunitClass overflowClass;

    private static int stringLimit = 4096;

    private WhydunitIds() {}

    // ---- the agent's side ----

    /** Binds Object.hashCode and System.identityHashCode to hashOf, so that the JVM makes up no ids of its own. */
    @Hidden
    static native void takeOverHashing();

    /** Ends the recording; nothing that is logged from here on is kept. */
    @Hidden
    static native void outOfIds();

    // ---- ids ----

    @Hidden
    static int idOf(Object value, WhydunitLog log) {
        if (value == null) {
            return 0;
        }
        if (OWN_IDS) {
            long header = U.getLong(value, 0L);
            if ((header & (LOCK_BITS | KNOWN)) == (UNLOCKED | KNOWN)) {
                return idOfHash((int) (header >>> HASH_SHIFT));
            }
        }
        return identify(value, log);
    }

    /** The JVM gives classes identity hashes itself, so their ids are kept in the table of classes. */
    @Hidden
    private static int idOfClass(Class<?> type, WhydunitLog log) {
        WhydunitClass entry = WhydunitClass.of(type);
        return entry.objectId != 0 ? entry.objectId : identifyClass(type, entry, log);
    }

    @DontInline
    @Hidden
    private static int identifyClass(Class<?> type, WhydunitClass entry, WhydunitLog log) {
        synchronized (WhydunitLog.LOCK) {
            if (entry.objectId == 0) {
                int fresh = freshId(log);
                if (fresh == 0) {
                    return 0;
                }
                describe(type, fresh, log);
                entry.objectId = fresh;
            }
            return entry.objectId;
        }
    }

    @Hidden
    private static int idOfHash(int hash) {
        return hash * UNSPREAD & ID_MASK;
    }

    /** Of an odd number, modulo 2^32. */
    @Hidden
    private static int inverse(int odd) {
        int inverse = odd;
        for (int correctBits = 3; correctBits < 32; correctBits *= 2) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }

    /**
     * The identity hash of an object, given to it now if need be; 0 when only the JVM can give it, because the
     * object is locked. The ids come from the upper end, where first sight is still to be noticed.
     */
    @Hidden
    private static int hashOf(Object value) {
        for (;;) {
            long header = U.getLong(value, 0L);
            int hash = (int) (header >>> HASH_SHIFT) & ID_MASK;
            if ((header & LOCK_BITS) != UNLOCKED) {
                return 0;
            }
            if (hash != 0) {
                return hash;
            }
            int fresh = U.getAndAddInt(null, NEXT_UNSEEN, -1) * SPREAD & ID_MASK;
            if (U.compareAndSetLong(value, 0L, header, header | (long) fresh << HASH_SHIFT)) {
                return fresh;
            }
        }
    }

    @DontInline
    @Hidden
    private static int identify(Object value, WhydunitLog log) {
        if (value.getClass() == Class.class) {
            return idOfClass((Class<?>) value, log);
        }
        while (OWN_IDS) {
            long header = U.getLong(value, 0L);
            if (!isUntouched(header)) {
                break;
            }
            int fresh = freshId(log);
            if (fresh == 0) {
                return 0;
            }
            long before = describe(value, fresh, log);
            long freshHash = fresh * SPREAD & ID_MASK;
            if (U.compareAndSetLong(value, 0L, header, header | freshHash << HASH_SHIFT | KNOWN)) {
                return fresh;
            }
            log.objectsPosition = before;
            log.nextId--;
        }
        return identifyHashed(value, log);
    }

    /** Nobody else writes the header, so it takes no atomic operation, which would wait for all values logged. */
    @DontInline
    @Hidden
    static int identifyFresh(Object value, WhydunitLog log) {
        if (!OWN_IDS || !isUntouched(U.getLong(value, 0L))) {
            return identify(value, log);
        }
        int fresh = freshId(log);
        if (fresh == 0) {
            return 0;
        }
        describe(value, fresh, log);
        long freshHash = fresh * SPREAD & ID_MASK;
        U.putLong(value, 0L, U.getLong(value, 0L) | freshHash << HASH_SHIFT | KNOWN);
        U.storeFence();
        return fresh;
    }

    /** Whether the object of this header is not locked and has no hash. */
    @Hidden
    private static boolean isUntouched(long header) {
        return (header & LOCK_BITS) == UNLOCKED && ((int) (header >>> HASH_SHIFT) & ID_MASK) == 0;
    }

    /** Somebody else gave the object its hash, or it is locked. */
    @Hidden
    private static int identifyHashed(Object value, WhydunitLog log) {
        int hash = System.identityHashCode(value);
        int known = knownId(value, hash);
        if (known != 0) {
            return known;
        }
        // It may have to call the agent, which must not wait for a thread that waits for the lock.
        WhydunitClass type = classOf(value);
        synchronized (WhydunitLog.LOCK) {
            known = knownId(value, hash);
            if (known != 0) {
                return known;
            }
            int ofHash = idOfHash(hash);
            int id = isOwn(ofHash) || WhydunitForeign.isMet(hash) ? freshId(log) : ofHash;
            if (id == 0) {
                return 0;
            }
            describe(value, type, id, log);
            WhydunitForeign.add(value, hash, id);
            if (id == ofHash) {
                int block = id >>> IDS_IN_BLOCK_BITS;
                FOREIGN_BLOCKS[block >>> 6] |= 1L << block;
                markKnown(value);
            }
            return id;
        }
    }

    /** The id of an object that has this hash and was met before; 0 for another. */
    @Hidden
    private static int knownId(Object value, int hash) {
        int ofHash = idOfHash(hash);
        WhydunitForeign met = WhydunitForeign.find(value, hash);
        if (met != null) {
            if (met.id == ofHash) {
                markKnown(value);
            }
            return met.id;
        }
        if (!OWN_IDS) {
            return 0;
        }
        // Read after the hash: another thread may have met the object meanwhile. The header of a locked object does
        // not tell; almost all of those whose hash is that of an id have this id.
        long header = U.getLong(value, 0L);
        boolean isKnown = (header & LOCK_BITS) == UNLOCKED ? (header & KNOWN) != 0 : isOwn(ofHash);
        return isKnown ? ofHash : 0;
    }

    /** Whoever does not succeed, because the object is locked, may do so when the object is met again. */
    @Hidden
    private static void markKnown(Object value) {
        if (OWN_IDS) {
            long header = U.getLong(value, 0L);
            if ((header & LOCK_BITS) == UNLOCKED) {
                U.compareAndSetLong(value, 0L, header, header | KNOWN);
            }
        }
    }

    /** Whether the id was given at first sight. */
    @Hidden
    private static boolean isOwn(int id) {
        return OWN_IDS && id < idLimit && !isInForeignBlock(id);
    }

    @Hidden
    private static boolean isInForeignBlock(int id) {
        int block = id >>> IDS_IN_BLOCK_BITS;
        return (FOREIGN_BLOCKS[block >>> 6] & 1L << block) != 0;
    }

    /** 0 when there are none left: the recording has ended then. */
    @Hidden
    private static int freshId(WhydunitLog log) {
        if (log.nextId >= log.lastId) {
            synchronized (WhydunitLog.LOCK) {
                int block = idLimit >>> IDS_IN_BLOCK_BITS;
                int lastBlock = (U.getInt(null, NEXT_UNSEEN) >>> IDS_IN_BLOCK_BITS) - 1;
                do {
                    block++;
                    if (block >= lastBlock) {
                        outOfIds();
                        return 0;
                    }
                    log.nextId = block << IDS_IN_BLOCK_BITS;
                } while (isInForeignBlock(log.nextId));
                log.lastId = log.nextId + (1 << IDS_IN_BLOCK_BITS);
                idLimit = log.lastId;
            }
        }
        return log.nextId++;
    }

    @Hidden
    static long newCounter(long first) {
        long address = U.allocateMemory(8);
        U.putLong(null, address, first);
        return address;
    }

    /**
     * Writes what is to be known of an object from its first sight on. It comes before the object gets the id:
     * whoever sees that, even if this thread gets no further, can rely on it. A record of an id that was not given
     * after all does no harm. Returns where the record starts, for who wants to take it back.
     */
    @Hidden
    private static long describe(Object value, int id, WhydunitLog log) {
        return describe(value, classOf(value), id, log);
    }

    @Hidden
    private static long describe(Object value, WhydunitClass type, int id, WhydunitLog log) {
        if (log.objectsPosition >= log.objectsEnd) {
            WhydunitLog.full(log, WhydunitLog.OBJECTS);
        }
        long at = log.objectsPosition;
        U.putInt(null, at, id);
        U.putInt(null, at + 4, type.id);
        long end;
        switch (type.kind) {
            case WhydunitClass.ARRAY:
                U.putByte(null, at + 8, (byte) 1);
                U.putInt(null, at + 9, java.lang.reflect.Array.getLength(value));
                end = at + 13;
                break;
            case WhydunitClass.STRING:
                end = describeString((String) value, at);
                break;
            case WhydunitClass.CLASS:
                U.putByte(null, at + 8, (byte) 4);
                U.putInt(null, at + 9, WhydunitClass.of((Class<?>) value).id);
                end = at + 13;
                break;
            case WhydunitClass.PLAIN:
                U.putByte(null, at + 8, (byte) 0);
                end = at + 9;
                break;
            default:
                U.putByte(null, at + 8, (byte) 3);
                U.putLong(null, at + 9, boxedBits(value, type.kind));
                end = at + 17;
        }
        log.objectsPosition = end;
        return at;
    }

    @Hidden
    private static long describeString(String value, long at) {
        byte[] bytes = value.value();
        int stored = Math.min(bytes.length, stringLimit);
        U.putByte(null, at + 8, (byte) 2);
        U.putInt(null, at + 9, value.length());
        U.putInt(null, at + 13, stored);
        U.putByte(null, at + 17, value.coder());
        U.copyMemory(bytes, BYTE_ARRAY_BASE, null, at + 18, stored);
        return at + 18 + stored;
    }

    @Hidden
    private static long boxedBits(Object value, int kind) {
        switch (kind) {
            case WhydunitClass.BOOLEAN:
                return (Boolean) value ? 1 : 0;
            case WhydunitClass.CHARACTER:
                return (Character) value;
            case WhydunitClass.FLOAT:
                return Float.floatToRawIntBits((Float) value) & 0xffffffffL;
            case WhydunitClass.DOUBLE:
                return Double.doubleToRawLongBits((Double) value);
            default:
                return ((Number) value).longValue();
        }
    }

    @Hidden
    private static WhydunitClass classOf(Object value) {
        Class<?> type = value.getClass();
        return type == StackOverflowError.class ? overflowClass : WhydunitClass.of(type);
    }

    // ---- finding out about the JVM ----

    /** Where the identity hash stands in the header word; 0 when it is not where known JVMs have it. */
    @Hidden
    private static int findHashShift() {
        for (int shift = 8; shift <= 11; shift += 3) {
            boolean found = true;
            for (int i = 0; i < 4; i++) {
                Object probe = new Object();
                long before = U.getLong(probe, 0L);
                int hash = System.identityHashCode(probe);
                long after = U.getLong(probe, 0L);
                found &= (before & (LOCK_BITS | KNOWN)) == UNLOCKED && after == (before | (long) hash << shift);
            }
            if (found) {
                return shift;
            }
        }
        return 0;
    }

    /** Unsafe tells it too, but as an int in some JDKs and as a long in others. */
    @Hidden
    private static long findByteArrayBase() {
        byte[] probe = new byte[64];
        for (int i = 0; i < probe.length; i++) {
            probe[i] = (byte) (i * 37 + 11);
        }
        for (long base = 12; base < 24; base += 4) {
            boolean found = true;
            for (int i = 0; i < 32; i++) {
                found &= U.getByte(probe, base + i) == probe[i];
            }
            if (found) {
                return base;
            }
        }
        return 24;
    }

    @Hidden
    private static boolean canSetHash() {
        Object probe = new Object();
        long header = U.getLong(probe, 0L);
        int hash = 0x2345678;
        long known = header | (long) hash << HASH_SHIFT | KNOWN;
        boolean isSet = U.compareAndSetLong(probe, 0L, header, known);
        long locked;
        synchronized (probe) {
            locked = U.getLong(probe, 0L);
        }
        long unlocked = U.getLong(probe, 0L);
        // Some JVMs keep the header of a lock that was in use elsewhere for a while.
        boolean isKept = (locked & LOCK_BITS) != UNLOCKED && (unlocked == known || (unlocked & 3) == MONITOR);
        return isSet && isKept && System.identityHashCode(probe) == hash && probe.hashCode() == hash;
    }
}
