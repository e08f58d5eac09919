/** Kernel: array writes and branches, few reads. */
public class Sieve {
    static int primesBelow(int limit) {
        boolean[] composite = new boolean[limit];
        int count = 0;
        for (int i = 2; i < limit; i++) {
            if (!composite[i]) {
                count++;
                for (long j = (long) i * i; j < limit; j += i) {
                    composite[(int) j] = true;
                }
            }
        }
        return count;
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        int count = 0;
        for (int i = 0; i < rounds; i++) {
            count += primesBelow(2_000_000 + i);
        }
        System.out.println(count);
    }
}
