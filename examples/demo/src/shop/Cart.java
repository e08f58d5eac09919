package shop;

import java.util.ArrayList;
import java.util.List;

/** What the customer wants: one line for each product. */
class Cart {
    private final List<Line> lines = new ArrayList<>();

    void add(Product product, int quantity) {
        for (Line line : lines) {
            if (line.product == product) {
                line.quantity = quantity;
                return;
            }
        }
        lines.add(new Line(product, quantity));
    }

    List<Line> lines() {
        return lines;
    }

    static class Line {
        final Product product;
        int quantity;

        Line(Product product, int quantity) {
            this.product = product;
            this.quantity = quantity;
        }

        long cents() {
            return (long) product.cents() * quantity;
        }
    }
}
