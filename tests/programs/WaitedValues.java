// releases: 8 17
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Values of other threads that are there because a thread has waited for them. After `//?` stands what a line asks for and
 * lines that a slice has to hold, after `//!` lines that it must not hold; `//=` gives a line its label.
 */
public class WaitedValues {
    static final int[] RESULTS = new int[5];
    static final Map<String, Integer> COUNTS = new ConcurrentHashMap<>();
    static final AtomicInteger ROUNDS = new AtomicInteger();
    static int done;
    static int shared;
    static int told;
    static int turns;
    static volatile boolean isReady;

    static void onCondition() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        Condition filled = lock.newCondition();
        lock.lock();
        for (int i = 0; i < 5; i++) {
            int own = i;
            new Thread(() -> {
                lock.lock();
                try {
                    RESULTS[own] = own * own; //= result
                    done++; //= done
                    filled.signal();
                } finally {
                    lock.unlock();
                }
            }).start();
        }
        while (done < 5) { //= until-done
            filled.await(); //= await
        }
        int third = RESULTS[3]; //? third sliced to result, until-done, await, done
        lock.unlock();
        System.out.println(third);
    }

    static void onEnd() throws InterruptedException {
        Thread other = new Thread(() -> System.out.println("other")); //= other-made
        Thread writer = new Thread(() -> {
            shared = 17; //= shared
        });
        other.start(); //= other-started
        writer.start(); //= started
        writer.join(); //= joined
        COUNTS.put(other.getName(), 1); //= counted
        ROUNDS.getAndIncrement(); //= round
        int after = shared; //? after sliced to shared, started, joined //! after sliced to other-started, counted, round
        other.join(); //= other-joined
        System.out.println(after);
    }

    static void onFlag() {
        new Thread(() -> {
            told = 3; //= told
            isReady = true; //= ready
        }).start();
        while (!isReady) { //= until-ready
            turns++; //= turn
        }
        int heard = told; //? heard sliced to told, until-ready, ready //! heard sliced to turn
        System.out.println(heard);
    }

    static void handedOn() throws InterruptedException {
        shared = 5; //= before
        Thread.sleep(1); //= slept
        Thread reader = new Thread(() -> {
            int given = shared; //? given sliced to before, run //! given sliced to slept
            System.out.println(given);
        });
        reader.start(); //= run
        reader.join();
    }

    public static void main(String[] args) throws InterruptedException {
        onCondition();
        onEnd();
        onFlag();
        handedOn();
    }
}
