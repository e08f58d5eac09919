package shop;

import java.util.List;

/** Prices, discounts and tax of a cart. */
class Invoice {
    private final Cart cart;
    private final List<Discount> discounts;

    Invoice(Cart cart, List<Discount> discounts) {
        this.cart = cart;
        this.discounts = discounts;
    }

    long total() {
        long total = 0;
        for (Cart.Line line : cart.lines()) {
            total += withTax(line, discounted(line));
        }
        return total;
    }

    void print() {
        for (Cart.Line line : cart.lines()) {
            System.out.println(line.product.name() + "  " + money(withTax(line, discounted(line))));
        }
        System.out.println("total: " + money(total()));
    }

    private long discounted(Cart.Line line) {
        long cents = line.cents();
        for (Discount discount : discounts) {
            cents = discount.apply(line, cents);
        }
        return cents;
    }

    private static long withTax(Cart.Line line, long cents) {
        return cents + (cents * line.product.category().taxPercent + 50) / 100;
    }

    static String money(long cents) {
        return String.format("%d.%02d", cents / 100, cents % 100);
    }
}
