package lib.internal;

import lib.Greeter;

/** Made by the service loader. */
public class LoudGreeter implements Greeter {
    private int count;

    @Override
    public String greet(String name) {
        count++;
        return name.toUpperCase() + "!" + count;
    }
}
