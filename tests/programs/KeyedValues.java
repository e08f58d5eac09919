// releases: 8 17
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The same values under several keys of maps. After `//?` stands what a line asks for and the label of the line that it
 * has to come from, `//=` gives a line its label.
 */
public class KeyedValues {
    enum Colour { RED, GREEN }

    static void shared() {
        Map<String, Integer> ages = new HashMap<>();
        ages.put("ann", 5); //= ann
        ages.put("bob", 5); //= bob
        ages.put("cleo", 6);
        Integer first = ages.get("ann"); //? first from ann
        Integer second = ages.get(new String("bob")); //? second from bob
        Integer other = ages.getOrDefault("ann", 1); //? other from ann
        System.out.println(first + second + other);
        ages.put("ann", 5); //= ann-again
        Integer again = ages.get("ann"); //? again from ann-again
        Integer removed = ages.remove("bob"); //? removed from bob
        System.out.println(again + removed);
    }

    static void numbersAndConstants() {
        Map<Integer, String> names = new TreeMap<>();
        for (int i = 1000; i < 1003; i++) {
            names.put(i, "many"); //= many
        }
        names.put(1, "one"); //= one
        names.put(2, "one"); //= two
        String one = names.get(1); //? one from one
        String large = names.get(1001); //? large from many
        System.out.println(one + large);
        Map<Colour, String> colours = new LinkedHashMap<>();
        colours.put(Colour.RED, "warm"); //= red
        colours.put(Colour.GREEN, "warm"); //= green
        String red = colours.get(Colour.RED); //? red from red
        System.out.println(red);
    }

    static void throughOthers() {
        Map<String, String> inner = new ConcurrentHashMap<>();
        inner.put("a", "x"); //= a
        inner.put("b", "x"); //= b
        inner.putIfAbsent("a", "x");
        Map<String, String> view = Collections.unmodifiableMap(inner);
        String seen = view.get("a"); //? seen from a
        Map<String, String> copy = new HashMap<>(inner);
        copy.put("c", "x"); //= c
        String copied = copy.get("c"); //? copied from c
        System.out.println(seen + copied);
    }

    public static void main(String[] args) {
        shared();
        numbersAndConstants();
        throughOthers();
    }
}
