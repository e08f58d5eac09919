/** Kernel: virtual calls over small objects. */
public class ExpressionTree {
    interface Expression {
        int value(int x);
    }

    record Constant(int value) implements Expression {
        public int value(int x) {
            return value;
        }
    }

    record Variable() implements Expression {
        public int value(int x) {
            return x;
        }
    }

    record Sum(Expression left, Expression right) implements Expression {
        public int value(int x) {
            return left.value(x) + right.value(x);
        }
    }

    record Product(Expression left, Expression right) implements Expression {
        public int value(int x) {
            return left.value(x) * right.value(x);
        }
    }

    static Expression build(int depth, int seed) {
        if (depth == 0) {
            return seed % 3 == 0 ? new Variable() : new Constant(seed % 10);
        }
        Expression left = build(depth - 1, seed * 2 + 1);
        Expression right = build(depth - 1, seed * 2 + 2);
        return seed % 4 == 0 ? new Product(left, right) : new Sum(left, right);
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        Expression expression = build(14, 1);
        int total = 0;
        for (int x = 0; x < rounds; x++) {
            total += expression.value(x);
        }
        System.out.println(total);
    }
}
