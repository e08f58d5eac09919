import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Parallel streams, parallel sorting and fork-join tasks, one of which fails. */
public class ParallelWork {
    static class Sum extends RecursiveTask<Long> {
        final int[] data;
        final int from;
        final int to;

        Sum(int[] data, int from, int to) {
            this.data = data;
            this.from = from;
            this.to = to;
        }

        @Override
        protected Long compute() {
            if (to - from <= 100) {
                long sum = 0;
                for (int i = from; i < to; i++) {
                    if (data[i] < 0) {
                        throw new IllegalStateException("negative");
                    }
                    sum += data[i];
                }
                return sum;
            }
            int middle = (from + to) >>> 1;
            Sum left = new Sum(data, from, middle);
            Sum right = new Sum(data, middle, to);
            left.fork();
            return right.compute() + left.join();
        }
    }

    static boolean prime(int n) {
        for (int d = 2; d * d <= n; d++) {
            if (n % d == 0) {
                return false;
            }
        }
        return n > 1;
    }

    public static void main(String[] args) {
        int[] data = new int[2000];
        for (int i = 0; i < data.length; i++) {
            data[i] = (i * 7919) % 1009;
        }
        System.out.println(new ForkJoinPool(3).invoke(new Sum(data, 0, data.length)));
        System.out.println(IntStream.range(0, 5000).parallel().filter(ParallelWork::prime).count());
        Map<Integer, Long> digits = IntStream.of(data).parallel().boxed()
                .collect(Collectors.groupingBy(n -> n % 10, TreeMap::new, Collectors.counting()));
        System.out.println(digits);
        Integer[] boxed = IntStream.of(data).boxed().toArray(Integer[]::new);
        Arrays.parallelSort(boxed, Comparator.comparing((Integer n) -> n % 100).thenComparing(n -> n));
        System.out.println(boxed[0] + " " + boxed[1000] + " " + boxed[1999]);
        data[1500] = -1;
        try {
            ForkJoinPool.commonPool().invoke(new Sum(data, 0, data.length));
        } catch (IllegalStateException e) {
            System.out.println("failed: negative");
        }
        System.out.println(IntStream.range(0, 1000).parallel().mapToObj(n -> "" + n).mapToInt(String::length).sum());
    }
}
