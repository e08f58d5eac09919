// jdk: 21
import java.util.List;

/** Pattern switches: types, guards, record patterns nested, enums with qualified names, null, and no match. */
public class PatternSwitch {
    sealed interface Expr permits Num, Add, Mul, Neg {
    }

    record Num(int value) implements Expr {
    }

    record Add(Expr left, Expr right) implements Expr {
    }

    record Mul(Expr left, Expr right) implements Expr {
    }

    record Neg(Expr inner) implements Expr {
    }

    static int eval(Expr expr) {
        return switch (expr) {
            case Num(int value) -> value;
            case Add(Num(var a), Num(var b)) when a == b -> 2 * a;
            case Add(var left, var right) -> eval(left) + eval(right);
            case Mul(Num(int zero), var ignored) when zero == 0 -> 0;
            case Mul(Expr left, Expr right) -> eval(left) * eval(right);
            case Neg(Neg(var inner)) -> eval(inner);
            case Neg neg -> -eval(neg.inner());
        };
    }

    sealed interface Card permits Suit, Joker {
    }

    enum Suit implements Card { HEARTS, SPADES, CLUBS }

    enum Joker implements Card { RED, BLACK }

    static String card(Card card) {
        return switch (card) {
            case Suit.HEARTS -> "hearts";
            case Suit s when s.ordinal() == 1 -> "guarded " + s;
            case Joker.RED -> "red joker";
            case Suit s -> "suit " + s;
            case Joker j -> "joker " + j;
        };
    }

    static String kind(Object object) {
        return switch (object) {
            case null -> "null";
            case Integer i when i > 10 -> "big " + i;
            case Integer i -> "int " + i;
            case Long l -> "long " + l;
            case String s when s.isEmpty() -> "empty";
            case String s -> "string " + s.length();
            case int[] array -> "ints " + array.length;
            case List<?> list when list.size() == 1 -> "single " + kind(list.get(0));
            case List<?> list -> "list";
            case Card c -> card(c);
            default -> object.getClass().getSimpleName();
        };
    }

    record Bad(int value) {
        public int value() {
            throw new IllegalStateException("accessor");
        }
    }

    public static void main(String[] args) {
        Expr expr = new Add(new Mul(new Num(3), new Neg(new Neg(new Num(4)))), new Neg(new Add(new Num(2), new Num(2))));
        System.out.println(eval(expr) + " " + eval(new Mul(new Num(0), null)));
        Object[] objects = {null, 5, 50, 7L, "", "abc", new int[3], List.of("x"), List.of(1, 2), Suit.HEARTS,
            Suit.SPADES, Suit.CLUBS, Joker.RED, Joker.BLACK, 'c', 1.5};
        for (Object object : objects) {
            System.out.println(kind(object));
        }
        try {
            Object bad = new Bad(1);
            System.out.println(bad instanceof Bad(int value) ? value : -1);
        } catch (MatchException e) {
            System.out.println(e.getCause().getMessage());
        }
        try {
            System.out.println(eval(null));
        } catch (NullPointerException e) {
            System.out.println("null expression");
        }
    }
}
