import java.util.Random;
import java.util.Timer;
import java.util.TimerTask;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/** Values that differ from run to run (time, random, environment) steer the run but not the output. */
public class TimersAndTime {
    static int ticks;

    public static void main(String[] args) throws InterruptedException {
        long start = System.nanoTime();
        int loops = 0;
        while (System.nanoTime() - start < 2_000_000) {
            loops++;
        }
        System.out.println(loops > 0);
        Random random = new Random();
        int rolls = 0;
        while (random.nextInt(6) != 5) {
            rolls++;
        }
        System.out.println(rolls >= 0);
        Random seeded = new Random(7);
        System.out.println(seeded.nextInt(100) + " " + seeded.nextLong() + " " + seeded.nextDouble());
        System.out.println(UUID.randomUUID().toString().length() + " " + (Math.random() < 1));
        System.out.println(System.currentTimeMillis() > 0 && Runtime.getRuntime().freeMemory() > 0);
        CountDownLatch latch = new CountDownLatch(3);
        Timer timer = new Timer("ticker", true);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                ticks++;
                if (ticks == 3) {
                    cancel();
                }
                latch.countDown();
            }
        }, 1, 2);
        latch.await();
        System.out.println(ticks);
        String path = System.getenv("PATH");
        System.out.println(path == null || path.length() >= 0);
    }
}
