// releases: 8 17
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Entries of maps that are removed, replaced and computed. After `//?` stands what a line asks for and the label of the
 * line that it has to come from, `//=` gives a line its label.
 */
public class ChangedEntries {
    static void absent() {
        Map<String, Integer> ages = new HashMap<>(); //= made
        ages.put("ann", 5);
        ages.put("bob", 6);
        ages.remove("ann"); //= gone
        Integer missing = ages.get("ann"); //? missing from gone
        Integer never = ages.get("cleo"); //? never from made
        ages.clear(); //= cleared
        Integer after = ages.get("bob"); //? after from cleared
        ages.put("bob", null); //= nothing
        Integer empty = ages.get("bob"); //? empty from nothing
        System.out.println(missing + " " + never + " " + after + " " + empty);
    }

    static void replaced() {
        Map<String, String> colours = new TreeMap<>();
        colours.put("sky", "blue"); //= blue
        colours.put("sea", "blue");
        String old = colours.put("sky", "blue"); //= again //? old from blue
        String kept = colours.putIfAbsent("sky", "grey"); //? kept from again
        String removed = colours.remove("sky"); //? removed from again
        String sun = colours.computeIfAbsent("sun", key -> "yellow"); //= computed
        String seen = colours.get("sun"); //? seen from computed
        System.out.println(old + kept + removed + sun + seen);
    }

    static void takenByViews() {
        Map<String, Integer> ages = new HashMap<>();
        ages.put("ann", 1);
        ages.put("bob", 2); //= bob
        ages.put("cleo", 3);
        ages.put("dan", 4); //= dan
        ages.keySet().removeIf(name -> name.startsWith("a")); //= by-keys
        Integer ann = ages.get("ann"); //? ann from by-keys
        Integer bob = ages.get("bob"); //? bob from bob
        ages.put("ann", 5); //= ann-again
        ages.values().retainAll(Arrays.asList(2, 5, 4)); //= by-values
        Integer again = ages.get("ann"); //? again from ann-again
        ages.put("emil", 6); //= emil
        Integer emil = ages.get("emil"); //? emil from emil
        ages.entrySet().iterator().forEachRemaining(entry -> { });
        ages.remove("dan"); //= dan-gone
        Integer dan = ages.get("dan"); //? dan from dan-gone
        System.out.println(ann + " " + bob + " " + again + " " + emil + " " + dan);
    }

    static void merged() {
        Map<String, Integer> counts = new HashMap<>();
        counts.merge("a", 1, Integer::sum); //= one
        counts.merge("b", 2, Integer::sum); //= two
        Integer sum = counts.merge("a", 1, Integer::sum); //= sum
        Integer a = counts.get("a"); //? a from sum
        Integer b = counts.get("b"); //? b from two
        Map<String, Integer> copy = new HashMap<>(counts);
        copy.put("c", 2);
        Integer copied = copy.get("b"); //? copied from two
        System.out.println(sum + a + b + copied);
    }

    static void changedInPlace() {
        Map<String, Integer> ages = new HashMap<>();
        ages.put("ann", 1);
        ages.put("bob", 2);
        ages.entrySet().forEach(entry -> entry.setValue(5)); //= each
        Integer each = ages.get("ann"); //? each from one of each
        for (Map.Entry<String, Integer> entry : ages.entrySet()) {
            entry.setValue(6); //= in-loop
        }
        Integer inLoop = ages.get("bob"); //? inLoop from one of in-loop
        System.out.println(each + inLoop);
    }

    static void refused() {
        Map<String, Integer> ages = new HashMap<>();
        ages.put("ann", null); //= null
        boolean is = ages.remove("ann", 2);
        Integer kept = ages.get("ann"); //? kept from null
        boolean was = ages.remove("ann", null); //= removed
        Integer gone = ages.get("ann"); //? gone from removed
        System.out.println(is + " " + was + kept + gone);
    }

    static void defaults() {
        Map<String, Integer> stock = new HashMap<>();
        Integer few = 1000; //= few
        stock.put("pear", 500); //= pear
        stock.put("plum", 700); //= plum
        Integer pear = stock.getOrDefault("pear", few); //? pear from pear
        Integer never = stock.getOrDefault("fig", few); //? never from few
        stock.remove("pear"); //= pear-gone
        Integer gone = stock.getOrDefault("pear", few); //? gone from few, pear-gone
        stock.entrySet().removeIf(entry -> entry.getValue() == 700); //= thinned
        Integer plum = stock.getOrDefault("plum", few); //? plum from few, thinned
        stock.put("kiwi", 800);
        stock.put("lime", 900);
        stock.values().removeIf(cents -> cents == 900); //= by-cents
        stock.keySet().removeIf(name -> name.equals("kiwi")); //= by-name
        Integer kiwi = stock.getOrDefault("kiwi", few); //? kiwi from few, by-cents, by-name
        System.out.println(pear + never + gone + plum + kiwi);
    }

    public static void main(String[] args) {
        changedInPlace();
        refused();
        absent();
        replaced();
        merged();
        takenByViews();
        defaults();
    }
}
