import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Identity of strings, boxed values and plain objects, and collections that hash by identity. */
public class Identity {
    static class Plain {
        final int id;

        Plain(int id) {
            this.id = id;
        }
    }

    static boolean same(Object a, Object b) {
        return a == b;
    }

    public static void main(String[] args) {
        String literal = "literal";
        String built = new StringBuilder("lit").append("eral").toString();
        System.out.println((literal == "lit" + "eral") + " " + (literal == built) + " " + (literal == built.intern()));
        Integer small = 127;
        Integer smallAgain = 127;
        Integer large = 128;
        Integer largeAgain = 128;
        System.out.println(same(small, smallAgain) + " " + same(large, largeAgain) + " " + large.equals(largeAgain));
        Long wide = 127L;
        System.out.println(same(wide, 127L) + " " + same('a', 'a') + " " + same(true, Boolean.valueOf("true")));
        System.out.println(same(1.0, 1.0) + " " + same(Identity.class, new Identity().getClass()));
        System.out.println(same(int[].class, new int[0].getClass()) + " " + same(int.class, Integer.TYPE));

        Set<Plain> plains = new HashSet<>();
        Map<Plain, Integer> numbers = new HashMap<>();
        List<Plain> kept = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Plain plain = new Plain(i);
            kept.add(plain);
            plains.add(plain);
            numbers.put(plain, i * i);
        }
        int found = 0;
        long sum = 0;
        for (Plain plain : kept) {
            if (plains.contains(plain) && System.identityHashCode(plain) == plain.hashCode()) {
                found++;
            }
            sum += numbers.get(plain);
        }
        System.out.println(found + " " + sum + " " + plains.contains(new Plain(1)));
        // The order of iteration depends on identity hashes; the sum does not.
        int ids = 0;
        for (Plain plain : plains) {
            ids += plain.id;
        }
        System.out.println(ids);
        Map<String, Integer> byIdentity = new IdentityHashMap<>();
        byIdentity.put(literal, 1);
        byIdentity.put(built, 2);
        System.out.println(byIdentity.size() + " " + byIdentity.get("literal"));
        Object lock = new Object();
        int before = lock.hashCode();
        synchronized (lock) {
            System.gc();
            System.out.println(before == lock.hashCode());
        }
        System.out.println(new Object().equals(null) + " " + lock.toString().equals("java.lang.Object@" + Integer.toHexString(before)));
    }
}
