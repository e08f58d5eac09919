// releases: 8 17
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The same object several times in one collection, where it is not known which of them is meant: each call that may have
 * put it there is named. After `//?` stands what a line asks for and the labels of the lines that it may come from, `//=`
 * gives a line its label.
 */
public class EqualElements {
    static void sorted() {
        List<String> words = new ArrayList<>();
        words.add("b"); //= b-first
        words.add("a"); //= a
        words.add("b"); //= b-last
        Collections.sort(words);
        String alone = words.get(0); //? alone from a
        String sorted = words.get(1); //? sorted from one of b-first, b-last //? sorted thinned to b-first, b-last
        System.out.println(alone + sorted);
    }

    static void keysOfTheirOwn() {
        Map<List<String>, String> map = new HashMap<>();
        map.put(Arrays.asList("x"), "v"); //= first-list
        map.put(Arrays.asList("y"), "v"); //= second-list
        String found = map.get(Arrays.asList("x")); //? found from one of first-list, second-list //? found thinned to first-list, second-list
        Map<String, String> plain = new HashMap<>();
        plain.put("k", "w"); //= plain
        Map<String, String> others = new HashMap<>();
        others.put("k", "w"); //= other
        Map<String, String> none = Collections.synchronizedMap(plain);
        none.putAll(others);
        String replaced = plain.get("k"); //? replaced from one of plain, other
        Map<String, String> before = new HashMap<>();
        before.put("k", "w"); //= before
        Map<String, String> target = new HashMap<>();
        target.put("k", "w"); //= target
        Collections.synchronizedMap(target).putAll(before);
        String copied = target.get("k"); //? copied from one of before, target
        System.out.println(found + replaced + copied);
    }

    static void ordered() {
        Map<String, String> map = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        map.put("A", "v"); //= upper
        map.put("b", "v"); //= lower
        String first = map.get("a"); //? first from one of upper, lower
        Map<String, String> shared = Collections.synchronizedMap(new TreeMap<>(String.CASE_INSENSITIVE_ORDER));
        shared.put("a", "s"); //= shared-lower
        shared.put("A", "s"); //= shared-upper
        String second = shared.get("a"); //? second from one of shared-lower, shared-upper
        System.out.println(first + second);
    }

    static void entriesOfTwoMaps() {
        Map<String, String> one = new HashMap<>();
        one.put("a", "e"); //= entry-of-one
        Map<String, String> two = new HashMap<>();
        two.put("a", "e"); //= entry-of-two
        List<Map.Entry<String, String>> all = new ArrayList<>(one.entrySet());
        all.addAll(two.entrySet());
        Map.Entry<String, String> entry = all.get(1);
        String key = entry.getKey();
        String value = entry.getValue(); //? value from one of entry-of-one, entry-of-two
        System.out.println(key + value);
    }

    static void betweenThreads() throws InterruptedException {
        BlockingQueue<String> queue = new LinkedBlockingQueue<>();
        Thread one = new Thread(() -> queue.add("job")); //= one
        Thread two = new Thread(() -> queue.add("job")); //= two
        one.start();
        two.start();
        one.join();
        two.join();
        String job = queue.take(); //? job from one of one, two //? job thinned to one, two
        queue.add("job"); //= three
        String later = queue.take(); //? later from one of one, two, three
        System.out.println(job + later + queue);
    }

    public static void main(String[] args) throws InterruptedException {
        sorted();
        keysOfTheirOwn();
        ordered();
        entriesOfTwoMaps();
        betweenThreads();
    }
}
