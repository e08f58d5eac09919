import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/** Exceptions that start in unrecorded code, directly or after it called back. */
public class LibraryExceptions {
    static int parsed(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    static int through(String text) {
        int before = text.length();
        int value = Integer.parseInt(text.trim());
        return before + value;
    }

    static class Item implements Comparable<Item> {
        final int key;

        Item(int key) {
            this.key = key;
        }

        @Override
        public int compareTo(Item other) {
            return Integer.compare(key, other.key);
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(parsed("12") + parsed("x"));
        try {
            System.out.println(through(" 5 "));
            System.out.println(through(" y "));
        } catch (NumberFormatException e) {
            System.out.println("through: " + e.getMessage());
        }
        List<Integer> list = new ArrayList<>(Arrays.asList(1, 2, 3));
        try {
            for (Integer i : list) {
                list.remove(i);
            }
        } catch (ConcurrentModificationException e) {
            System.out.println("modified " + list);
        }
        try {
            Collections.unmodifiableList(list).add(1);
        } catch (UnsupportedOperationException e) {
            System.out.println("unmodifiable");
        }
        Iterator<Integer> iterator = Collections.emptyIterator();
        try {
            iterator.next();
        } catch (NoSuchElementException e) {
            System.out.println("no element");
        }
        try {
            Optional.empty().orElseThrow(() -> new IllegalStateException("made by us"));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            Arrays.sort(new Object[] {new Item(1), null, new Item(2)});
        } catch (NullPointerException e) {
            System.out.println("null in sort");
        }
        try {
            Arrays.sort(new Object[] {new Item(1), "text"});
        } catch (ClassCastException e) {
            System.out.println("cast in bridge");
        }
        try {
            "abc".substring(5);
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println("substring");
        }
        try {
            Class.forName("no.such.Type");
        } catch (ClassNotFoundException e) {
            System.out.println("not found " + e.getMessage());
        }
    }
}
