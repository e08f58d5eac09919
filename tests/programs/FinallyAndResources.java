// releases: 8 11
/** try-with-resources with suppressed exceptions, finally on every way out, and rethrowing. */
public class FinallyAndResources {
    static StringBuilder log = new StringBuilder();

    static class Resource implements AutoCloseable {
        final String name;
        final boolean failsOnClose;

        Resource(String name, boolean failsOnOpen, boolean failsOnClose) {
            if (failsOnOpen) {
                throw new IllegalArgumentException("open " + name);
            }
            this.name = name;
            this.failsOnClose = failsOnClose;
            log.append("open ").append(name).append(' ');
        }

        @Override
        public void close() throws Exception {
            log.append("close ").append(name).append(' ');
            if (failsOnClose) {
                throw new Exception("close " + name);
            }
        }
    }

    static void use(boolean bodyFails, boolean secondOpenFails, boolean closeFails) {
        log.setLength(0);
        try (Resource a = new Resource("a", false, closeFails);
                Resource none = null;
                Resource b = new Resource("b", secondOpenFails, closeFails)) {
            log.append("body ").append(a.name).append(b.name).append(' ');
            if (bodyFails) {
                throw new IllegalStateException("body");
            }
        } catch (Exception e) {
            log.append("caught ").append(e.getMessage());
            for (Throwable suppressed : e.getSuppressed()) {
                log.append(" +").append(suppressed.getMessage());
            }
        } finally {
            log.append(" end");
        }
        System.out.println(log);
    }

    static int exits(int way) {
        int steps = 0;
        for (int i = 0; ; i++) {
            try {
                steps += 1;
                if (way == 0) {
                    return steps;
                }
                if (way == 1) {
                    break;
                }
                if (i < 3) {
                    continue;
                }
                throw new RuntimeException("way " + way);
            } catch (RuntimeException e) {
                steps += 1000;
                if (way == 3) {
                    throw new IllegalStateException("again", e);
                }
                break;
            } finally {
                steps += 10;
                log.append(steps).append(' ');
            }
        }
        return steps;
    }

    static void rethrow(Exception original) throws Exception {
        try {
            try {
                throw original;
            } catch (Exception e) {
                log.append("first ");
                throw e;
            } finally {
                log.append("finally ");
            }
        } catch (RuntimeException e) {
            log.append("runtime ");
            throw new Exception("wrapped", e);
        }
    }

    public static void main(String[] args) {
        use(false, false, false);
        use(true, false, false);
        use(false, true, false);
        use(false, false, true);
        use(true, false, true);
        use(false, true, true);
        log.setLength(0);
        for (int way = 0; way < 4; way++) {
            try {
                log.append('=').append(exits(way)).append(' ');
            } catch (IllegalStateException e) {
                log.append(e.getMessage()).append(" because of ").append(e.getCause().getMessage());
            }
        }
        System.out.println(log);
        log.setLength(0);
        for (Exception e : new Exception[] {new RuntimeException("r"), new java.io.IOException("io")}) {
            try {
                rethrow(e);
            } catch (Exception caught) {
                log.append(caught.getMessage()).append(' ').append(caught == e).append(' ');
            }
        }
        System.out.println(log);
    }
}
