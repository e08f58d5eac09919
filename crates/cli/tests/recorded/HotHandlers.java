/** Locks and handlers that cover themselves, run until every compiler has had a go at them. */
public class HotHandlers {
    private final Object lock = new Object();
    private int count;

    private int block(int n) {
        synchronized (lock) {
            count += n;
        }
        return count;
    }

    private int nested(int n) {
        synchronized (lock) {
            synchronized (this) {
                if (n % 1000 == 0) {
                    throw new IllegalStateException();
                }
                return ++count;
            }
        }
    }

    private int closing(int n) {
        try {
            return nested(n);
        } catch (IllegalStateException e) {
            count--;
        } finally {
            count += 2;
        }
        return count;
    }

    public static void main(String[] arguments) {
        HotHandlers handlers = new HotHandlers();
        int sum = 0;
        for (int i = 0; i < 200_000; i++) {
            sum += handlers.block(i) + handlers.closing(i);
        }
        System.out.println(sum);
    }
}
