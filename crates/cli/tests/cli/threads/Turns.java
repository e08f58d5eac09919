/** Two threads write in turn; nothing is logged between the locks and the start of the second. */
public class Turns {
    static final Object LOCK = new Object();
    static int turn;

    static void takeTurns(Thread other) throws InterruptedException {
        synchronized (LOCK) {
            turn = 1;
        }
        other.start();
        other.join();
    }

    public static void main(String[] arguments) throws InterruptedException {
        for (int round = 0; round < 300; round++) {
            takeTurns(new Thread(() -> {
                synchronized (LOCK) {
                    turn = 2;
                }
            }));
        }
    }
}
