import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Sequential streams: every operation runs code of the program inside library frames. */
public class Streams {
    static class Order {
        final String customer;
        final int amount;

        Order(String customer, int amount) {
            this.customer = customer;
            this.amount = amount;
        }

        String customer() {
            return customer;
        }

        int amount() {
            return amount;
        }

        boolean large() {
            return amount > 50;
        }
    }

    static int checked(int n) {
        if (n == 3) {
            throw new IllegalStateException("three");
        }
        return n;
    }

    public static void main(String[] args) {
        List<Order> orders = Arrays.asList(
                new Order("ann", 70), new Order("bob", 20), new Order("ann", 5), new Order("cy", 90));
        System.out.println(orders.stream().mapToInt(Order::amount).sum());
        System.out.println(orders.stream().filter(Order::large).map(Order::customer).collect(Collectors.toList()));
        Map<String, Integer> totals = orders.stream()
                .collect(Collectors.groupingBy(Order::customer, TreeMap::new, Collectors.summingInt(Order::amount)));
        System.out.println(totals);
        Optional<Order> top = orders.stream().max(Comparator.comparingInt(o -> o.amount));
        System.out.println(top.map(Order::customer).orElse("none"));
        System.out.println(orders.stream().sorted(Comparator.comparing(Order::amount).reversed())
                .map(o -> o.customer + o.amount).collect(Collectors.joining(",", "[", "]")));
        System.out.println(Stream.iterate(1, x -> x * 3).limit(6).reduce(0, Integer::sum));
        System.out.println(IntStream.rangeClosed(1, 4).boxed()
                .flatMap(a -> IntStream.rangeClosed(a, 4).mapToObj(b -> a * b)).map(String::valueOf)
                .collect(Collectors.joining(" ")));
        try {
            System.out.println(IntStream.range(0, 5).map(Streams::checked).sum());
        } catch (IllegalStateException e) {
            System.out.println("stopped at " + e.getMessage());
        }
        System.out.println(IntStream.range(0, 100).anyMatch(n -> checked(n) == 2));
    }
}
