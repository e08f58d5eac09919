/** Two threads wait for each other's lock until the JVM ends, a third for one that the main thread keeps. */
public class Deadlock {
    static final Object FIRST = new Object();
    static final Object SECOND = new Object();
    static int written;

    static synchronized void never() {
        written = 3;
    }

    static void both(Object own, Object other) {
        synchronized (own) {
            pause(100);
            synchronized (other) {
                written = 1;
            }
        }
    }

    static void pause(int milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            written = 4;
        }
    }

    static void start(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] arguments) {
        synchronized (Deadlock.class) {
            start(() -> both(FIRST, SECOND));
            start(() -> both(SECOND, FIRST));
            start(() -> never());
            pause(500);
            System.out.println(written);
            System.exit(0);
        }
    }
}
