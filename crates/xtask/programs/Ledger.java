/**
 * Accounts that get their money in many small deposits: "batches" fills one after the other, "turns" all in turn, so
 * that what one balance is made of is close together or spread over the whole run.
 */
public class Ledger {
    static final class Account {
        long balance;
        int refused;

        void deposit(int amount) {
            if (amount > 990) {
                refused++;
                return;
            }
            balance += amount;
        }
    }

    static int[] amounts(int seed) {
        int[] amounts = new int[1000];
        int state = seed;
        for (int at = 0; at < amounts.length; at++) {
            state = state * 1103515245 + 12345;
            amounts[at] = (state >>> 8) % 1000;
        }
        return amounts;
    }

    public static void main(String[] args) {
        boolean isInTurns = args[0].equals("turns");
        Account[] accounts = new Account[Integer.parseInt(args[1])];
        int deposits = Integer.parseInt(args[2]);
        int[] amounts = amounts(Integer.parseInt(args[3]));
        for (int at = 0; at < accounts.length; at++) {
            accounts[at] = new Account();
        }
        if (isInTurns) {
            for (int deposit = 0; deposit < deposits; deposit++) {
                for (int at = 0; at < accounts.length; at++) {
                    accounts[at].deposit(amounts[(deposit * 31 + at) % amounts.length]);
                }
            }
        } else {
            for (int at = 0; at < accounts.length; at++) {
                for (int deposit = 0; deposit < deposits; deposit++) {
                    accounts[at].deposit(amounts[(deposit * 31 + at) % amounts.length]);
                }
            }
        }
        long total = 0;
        for (Account account : accounts) {
            total += account.balance;
        }
        System.out.println(total);
    }
}
