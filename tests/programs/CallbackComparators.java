import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;

/** Comparators of the program called by the library, also through a wrapper of the same interface. */
public class CallbackComparators {
    static class ByLength implements Comparator<String> {
        int calls;

        @Override
        public int compare(String a, String b) {
            calls++;
            return a.length() - b.length();
        }
    }

    static class Version implements Comparable<Version> {
        final int major;
        final int minor;

        Version(int major, int minor) {
            this.major = major;
            this.minor = minor;
        }

        @Override
        public int compareTo(Version other) {
            int byMajor = Integer.compare(major, other.major);
            return byMajor != 0 ? byMajor : Integer.compare(minor, other.minor);
        }

        @Override
        public String toString() {
            return major + "." + minor;
        }
    }

    public static void main(String[] args) {
        ByLength byLength = new ByLength();
        Comparator<String> reversed = Collections.reverseOrder(byLength);
        System.out.println(byLength.compare("a", "bbb"));
        System.out.println(reversed.compare("a", "bbb"));
        System.out.println(byLength.reversed().compare("aa", "b"));
        System.out.println(byLength.thenComparing(Comparator.naturalOrder()).compare("ab", "aa"));

        List<String> words = new ArrayList<>(Arrays.asList("delta", "pi", "omega", "x", "alpha"));
        words.sort(byLength);
        System.out.println(words + " " + byLength.calls);
        Collections.sort(words, reversed);
        System.out.println(words + " " + byLength.calls);

        TreeMap<Version, String> releases = new TreeMap<>();
        releases.put(new Version(2, 1), "c");
        releases.put(new Version(1, 9), "a");
        releases.put(new Version(2, 0), "b");
        System.out.println(releases);
        System.out.println(releases.floorEntry(new Version(2, 0)));

        PriorityQueue<Version> queue = new PriorityQueue<>(Collections.reverseOrder());
        queue.addAll(releases.keySet());
        while (!queue.isEmpty()) {
            System.out.print(queue.poll() + " ");
        }
        System.out.println();
    }
}
