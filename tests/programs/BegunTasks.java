// releases: 8 17
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Tasks that are alike, and who has begun which. After `//?` stands what a line asks for and the label of the line that it
 * has to come from, `//=` gives a line its label.
 */
public class BegunTasks {
    final String name;
    int runs;

    BegunTasks(String name) {
        this.name = name;
    }

    void work() {
        runs++; //? control from referred
        System.out.println(name);
    }

    static void shared() {
        System.out.println("shared"); //? control from shared-referred
    }

    static void captured(ExecutorService pool) throws Exception {
        BegunTasks one = new BegunTasks("one");
        BegunTasks two = new BegunTasks("two");
        List<Future<?>> futures = new ArrayList<>();
        for (BegunTasks task : new BegunTasks[] {one, two}) {
            Runnable run = () -> { //= made
                task.runs++; //? task from made
                if (task == one) {
                    System.out.println("first");
                }
            };
            futures.add(pool.submit(run));
        }
        for (Future<?> future : futures) {
            future.get();
        }
    }

    static Runnable greeting(BegunTasks task) {
        return () -> {
            task.runs = "three".equals(task.name) ? 3 : 4; //? control from submitted-four
        };
    }

    static void objects(ExecutorService pool) throws Exception {
        Runnable three = greeting(new BegunTasks("three"));
        Runnable four = greeting(new BegunTasks("four"));
        Future<?> second = pool.submit(four); //= submitted-four
        second.get();
        Future<?> first = pool.submit(three);
        first.get();
        int done = pool.submit(four, 1).get(); //= submitted-four
        System.out.println(done);
    }

    static void references(ExecutorService pool) throws Exception {
        BegunTasks worker = new BegunTasks("worker");
        pool.submit(worker::work).get(); //= referred
        pool.submit(BegunTasks::shared).get(); //= shared-referred
    }

    static int answer(int n) {
        return n > 0 ? 5 : 6;
    }

    static void results(ExecutorService pool) throws Exception {
        Future<Integer> one = pool.submit(() -> answer(1)); //= one
        Future<Integer> two = pool.submit(() -> answer(2)); //= two
        Integer second = two.get();
        Integer first = one.get(); //? first from one
        System.out.println(first + second);
        CompletableFuture<String> left = CompletableFuture.supplyAsync(() -> "same", pool); //= left
        CompletableFuture<String> right = CompletableFuture.supplyAsync(() -> "same", pool); //= right
        right.join();
        String text = left.join(); //? text from left
        System.out.println(text);
        Callable<String> object = new Named("same");
        Future<String> named = pool.submit(object);
        pool.submit(() -> "same").get();
        String again = named.get(); //? again from named-bridge
        System.out.println(again);
    }

    /** What a task has given to others is not its result, even if it is the same object. */
    static void alsoGivenAway(ExecutorService pool) throws Exception {
        BlockingQueue<Integer> seen = new LinkedBlockingQueue<>();
        Future<Integer> counted = pool.submit(() -> {
            Integer count = 2000 + answer(1);
            seen.put(count);
            return count; //= counted
        });
        Integer count = counted.get(); //? count from counted
        System.out.println(count + seen.size());
    }

    /** A function that follows a task in its thread is given what the task has returned. */
    static void followed(ExecutorService pool) {
        CompletableFuture<Void> ready = new CompletableFuture<>();
        CompletableFuture<Integer> base = CompletableFuture.supplyAsync(() -> {
            ready.join();
            return 3000; //= base
        }, pool);
        CompletableFuture<Integer> next = base.thenApply(value -> {
            int more = value + 1; //? more from base
            return more; //= next
        });
        ready.complete(null);
        Integer result = next.join(); //? result from next
        System.out.println(result);
    }

    static class Named implements Callable<String> { //= named-bridge
        final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        public String call() {
            return name;
        }
    }

    /** Another thread has met the same small number before, in a queue. */
    static void mergedNumber() throws Exception {
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        queue.put(3);
        Thread taker = new Thread(() -> {
            try {
                System.out.println(queue.take());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        taker.start();
        taker.join();
        Map<String, Integer> sums = new ConcurrentHashMap<>();
        sums.put("k", 1);
        Thread merger = new Thread(() -> {
            sums.merge("k", 2, Integer::sum); //= merged
        });
        merger.start();
        merger.join();
        int sum = sums.get("k"); //? sum from merged
        System.out.println(sum);
    }

    /** The task is known, but somebody else has given the future its result. */
    static void completed(ExecutorService pool) throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch latch = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        CompletableFuture<Integer> future = CompletableFuture.supplyAsync(() -> {
            started.countDown();
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            over.countDown();
            return 7;
        }, pool);
        // A task whose future has its result does not run any more.
        started.await();
        future.complete(7); //= completed
        latch.countDown();
        over.await();
        Integer result = future.join(); //? result from completed
        System.out.println(result);
    }

    /** Which task is whose is not known, but what a task has put elsewhere is no result. */
    static void all(ExecutorService pool) throws Exception {
        Map<String, Integer> table = new ConcurrentHashMap<>();
        List<Callable<Integer>> tasks = new ArrayList<>();
        tasks.add(() -> {
            table.put("a", 1);
            int size = table.size();
            table.put("b", 1);
            return size; //= size
        });
        int size = pool.invokeAll(tasks).get(0).get(); //? size from size
        System.out.println(size);
    }

    public static void main(String[] args) throws Exception {
        mergedNumber();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        captured(pool);
        objects(pool);
        references(pool);
        alsoGivenAway(pool);
        followed(pool);
        results(pool);
        completed(pool);
        all(pool);
        pool.shutdown();
    }
}
