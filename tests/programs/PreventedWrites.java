// releases: 8 17
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes that an exception has kept from happening, or a call that called nobody back. After `//?` stands what a line asks
 * for and what the slice of it has to have, and after `//!` what it must not have; `//=` gives a line its label.
 */
public class PreventedWrites {
    int count;

    static int total;

    static void local(String text) {
        int n = 0; //= zero
        try {
            n = Integer.parseInt(text); //= parse
        } catch (NumberFormatException e) {
            System.out.println("no number");
        }
        System.out.println(n); //? n sliced to zero, parse, text
    }

    static void check(int value) {
        if (value < 0) { //= negative
            throw new IllegalArgumentException("negative"); //= refuse
        }
    }

    static void byCallee(int value) {
        int accepted = 1;
        try {
            check(value); //= check
            accepted = value;
        } catch (IllegalArgumentException e) {
            System.out.println("refused");
        }
        System.out.println(accepted); //? accepted sliced to refuse, negative, check, value
    }

    void withdraw(int amount) {
        int next = count - amount;
        if (next < 0) { //= overdrawn
            throw new IllegalStateException(); //= refusal
        }
        count = next;
    }

    static void byThrow(int amount) {
        PreventedWrites account = new PreventedWrites();
        account.count = 5;
        try {
            account.withdraw(amount); //= withdrawing
        } catch (IllegalStateException e) {
            total++; //= told
        }
        System.out.println(account.count); //? account.count sliced to overdrawn, refusal, withdrawing, amount //! account.count sliced to told
    }

    static void byThrowHere(int amount) {
        int left = 5; //= five-left
        try {
            if (amount > left) { //= too-much
                throw new IllegalStateException(); //= thrown-here
            }
            left -= amount;
        } catch (IllegalStateException e) {
            total++;
        }
        System.out.println(left); //? left sliced to five-left, too-much, thrown-here, amount-here
    }

    void increase(int[] amounts, int index) {
        count += amounts[index]; //= outside
    }

    static void field(int index) {
        PreventedWrites counter = new PreventedWrites();
        counter.count = 1;
        try {
            counter.increase(new int[] {1, 2}, index);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println("outside");
        }
        System.out.println(counter.count); //? counter.count sliced to outside, index
    }

    static void element(int[] values, int index) {
        values[0] = 5; //= five
        try {
            values[index] = 7; //= beyond
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println("beyond");
        }
        System.out.println(values[0]); //? values[0] sliced to five, beyond, index
    }

    static void contents(Object key) {
        Map<String, Integer> ages = new HashMap<>();
        try {
            String name = (String) key; //= cast
            ages.put(name, 5);
        } catch (ClassCastException e) {
            System.out.println("no name");
        }
        int size = ages.size();
        System.out.println(size); //? size sliced to cast, key
    }

    static void afterCallBacks(List<Integer> values) {
        total = 0;
        try {
            values.forEach(value -> { //= each
                total = value;
                if (value > 1) { //= large
                    throw new IllegalStateException("large");
                }
            });
            total = 100;
        } catch (IllegalStateException e) {
            System.out.println("large");
        }
        System.out.println(total); //? total sliced to each, large
    }

    static void noMoreCallBacks(List<Integer> values) {
        total = 0; //= reset
        try {
            values.forEach(value -> { //= each-added
                total += value;
                if (value < 0) { //= below
                    throw new IllegalStateException("below");
                }
            });
        } catch (IllegalStateException e) {
            System.out.println("below");
        }
        System.out.println(total); //? total sliced to reset, each-added, below
    }

    static void noMoreOfAStream(List<Integer> values) {
        total = 0;
        try {
            values.stream().map(value -> {
                if (value == 2) { //= second
                    throw new IllegalStateException("second");
                }
                return value;
            }).forEach(value -> total += value);
        } catch (IllegalStateException e) {
            System.out.println("second");
        }
        System.out.println(total); //? total sliced to second
    }

    static void noCallBacks(List<Integer> values, int more) {
        total = 0; //= nothing-added
        if (more > 0) { //= no-more
            values.add(more);
        }
        values.forEach(value -> total += value); //= each-of-none
        System.out.println(total); //? total sliced to nothing-added, no-more, each-of-none, more
    }

    static void presentKey(Map<String, Integer> ages, String name) {
        total = 0;
        ages.put("a", 1); //= put-before
        ages.computeIfAbsent(name, unknown -> total = 5); //= present
        System.out.println(total); //? total sliced to put-before, present, name
    }

    static void unconcernedCallBacks(List<Integer> values) {
        int[] sum = {0};
        total = 1; //= one
        values.forEach(value -> sum[0] += value); //= concerns-sum
        System.out.println(total); //? total sliced to one //! total sliced to concerns-sum
    }

    static class Counting extends ArrayList<Integer> {
        @Override
        public void clear() {
            total++;
            super.clear();
        }
    }

    static void unrecordedReceiver(boolean isCounted) {
        total = 2; //= two
        List<Integer> values = new ArrayList<>();
        if (isCounted) { //= counted
            values = new Counting();
        }
        values.clear(); //= cleared
        System.out.println(total); //? total sliced to two, counted, cleared, uncounted
    }

    static void thrownBeforeAnother(int value) {
        total = 0;
        try {
            check(value); //= first-thrown
            throw new IllegalStateException("second");
        } catch (IllegalArgumentException e) {
            System.out.println("first");
        } catch (IllegalStateException e) {
            total = 1;
        }
        System.out.println(total); //? total sliced to first-thrown, first-value, negative
    }

    static void handlerNotRun(int value) {
        int state = 1; //= state
        try {
            if (value > 10) { //= ten
                throw new IllegalStateException("more");
            }
            System.out.println("less");
        } catch (IllegalStateException e) {
            state = 2;
        }
        System.out.println(state); //? state sliced to state, ten
    }

    static void unconcerned(String text) {
        int kept = 3; //= three
        int lost = 0;
        try {
            lost = Integer.parseInt(text); //= unconcerned
        } catch (NumberFormatException e) {
            System.out.println("no number");
        }
        kept = kept + 1; //= four
        System.out.println(lost);
        System.out.println(kept); //? kept sliced to three, four //! kept sliced to unconcerned
    }

    static void inLoop(List<String> texts) {
        int good = 0; //= none
        for (String text : texts) { //= loop
            try {
                Integer.parseInt(text); //= tried
                good++; //= good
            } catch (NumberFormatException e) {
                continue;
            }
        }
        System.out.println(good); //? good sliced to none, loop, tried, good
    }

    public static void main(String[] args) {
        local("x"); //= text
        byCallee(-1); //= value
        byThrow(7); //= amount
        byThrowHere(6); //= amount-here
        field(2); //= index
        element(new int[2], 2); //= index
        contents(new ArrayList<String>()); //= key
        afterCallBacks(Arrays.asList(1, 2, 3));
        noMoreCallBacks(Arrays.asList(1, -1, 5));
        noMoreOfAStream(Arrays.asList(1, 2, 3));
        noCallBacks(new ArrayList<>(), 0); //= more
        presentKey(new HashMap<>(), "a"); //= name
        unconcernedCallBacks(Arrays.asList(1, 2));
        unrecordedReceiver(true);
        unrecordedReceiver(false); //= uncounted
        thrownBeforeAnother(-2); //= first-value
        handlerNotRun(5);
        unconcerned("y");
        inLoop(Arrays.asList("1", "z", "3"));
    }
}
