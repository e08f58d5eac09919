package shop;

/** For many pieces of one product. */
record BulkDiscount(int fromQuantity, int percent) implements Discount {
    @Override
    public long apply(Cart.Line line, long cents) {
        return line.quantity >= fromQuantity ? Discount.minusPercent(cents, percent) : cents;
    }
}
