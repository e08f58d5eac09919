package p.q;

/** The superclass in another package. */
public class Account {
    protected long balance;
    protected final StringBuilder history = new StringBuilder();
    private final String owner;

    protected Account(String owner) {
        this.owner = owner;
    }

    int fee() {
        return 5;
    }

    public void deposit(long amount) {
        balance += amount;
        changed(amount);
    }

    public void withdraw(long amount) {
        deposit(-amount - fee());
    }

    protected void changed(long amount) {
        history.append(amount > 0 ? '+' : '-').append(Math.abs(amount));
    }

    @Override
    public String toString() {
        return owner + " " + balance + " " + history;
    }
}
