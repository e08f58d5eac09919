import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;

/** Collections and iterators of the program used by the library's algorithms and by for-each loops. */
public class OwnCollections {
    static class Ring extends AbstractList<Integer> {
        private final int[] items;
        private final int offset;
        int reads;
        int writes;

        Ring(int offset, int... items) {
            this.items = items;
            this.offset = offset;
        }

        private int slot(int index) {
            if (index < 0 || index >= items.length) {
                throw new IndexOutOfBoundsException("slot " + index);
            }
            return (index + offset) % items.length;
        }

        @Override
        public Integer get(int index) {
            reads++;
            return items[slot(index)];
        }

        @Override
        public Integer set(int index, Integer value) {
            writes++;
            int old = items[slot(index)];
            items[slot(index)] = value;
            return old;
        }

        @Override
        public int size() {
            return items.length;
        }
    }

    static class Chain<T> implements Iterable<T> {
        private T value;
        private Chain<T> next;

        Chain(T value, Chain<T> next) {
            this.value = value;
            this.next = next;
        }

        @Override
        public Iterator<T> iterator() {
            return new Iterator<T>() {
                private Chain<T> current = Chain.this;

                @Override
                public boolean hasNext() {
                    return current != null;
                }

                @Override
                public T next() {
                    if (current == null) {
                        throw new NoSuchElementException();
                    }
                    T result = current.value;
                    current = current.next;
                    return result;
                }
            };
        }
    }

    static class Squares extends AbstractMap<Integer, Integer> {
        @Override
        public Set<Map.Entry<Integer, Integer>> entrySet() {
            Set<Map.Entry<Integer, Integer>> entries = new HashSet<>();
            for (int i = 0; i < 5; i++) {
                entries.add(new SimpleEntry<>(i, i * i));
            }
            return entries;
        }
    }

    public static void main(String[] args) {
        Ring ring = new Ring(2, 5, 3, 9, 1, 7);
        System.out.println(ring + " " + ring.indexOf(7) + " " + ring.contains(8) + " " + ring.hashCode());
        Collections.sort(ring);
        System.out.println(ring + " " + Arrays.toString(ring.items) + " " + ring.writes);
        Collections.reverse(ring);
        Collections.swap(ring, 0, 4);
        System.out.println(ring + " " + ring.equals(Arrays.asList(1, 7, 5, 3, 9)) + " " + Collections.max(ring));
        try {
            ring.add(4);
        } catch (UnsupportedOperationException e) {
            System.out.println("fixed size");
        }
        try {
            ring.get(9);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        List<Integer> tail = ring.subList(2, 5);
        System.out.println(tail + " " + new TreeSet<>(ring).first() + " " + new ArrayList<>(ring).size());

        Chain<String> chain = new Chain<>("a", new Chain<>("b", new Chain<>("c", null)));
        StringBuilder text = new StringBuilder();
        for (String s : chain) {
            for (String t : chain) {
                text.append(s).append(t).append(' ');
            }
        }
        System.out.println(text);
        chain.forEach(System.out::print);
        Iterator<String> iterator = chain.iterator();
        iterator.forEachRemaining(s -> text.setLength(0));
        try {
            iterator.next();
        } catch (NoSuchElementException e) {
            System.out.println(" end " + text.length());
        }
        Squares squares = new Squares();
        System.out.println(squares.get(3) + " " + squares.containsKey(9) + " " + squares.size());
    }
}
