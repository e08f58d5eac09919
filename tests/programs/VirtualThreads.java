// jdk: 21
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;

/** Virtual threads that block, are mounted again elsewhere, synchronise and fail. */
public class VirtualThreads {
    static int shared;
    static final ThreadLocal<Integer> LOCAL = ThreadLocal.withInitial(() -> 5);

    static synchronized void add(int n) {
        shared += n;
    }

    static int recursive(int n) throws InterruptedException {
        if (n == 0) {
            Thread.sleep(1);
            return 1;
        }
        return recursive(n - 1) + 1;
    }

    static int work(int n) throws InterruptedException {
        int sum = 0;
        for (int i = 0; i < 5; i++) {
            sum += recursive(n % 10);
            Thread.yield();
            add(1);
        }
        LOCAL.set(LOCAL.get() + n);
        return sum + LOCAL.get();
    }

    public static void main(String[] args) throws Exception {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> futures = new ArrayList<>();
            for (int n = 0; n < 100; n++) {
                int id = n;
                futures.add(executor.submit(() -> work(id)));
            }
            long total = 0;
            for (Future<Integer> future : futures) {
                total += future.get();
            }
            System.out.println(total + " " + shared);
        }
        SynchronousQueue<String> queue = new SynchronousQueue<>();
        Thread producer = Thread.ofVirtual().name("producer").start(() -> {
            try {
                for (String s : new String[] {"a", "b", "c", "end"}) {
                    queue.put(s);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        StringBuilder received = new StringBuilder();
        for (String s = queue.take(); !s.equals("end"); s = queue.take()) {
            received.append(s);
        }
        producer.join();
        System.out.println(received);
        Throwable[] seen = {null};
        Thread failing = Thread.ofVirtual().uncaughtExceptionHandler((t, e) -> seen[0] = e).start(() -> {
            int[] none = new int[0];
            none[0]++;
        });
        failing.join();
        System.out.println(seen[0].getClass().getSimpleName());
        Thread sleeper = Thread.startVirtualThread(() -> {
            try {
                Thread.sleep(60_000);
            } catch (InterruptedException e) {
                System.out.println("woken");
            }
        });
        sleeper.interrupt();
        sleeper.join();
    }
}
