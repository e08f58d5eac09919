import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** Executors, futures, locks, atomics, volatile fields and thread locals. */
public class Concurrency {
    static final ThreadLocal<StringBuilder> LOCAL = ThreadLocal.withInitial(() -> new StringBuilder("local"));
    static volatile boolean ready;
    static int published;

    static class Work implements Callable<Long> {
        final int n;

        Work(int n) {
            this.n = n;
        }

        @Override
        public Long call() throws Exception {
            if (n == 7) {
                throw new Exception("seven");
            }
            LOCAL.get().append(n);
            long sum = 0;
            for (int i = 0; i <= n * 100; i++) {
                sum += i;
            }
            return sum;
        }
    }

    static void executors() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        List<Future<Long>> futures = new ArrayList<>();
        for (int n = 0; n < 10; n++) {
            futures.add(pool.submit(new Work(n)));
        }
        StringBuilder out = new StringBuilder();
        for (Future<Long> future : futures) {
            try {
                out.append(future.get()).append(' ');
            } catch (ExecutionException e) {
                out.append(e.getCause().getMessage()).append(' ');
            }
        }
        pool.shutdown();
        System.out.println(out.toString().trim() + " " + LOCAL.get());
    }

    static void completable() {
        CompletableFuture<Integer> left = CompletableFuture.supplyAsync(() -> 20);
        CompletableFuture<Integer> right = CompletableFuture.supplyAsync(() -> 22).thenApply(x -> x * 10);
        System.out.println(left.thenCombine(right, Integer::sum).join());
        CompletableFuture<String> failed = left.thenApplyAsync(x -> {
            if (x == 20) {
                throw new IllegalStateException("twenty");
            }
            return "fine";
        });
        System.out.println(failed.exceptionally(e -> "handled " + e.getCause().getMessage()).join());
        try {
            failed.join();
        } catch (CompletionException e) {
            System.out.println(e.getCause().getMessage());
        }
    }

    static void locks() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        AtomicInteger atomic = new AtomicInteger();
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        int[] guarded = {0};
        CountDownLatch done = new CountDownLatch(4);
        for (int t = 0; t < 4; t++) {
            int id = t;
            new Thread(() -> {
                for (int i = 0; i < 200; i++) {
                    lock.lock();
                    try {
                        guarded[0]++;
                    } finally {
                        lock.unlock();
                    }
                    atomic.updateAndGet(x -> x + id);
                    map.merge("key" + i % 3, 1, Integer::sum);
                }
                done.countDown();
            }, "locker-" + t).start();
        }
        done.await();
        System.out.println(guarded[0] + " " + atomic.get() + " " + map.get("key0") + " " + map.get("key2"));
    }

    static void publication() throws InterruptedException {
        Thread reader = new Thread(() -> {
            while (!ready) {
                Thread.onSpinWait();
            }
            System.out.println("published " + published);
        });
        reader.start();
        published = 42;
        ready = true;
        reader.join();
    }

    public static void main(String[] args) throws Exception {
        executors();
        completable();
        locks();
        publication();
    }
}
