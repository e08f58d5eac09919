// releases: 8 17
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What classes of the platform do with values, by their own rules. After `//?` stands what a line asks for and where that
 * comes from or what its slice has, after `//!` what its slice has not; `//=` gives a line its label.
 */
public class LibraryValues {
    public static void main(String[] args) {
        int count = args.length;
        made(count);
        iterated(count);
        referenced(count);
        read(count);
        refused(count);
        given(count);
    }

    /** Objects that never change are what their constructors were given. */
    static void made(int count) {
        String price = "12." + count; //= price
        BigDecimal decimal = new BigDecimal(price); //= decimal
        BigDecimal more = decimal.add(BigDecimal.ONE);
        System.out.println(more); //? more sliced to price, decimal
        char[] letters = {'b', 'a', (char) ('c' + count)}; //= letters
        Arrays.sort(letters); //= sorted
        String word = new String(letters); //= word
        System.out.println(word); //? word sliced to letters, sorted, word
    }

    /** How often a loop runs depends on what was removed while it ran. */
    static void iterated(int count) {
        List<String> names = new ArrayList<>(Arrays.asList("a", "b")); //= names
        int rounds = count;
        for (String name : names) {
            if (name.equals("a")) {
                names.remove(name); //= removed
            }
            rounds++; //= rounds
        }
        System.out.println(rounds); //? rounds sliced to names, removed, rounds
    }

    /** References to methods of the platform change what they are bound to. */
    static void referenced(int count) {
        List<String> target = new ArrayList<>();
        List<String> source = Arrays.asList("m", "n" + count); //= source
        source.forEach(target::add); //= forEach
        int size = target.size(); //? size sliced to forEach
        StringBuilder builder = new StringBuilder();
        source.forEach(builder::append); //= appending
        String joined = builder.toString(); //? joined sliced to source, appending
        System.out.println(size + joined);
    }

    /** Whoever only looks changes nothing. */
    static void read(int count) {
        List<String> list = new ArrayList<>();
        list.add("x" + count); //= added
        Object[] copy = list.toArray(); //= toArray
        int size = list.size(); //? size sliced to added
        System.out.println(size + copy.length); //! size sliced to toArray
        Matcher matcher = Pattern.compile("(a)(b)").matcher("ab" + count); //= matcher
        boolean isFound = matcher.find(); //= find
        String first = matcher.group(1); //= group
        String second = matcher.group(2); //? second sliced to find
        System.out.println(isFound + first + second); //! second sliced to group
    }

    /** What a call was asked to put somewhere and did not is not there. */
    static void refused(int count) {
        String held = "held" + count; //= held
        AtomicReference<String> reference = new AtomicReference<>(held); //= reference
        reference.compareAndSet("other", held); //= compareAndSet
        String got = reference.get(); //? got from reference
        List<String> fixed = Arrays.asList(held); //= fixed
        try {
            fixed.add(held); //= refused
        } catch (UnsupportedOperationException expected) {
            System.out.println(got);
        }
        String kept = fixed.get(0); //? kept from fixed
        System.out.println(kept);
    }

    /** What was given with a question is not the answer if something was there. */
    static void given(int count) {
        List<String> present = new ArrayList<>(); //= present
        List<String> absent = new ArrayList<>(); //= absent
        Optional<List<String>> optional = Optional.of(present); //= optional
        List<String> chosen = optional.orElse(absent); //? chosen from optional
        SortedMap<String, String> inner = new TreeMap<>();
        SortedMap<String, String> outer = Collections.synchronizedSortedMap(inner);
        inner.put("a", "old"); //= old
        outer.put("a", "new" + count); //= new
        String newest = inner.get("a"); //? newest from new
        byte[] bytes = new byte[4]; //= bytes
        new Random(count + 7L).nextBytes(bytes); //= nextBytes
        int first = bytes[0]; //? first from nextBytes
        Map<String, Integer> counts = new HashMap<>();
        counts.put("k", 0); //= zero
        Integer zero = counts.getOrDefault("k", 0); //? zero from zero
        System.out.println(chosen.size() + newest + first + zero);
    }
}
