package shop;

import java.util.HashMap;
import java.util.Map;

/** The products by name. */
class Catalogue {
    private final Map<String, Product> products = new HashMap<>();

    void add(String name, int cents, Category category) {
        products.put(name, new Product(name, cents, category));
    }

    Product find(String name) {
        Product product = products.get(name);
        if (product == null) {
            throw new IllegalArgumentException("no product " + name);
        }
        return product;
    }
}
