// releases: 8 17
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

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
        told("y" + shared);
        toldLater("z" + shared);
        pool.shutdown();
    }
}
