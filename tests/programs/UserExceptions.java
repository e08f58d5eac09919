import java.util.ArrayList;
import java.util.List;

/** Exceptions with state, own messages, no stack trace, causes in a chain, thrown again later. */
public class UserExceptions {
    static class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final int code;
        private int seen;

        Failure(int code, Throwable cause) {
            super(cause);
            this.code = code;
        }

        @Override
        public String getMessage() {
            seen++;
            return "failure " + code + " seen " + seen;
        }
    }

    static final class Signal extends Error {
        private static final long serialVersionUID = 1;
        static final Signal INSTANCE = new Signal();
        int raised;

        private Signal() {
            super("signal", null, false, false);
        }
    }

    static class NoTrace extends Exception {
        private static final long serialVersionUID = 1;

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    static void raise(int times) {
        if (times > 0) {
            Signal.INSTANCE.raised++;
            throw Signal.INSTANCE;
        }
    }

    static int chain(int depth) {
        try {
            return depth == 0 ? 1 / depth : chain(depth - 1);
        } catch (RuntimeException e) {
            throw new Failure(depth, e);
        }
    }

    static <T extends Throwable> void sneaky(Throwable t) throws T {
        @SuppressWarnings("unchecked")
        T unchecked = (T) t;
        throw unchecked;
    }

    public static void main(String[] args) {
        try {
            chain(3);
        } catch (Failure failure) {
            List<String> causes = new ArrayList<>();
            for (Throwable t = failure; t != null; t = t.getCause()) {
                causes.add(t instanceof Failure f ? f.getMessage() : t.getMessage());
            }
            System.out.println(causes);
            System.out.println(failure.getStackTrace()[0].getMethodName() + " " + failure.getStackTrace().length);
        }
        for (int i = 0; i < 3; i++) {
            try {
                raise(i);
            } catch (Signal signal) {
                System.out.println(signal.getMessage() + " " + signal.raised + " " + signal.getStackTrace().length);
            }
        }
        try {
            throw new NoTrace();
        } catch (NoTrace e) {
            System.out.println(e.getStackTrace().length);
        }
        Exception kept = new Exception("kept");
        int caught = 0;
        for (int i = 0; i < 2; i++) {
            try {
                UserExceptions.<RuntimeException>sneaky(kept);
            } catch (Exception e) {
                caught += e == kept ? 1 : 0;
            }
        }
        System.out.println(caught);
    }
}
