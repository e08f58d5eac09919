// stdin: the quick brown fox jumps over the lazy dog
// stdin: The dog sleeps, the fox runs; 42 times!
// stdin:
// stdin: last line with the fox
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts words of the standard input in a map and sorts them by count, then by name. */
public class WordCount {
    static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        int start = -1;
        for (int i = 0; i <= line.length(); i++) {
            boolean letter = i < line.length() && Character.isLetterOrDigit(line.charAt(i));
            if (letter && start < 0) {
                start = i;
            } else if (!letter && start >= 0) {
                words.add(line.substring(start, i).toLowerCase());
                start = -1;
            }
        }
        return words;
    }

    public static void main(String[] args) throws IOException {
        Map<String, Integer> counts = new HashMap<>();
        int lines = 0;
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines++;
                for (String word : words(line)) {
                    counts.merge(word, 1, Integer::sum);
                }
            }
        }
        List<Map.Entry<String, Integer>> sorted = new ArrayList<>(counts.entrySet());
        sorted.sort((a, b) -> {
            int byCount = b.getValue() - a.getValue();
            return byCount != 0 ? byCount : a.getKey().compareTo(b.getKey());
        });
        System.out.println(lines + " lines");
        for (Map.Entry<String, Integer> entry : sorted.subList(0, 5)) {
            System.out.println(entry.getKey() + " " + entry.getValue());
        }
    }
}
