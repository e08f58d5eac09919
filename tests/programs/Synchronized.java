// releases: 8
/** Synchronized methods and blocks, nested and static, left by exceptions, wait and notify. */
public class Synchronized {
    private int count;
    private static int total;
    private final Object lock = new Object();

    synchronized void add(int n) {
        if (n < 0) {
            throw new IllegalArgumentException("negative");
        }
        count += n;
    }

    static synchronized int addTotal(int n) {
        total += n;
        return total;
    }

    int nested(int n) {
        synchronized (lock) {
            synchronized (this) {
                count += n;
                if (n == 0) {
                    throw new IllegalStateException("inside");
                }
                if (n == 1) {
                    return count;
                }
            }
            return -count;
        }
    }

    boolean free() {
        return !Thread.holdsLock(lock) && !Thread.holdsLock(this) && !Thread.holdsLock(Synchronized.class);
    }

    static class Slot {
        private Integer value;
        private boolean closed;

        synchronized void put(int n) throws InterruptedException {
            while (value != null) {
                wait();
            }
            value = n;
            notifyAll();
        }

        synchronized Integer take() throws InterruptedException {
            while (value == null && !closed) {
                wait();
            }
            Integer taken = value;
            value = null;
            notifyAll();
            return taken;
        }

        synchronized void close() throws InterruptedException {
            while (value != null) {
                wait();
            }
            closed = true;
            notifyAll();
        }
    }

    public static void main(String[] args) throws Exception {
        Synchronized object = new Synchronized();
        object.add(3);
        try {
            object.add(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage() + " " + object.free());
        }
        System.out.println(object.nested(1) + " " + object.nested(2));
        try {
            object.nested(0);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + object.free());
        }
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 500; i++) {
                    addTotal(1);
                    object.add(1);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(total + " " + object.count);

        Slot slot = new Slot();
        int[] sum = {0};
        Thread consumer = new Thread(() -> {
            try {
                for (Integer n = slot.take(); n != null; n = slot.take()) {
                    sum[0] = sum[0] * 3 + n;
                }
            } catch (InterruptedException e) {
                sum[0] = -1;
            }
        });
        consumer.start();
        for (int i = 0; i < 30; i++) {
            slot.put(i);
        }
        slot.close();
        consumer.join();
        System.out.println(sum[0]);
        try {
            object.wait();
        } catch (IllegalMonitorStateException e) {
            System.out.println("not the owner");
        }
        Thread.currentThread().interrupt();
        try {
            Thread.sleep(1000);
        } catch (InterruptedException e) {
            System.out.println("interrupted");
        }
    }
}
