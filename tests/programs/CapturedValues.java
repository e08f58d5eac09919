// releases: 8 17
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * Functions that have captured something, run at once, later, and by other threads. After `//?` stands what a line asks
 * for and the label of the line that it has to come from, or what slices of it have, after `//!` what they must not have;
 * `//=` gives a line its labels.
 */
public class CapturedValues {
    static IntUnaryOperator adder(int amount) {
        return n -> n + amount; //= adder-made
    }

    static int run(IntSupplier supplier) {
        return supplier.getAsInt();
    }

    static void direct() {
        int three = 3; //= three
        IntSupplier doubled = () -> { //= doubled-made
            int twice = three * 2; //? three from doubled-made
            return twice;
        };
        System.out.println(run(doubled));
    }

    static void several() {
        List<IntSupplier> suppliers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int square = i * i;
            suppliers.add(() -> { //= square-made
                int found = square; //? found from square-made
                return found;
            });
        }
        int sum = 0;
        for (IntSupplier supplier : suppliers) {
            sum += supplier.getAsInt();
        }
        System.out.println(sum);
    }

    static void givenToTheLibrary() {
        long factor = 10L; //= factor
        String unit = "cm"; //= unit
        Arrays.asList(1, 2, 3).forEach(n -> { //= scaled-made
            long scaled = n * factor; //? factor from scaled-made
            String text = scaled + unit; //? unit from scaled-made
            System.out.println(text);
        });
    }

    static void throughStreams() {
        int limit = 2; //= limit
        long large = Arrays.asList(1, 2, 3).stream().filter(n -> { //= filter-made
            boolean isLarge = n > limit; //? limit from filter-made
            return isLarge;
        }).count();
        System.out.println(large);
    }

    static void nested() {
        int outer = 5; //= outer
        Runnable run = () -> { //= nested-made
            int own = outer + 1; //? outer from nested-made //= own
            Runnable inner = () -> { //= inner-made
                int both = outer * own; //? own from inner-made //? outer from inner-made
                System.out.println(both);
            };
            inner.run();
        };
        run.run();
    }

    static DoubleUnaryOperator multiplier(double factor) {
        return x -> x * factor;
    }

    static LongUnaryOperator shifter(long offset) {
        return x -> x + offset;
    }

    static void ofTheSameMethod() {
        double two = Double.parseDouble("2.0"); //= two-parsed
        double half = Double.parseDouble("0.5"); //= half-parsed
        DoubleUnaryOperator doubled = multiplier(two);
        DoubleUnaryOperator halved = multiplier(half);
        double product = DoubleStream.of(5).map(doubled).sum();
        double quotient = DoubleStream.of(5).map(halved).sum();
        System.out.println(product); //? product thinned to two-parsed //! product thinned to half-parsed
        System.out.println(quotient); //? quotient thinned to half-parsed //! quotient thinned to two-parsed
        long far = 1L << 40; //= far
        long farther = 1L << 41; //= farther
        LongUnaryOperator first = shifter(far);
        LongUnaryOperator second = shifter(farther);
        long shifted = LongStream.of(5).map(first).sum();
        System.out.println(shifted + second.applyAsLong(1)); //? shifted thinned to far //! shifted thinned to farther
    }

    static void inOtherThreads() throws Exception {
        int port = 80; //= port
        Thread thread = new Thread(() -> { //= thread-made
            int next = port + 1; //? port from thread-made //? control from thread-start
            System.out.println(next);
        });
        thread.start(); //= thread-start
        thread.join();

        ExecutorService pool = Executors.newSingleThreadExecutor();
        for (int i = 0; i < 2; i++) {
            int number = i; //= number
            pool.submit(() -> { //= submitted
                int task = number + 100; //? number from submitted //? control from submitted
                System.out.println(task);
            }).get();
        }
        pool.shutdown();

        FutureTask<Integer> wrapped = new FutureTask<>(() -> { //= wrapped-made
            int answer = port / 2; //? port from wrapped-made //? control from wrapped-start
            return answer;
        });
        Thread worker = new Thread(wrapped);
        worker.start(); //= wrapped-start
        System.out.println(wrapped.get());
        worker.join();
    }

    public static void main(String[] args) throws Exception {
        IntUnaryOperator addFour = adder(4);
        System.out.println(addFour.applyAsInt(1));
        direct();
        several();
        givenToTheLibrary();
        throughStreams();
        nested();
        ofTheSameMethod();
        inOtherThreads();
    }
}
