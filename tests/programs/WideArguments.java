// releases: 8 17
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongBinaryOperator;

/**
 * Calls with `long` and `double` arguments, whose second slots held something else before. After `//?` stands what a line asks
 * for and what its slice has, after `//!` what it does not have; `//=` gives a line its label.
 */
public class WideArguments {
    static class Price {
        final long cents;

        Price(long cents) {
            this.cents = cents;
        }
    }

    static double half(double number, int times) {
        return times * number / 2;
    }

    static long sum(LongBinaryOperator operator, long one, long other) {
        return operator.applyAsLong(one, other);
    }

    public static void main(String[] args) {
        Map<String, Integer> discounts = new HashMap<>();
        int other = args.length + 5; //= other
        discounts.put("tea", other); //= put
        Price nothing = new Price(0);
        Price large = new Price(other == 5 ? 900L : 0L);
        int times = args.length + 3; //= times
        double first = half(3.0, times); //? first thinned to times //! first thinned to put, other
        long added = sum((a, b) -> a + b, nothing.cents, large.cents); //! added thinned to put, other, times
        System.out.println(first + added);
    }
}
