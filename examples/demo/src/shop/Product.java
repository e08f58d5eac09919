package shop;

record Product(String name, int cents, Category category) {
}
