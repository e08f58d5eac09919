import java.lang.ref.Cleaner;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Code of the program run by the collector's threads: a finalizer, a cleaner and weak references. */
public class FinalizersAndCleaners {
    static final CountDownLatch FINALIZED = new CountDownLatch(1);
    static final CountDownLatch CLEANED = new CountDownLatch(1);

    static class Heavy {
        private final int[] data = new int[100];

        Heavy(int seed) {
            for (int i = 0; i < data.length; i++) {
                data[i] = seed * i;
            }
        }

        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() {
            if (data[2] == 2 * data[1]) {
                FINALIZED.countDown();
            }
        }
    }

    static class State implements Runnable {
        int runs;

        @Override
        public void run() {
            runs++;
            CLEANED.countDown();
        }
    }

    static WeakReference<Object> drop(Cleaner cleaner, State state, ReferenceQueue<Object> queue) {
        new Heavy(3);
        Object owner = new Object();
        cleaner.register(owner, state);
        return new WeakReference<>(owner, queue);
    }

    static boolean eventually(CountDownLatch latch) throws InterruptedException {
        for (int i = 0; i < 500; i++) {
            System.gc();
            if (latch.await(20, TimeUnit.MILLISECONDS)) {
                return true;
            }
        }
        return false;
    }

    public static void main(String[] args) throws Exception {
        State state = new State();
        Cleaner cleaner = Cleaner.create();
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        WeakReference<Object> weak = drop(cleaner, state, queue);
        System.out.println("finalized " + eventually(FINALIZED));
        System.out.println("cleaned " + eventually(CLEANED) + " " + state.runs);
        System.out.println("cleared " + (weak.get() == null) + " " + (queue.remove(10_000) == weak));
        Object kept = new Object();
        Cleaner.Cleanable cleanable = cleaner.register(kept, new State());
        cleanable.clean();
        System.out.println("explicit " + (kept != null));
    }
}
