// releases: 8 17

/**
 * What exceptions tell of themselves. After `//?` stands what a line asks for and the label of the line that it has to come
 * from, `//=` gives a line its label.
 */
public class CausesOfExceptions {
    static class Refused extends RuntimeException {
        Refused(String reason, Throwable cause) {
            super(reason, cause); //= told
        }
    }

    static void own() {
        Throwable root = new IllegalStateException("root"); //= root
        try {
            throw new Refused("no", root);
        } catch (Refused e) {
            String message = e.getMessage(); //? message from told
            Throwable cause = e.getCause(); //? cause from told
            String inner = cause.getMessage(); //? inner from root
            System.out.println(message + inner);
        }
    }

    static void later() {
        Throwable first = new Exception("first");
        Throwable second = new Exception("second");
        Throwable outer = new Error();
        outer.initCause(first); //= initialised
        outer.addSuppressed(second); //= suppressed
        Throwable cause = outer.getCause(); //? cause from initialised
        Throwable[] all = outer.getSuppressed();
        Throwable other = all[0]; //? other from suppressed
        System.out.println(cause.getMessage() + other.getMessage());
    }

    static void byTheLibrary(String text) {
        try {
            Integer.parseInt(text); //= parsed
        } catch (NumberFormatException e) {
            String message = e.getMessage(); //? message from parsed
            System.out.println(message.length());
        }
    }

    static void byTheMachine(int[] values, int index) {
        try {
            values[index] = 1; //= outside
        } catch (ArrayIndexOutOfBoundsException e) {
            String message = e.getMessage(); //? message from outside
            System.out.println(message.length());
        }
    }

    public static void main(String[] args) {
        own();
        later();
        byTheLibrary("x");
        byTheMachine(new int[1], 3);
    }
}
