package p;

import p.q.Account;

/** Classes in packages: protected and package-private members, and an override that is none. */
public class PackagedClasses {
    static class Savings extends Account {
        private final double rate;

        Savings(String owner, double rate) {
            super(owner);
            this.rate = rate;
        }

        /** Package-private in {@link Account}, so this is a method of its own. */
        int fee() {
            return 0;
        }

        @Override
        protected void changed(long amount) {
            super.changed(amount);
            history.append('*');
        }

        void addInterest() {
            deposit((long) (balance * rate));
        }
    }

    static int packagePrivate = 3;

    public static void main(String[] args) {
        Savings savings = new Savings("ann", 0.25);
        savings.deposit(1000);
        savings.addInterest();
        savings.withdraw(100);
        System.out.println(savings + " " + savings.fee() + " " + Helper.twice(packagePrivate));
    }
}

class Helper {
    static int twice(int x) {
        return 2 * x + PackagedClasses.packagePrivate++;
    }
}
