import java.util.StringJoiner;

/** Told by instructions that they run. */
public final class Probe {
    private static boolean[] hit = new boolean[1 << 18];

    public static void hit(int number) {
        hit[number] = true;
    }

    static void clear() {
        hit = new boolean[1 << 18];
    }

    static String hits() {
        StringJoiner hits = new StringJoiner(",");
        for (int number = 0; number < hit.length; number++) {
            if (hit[number]) {
                hits.add(Integer.toString(number));
            }
        }
        return hits.toString();
    }
}
