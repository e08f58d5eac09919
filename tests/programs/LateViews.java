// releases: 8 17
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Views that are made long before something is changed through them or behind them, and that is read long after. After
 * `//?` stands what a line asks for and where that comes from or what its slice has; `//=` gives a line its label.
 */
public class LateViews {
    static int passed;

    /** Many instructions that have nothing to do with anything else. */
    static void passTime() {
        for (int i = 0; i < 30_000; i++) {
            passed += i & 3;
        }
    }

    public static void main(String[] args) {
        int count = args.length;
        List<Integer> list = new ArrayList<>(Arrays.asList(1, 2, 3, 4));
        List<Integer> part = list.subList(1, 3);
        Map<String, Integer> map = new HashMap<>();
        map.put("a", 1);
        Set<String> keys = map.keySet(); //= keys
        String[] array = {"x", "y", "z"};
        List<String> asList = Arrays.asList(array);
        List<String> shown = Collections.unmodifiableList(asList);
        Map<String, Integer> emptied = new HashMap<>();
        emptied.put("a", count);
        Collection<Integer> values = Collections.synchronizedCollection(emptied.values());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes);
        Map<String, Integer> prices = new HashMap<>();
        prices.put("x", count);
        Map.Entry<String, Integer> entry = prices.entrySet().iterator().next();
        List<Integer> shortened = new ArrayList<>(Arrays.asList(1, count, 3));
        Iterator<Integer> iterator = shortened.iterator();
        iterator.next();

        passTime();
        int more = count + 1; //= more
        part.add(more); //= added
        String name = "b" + count; //= name
        map.put(name, 2); //= put
        String text = count + "!"; //= text
        asList.set(1, text); //= set
        values.clear(); //= cleared
        String word = "n" + count; //= word
        out.print(word); //= printed
        Integer value = count + 1000; //= value
        entry.setValue(value); //= changed
        iterator.remove(); //= removed

        passTime();
        int size = list.size(); //? size from added //? size sliced to more
        String listed = list.toString(); //? listed from added //? listed thinned to more
        int named = keys.size(); //? named from keys, put //? named sliced to name
        boolean has = keys.contains("b0"); //? has from keys, put
        String element = array[1]; //? element from set //? element thinned to text
        String seen = shown.get(1); //? seen from set //? seen thinned to text
        boolean isEmpty = emptied.isEmpty(); //? isEmpty from cleared
        String output = bytes.toString(); //? output from printed //? output thinned to word
        Integer found = prices.get("x"); //? found from changed //? found thinned to value
        int left = shortened.size(); //? left from removed
        System.out.println(size + listed + named + has + element + seen + isEmpty + output + found + left + passed);
    }
}
