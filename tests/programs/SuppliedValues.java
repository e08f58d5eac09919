// releases: 8 17
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;
import java.util.stream.Collectors;

/**
 * What collectors fill that functions have made, numbers that the platform boxes between two functions, results of tasks, and
 * entries that a map shows. After `//?` stands what a line asks for and where that comes from or what its slice has; `//=`
 * gives a line its label.
 */
public class SuppliedValues {
    static class Box {
        final int w;

        Box(int w) {
            this.w = w; //= w
        }

        int twice() {
            return w * 2; //= twice
        }
    }

    static int more(Integer number) {
        return number + 1000; //= more
    }

    static void collected() {
        List<Box> boxes = new ArrayList<>();
        boxes.add(new Box(500));
        boxes.add(new Box(600));
        Map<String, Integer> map = boxes.stream()
            .collect(Collectors.toMap(box -> "a", Box::twice, Integer::sum, () -> new TreeMap<>())); //= to-map
        int sum = map.get("a"); //? sum thinned to w, twice
        List<Box> list = boxes.stream()
            .filter(box -> box.w > 10)
            .collect(Collectors.toCollection(() -> new ArrayList<>())); //= to-list
        int first = list.get(1).w; //? first thinned to w
        System.out.println(sum + first);
    }

    static void boxed() {
        List<Integer> numbers = Arrays.asList(300, 400); //= numbers
        List<Box> boxes = numbers.stream().map(SuppliedValues::more).map(n -> new Box(n)).collect(Collectors.toList()); //= boxes
        int got = boxes.get(1).w; //? got thinned to numbers, more, w
        List<Integer> ones = Arrays.asList(1, 2); //= ones
        List<Box> kept = ones.stream()
            .filter(n -> n > 0) //= positive
            .map(n -> new Box(n))
            .collect(Collectors.toList());
        int one = kept.get(0).w; //? one thinned to ones, w //! one thinned to positive
        System.out.println(got + one);
    }

    static class Count extends RecursiveTask<Integer> {
        final int size;

        Count(int size) {
            this.size = size; //= size
        }

        @Override
        protected Integer compute() {
            return size + 7000; //= computed
        }
    }

    static void run() {
        int result = new ForkJoinPool(1).invoke(new Count(3)); //? result thinned to computed, size
        System.out.println(result);
    }

    static class Recent extends LinkedHashMap<String, Integer> {
        int gone;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
            if (size() > 2) {
                gone = eldest.getValue(); //= gone
                return true;
            }
            return false;
        }
    }

    static void evicted() {
        Recent recent = new Recent();
        recent.put("a", 505); //= put-a
        recent.put("b", 606); //= put-b
        recent.put("c", 707);
        int gone = recent.gone; //? gone thinned to gone, put-a
        System.out.println(gone);
    }

    public static void main(String[] args) {
        collected();
        boxed();
        run();
        evicted();
    }
}
