package shop;

enum Category {
    FOOD(7), HOUSEHOLD(19), PRINT(7);

    final int taxPercent;

    Category(int taxPercent) {
        this.taxPercent = taxPercent;
    }
}
