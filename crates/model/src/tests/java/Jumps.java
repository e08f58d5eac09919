/** Beside each line: the name of a jump and the lines that it skips, the jumps that lead there. */
class Jumps {
    static int n;

    static void ifElse(int a) {
        if (a > 0) {
            n = 1;
        } else {
            n = 2;
        }
        n++;
    }

    static int conditional(int a) {
        int b = a > 0
                ? 1
                : 2;
        return b;
    }

    static void leaving(int a) {
        while (a > 0) {                         // led by a
            a--;
            if (a == 3) {
                n = 1;
                break;                          // a: skips 22 23 24 25 26 28
            }
            n = 2;                              // led by a
        }
        n++;
    }

    static void leavingInOneLine(int a) {
        for (int i = 0; i < a; i++) {           // led by a
            if (i == 3) {
                n = 1; break;                   // a: skips 34 35 36 38
            }
            n = 2;                              // led by a
        }
        n++;
    }

    static void goingOn(int a) {
        for (int i = 0; i < a; i++) {
            if (i == 3) {
                n = 1;
                continue;                       // a: skips 49 50 52
            }
            if (i == 4) {                       // led by a
                n = 5;
            } else {
                n = 2;
            }
        }
        n++;
    }

    static void returning(int a) {
        if (a == 0) {
            return;                             // a: skips 62 63
        }
        n = 2;
    }

    static int returningValues(int a) {
        if (a == 0) {
            return 1;                           // a: skips 69 70
        }
        n = 2;
        return 2;
    }

    static void cases(int a) {
        switch (a) {
            case 1: n = 1; break;               // a: skips 77 79 80
            case 2:
                n = 2;                          // led by a
            case 3:
                n = 3;                          // led by a
                break;                          // b: skips 82, led by a
            default:
                n = 4;                          // led by b
        }
        n++;
    }

    static void casesInLoop(int a) {
        while (n < a) {
            switch (a) {
                case 1:
                    n = 1;
                    break;                      // a: skips 94 95 96 99
                case 2:
                    n = 2;                      // led by a
                    while (n < 7) {             // led by a
                        n++;
                    }
                default:
                    n = 4;                      // led by a
            }
        }
    }

    static void outOfTwo(int a) {
        outer:
        for (int i = 0; i < a; i++) {           // led by a
            for (int k = 0; k < i; k++) {       // led by b
                if (k == 3) {
                    continue outer;             // a: skips 106 107 108 109 111 112 114 116
                }
                if (k == 5) {                   // led by a
                    break outer;                // b: skips 106 107 108 109 111 112 114 116
                }
                n = 1;                          // led by b
            }
            n = 2;
        }
        n++;
    }

    static void tries(int a) {
        try {
            n = 10 / a;
        } catch (ArithmeticException e) {
            n = 1;
        } finally {
            n = 2;
        }
        synchronized (Jumps.class) {
            n++;
        }
        n++;
    }

    static void triesInLoop(int a) {
        while (n < a) {                         // led by a
            try {
                n += 10 / a;
                break;                          // a: skips 136 138 139 140 141 143
            } catch (ArithmeticException e) {   // led by a
                n = 1;                          // led by a
            }
            n = 2;                              // led by a
        }
        n++;
    }

    static void endless() {
        for (;;) {
            n++;                                // led by a
            if (n == 7) {                       // led by a
                break;                          // a: skips 150 151 152, led by a
            }
        }
        n = 0;
    }

    static void avoiding(int a) {
        for (int i = 0; i < a; i++) {
            if (i == 3) {
                break;                          // a: skips 159 160 161 163 164 167 168
            }
            if (i == 4) {                       // led by a
                return;                         // b: skips 159 160 161 163 164 167 168
            }
        }
        n = 1;                                  // led by a
    }                                           // led by a

    static void tail(int a) {
        while (true) {
            a++;                                // led by a, led by b
            if (a < 7) {                        // led by a, led by b
                continue;                       // a: skips 
            }
            n = 2;                              // led by b
            break;                              // b: skips 172 173 174 176 177, led by b
        }
        n = a;
    }

    static void abruptElse(boolean outer, boolean a) {
        if (outer) {
            if (a) {
                return;                         // a: skips 187 188 191 192
            } else {
                n = 1;
                return;                         // b: skips 191 192
            }
        }
        n = 7;
    }

    static void goingOnInTry(int[] values) {
        for (int value : values) {
            try {
                n = 10 / value;
                continue;                       // a: skips 199 200 202
            } catch (ArithmeticException e) {   // led by a
                n++;                            // led by a
            }
            n = 7;                              // led by a
        }
    }

    static void innerEndless(int a, int b) {
        while (a < 10) {                        // led by b
            a++;
            while (true) {
                b++;                            // led by b
                if (b > 100) {                  // led by b
                    return;                     // a: skips 207 208 210 211 212 214 215 219 220
                }
                if (b % 3 == 0) {
                    break;                      // b: skips 207 208 210 211 212 214 215 219 220
                }
            }
        }
        n = 5;                                  // led by b
    }                                           // led by b

    static void locked(boolean a) {
        if (a) {
            synchronized (Jumps.class) {
                n = 1;
                return;                         // a: skips 227 229 230
            }
        }
        n = 7;
    }

    static void counted(int a) {
        do {
            a++;
        } while (a < 7);
        if (a > 8) {
            n = 1;
        } else {
            n = 2;
        }
        n = a;
    }

    static void refusing(int a) {
        if (a < 0) {
            throw new IllegalArgumentException();// a: skips 248 249
        }
        n = a;
    }

    static void refusedAndCaught(int a) {
        try {
            if (a < 0) {
                throw new IllegalArgumentException();// a: skips 256 260 261 262 263
            }
            n = a;
        } catch (IllegalArgumentException e) {
            throw e;                            // b: skips 260 261 262 263
        } finally {
            n++;
        }
        n = 7;
    }

    static void lockedInLoop(int a) {
        for (; n < a; n++) {
            synchronized (Jumps.class) {
                if (n < 3) {
                    n += 2;
                    continue;                   // a: skips 272 273
                }
                n += 5;                         // led by a
            }                                   // led by a
        }
    }

    static void lockedAndClosed(java.io.Reader a) throws java.io.IOException {
        synchronized (Jumps.class) {
            n = 1;
        }
        try (java.io.Reader b = a) {
            n = b.read();
        }
        n = 7;
    }
}
