// releases: 8 17
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Tasks that fail, and what comes of it where they are waited for; tasks that are references to methods. After `//?` stands
 * what a line asks for and lines that a slice has to hold, after `//!` lines that it must not hold; `//=` gives a line its
 * label.
 */
public class FailedTasks {
    static int shared;

    /** No object of this class is ever met. */
    static final class Worker {
        static void work() {
            shared = 5; //= work
        }

        static int count() {
            return 700; //= counted
        }

        static int again() {
            return 800; //= again
        }

        static int first = 900;

        static synchronized int next() {
            int before = first;
            first = 901; //= stepped
            return before == 901 ? 902 : before; //= next
        }
    }

    /** Its method starts with what it loads, not with something that it makes. */
    static final class Counter {
        final int n;

        Counter(int n) {
            this.n = n; //= counter-set
        }

        int count() {
            return n; //= counter-counted
        }
    }

    static int parse(String text) {
        return Integer.parseInt(text); //= parsed
    }

    static int check(int number) {
        if (number > 3) { //= checked
            throw new IllegalStateException("large"); //= large
        }
        return number;
    }

    static void references(ExecutorService pool) throws Exception {
        Thread thread = new Thread(Worker::work);
        thread.start(); //= started
        thread.join();
        int work = shared; //? work sliced to work, started
        FutureTask<Integer> future = new FutureTask<>(Worker::count);
        new Thread(future).start(); //= count-started
        int count = future.get(); //? count sliced to counted, count-started //! count sliced to again, work
        Future<Integer> first = pool.submit(Worker::again); //= first-again
        first.get();
        Future<Integer> second = pool.submit(Worker::again); //= second-again
        int again = second.get(); //? again sliced to again, second-again //! again sliced to counted
        System.out.println(work + count + again);
        int counted = pool.submit(new Counter(4711)::count).get(); //= submitted
        System.out.println(counted); //? counted sliced to counter-counted, counter-set, submitted
        Future<Integer> one = pool.submit(Worker::next);
        one.get();
        Future<Integer> two = pool.submit(Worker::next);
        two.get();
        int late = one.get(); //? late thinned to next //! late thinned to stepped
        System.out.println(late);
    }

    static void caught(ExecutorService pool, String text) throws Exception {
        Future<Integer> other = pool.submit(() -> check(4));
        Future<Integer> future = pool.submit(() -> parse(text));
        int result;
        try {
            result = future.get(); //= got
        } catch (ExecutionException failed) {
            result = -1; //= caught
        }
        System.out.println(result); //? result sliced to parsed, got, caught //! result sliced to large, checked
        try {
            result = other.get();
        } catch (ExecutionException failed) {
            result = -2; //= other-caught
        }
        System.out.println(result); //? result sliced to large, checked, other-caught
    }

    static void tooLate(ExecutorService pool, String text) throws Exception {
        CountDownLatch isOver = new CountDownLatch(1);
        Future<Integer> future = pool.submit(() -> {
            isOver.await();
            return check(text.length()); //= late-checked
        });
        int result;
        try {
            result = future.get(1, TimeUnit.MILLISECONDS);
        } catch (TimeoutException failed) {
            result = -4; //= timed-out
        }
        isOver.countDown();
        try {
            future.get();
        } catch (ExecutionException failed) {
            System.out.println("late");
        }
        System.out.println(result); //? result sliced to timed-out //! result sliced to late-checked, large
    }

    static void told(String text) {
        CompletableFuture<Integer> future = CompletableFuture.supplyAsync(() -> parse(text));
        try {
            future.join();
        } catch (RuntimeException failed) {
            System.out.println("failed");
        }
        int handled = future.handle((value, failure) -> failure == null ? value : -3).join(); //= handled
        System.out.println(handled); //? handled sliced to parsed, handled //! handled sliced to large
    }

    static void toldLater(String text) throws Exception {
        CountDownLatch hasHandler = new CountDownLatch(1);
        Callable<Integer> task = () -> {
            hasHandler.await();
            return parse(text);
        };
        CompletableFuture<Integer> future = CompletableFuture.supplyAsync(() -> {
            try {
                return task.call();
            } catch (Exception failed) {
                throw new IllegalArgumentException(failed); //= rethrown
            }
        });
        CompletableFuture<Integer> handled = future.exceptionally(
            failure -> failure.getMessage().length() //= told
        );
        hasHandler.countDown();
        int length = handled.join(); //= later-joined
        System.out.println(length); //? length sliced to parsed, rethrown, told, later-joined //! length sliced to large
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        references(pool);
        caught(pool, "x" + shared);
        tooLate(pool, "large");
        told("y" + shared);
        toldLater("z" + shared);
        pool.shutdown();
    }
}
