import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Proxies over interfaces of the program, that forward to the same method of an object of the program. */
public class DynamicProxies {
    public interface Ledger {
        int post(String account, int amount);

        default int postTwice(String account, int amount) {
            return post(account, amount) + post(account, amount);
        }

        void close() throws java.io.IOException;
    }

    static class PlainLedger implements Ledger {
        int total;

        @Override
        public int post(String account, int amount) {
            total += amount;
            return total;
        }

        @Override
        public void close() throws java.io.IOException {
            throw new java.io.IOException("already closed");
        }
    }

    static class Logging implements InvocationHandler {
        final Object target;
        int calls;

        Logging(Object target) {
            this.target = target;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
            calls++;
            try {
                return method.invoke(target, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    static Ledger wrap(Ledger target, InvocationHandler handler) {
        return (Ledger) Proxy.newProxyInstance(
                DynamicProxies.class.getClassLoader(), new Class<?>[] {Ledger.class}, handler);
    }

    public static void main(String[] args) {
        PlainLedger plain = new PlainLedger();
        Logging logging = new Logging(plain);
        Ledger ledger = wrap(plain, logging);
        Ledger twice = wrap(ledger, new Logging(ledger));
        System.out.println(plain.post("a", 1));
        System.out.println(ledger.post("a", 2));
        System.out.println(twice.post("a", 3));
        System.out.println(ledger.postTwice("b", 10));
        Ledger direct = wrap(plain, (proxy, method, arguments) -> plain.post((String) arguments[0], 100));
        System.out.println(direct.post("c", 0));
        try {
            twice.close();
        } catch (java.io.IOException e) {
            System.out.println("caught " + e.getMessage());
        }
        System.out.println(logging.calls + " " + plain.total + " " + ledger.equals(ledger));
    }
}
