import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** Generics, bridge methods, covariant returns, heap pollution and varargs. */
public class GenericsAndBridges {
    static class Node<T extends Comparable<T>> {
        T value;
        Node<T> left;
        Node<T> right;

        Node(T value) {
            set(value);
        }

        void set(T value) {
            this.value = value;
        }

        Node<T> copy() {
            return new Node<>(value);
        }

        void insert(T other) {
            if (other.compareTo(value) < 0) {
                left = insertInto(left, other);
            } else {
                right = insertInto(right, other);
            }
        }

        private static <U extends Comparable<U>> Node<U> insertInto(Node<U> node, U value) {
            if (node == null) {
                return new Node<>(value);
            }
            node.insert(value);
            return node;
        }

        void collect(Collection<? super T> into) {
            if (left != null) {
                left.collect(into);
            }
            into.add(value);
            if (right != null) {
                right.collect(into);
            }
        }
    }

    static class IntNode extends Node<Integer> {
        static int sets;

        IntNode(int value) {
            super(value);
        }

        @Override
        void set(Integer value) {
            sets++;
            super.set(value == null ? 0 : value + 1);
        }

        @Override
        IntNode copy() {
            return new IntNode(value);
        }
    }

    interface Source<T> {
        T get();
    }

    static class Texts implements Source<String>, Function<Object, String>, Comparable<Texts> {
        @Override
        public String get() {
            return "text";
        }

        @Override
        public String apply(Object o) {
            return "applied " + o;
        }

        @Override
        public int compareTo(Texts other) {
            return 0;
        }
    }

    @SafeVarargs
    static <T> List<T> listOf(T... items) {
        return new ArrayList<>(Arrays.asList(items));
    }

    static int sum(int... numbers) {
        int sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        return sum;
    }

    static String pick(Object o) {
        return "object";
    }

    static String pick(Object... os) {
        return "varargs " + (os == null ? "null" : os.length);
    }

    static String pick(long n) {
        return "long";
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) {
        Node<String> root = new Node<>("m");
        for (String s : "q c x a n".split(" ")) {
            root.insert(s);
        }
        List<Object> collected = new ArrayList<>();
        root.collect(collected);
        System.out.println(collected);
        Node<Integer> node = new IntNode(5);
        node.set(7);
        System.out.println(node.value + " " + node.copy().value + " " + IntNode.sets);
        try {
            ((Node) node).set("text");
        } catch (ClassCastException e) {
            System.out.println("bridge refuses");
        }
        Source<?> source = new Texts();
        Function<Object, String> function = new Texts();
        System.out.println(source.get() + function.apply(1) + function.andThen(String::length).apply("x"));
        List<String> polluted = (List) listOf(1, 2);
        try {
            String first = polluted.get(0);
            System.out.println(first);
        } catch (ClassCastException e) {
            System.out.println("polluted");
        }
        System.out.println(sum() + sum(1) + sum(1, 2, 3) + sum(new int[] {4, 5}));
        System.out.println(pick(1) + pick("a") + pick() + pick(1, 2) + pick((Object[]) null) + pick('c'));
        System.out.println(listOf(1, 2.0, "x").size());
    }
}
