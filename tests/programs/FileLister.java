// args: a b
import java.io.File;
import java.util.ArrayList;
import java.util.List;

/** Lists the names in a folder; its switch is off by mistake. */
public class FileLister {
    private File dir;
    private List<String> list;
    private List<String> args;
    private boolean active;

    public static void main(String[] args) {
        new FileLister().run(args);
    }

    void run(String[] args) {
        init();
        setArgs(args);
        if (active) {
            addItem();
        }
        printItems();
    }

    void init() {
        dir = new File(".");
        list = new ArrayList<>();
        args = new ArrayList<>();
        active = false;
    }

    void setArgs(String[] given) {
        for (String one : given) {
            args.add(one);
        }
    }

    void addItem() {
        List<String> names = list;
        for (String name : dir.list()) {
            names.add(name);
        }
    }

    void printItems() {
        List<String> shown = list;
        System.out.println(shown.toString());
    }
}
