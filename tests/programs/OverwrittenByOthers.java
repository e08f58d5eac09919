// releases: 8 17
/**
 * What could have been written after another thread had written it, in a run of few threads and until long after. After `//?`
 * stands what a line asks for and lines that a slice has to hold, after `//!` lines that it must not hold; `//=` gives a line
 * its label.
 */
public class OverwrittenByOthers {
    static int limit = 10;
    static int total;
    static int untouched;
    static long burnt;

    static void burn(int rounds) {
        for (int i = 0; i < rounds; i++) {
            burnt += i ^ rounds;
        }
    }

    static void run(Thread thread) throws InterruptedException {
        thread.start();
        thread.join();
    }

    public static void main(String[] args) throws InterruptedException {
        if (limit > 100) { //= before-all
            total = 9;
        }
        total = 1; //= own
        run(new Thread(() -> {
            if (limit > 200) { //= before-written
                total = 8;
            }
            total = 2; //= written
        }));
        int soon = total; //? soon sliced to written //! soon sliced to before-all, own, before-written, other, own-later
        run(new Thread(() -> {
            if (limit > 300) { //= other
                total = 3;
            }
            if (limit > 400) { //= other-untouched
                untouched = 3;
            }
        }));
        burn(20_000);
        if (limit > 500) { //= own-later
            total = 4;
        }
        burn(20_000);
        int late = total; //? late sliced to written, other, own-later //! late sliced to before-all, own, before-written
        int never = untouched; //? never sliced to other-untouched //! never sliced to other, own-later
        System.out.println(soon + late + never);
    }
}
