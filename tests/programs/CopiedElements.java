// releases: 8 17
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Parts of arrays that are copied and filled by the library. After `//?` stands what a line asks for and the label of the
 * line that it has to come from, `//=` gives a line its label.
 */
public class CopiedElements {
    static void copied() {
        int[] from = new int[4];
        from[0] = 10;
        from[1] = 11; //= eleven
        from[2] = 12;
        int[] to = new int[4];
        to[0] = 20; //= twenty
        to[3] = 23; //= twenty-three
        System.arraycopy(from, 1, to, 1, 2); //= copy
        int before = to[0]; //? before from twenty
        int inside = to[1]; //? inside from copy
        int behind = to[3]; //? behind from twenty-three
        System.out.println(before + inside + behind);
    }

    static void filled() {
        int[] all = {1, 2, 3, 4}; //= all
        Arrays.fill(all, 1, 3, 7); //= fill
        int first = all[0]; //? first from all
        int second = all[1]; //? second from fill
        int last = all[3]; //? last from all
        Arrays.fill(all, 9); //= filled
        int again = all[3]; //? again from filled
        System.out.println(first + second + last + again);
    }

    static void overlapping() {
        String[] names = new String[3];
        names[0] = "a"; //= a
        names[1] = "b"; //= b
        System.arraycopy(names, 0, names, 1, 2); //= shift
        String first = names[0]; //? first from a
        String last = names[2]; //? last from shift
        System.out.println(first + last);
    }

    static void made() {
        long[] wide = new long[3];
        wide[2] = 5L; //= five
        long[] grown = Arrays.copyOf(wide, 5); //= grown
        long kept = grown[2]; //? kept from grown
        grown[4] = 6L; //= six
        long[] part = Arrays.copyOfRange(grown, 2, 5); //= part
        long sixth = part[2]; //? sixth from part
        long[] twin = part.clone(); //= twin
        part[2] = 0L;
        long same = twin[2]; //? same from twin
        System.out.println(kept + sixth + same);
    }

    static void oneOfMany() {
        int[] source = new int[3];
        source[0] = 1; //= one
        source[1] = 2; //= two
        source[2] = 3; //= three
        int[] target = new int[3];
        target[0] = 4; //= four
        System.arraycopy(source, 0, target, 1, 2); //= moved
        int found = target[2]; //? found thinned to two, moved //! found thinned to one, three, four
        System.out.println(found);
    }

    static void chosen(String[] none) {
        List<String> names = new ArrayList<>();
        names.add("" + names.size()); //= put
        names.add(null);
        String[] all = names.toArray(none); //= array
        String[] held = all != null ? all : none;
        String first = held[0]; //? first from put
        String second = held[1]; //? second from array
        String[] words = (all.length > 1 ? "x y" : "z").split(" "); //= split
        String[] kept = words.length > 0 ? words : none;
        String word = kept[1]; //? word from split
        System.out.println(first + second + word);
    }

    public static void main(String[] args) {
        copied();
        filled();
        overlapping();
        made();
        oneOfMany();
        chosen(new String[0]);
    }
}
