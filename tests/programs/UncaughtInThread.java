/** Uncaught exceptions in threads, with and without handlers of the program. */
public class UncaughtInThread {
    static final StringBuffer LOG = new StringBuffer();

    static void fail(int depth) {
        if (depth == 0) {
            throw new IllegalStateException("bottom");
        }
        fail(depth - 1);
    }

    static class Worker extends Thread {
        Worker(String name) {
            super(name);
        }

        @Override
        public void run() {
            LOG.append(getName()).append(" runs; ");
            fail(3);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread plain = new Worker("plain");
        plain.start();
        plain.join();
        Thread handled = new Worker("handled");
        handled.setUncaughtExceptionHandler((t, e) -> LOG.append(t.getName() + " died of " + e.getMessage() + "; "));
        handled.start();
        handled.join();
        Thread handlerFails = new Worker("handlerFails");
        handlerFails.setUncaughtExceptionHandler((t, e) -> {
            LOG.append("handler fails; ");
            fail(1);
        });
        handlerFails.start();
        handlerFails.join();
        System.out.println(LOG);
    }
}
