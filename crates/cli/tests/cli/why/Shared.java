import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class Shared {
    static int total;
    int level;
    static final Object LOCK = new Object();

    static class Worker extends Thread {
        final Shared shared;
        final int amount;
        Worker(Shared shared, int amount) {
            this.shared = shared;
            this.amount = amount;
        }
        @Override public void run() {
            synchronized (LOCK) {
                shared.level = shared.level + amount;
            }
        }
    }

    static String shout(String word) {
        return word + "!";
    }

    public static void main(String[] args) throws Exception {
        Shared shared = new Shared();
        Worker first = new Worker(shared, 3);
        first.start();
        first.join();
        Worker second = new Worker(shared, 4);
        second.start();
        second.join();
        int level = shared.level;
        System.out.println(level);

        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<String> future = pool.submit(() -> shout("hello"));
        String said = future.get();
        System.out.println(said);

        BlockingQueue<String> queue = new LinkedBlockingQueue<>();
        String name = "job" + level;
        pool.submit(() -> { queue.put(name + "-done"); return null; });
        String taken = queue.take();
        System.out.println(taken);

        AtomicInteger counter = new AtomicInteger(5);
        pool.submit(() -> counter.addAndGet(7)).get();
        int counted = counter.get();
        System.out.println(counted);

        int[] cells = new int[4];
        pool.submit(() -> { cells[2] = 9; }).get();
        int cell = cells[2];
        System.out.println(cell);

        Map<String, String> map = new ConcurrentHashMap<>();
        pool.submit(() -> { map.put("k", shout("put")); }).get();
        String got = map.get("k");
        System.out.println(got);
        pool.shutdown();
        CompletableFuture<String> later = new CompletableFuture<>();
        new Thread(() -> later.complete(shout("late"))).start();
        String done = later.join();
        System.out.println(done);
    }
}
