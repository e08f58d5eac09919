/** Beside each line: its name, what decides whether it runs, the loops it is in. */
class Flows {
    static int straight(int a) {
        int b = a + 1;
        return b;
    }

    static int ifElse(int a) {
        int b = 0;
        if (a > 0) {                            // a:
            b = 1;                              // by a
        } else {
            b = 2;                              // by a
        }
        return b;
    }

    static int nestedIfs(int a, int b) {
        int c = 0;
        if (a > 0) {                            // a:
            c = 1;                              // by a
            if (b > 0) {                        // b: by a
                c = 2;                          // by b
            }
            c += 3;                             // by a
        }
        return c;
    }

    static boolean odd() {
        return true;
    }

    static int and() {
        if (odd()                               // a:
                && odd()) {                     // b: by a
            return 1;                           // by b
        }
        return 2;                               // by a b
    }

    static int or() {
        if (odd()                               // a:
                || odd()) {                     // b: by a
            return 1;                           // by a b
        }
        return 2;                               // by b
    }

    static boolean ternaries(int a, int b) {
        boolean c = a > 0                       // a:
                ? b > 1                         // b: by a b
                : b > 2;                        // c: by a c
        return c;
    }

    static int earlyReturn(int a, int b) {
        if (a > 0) {                            // a:
            return 1;                           // by a
        }
        if (b > 0) {                            // b: by a
            throw new IllegalStateException();  // by b
        }
        return 2;                               // by b
    }

    static int whileLoop(int a) {
        int sum = 0;
        while (a > 0) {                         // a: by a in a
            sum += a;                           // by a in a
            a--;                                // by a in a
        }
        return sum;
    }

    static int forLoop(int[] all) {
        int sum = 0;
        for (int i = 0; i < all.length; i++) {  // a: by a in a
            if (all[i] > 0) {                   // b: by a in a
                sum += all[i];                  // by b in a
            }
        }
        return sum;
    }

    static int doWhile(int a, int b) {
        if (b > 0) {                            // a:
            do {
                a++;                            // b: by a c in b
            } while (a < b);                    // c: by a c in b
        }
        return a;
    }

    static int breakAndContinue(int[] all) {
        int sum = 0;
        for (int each : all) {                  // a: by a b c in a
            if (each == 0) {                    // b: by a in a
                continue;                       // by b in a
            }
            if (each < 0) {                     // c: by b in a
                break;                          // by c
            }
            sum += each;                        // by c in a
        }
        return sum;
    }

    static int labelled(int[][] rows) {
        int sum = 0;
        outer:
        for (int[] row : rows) {                // a: by a b c in a
            for (int each : row) {              // b: by a b d in b a
                if (each == 0) {                // c: by b in b a
                    continue outer;             // by c in a
                }
                if (each < 0) {                 // d: by c in b a
                    break outer;                // by d
                }
                sum += each;                    // by d in b a
            }
            sum *= 2;                           // by b in a
        }
        return sum;
    }

    static int switchStatement(int a) {
        int b = 0;
        switch (a) {                            // a:
            case 1:
                b = 1;                          // by a
            case 2:
                b += 2;                         // by a
                break;                          // by a
            case 9:
                return 9;                       // by a
            default:
                b = 4;                          // by a
        }
        return b;                               // by a
    }

    static int tryCatch(int[] all) {
        int b = 0;                              // by entry
        try {
            b = all[0];                         // by entry
            if (b > 0) {                        // a: by entry
                b = all[1];                     // by a
            }
        } catch (RuntimeException e) {          // by entry
            b = 1;                              // by entry
        }                                       // by entry
        return b;
    }

    static int tryFinally(int[] all) {
        int b = 0;                              // by entry
        try {
            b = all[0];                         // by entry
        } finally {
            b++;                                // by entry
        }                                       // by entry
        return b;                               // by entry
    }

    static int catchInLoop(int[] all) {
        int failed = 0;                         // by entry
        for (int each : all) {                  // a: by a entry in a
            try {
                failed += 1 / each;             // by a in a
            } catch (ArithmeticException e) {   // by entry in a
                failed++;                       // by entry in a
            }                                   // by a in a
        }
        return failed;
    }

    static int retry(int[] all) {
        int tried = 0;                          // by entry
        while (true) {
            try {
                tried++;                        // a: in a
                return all[tried];              // in a
            } catch (RuntimeException e) {      // by entry in a
                all = new int[tried];           // by entry in a
            }                                   // by entry in a
        }
    }

    static void locked(Object lock, int[] all) {
        synchronized (lock) {                   // by entry
            all[0]++;                           // by entry
        }                                       // by entry
    }                                           // by entry

    static void endless(int[] all) {
        if (all.length > 1) {                   // a:
            while (true) {
                all[0]++;                       // b: by a in b
                if (all[0] > 9) {               // c: by a in b
                    all[0] = 1;                 // by c in b
                }
                all[1]++;                       // by a in b
            }
        }
        all[0] = 2;                             // by a
    }                                           // by a

    static int endlessButForReturn(int[] all) {
        for (;;) {
            if (all[0] > 9) {                   // a: by a in a
                return all[0];
            }
            all[0]++;                           // by a in a
        }
    }
}
