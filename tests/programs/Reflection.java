import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/** Methods, constructors and fields reached by reflection and method handles, private ones and failing ones. */
public class Reflection {
    static class Account {
        private long balance;
        private static int opened;

        private Account(long start) {
            if (start < 0) {
                throw new IllegalArgumentException("negative: " + start);
            }
            balance = start;
            opened++;
        }

        private long deposit(long amount, int times) {
            for (int i = 0; i < times; i++) {
                balance += amount;
            }
            return balance;
        }

        private static String describe(Object... parts) {
            return Arrays.toString(parts) + opened;
        }
    }

    static class Initialised {
        static final StringBuilder LOG = new StringBuilder();

        static {
            System.out.println("Initialised starts");
            LOG.append("log");
        }
    }

    public static void main(String[] args) throws Throwable {
        Constructor<Account> open = Account.class.getDeclaredConstructor(long.class);
        open.setAccessible(true);
        Account account = open.newInstance(5L);
        Method deposit = Account.class.getDeclaredMethod("deposit", long.class, int.class);
        deposit.setAccessible(true);
        // The JDK changes its way of calling after some calls: both ways have to be met.
        for (int i = 0; i < 40; i++) {
            deposit.invoke(account, 10L, i % 3);
        }
        System.out.println(account.balance);
        Method describe = Account.class.getDeclaredMethod("describe", Object[].class);
        System.out.println(describe.invoke(null, (Object) new Object[] {1, "two", 3.0}));
        try {
            open.newInstance(-1L);
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause().getMessage());
        }
        try {
            deposit.invoke(account, "wrong");
        } catch (IllegalArgumentException e) {
            System.out.println("illegal argument");
        }
        Field balance = Account.class.getDeclaredField("balance");
        balance.setAccessible(true);
        balance.setLong(account, 77);
        System.out.println(account.balance + " " + balance.get(account));
        Class<?> named = Class.forName("Reflection$Initialised");
        System.out.println(named.getDeclaredField("LOG").get(null));
        Object array = Array.newInstance(int.class, 3);
        Array.setInt(array, 1, 9);
        System.out.println(((int[]) array)[1]);

        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle handle = lookup.unreflect(deposit);
        System.out.println((long) handle.invokeExact(account, 3L, 1));
        MethodHandle length = lookup.findVirtual(String.class, "length", MethodType.methodType(int.class));
        System.out.println((int) length.invoke("four"));
        MethodHandle adapted = MethodHandles.insertArguments(handle, 1, 1000L, 2);
        System.out.println((Object) adapted.invoke(account));
    }
}
