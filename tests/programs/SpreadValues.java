import java.util.Arrays;
import java.util.List;

/** Values of which little is made at a time, over a run in which unrecorded code has nothing to do until its end. */
public class SpreadValues {
    static final RuntimeException REFUSED = new RuntimeException("refused");

    static int seed = 7;
    static int rarely = 1;

    int kept;

    static int next() {
        seed = seed * 1103515245 + 12345;
        return seed >>> 16;
    }

    static int slow(int rounds) {
        int sum = 0;
        for (int round = 0; round < rounds; round++) {
            int drawn = next();
            sum = drawn % 3 == 0 ? sum + drawn : sum ^ drawn;
        }
        return sum;
    }

    static int refuseSome(int turn) {
        if (turn % 5 == 0) {
            throw REFUSED;
        }
        return turn;
    }

    static class Base {
        final int made;
        int changed;

        Base(int made) {
            this.made = made;
        }
    }

    /** Has its outer object long before it has an id. */
    class Late extends Base {
        int own;

        Late(int rounds) {
            super(slow(rounds));
            own = rounds + kept;
        }
    }

    int last(Late[] lates, int turn) {
        Late found = null;
        for (int at = 0; at < lates.length; at++) {
            if (lates[at] != null && lates[at].own > turn) {
                found = lates[at];
            }
        }
        return found == null ? 0 : found.made + found.changed;
    }

    public static void main(String[] args) {
        SpreadValues all = new SpreadValues();
        Late[] lates = new Late[16];
        int[] counts = new int[8];
        int caught = 0;
        for (int turn = 0; turn < 150; turn++) {
            if (turn % 7 == 3) {
                rarely = rarely * 3 + turn;
            }
            lates[turn % lates.length] = all.new Late(40 + turn % 3);
            if (turn > lates.length && turn % 11 == 4) {
                lates[turn * 5 % 13 % lates.length].changed = turn;
            }
            try {
                all.kept += refuseSome(turn);
            } catch (RuntimeException e) {
                caught++;
            }
            counts[turn & 7] += slow(10) & 15;
            if (all.last(lates, turn) < 0) {
                counts[7 - (turn & 7)]++;
            }
        }
        int total = caught + rarely + all.kept;
        for (int count : counts) {
            total = total * 31 + count;
        }
        List<Late> seen = Arrays.asList(lates);
        total += seen.get(5).own;
        System.out.println(total);
    }
}
