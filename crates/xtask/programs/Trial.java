import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs single tests, named by the unique ids of the JUnit platform.
 *
 * <pre>
 * Trial cover CLASSPATH MILLIS     reads names of test classes; answers with each test, its outcome and its probes
 * Trial try CLASSPATH MILLIS       reads "class TAB file TAB test"; answers with the outcome, the class changed
 * Trial run TEST                   runs a test of the own class path
 * Trial others MILLIS TEST...      runs tests of the own class path, and tells nothing of them
 * </pre>
 *
 * Outcomes are {@code passed}, {@code failed TAB exception}, {@code missing} and {@code timeout}; after the last the
 * JVM ends, since a test cannot be stopped.
 */
public final class Trial {
    /** The protocol's; tests print to nowhere. */
    private static final PrintStream ANSWERS = System.out;

    /** Time is that of the CPU, so that it does not matter what else the machine does. */
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Milliseconds between two looks at the time. */
    private static final long PERIOD = 100;

    public static void main(String[] arguments) throws IOException {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        System.setOut(nowhere);
        System.setErr(nowhere);
        switch (arguments[0]) {
            case "cover":
                cover(path(arguments[1]), Long.parseLong(arguments[2]));
                break;
            case "try":
                tryChanged(path(arguments[1]), Long.parseLong(arguments[2]));
                break;
            case "others":
                others(Long.parseLong(arguments[1]), Arrays.asList(arguments).subList(2, arguments.length));
                break;
            default:
                ANSWERS.println(run(arguments[1]));
        }
        ANSWERS.flush();
        // Threads that tests have left behind are of no interest.
        Runtime.getRuntime().exit(0);
    }

    private static void cover(URL[] path, long millis) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String name = input.readLine(); name != null; name = input.readLine()) {
            try (ProjectLoader loader = new ProjectLoader(path, null, null)) {
                Thread.currentThread().setContextClassLoader(loader);
                Class<?> testClass = Class.forName(name, false, loader);
                LauncherFactory.create().execute(request(selectClass(testClass)), new Coverage(millis));
            } catch (ClassNotFoundException | LinkageError | RuntimeException noTests) {
                ANSWERS.println("none\t" + name + "\t" + noTests.toString().replaceAll("\\s", " "));
            }
            ANSWERS.println("end\t" + name);
            ANSWERS.flush();
        }
    }

    private static void tryChanged(URL[] path, long millis) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] request = line.split("\t");
            byte[] changed = Files.readAllBytes(Path.of(request[1]));
            try (ProjectLoader loader = new ProjectLoader(path, request[0], changed)) {
                ANSWERS.println(run(request[2], loader, millis));
            }
            ANSWERS.flush();
        }
    }

    private static String run(String test, ClassLoader loader, long millis) {
        Thread.currentThread().setContextClassLoader(loader);
        Timer timer = endAfter(millis);
        try {
            return run(test);
        } finally {
            timer.cancel();
        }
    }

    private static void others(long millis, List<String> tests) {
        for (String test : tests) {
            Timer timer = endAfter(millis);
            try {
                run(test);
            } finally {
                timer.cancel();
            }
        }
    }

    private static String run(String test) {
        FirstFailure listener = new FirstFailure();
        LauncherFactory.create().execute(request(selectUniqueId(test)), listener);
        return listener.outcome;
    }

    /** Ends the JVM when this thread has run for so long, or has waited for sixty times as long. */
    private static Timer endAfter(long millis) {
        long thread = Thread.currentThread().getId();
        long cpuStart = cpuMillis(thread);
        long start = System.nanoTime();
        Timer timer = new Timer(true);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                boolean hasWaited = System.nanoTime() - start > 60 * millis * 1_000_000;
                if (hasWaited || cpuMillis(thread) - cpuStart > millis) {
                    ANSWERS.println("timeout");
                    ANSWERS.flush();
                    Runtime.getRuntime().halt(0);
                }
            }
        }, PERIOD, PERIOD);
        return timer;
    }

    private static long cpuMillis(long thread) {
        return THREADS.getThreadCpuTime(thread) / 1_000_000;
    }

    private static LauncherDiscoveryRequest request(DiscoverySelector selector) {
        return LauncherDiscoveryRequestBuilder.request().selectors(selector).build();
    }

    private static URL[] path(String classPath) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        return urls.toArray(new URL[0]);
    }

    private static final class Coverage implements TestExecutionListener {
        private final long millis;
        private Timer timer;
        private long start;

        Coverage(long millis) {
            this.millis = millis;
        }

        @Override
        public void executionStarted(TestIdentifier test) {
            if (test.isTest()) {
                Probe.clear();
                timer = endAfter(millis);
                start = cpuMillis(Thread.currentThread().getId());
            }
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            // One that was made while the tests ran cannot be run alone.
            if (test.isTest() && timer != null) {
                timer.cancel();
                long took = cpuMillis(Thread.currentThread().getId()) - start;
                boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
                String outcome = passed ? "passed" : "failed";
                ANSWERS.println("test\t" + test.getUniqueId() + "\t" + took + "\t" + outcome + "\t" + Probe.hits());
            }
        }
    }

    private static final class FirstFailure implements TestExecutionListener {
        private String outcome = "missing";

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            boolean isFirst = outcome.equals("missing") || outcome.equals("passed");
            if (isFirst && result.getStatus() == TestExecutionResult.Status.FAILED) {
                outcome = "failed\t" + result.getThrowable().map(thrown -> thrown.getClass().getName()).orElse("?");
            } else if (isFirst && test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
                outcome = "passed";
            }
        }
    }

    /** The project's classes, one of which may be another. */
    private static final class ProjectLoader extends URLClassLoader {
        private final String changedName;
        private final byte[] changed;

        ProjectLoader(URL[] path, String changedName, byte[] changed) {
            super(path, Trial.class.getClassLoader());
            this.changedName = changedName;
            this.changed = changed;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            return name.equals(changedName) ? defineClass(name, changed, 0, changed.length) : super.findClass(name);
        }
    }
}
