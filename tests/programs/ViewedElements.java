// releases: 8 17
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The same object several times in one collection, read through something else: views, entries, arrays, streams. After `//?`
 * stands what a line asks for and the labels of the lines that it comes from or may come from, `//=` gives a line its label.
 */
public class ViewedElements {
    static void entries() {
        Map<String, Integer> ages = new LinkedHashMap<>();
        ages.put("ann", 5); //= ann
        ages.put("bob", 5); //= bob
        Integer first = null;
        for (Map.Entry<String, Integer> entry : ages.entrySet()) {
            if (entry.getKey().equals("ann")) {
                first = entry.getValue(); //? first from ann
            }
        }
        for (Map.Entry<String, Integer> entry : ages.entrySet()) {
            if (entry.getKey().equals("ann")) {
                entry.setValue(5); //= set-value
            }
        }
        Integer changed = ages.get("ann"); //? changed from set-value
        Integer kept = Collections.unmodifiableMap(ages).get("bob"); //? kept from bob
        Integer value = ages.values().iterator().next(); //? value from one of ann, bob, set-value
        System.out.println(first + changed + kept + value);
    }

    static void views() {
        List<String> words = new ArrayList<>();
        words.add("x"); //= zero
        words.add("y"); //= one
        words.add("x"); //= two
        List<String> fixed = Collections.unmodifiableList(words);
        String wrapped = fixed.get(0); //? wrapped from zero
        String iterated = null;
        for (Iterator<String> each = fixed.iterator(); each.hasNext(); ) {
            iterated = each.next(); //? iterated from two
        }
        String part = words.subList(1, 3).get(1); //? part from one of zero, two
        Object[] array = words.toArray();
        Object element = array[0]; //? element from one of zero, two
        Object other = array[1]; //? other from one
        System.out.println(wrapped + part + iterated + element + other);
    }

    static void lists() {
        String[] array = new String[2];
        array[0] = "a"; //= given-first
        array[1] = "a"; //= given-last
        List<String> given = Arrays.asList(array);
        String fixed = given.get(0); //? fixed from one of given-first, given-last
        List<String> changed = new ArrayList<>();
        changed.add("a"); //= added
        changed.add("b");
        ListIterator<String> each = changed.listIterator();
        each.next();
        each.set("a"); //= set
        String first = changed.get(0); //? first from one of added, set
        changed.add("c");
        changed.replaceAll(word -> word.equals("c") ? "a" : word); //= replaced
        String replaced = changed.get(2); //? replaced from one of added, set, replaced
        System.out.println(fixed + first + replaced);
    }

    static void streamed() {
        List<String> words = new ArrayList<>();
        words.add("s"); //= stream-first
        words.add("s"); //= stream-last
        words.forEach(word -> {
            String seen = word; //? word from one of stream-first, stream-last
            System.out.println(seen);
        });
        List<String> same = words.stream().collect(Collectors.toList());
        String copied = same.get(0); //? copied from one of stream-first, stream-last
        System.out.println(copied);
    }

    static void gone() {
        Map<String, Integer> counts = new HashMap<>();
        counts.put("a", 1);
        counts.put("b", 1);
        counts.put("c", 1);
        counts.compute("a", (key, count) -> null); //= computed
        Integer a = counts.get("a"); //? a from computed
        counts.computeIfPresent("b", (key, count) -> null); //= if-present
        Integer b = counts.get("b"); //? b from if-present
        counts.merge("c", 1, (old, more) -> null); //= merged
        Integer c = counts.get("c"); //? c from merged
        System.out.println(a + " " + b + " " + c);
    }

    public static void main(String[] args) {
        entries();
        views();
        lists();
        streamed();
        gone();
    }
}
