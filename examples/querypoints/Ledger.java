import java.util.List;

public class Ledger {
    static class Account {
        final String owner;
        final String entry;
        boolean open;
        int orders;

        Account(String owner, String entry, int orders) {
            this.owner = owner;
            this.entry = entry;
            this.orders = orders;
        }
    }

    static int amount(String entry) {
        return Integer.parseInt(entry);
    }

    static String reminder(Account account) {
        return account.orders == 0 ? null : "pay " + account.entry;
    }

    static void close(List<Account> accounts) {
        for (Account account : accounts) {
            account.open = true;
            try {
                account.orders = account.orders * 2;
                int amount = amount(account.entry);
                account.open = amount > 0;
            } catch (NumberFormatException ignored) {
                // an empty entry
            }
        }
    }

    static void remind(List<Account> accounts, boolean all) {
        String letter;
        for (Account account : accounts) {
            if (account.open || all) {
                account.open = false;
                letter = reminder(account);
            } else {
                letter = "thank you";
            }
            if (letter == null) {
                throw new AssertionError(account.owner);
            }
        }
    }

    public static void main(String[] arguments) {
        List<Account> accounts = List.of(
            new Account("Ada", "12", 1), new Account("Bob", "0", 3), new Account("Cy", "", 0), new Account("Di", "7", 2));
        close(accounts);
        remind(accounts, false);
    }
}
