/** Kernel: nothing but array reads, the worst case for a recorder of heap reads. */
public class MatrixProduct {
    static double[][] product(double[][] a, double[][] b) {
        int n = a.length;
        double[][] c = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int k = 0; k < n; k++) {
                    sum += a[i][k] * b[k][j];
                }
                c[i][j] = sum;
            }
        }
        return c;
    }

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        double[][] a = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i][j] = (i * 31 + j * 17) % 11 / 10.0;
            }
        }
        double[][] c = product(product(a, a), a);
        System.out.println(c[n / 2][n / 3]);
    }
}
