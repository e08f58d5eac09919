// releases: 8 17
import java.io.BufferedWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Formatter;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Objects that show what is in others, and change it: iterators, views, writers. After `//?` stands what a line asks for and
 * where that comes from or what its slice has, after `//!` what it must not have; `//=` gives a line its label.
 */
public class ViewedContents {
    static void looped() {
        List<Integer> list = new ArrayList<>();
        list.add(101);
        list.add(102); //= last
        int sum = 0;
        for (int value : list) { //= loop
            sum += value;
        }
        int size = list.size(); //? size from last //! size thinned to loop
        String text = list.toString(); //? text from last
        boolean has = list.contains(102); //? has from last
        System.out.println(sum + text + size + has);
    }

    static void removed() {
        List<Integer> list = new ArrayList<>();
        list.add(101);
        list.add(102);
        Iterator<Integer> iterator = list.iterator();
        iterator.next(); //= moved
        iterator.remove(); //= removed
        int size = list.size(); //? size from removed //? size sliced to moved
        System.out.println(size);
    }

    static void shown(int count) {
        Map<String, Integer> map = new HashMap<>();
        map.put("a", 1); //= first
        Set<String> keys = map.keySet(); //= keys
        int more = count + 1; //= more
        map.put("b", more); //= second
        int shown = keys.size(); //? shown from keys, second //? shown sliced to more
        keys.remove("a"); //= taken
        int left = map.size(); //? left from taken //? left sliced to first, second
        System.out.println(shown + left);
    }

    static void written(int count) throws IOException {
        String name = "n" + count; //= name
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes);
        out.print(name); //= printed
        String printed = bytes.toString(); //? printed from printed //? printed thinned to name
        StringBuilder builder = new StringBuilder();
        Formatter formatter = new Formatter(builder);
        formatter.format("%s", name); //= formatted
        String formatted = builder.toString(); //? formatted from formatted //? formatted thinned to name
        StringWriter inner = new StringWriter();
        BufferedWriter writer = new BufferedWriter(inner);
        writer.write(name);
        writer.flush(); //= flushed
        String buffered = inner.toString(); //? buffered from flushed //? buffered thinned to name
        List<String> list = new ArrayList<>();
        list.add(name); //= added
        List<String> copy = new ArrayList<>(list);
        copy.add("other");
        int size = list.size(); //? size from added
        System.out.println(printed + formatted + buffered + size);
    }

    static void emptied(int count) {
        StringBuilder builder = new StringBuilder();
        builder.append("secret").append(count); //= secret
        builder.setLength(0);
        builder.append("public"); //= public
        String first = builder.toString(); //? first thinned to public //! first thinned to secret
        builder.delete(0, builder.length());
        builder.append("other"); //= other
        String second = builder.toString(); //? second thinned to other //! second thinned to secret, public
        builder.delete(0, 2); //= shortened
        String third = builder.toString(); //? third thinned to other, shortened
        System.out.println(first + second + third);
    }

    static void replaced(Integer one) {
        Map<String, Integer> map = new HashMap<>();
        map.put("x", one);
        map.entrySet().iterator().next().setValue(one + 1000); //= set
        Integer found = map.get("x"); //? found from set
        String wanted = "y" + one; //= wanted
        Map<String, Integer> prices = new HashMap<>(); //= prices
        prices.put("tea", one);
        Integer missing = prices.get(wanted); //? missing from prices, wanted
        Map<String, Integer> tree = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        tree.put("A", one); //= upper
        tree.put("a", one); //= same
        Integer sorted = tree.get("A"); //? sorted from one of upper, same
        System.out.println(found + sorted + " " + missing);
    }

    static void gathered(List<String> words) {
        Map<Integer, List<String>> groups = words.stream().collect(Collectors.groupingBy(String::length)); //= gathered
        List<String> letters = groups.get(1); //? letters from gathered
        String first = letters.get(0); //? first from words
        System.out.println(letters + first);
    }

    static void passed(int count) {
        int total = IntStream.range(count, 4).map(i -> { //= range
            int twice = i * 2; //= twice //? i thinned to count //! i thinned to done
            int done = twice + 100; //= done
            return done;
        }).sum();
        System.out.println(total);
    }

    public static void main(String[] args) throws IOException {
        looped();
        removed();
        shown(args.length);
        written(args.length);
        emptied(args.length);
        replaced(args.length);
        gathered(Arrays.asList("a", "bc", "d")); //= words
        passed(args.length + 1); //= count
    }
}
