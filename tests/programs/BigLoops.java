/** Loops of some million instructions: a sieve, a matrix product and a linear congruential generator. */
public class BigLoops {
    static int sieve(int limit) {
        boolean[] composite = new boolean[limit + 1];
        int count = 0;
        for (int i = 2; i <= limit; i++) {
            if (composite[i]) {
                continue;
            }
            count++;
            for (long j = (long) i * i; j <= limit; j += i) {
                composite[(int) j] = true;
            }
        }
        return count;
    }

    static double[][] product(double[][] a, double[][] b) {
        int n = a.length;
        double[][] c = new double[n][b[0].length];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < b[0].length; j++) {
                double sum = 0;
                for (int k = 0; k < b.length; k++) {
                    sum += a[i][k] * b[k][j];
                }
                c[i][j] = sum;
            }
        }
        return c;
    }

    static long generator(int rounds) {
        long state = 42;
        int high = 0;
        for (int i = 0; i < rounds; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            if (state < 0) {
                high++;
            } else if ((state & 7) == 3) {
                high--;
            }
        }
        return state ^ high;
    }

    static int collatz(int limit) {
        int best = 0;
        int longest = 0;
        for (int start = 1; start < limit; start++) {
            int steps = 0;
            for (long n = start; n != 1; n = (n & 1) == 0 ? n >> 1 : 3 * n + 1) {
                steps++;
            }
            if (steps > longest) {
                longest = steps;
                best = start;
            }
        }
        return best;
    }

    public static void main(String[] args) {
        System.out.println(sieve(200_000));
        double[][] a = new double[40][40];
        for (int i = 0; i < 40; i++) {
            for (int j = 0; j < 40; j++) {
                a[i][j] = (i + 1.0) / (j + 2.0);
            }
        }
        double[][] c = product(product(a, a), a);
        System.out.println(c[0][0] + " " + c[39][39] + " " + c[7][31]);
        System.out.println(generator(300_000));
        System.out.println(collatz(10_000));
    }
}
