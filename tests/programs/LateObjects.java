import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Meets objects of before its own start, and many classes, only after it has made millions of objects itself. */
public class LateObjects {
    static int make(int count) {
        int[] last = null;
        for (int i = 0; i < count; i++) {
            last = new int[1];
        }
        return count + last.length;
    }

    static List<Class<?>> classes() {
        List<Class<?>> classes = new ArrayList<>();
        Module base = Object.class.getModule();
        for (String name : base.getPackages().toArray(new String[0])) {
            for (String end : List.of("Resources", "Constants", "Utils", "Util", "Helper", "Cache", "Factory")) {
                Class<?> found = Class.forName(base, name + "." + end);
                if (found != null) {
                    classes.add(found);
                }
            }
        }
        return classes;
    }

    public static void main(String[] args) {
        System.out.println(make(12_000_000));
        int letters = 0;
        for (Locale locale : Locale.getAvailableLocales()) {
            letters += locale.getLanguage().length() + locale.getCountry().length();
        }
        for (Class<?> type : classes()) {
            letters += type.getSimpleName().length();
            for (Class<?> member : type.getDeclaredClasses()) {
                letters += member.isInterface() ? 1 : 2;
            }
        }
        for (Object value : System.getProperties().keySet()) {
            letters += value.hashCode() % 2;
        }
        System.out.println(letters > 1000);
    }
}
