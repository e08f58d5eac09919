import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;

/** Lambdas and method references of library and of own functional interfaces, called from both sides. */
public class FunctionObjects {
    interface Fn {
        int apply(int x);

        default Fn then(Fn next) {
            return x -> next.apply(apply(x));
        }
    }

    static class Doubler implements Fn {
        @Override
        public int apply(int x) {
            return 2 * x;
        }
    }

    static class Counter {
        private int count;

        Counter(int start) {
            count = start;
        }

        int next(int step) {
            count += step;
            return count;
        }

        static int twice(int x) {
            return x + x;
        }
    }

    static int callThrough(Fn f, int x) {
        return f.apply(x) + 1;
    }

    int base = 100;

    int offset(int x) {
        return base + x;
    }

    Fn bound() {
        return this::offset;
    }

    public static void main(String[] args) {
        Fn doubler = new Doubler();
        Fn other = doubler::apply;
        Fn again = other::apply;
        System.out.println(doubler.apply(3) + " " + other.apply(4) + " " + again.apply(5));
        System.out.println(callThrough(other, 6) + " " + other.then(again).then(Counter::twice).apply(1));
        Counter counter = new Counter(10);
        Fn next = counter::next;
        System.out.println(next.apply(1) + " " + next.apply(2) + " " + counter.count);
        System.out.println(new FunctionObjects().bound().apply(5));

        Function<Integer, Counter> make = Counter::new;
        System.out.println(make.apply(40).next(2));
        BiFunction<Counter, Integer, Integer> unbound = Counter::next;
        System.out.println(unbound.apply(counter, 7));
        IntBinaryOperator max = Math::max;
        System.out.println(max.applyAsInt(3, 9));
        Function<Integer, int[]> arrays = int[]::new;
        System.out.println(arrays.apply(4).length);
        Supplier<Supplier<String>> nested = () -> () -> "deep " + counter.count;
        System.out.println(nested.get().get());
        List<Fn> fns = Arrays.asList(doubler, other, x -> x - 1, next);
        int value = 1;
        for (Fn fn : fns) {
            value = fn.apply(value);
        }
        System.out.println(value);
    }
}
