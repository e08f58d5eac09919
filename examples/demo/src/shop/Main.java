package shop;

import java.util.List;

/** Prints an invoice and compares its total with the one the customer was promised. */
public class Main {
    public static void main(String[] args) {
        Catalogue catalogue = new Catalogue();
        catalogue.add("tea", 450, Category.FOOD);
        catalogue.add("pot", 2999, Category.HOUSEHOLD);
        catalogue.add("cup", 875, Category.HOUSEHOLD);
        catalogue.add("book", 1890, Category.PRINT);

        Cart cart = new Cart();
        cart.add(catalogue.find("tea"), 4);
        cart.add(catalogue.find("cup"), 10);
        cart.add(catalogue.find("pot"), 1);
        cart.add(catalogue.find("cup"), 2);
        cart.add(catalogue.find("book"), 1);

        Invoice invoice = new Invoice(cart, List.of(new BulkDiscount(12, 20), new CategoryDiscount(Category.PRINT, 5)));
        invoice.print();

        long expected = 16035;
        if (invoice.total() != expected) {
            System.out.println("expected total: " + Invoice.money(expected));
            System.exit(1);
        }
    }
}
