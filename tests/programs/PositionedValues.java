// releases: 8 17
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Stack;

/**
 * The same values at several positions of lists and queues. After `//?` stands what a line asks for and the label of the
 * line that it has to come from, `//=` gives a line its label.
 */
public class PositionedValues {
    static void positions() {
        List<Integer> numbers = new ArrayList<>();
        numbers.add(5); //= zero
        numbers.add(6); //= one
        numbers.add(5); //= two
        Integer first = numbers.get(0); //? first from zero
        Integer third = numbers.get(2); //? third from two
        numbers.add(0, 5); //= front
        Integer moved = numbers.get(1); //? moved from zero
        Integer front = numbers.get(0); //? front from front
        Integer old = numbers.set(1, 5); //= set //? old from zero
        Integer replaced = numbers.get(1); //? replaced from set
        Integer removed = numbers.remove(0); //? removed from front
        Integer shifted = numbers.get(2); //? shifted from two
        numbers.remove(Integer.valueOf(6));
        Integer closed = numbers.get(1); //? closed from two
        System.out.println(first + third + moved + front + old + replaced + removed + shifted + closed);
        numbers.clear();
        numbers.add(5); //= cleared
        Integer again = numbers.get(0); //? again from cleared
        System.out.println(again);
    }

    static void iteration() {
        List<String> words = new LinkedList<>();
        words.add("a"); //= first-a
        words.add("b"); //= b
        words.add("a"); //= last-a
        String found = null;
        for (Iterator<String> each = words.iterator(); each.hasNext(); ) {
            found = each.next(); //? found from last-a
        }
        Iterator<String> iterator = words.iterator();
        String one = iterator.next(); //? one from first-a
        iterator.remove();
        String two = iterator.next(); //? two from b
        words.add("a"); //= third-a
        String last = words.get(2); //? last from third-a
        String before = words.get(1); //? before from last-a
        System.out.println(found + one + two + last + before);
    }

    static void queues() {
        Deque<String> deque = new ArrayDeque<>();
        deque.push("x"); //= pushed
        deque.push("x"); //= pushed-later
        deque.addLast("x"); //= at-end
        String top = deque.peek(); //? top from pushed-later
        String end = deque.pollLast(); //? end from at-end
        String popped = deque.pop(); //? popped from pushed-later
        String next = deque.getFirst(); //? next from pushed
        System.out.println(top + end + popped + next);
        Stack<String> stack = new Stack<>();
        stack.push("x"); //= lower
        stack.push("x"); //= upper
        String upper = stack.pop(); //? upper from upper
        String lower = stack.peek(); //? lower from lower
        System.out.println(upper + lower);
    }

    static void copies() {
        List<String> words = new ArrayList<>();
        words.add("a"); //= original
        words.add("a"); //= second
        List<String> copy = new ArrayList<>(words);
        copy.add("a"); //= added
        words.clear();
        String copied = copy.get(0); //? copied from original
        String added = copy.get(2); //? added from added
        copy.addAll(copy);
        String doubled = copy.get(4); //? doubled from second
        String nothing = words.isEmpty() ? null : words.get(0);
        System.out.println(copied + added + doubled + nothing);
    }

    /** What is not followed: one of the calls that put the value there. */
    static void unfollowed() {
        List<String> words = new ArrayList<>();
        words.add("b"); //= b-first
        words.add("a"); //= a
        words.add("b"); //= b-last
        Collections.sort(words);
        String sorted = words.get(1); //? sorted from one of b-first, b-last
        List<String> filled = new ArrayList<>();
        filled.add("a"); //= kept
        Arrays.asList("a", "c").forEach(filled::add); //= each-added
        String first = filled.get(0); //? first from one of kept, each-added
        System.out.println(sorted + first);
    }

    static void removedLate() {
        ArrayDeque<String> queue = new ArrayDeque<>();
        queue.addLast("x"); //= first-of-three
        queue.addLast("x"); //= second-of-three
        Iterator<String> late = queue.iterator();
        late.next();
        late.next();
        queue.addLast("x"); //= last-of-three
        late.remove();
        queue.removeFirst();
        String left = queue.peekFirst(); //? left from one of first-of-three, second-of-three, last-of-three
        System.out.println(left + queue);
    }

    public static void main(String[] args) {
        removedLate();
        positions();
        iteration();
        queues();
        copies();
        unfollowed();
    }
}
