import java.util.ArrayList;
import java.util.Arrays;

/** Object.clone through several classes, covariant, refused, and of collections. */
public class Cloning {
    static class Sheep implements Cloneable {
        static int born;
        String name;
        int[] wool = {1, 2, 3};
        long weight = 1L << 35;

        Sheep(String name) {
            this.name = name;
            born++;
        }

        @Override
        public Sheep clone() {
            try {
                Sheep copy = (Sheep) super.clone();
                copy.name = name + "'";
                return copy;
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    static class Ram extends Sheep {
        double horns = 2.5;

        Ram(String name) {
            super(name);
        }

        @Override
        public Ram clone() {
            Ram copy = (Ram) super.clone();
            copy.wool = wool.clone();
            copy.horns *= 2;
            return copy;
        }
    }

    static class Goat {
        Object copy() throws CloneNotSupportedException {
            return super.clone();
        }
    }

    public static void main(String[] args) throws Exception {
        Sheep dolly = new Sheep("dolly");
        Sheep copy = dolly.clone();
        copy.wool[0] = 100;
        System.out.println(copy.name + dolly.wool[0] + copy.weight + Sheep.born);
        Sheep ram = new Ram("ram");
        Sheep ramCopy = ram.clone();
        ramCopy.wool[0] = 200;
        System.out.println(ramCopy.name + ram.wool[0] + ((Ram) ramCopy).horns + Sheep.born);
        try {
            new Goat().copy();
        } catch (CloneNotSupportedException e) {
            System.out.println("goats cannot");
        }
        ArrayList<Sheep> flock = new ArrayList<>(Arrays.asList(dolly, ram));
        @SuppressWarnings("unchecked")
        ArrayList<Sheep> second = (ArrayList<Sheep>) flock.clone();
        second.set(0, ramCopy);
        System.out.println(flock.get(0).name + second.get(0).name + (flock.get(1) == second.get(1)));
    }
}
