package app;

import java.util.ServiceLoader;
import lib.Greeter;

/** Two named modules: a service, reflection into an opened package, and into one that is not exported. */
public class Main {
    private final int secret = Integer.parseInt("42");

    public static void main(String[] args) throws Exception {
        System.out.println(Main.class.getModule().getName());
        for (Greeter greeter : ServiceLoader.load(Greeter.class)) {
            System.out.println(greeter.greet("hello") + " " + greeter.twice().greet("again"));
            try {
                System.out.println(greeter.getClass().getDeclaredConstructor().newInstance());
            } catch (IllegalAccessException e) {
                System.out.println("not exported");
            }
        }
        System.out.println(Greeter.peek(new Main(), "secret"));
        Greeter own = name -> "own " + name;
        System.out.println(own.twice().greet("x"));
    }
}
