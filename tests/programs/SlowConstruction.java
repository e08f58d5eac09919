// releases: 8 17
/**
 * An object of which something is written long before the constructor of its superclass is over. After `//?` stands what
 * slices of a value have, `//=` gives a line its label.
 */
public class SlowConstruction {
    static int spin;

    static int slowly(int times) {
        for (int i = 0; i < times; i++) {
            spin += i ^ spin;
        }
        return times;
    }

    static class Base {
        final int times;

        Base(int times) {
            this.times = times;
        }
    }

    public static void main(String[] args) {
        int captured = Integer.parseInt("5"); //= captured
        class Local extends Base {
            Local() {
                super(slowly(200_000));
            }

            int next() {
                return captured + 1;
            }
        }
        int next = new Local().next();
        System.out.println(next); //? next thinned to captured
    }
}
