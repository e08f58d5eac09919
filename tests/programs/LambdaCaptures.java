// releases: 8 11 17
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** Lambdas that capture every kind of variable, nested and recursive ones. */
public class LambdaCaptures {
    private final String name = "outer";
    private static IntUnaryOperator factorial;
    private Function<Integer, Integer> fibonacci;

    LambdaCaptures() {
        fibonacci = n -> n < 2 ? n : this.fibonacci.apply(n - 1) + this.fibonacci.apply(n - 2);
    }

    Supplier<String> captureThis(long l, double d, char c, byte b, boolean z, float f, short s) {
        return () -> name + l + d + c + b + z + f + s;
    }

    static <A, B, C> Function<A, Function<B, C>> curry(java.util.function.BiFunction<A, B, C> f) {
        return a -> b -> f.apply(a, b);
    }

    static IntFunction<IntFunction<IntSupplier>> threeDeep() {
        return a -> b -> {
            int c = a * b;
            return () -> {
                int d = c + a;
                IntSupplier last = () -> d + b + c;
                return last.getAsInt();
            };
        };
    }

    public static void main(String[] args) {
        LambdaCaptures outer = new LambdaCaptures();
        System.out.println(outer.captureThis(1L << 40, 2.5, 'c', (byte) -1, true, 1.5f, (short) 300).get());
        System.out.println(outer.fibonacci.apply(12));
        factorial = n -> n == 0 ? 1 : n * factorial.applyAsInt(n - 1);
        System.out.println(factorial.applyAsInt(10));
        System.out.println(LambdaCaptures.<Integer, Integer, Integer>curry((a, b) -> a - b).apply(10).apply(3));
        System.out.println(threeDeep().apply(3).apply(4).getAsInt());
        List<IntSupplier> suppliers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int square = i * i;
            suppliers.add(() -> square);
        }
        int sum = 0;
        for (IntSupplier supplier : suppliers) {
            sum += supplier.getAsInt();
        }
        System.out.println(sum);
        int[] cell = {0};
        Runnable increment = () -> cell[0]++;
        increment.run();
        increment.run();
        System.out.println(cell[0]);
    }
}
