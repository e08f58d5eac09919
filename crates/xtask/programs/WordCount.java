import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Kernel: strings and maps of the JDK, called from a small loop. */
public class WordCount {
    static String text(int words) {
        StringBuilder text = new StringBuilder();
        int seed = 7;
        for (int i = 0; i < words; i++) {
            seed = seed * 1103515245 + 12345;
            int length = 1 + (seed >>> 28) % 5;
            for (int j = 0; j < length; j++) {
                seed = seed * 1103515245 + 12345;
                text.append((char) ('a' + (seed >>> 16) % 9));
            }
            text.append(i % 12 == 11 ? '\n' : ' ');
        }
        return text.toString();
    }

    static Map<String, Integer> count(String text) {
        Map<String, Integer> counts = new HashMap<>();
        int start = -1;
        for (int i = 0; i <= text.length(); i++) {
            boolean letter = i < text.length() && Character.isLetter(text.charAt(i));
            if (letter && start < 0) {
                start = i;
            } else if (!letter && start >= 0) {
                counts.merge(text.substring(start, i), 1, Integer::sum);
                start = -1;
            }
        }
        return counts;
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        String text = text(200_000);
        int distinct = 0;
        for (int i = 0; i < rounds; i++) {
            distinct += count(text).size();
        }
        System.out.println(distinct + " " + new TreeMap<>(count(text)).firstEntry());
    }
}
