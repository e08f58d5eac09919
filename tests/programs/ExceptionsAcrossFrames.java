import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.IntConsumer;

/** Exceptions that leave recorded frames, unrecorded frames between them, and are caught on either side. */
public class ExceptionsAcrossFrames {
    static class Stop extends RuntimeException {
        final int code;
        final List<String> way = new ArrayList<>();

        Stop(int code) {
            super("stop " + code);
            this.code = code;
        }
    }

    static int level3(int code) {
        if (code > 0) {
            throw new Stop(code);
        }
        return code;
    }

    static int level2(int code) {
        try {
            return level3(code) + 1;
        } catch (Stop stop) {
            stop.way.add("level2");
            throw stop;
        }
    }

    int level1(int code) {
        int result = 0;
        try {
            result = level2(code);
        } finally {
            result++;
        }
        return result;
    }

    static int sortThatStops(int[] seen) {
        Integer[] numbers = {5, 3, 9, 1};
        try {
            Arrays.sort(numbers, (a, b) -> {
                seen[0]++;
                return seen[0] == 3 ? level2(a + b) : a - b;
            });
        } catch (Stop stop) {
            return stop.code;
        }
        return -1;
    }

    static void consume(int n) {
        if (n == 4) {
            level2(44);
        }
    }

    static void eachRemaining(IntConsumer consumer) {
        Arrays.asList(1, 2, 3, 4, 5).iterator().forEachRemaining(consumer::accept);
    }

    static int caughtByLibrary(Callable<Integer> work) throws InterruptedException {
        FutureTask<Integer> task = new FutureTask<>(work);
        task.run();
        try {
            return task.get();
        } catch (ExecutionException e) {
            return -((Stop) e.getCause()).code;
        }
    }

    static int sandwich(int depth) {
        if (depth == 0) {
            throw new Stop(99);
        }
        int[] result = {0};
        Arrays.asList(depth).forEach(d -> result[0] = sandwich(d - 1));
        return result[0];
    }

    public static void main(String[] args) throws Exception {
        ExceptionsAcrossFrames frames = new ExceptionsAcrossFrames();
        System.out.println(frames.level1(0));
        try {
            frames.level1(7);
        } catch (Stop stop) {
            System.out.println(stop.getMessage() + " " + stop.way);
        }
        int[] seen = {0};
        System.out.println(sortThatStops(seen) + " after " + seen[0]);
        try {
            eachRemaining(ExceptionsAcrossFrames::consume);
        } catch (Stop stop) {
            System.out.println(stop.code);
        }
        System.out.println(caughtByLibrary(() -> level2(12)) + " " + caughtByLibrary(() -> level2(0)));
        try {
            sandwich(5);
        } catch (Stop stop) {
            System.out.println("sandwich " + stop.code);
        }
        System.out.println(frames.level1(0));
    }
}
