// releases: 8 17
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What another thread could have written and did not. After `//?` stands what a line asks for and lines that a slice has to
 * hold, after `//!` lines that it must not hold; `//=` gives a line its label.
 */
public class OthersLeftOut {
    static final int[] AMOUNTS = new int[3];
    static final List<String> NAMES = Collections.synchronizedList(new ArrayList<>());
    static int limit = 10;
    static int total;
    static int rounds;
    static int paid;
    static int rate;
    static int later;
    static int failed;
    static int mine;
    static int held;

    static void branch() throws InterruptedException {
        total = 1; //= total-set
        Thread worker = new Thread(() -> {
            if (limit > 100) { //= too-much
                total = 2;
            }
        });
        worker.start(); //= worker-started
        worker.join();
        int seen = total; //? seen sliced to total-set, too-much
        System.out.println(seen);
    }

    static void loop(int count) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Future<?> done = pool.submit(() -> {
            for (int i = 0; i < count; i++) { //= no-round
                rounds += i;
            }
        });
        done.get();
        pool.shutdown();
        int seen = rounds; //? seen sliced to no-round
        System.out.println(seen);
    }

    static void leave(int amount) throws InterruptedException {
        Thread worker = new Thread(() -> pay(amount));
        worker.start();
        worker.join();
        int seen = paid; //? seen sliced to is-small, left
        System.out.println(seen);
    }

    static void pay(int amount) {
        if (amount < limit) { //= is-small
            return; //= left
        }
        paid += amount;
    }

    static void readElsewhere() throws InterruptedException {
        if (limit > 40) { //= was-high
            rate = 2;
        }
        rate = 3; //= rate-set
        if (limit > 50) { //= is-high
            rate = 4;
        }
        Thread reader = new Thread(() -> {
            int seen = rate; //? seen sliced to rate-set, is-high //! seen sliced to was-high
            System.out.println(seen);
        });
        reader.start();
        reader.join();
    }

    static void beforeAndAfter() throws InterruptedException {
        Thread early = new Thread(() -> {
            if (limit > 60) { //= early
                later = 6;
            }
        });
        early.start();
        early.join();
        later = 7; //= later-set
        int seen = later; //? seen sliced to later-set //! seen sliced to early, late
        Thread late = new Thread(() -> {
            if (limit > 70) { //= late
                later = 8;
            }
        });
        late.start();
        late.join();
        System.out.println(seen + later);
    }

    static void thrown() throws InterruptedException {
        Thread worker = new Thread(() -> {
            try {
                check(limit);
                failed = 9;
            } catch (IllegalStateException refused) {
                mine = 1;
            }
        });
        worker.start();
        worker.join();
        int seen = failed; //? seen sliced to is-refused, refused
        System.out.println(seen);
    }

    static void check(int value) {
        if (value < 20) { //= is-refused
            throw new IllegalStateException("" + value); //= refused
        }
    }

    static void contents() throws InterruptedException {
        Thread worker = new Thread(() -> {
            if (limit > 80) { //= nameless
                NAMES.add("worker");
            }
            if (limit > 90) { //= amountless
                AMOUNTS[1] = 5;
            }
        });
        worker.start();
        worker.join();
        int size = NAMES.size(); //? size sliced to nameless //! size sliced to amountless
        int amount = AMOUNTS[1]; //? amount sliced to amountless //! amount sliced to nameless
        System.out.println(size + amount);
    }

    static void overwritten() throws InterruptedException {
        if (limit > 110) { //= before-all
            held = 9;
        }
        held = 1; //= own-held
        Thread writer = new Thread(() -> {
            if (limit > 120) { //= before-held
                held = 8;
            }
            held = 2; //= held
        });
        writer.start();
        writer.join();
        Thread other = new Thread(() -> {
            if (limit > 130) { //= other-held
                held = 3;
            }
        });
        other.start();
        other.join();
        if (limit > 140) { //= own-left-out
            held = 4;
        }
        int seen = held; //? seen sliced to held, other-held, own-left-out //! seen sliced to own-held, before-held, before-all
        System.out.println(seen);
    }

    static void made() throws InterruptedException {
        Box old = new Box();
        if (limit > 150) { //= before-made
            old.value = 4;
        }
        Box box = new Box();
        if (limit > 160) { //= since-made
            box.value = 5;
        }
        Thread reader = new Thread(() -> {
            int seen = box.value; //? seen sliced to since-made //! seen sliced to before-made
            System.out.println(seen + old.value);
        });
        reader.start();
        reader.join();
    }

    static class Box {
        int value;
    }

    public static void main(String[] args) throws Exception {
        branch();
        loop(args.length);
        leave(3);
        readElsewhere();
        beforeAndAfter();
        thrown();
        contents();
        overwritten();
        made();
    }
}
