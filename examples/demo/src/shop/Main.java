package shop;

import java.util.List;

/** Prints an invoice and compares its total with the one the customer was promised. */
public class Main {
    public static void main(String[] args) {
        Product tea = new Product("tea", 450, Category.FOOD);
        Product pot = new Product("pot", 2999, Category.HOUSEHOLD);
        Product cup = new Product("cup", 875, Category.HOUSEHOLD);
        Product book = new Product("book", 1890, Category.PRINT);

        Cart cart = new Cart();
        cart.add(tea, 4);
        cart.add(cup, 10);
        cart.add(pot, 1);
        cart.add(cup, 2);
        cart.add(book, 1);

        Invoice invoice = new Invoice(cart, List.of(new BulkDiscount(12, 20), new CategoryDiscount(Category.PRINT, 5)));
        invoice.print();

        long expected = 17413;
        if (invoice.total() != expected) {
            System.out.println("expected total: " + Invoice.money(expected));
            System.exit(1);
        }
    }
}
