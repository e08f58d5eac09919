package shop;

/** For all products of a category. */
record CategoryDiscount(Category category, int percent) implements Discount {
    @Override
    public long apply(Cart.Line line, long cents) {
        return line.product.category() == category ? Discount.minusPercent(cents, percent) : cents;
    }
}
