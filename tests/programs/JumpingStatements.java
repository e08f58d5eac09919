// releases: 8 17

/**
 * Statements that jump: without them another value would come out. After `//?` stands what a line asks for and what the
 * slice of it has to have, and after `//!` what it must not have; `//=` gives a line its label.
 */
public class JumpingStatements {
    static int count;

    static int visits;

    static void goingOn(int[] values) {
        int sum = 0; //= zero
        int others = 0;
        int seen = 0;
        for (int value : values) {
            seen++; //= see
            visits++; //= visit
            if (value == 3) {
                others += 1; //= other
                continue; //= continue
            }
            if (value == 9) {
                break; //= break
            }
            sum += value; //= add
        }
        System.out.println(sum); //? sum sliced to zero, continue, break, add
        System.out.println(sum + others); //! sum sliced to other
        // Lines that do not read what is asked for.
        int unrelated = values.length; //? seen sliced to see, break
        System.out.println(unrelated); //? visits sliced to visit, break
        System.out.println(seen);
    }

    static void returns(boolean isReady) {
        if (isReady) { //= ready
            return; //= return
        }
        count = 7;
    }

    static void cases(int kind) {
        int chosen = 0;
        switch (kind) { //= switch
            case 1:
                chosen = 10; //= ten
                break; //= ten-only
            case 2:
                chosen = 20; //= twenty
                break;
            default:
                chosen = 30;
        }
        System.out.println(chosen); //? chosen sliced to switch, ten, ten-only
    }

    static void oneLine(int kind) {
        int first = 0, second = 0;
        switch (kind) {
            case 1: first = 1; break; //= first
            case 2: second = 2; break;
        }
        System.out.println(first);
        System.out.println(second); //? second sliced to first
    }

    /** Without the `break`, the method would be left before the last write. */
    static void led(int[] values) {
        count = 0;
        for (int value : values) {
            if (value == 3) {
                break; //= leave
            }
            if (value == 4) {
                return;
            }
            count = count;
        }
        count = 5; //= five
    }

    static void structure(int kind) {
        int one = 1; //= one
        int other = 2;
        if (kind > 0) {
            other = 3; //= changed
        } else {
            one = 4;
        }
        while (other < 5) {
            other++; //= increase
        }
        System.out.println(other);
        System.out.println(one); //? one sliced to one
        System.out.println(one + other); //! one sliced to changed, increase
    }

    static void endless() {
        int n = 0;
        for (;;) {
            n += 2;
            if (n > 6) {
                break; //= enough
            }
        }
        System.out.println(n); //? n sliced to enough
    }

    public static void main(String[] arguments) {
        goingOn(new int[] {1, 3, 4, 9, 100});
        count = 1; //= set
        returns(arguments.length == 0);
        System.out.println(count); //? count sliced to set, ready, return
        cases(1);
        oneLine(1);
        led(new int[] {1, 3, 4});
        System.out.println(count); //? count sliced to five, leave
        structure(1);
        endless();
    }
}
