/** A shutdown hook after a normal end, that uses objects of the program and meets an exception. */
public class ShutdownHooks {
    static final StringBuilder LOG = new StringBuilder();

    static class Closer implements Runnable {
        private final int[] values = {3, 1, 2};

        @Override
        public void run() {
            java.util.Arrays.sort(values);
            try {
                LOG.append(values[3]);
            } catch (ArrayIndexOutOfBoundsException e) {
                LOG.append("closed ").append(values[0]);
            }
            System.out.println(LOG);
        }
    }

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(new Closer(), "closer"));
        LOG.append("main done, ");
    }
}
