// args: parent
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;

/** Starts a second virtual machine with the same class, reads its output and its exit code. */
public class ChildJvm {
    static int work(int n) {
        int product = 1;
        for (int i = 1; i <= n; i++) {
            product *= i;
        }
        return product;
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("child")) {
            System.out.println("child " + work(Integer.parseInt(args[1])));
            System.exit(6);
        }
        String java = System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
        ProcessBuilder builder = new ProcessBuilder(
                java, "-cp", System.getProperty("java.class.path"), "ChildJvm", "child", "5");
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        Process process = builder.start();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(process.getInputStream()))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println("read: " + line);
            }
        }
        System.out.println("exit code " + process.waitFor() + " " + work(6));
    }
}
