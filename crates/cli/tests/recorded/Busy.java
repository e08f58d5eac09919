import java.util.Arrays;

public class Busy {
    static final class Cell {
        final int value;
        final Cell next;

        Cell(int value, Cell next) {
            this.value = value;
            this.next = next;
        }
    }

    private final int[] table = new int[64];

    private int step(int seed) {
        int slot = Math.floorMod(seed, table.length);
        table[slot] = table[slot] * 31 + seed;
        if (table[slot] % 97 == 0) {
            throw new IllegalStateException("at " + slot);
        }
        return table[slot];
    }

    int round(int seed) {
        Cell cells = null;
        for (int i = 0; i < 20; i++) {
            try {
                cells = new Cell(step(seed + i), cells);
            } catch (IllegalStateException e) {
                cells = new Cell(e.getMessage().length(), cells);
            }
        }
        Integer[] values = new Integer[20];
        for (int i = 0; i < values.length; i++, cells = cells.next) {
            values[i] = cells.value;
        }
        Arrays.sort(values, (a, b) -> Integer.compare(b, a));
        return values[0] ^ values[19];
    }

    public static void main(String[] args) throws InterruptedException {
        int rounds = Integer.parseInt(args[0]);
        System.out.println(ProcessHandle.current().pid());
        long[] sums = new long[3];
        Thread[] threads = new Thread[sums.length];
        for (int t = 0; t < threads.length; t++) {
            int id = t;
            threads[t] = new Thread(() -> {
                Busy busy = new Busy();
                for (int i = 0; i != rounds; i++) {
                    sums[id] += busy.round(i * 7919 + id);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(Arrays.toString(sums));
    }
}
