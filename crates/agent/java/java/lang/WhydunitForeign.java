package java.lang;

import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * An object that had its identity hash before recorded code met it. Such a hash is not the recorder's: it can be that
 * of another object, or what the recorder made of another object's id. So these objects are told by identity.
 */
final class WhydunitForeign {
    private static final WeakReference<Object> GONE = new WeakReference<>(null);

    /**
     * Open-addressing table of those met so far, by their hash. Read without the lock: entries are only added. One
     * whose object is gone stays, so that nobody gets its id.
     */
    private static WhydunitForeign[] met = new WhydunitForeign[256];
    private static int count;

    final int id;
    private final int hash;
    /** Weak, so that recording does not keep objects alive. */
    private WeakReference<Object> object;

    private WhydunitForeign(Object object, int hash, int id) {
        this.object = new WeakReference<>(object);
        this.hash = hash;
        this.id = id;
    }

    /** Null when it was not met. */
    @Hidden
    static WhydunitForeign find(Object value, int hash) {
        WhydunitForeign[] table = met;
        int slot = slotOf(hash, table);
        for (WhydunitForeign entry = table[slot]; entry != null; entry = table[slot]) {
            if (entry.hash == hash && entry.object.refersTo(value)) {
                return entry;
            }
            slot = slot + 1 & table.length - 1;
        }
        return null;
    }

    /** Whether an object with this hash was met. */
    @Hidden
    static boolean isMet(int hash) {
        WhydunitForeign[] table = met;
        int slot = slotOf(hash, table);
        while (table[slot] != null && table[slot].hash != hash) {
            slot = slot + 1 & table.length - 1;
        }
        return table[slot] != null;
    }

    /** Under WhydunitLog.LOCK. */
    @Hidden
    static void add(Object value, int hash, int id) {
        if (count * 2 >= met.length) {
            WhydunitForeign[] larger = new WhydunitForeign[met.length * 2];
            for (WhydunitForeign entry : met) {
                if (entry != null) {
                    if (entry.object.refersTo(null)) {
                        entry.object = GONE;
                    }
                    put(larger, entry);
                }
            }
            Unsafe.getUnsafe().storeFence();
            met = larger;
        }
        WhydunitForeign entry = new WhydunitForeign(value, hash, id);
        Unsafe.getUnsafe().storeFence();
        put(met, entry);
        count++;
    }

    @Hidden
    private static void put(WhydunitForeign[] table, WhydunitForeign entry) {
        int slot = slotOf(entry.hash, table);
        while (table[slot] != null) {
            slot = slot + 1 & table.length - 1;
        }
        table[slot] = entry;
    }

    @Hidden
    private static int slotOf(int hash, WhydunitForeign[] table) {
        return hash * 0x9e3779b1 >>> 8 & table.length - 1;
    }
}
