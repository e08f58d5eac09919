import java.util.concurrent.CountDownLatch;

/** A daemon thread that still computes, and one that waits, when the program ends. */
public class DaemonAtEnd {
    static volatile long spins;

    static long spin(long from) {
        long value = from;
        for (int i = 0; i < 1000; i++) {
            value = value * 31 + i;
        }
        return value;
    }

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch running = new CountDownLatch(2);
        Thread busy = new Thread(() -> {
            running.countDown();
            while (true) {
                spins = spin(spins);
                Thread.yield();
            }
        }, "busy");
        busy.setDaemon(true);
        busy.start();
        Object lock = new Object();
        Thread waiting = new Thread(() -> {
            synchronized (lock) {
                running.countDown();
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    System.out.println("never");
                }
            }
        }, "waiting");
        waiting.setDaemon(true);
        waiting.start();
        running.await();
        Thread late = new Thread(() -> System.out.println("after main " + (spin(1) != 0)), "late");
        late.start();
        late.join();
        System.out.println("main ends");
    }
}
