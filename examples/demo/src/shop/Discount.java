package shop;

/** Takes a part off the price of a line. */
interface Discount {
    long apply(Cart.Line line, long cents);

    static long minusPercent(long cents, int percent) {
        return cents - cents * percent / 100;
    }
}
