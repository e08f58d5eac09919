package lib;

/** A service that another module implements. */
public interface Greeter {
    String greet(String name);

    default Greeter twice() {
        return name -> greet(greet(name));
    }

    /** Reads a private field of an object whose module opens its package to this one. */
    static Object peek(Object object, String field) throws ReflectiveOperationException {
        java.lang.reflect.Field found = object.getClass().getDeclaredField(field);
        found.setAccessible(true);
        return found.get(object);
    }
}
