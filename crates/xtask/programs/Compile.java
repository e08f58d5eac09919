import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Drives the JDK's own compiler over every source file below a folder, without annotation processing. */
public class Compile {
    public static void main(String[] args) throws IOException {
        Path sources = Path.of(args[0]);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> all = Files.walk(sources)) {
            List<Path> units = all.filter(path -> path.toString().endsWith(".java")).sorted().toList();
            List<String> options = List.of("-nowarn", "-proc:none", "--release", "17", "-encoding", "UTF-8", "-d", args[1]);
            boolean done = compiler.getTask(Writer.nullWriter(), files, null, options, null,
                    files.getJavaFileObjectsFromPaths(units)).call();
            System.out.println(units.size() + " files: " + (done ? "compiled" : "failed"));
        }
    }
}
