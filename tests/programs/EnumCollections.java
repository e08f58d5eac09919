import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.function.IntBinaryOperator;

/** Enums in maps and sets, with interfaces, lambdas, state machines and static caches. */
public class EnumCollections {
    interface Priced {
        int price();
    }

    enum Item implements Priced {
        APPLE(3), PEAR(5) {
            @Override
            public int price() {
                return super.price() * 2;
            }
        },
        FIG(7);

        private static final Map<String, Item> BY_NAME = new java.util.HashMap<>();

        static {
            for (Item item : values()) {
                BY_NAME.put(item.name().toLowerCase(), item);
            }
        }

        private final int base;

        Item(int base) {
            this.base = base;
        }

        @Override
        public int price() {
            return base;
        }

        static Item find(String name) {
            return BY_NAME.get(name);
        }
    }

    enum State {
        IDLE, RUNNING, DONE;

        State next(boolean ok) {
            return switch (this) {
                case IDLE -> RUNNING;
                case RUNNING -> ok ? DONE : IDLE;
                case DONE -> throw new IllegalStateException("done");
            };
        }
    }

    enum Operator {
        ADD((a, b) -> a + b), MAX(Math::max), DIV((a, b) -> a / b);

        private final IntBinaryOperator operator;

        Operator(IntBinaryOperator operator) {
            this.operator = operator;
        }
    }

    public static void main(String[] args) {
        Map<Item, Integer> stock = new EnumMap<>(Item.class);
        stock.put(Item.FIG, 2);
        stock.put(Item.find("pear"), 4);
        int value = 0;
        for (Map.Entry<Item, Integer> entry : stock.entrySet()) {
            value += entry.getKey().price() * entry.getValue();
        }
        System.out.println(stock + " " + value + " " + EnumSet.complementOf(EnumSet.copyOf(stock.keySet())));
        State state = State.IDLE;
        try {
            for (int i = 0; ; i++) {
                System.out.print(state + " ");
                state = state.next(i > 2);
            }
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        for (Operator operator : Operator.values()) {
            try {
                System.out.println(operator + " " + operator.operator.applyAsInt(7, value - 54));
            } catch (ArithmeticException e) {
                System.out.println(operator + " by zero");
            }
        }
        System.out.println(Item.PEAR.getClass() == Item.class ? "same" : Item.PEAR.getDeclaringClass().getSimpleName());
        System.out.println(Item.FIG.compareTo(Item.APPLE));
    }
}
