/** The smallest program: what is left is the start-up of the JVM and of the recorder. */
public class Hello {
    public static void main(String[] args) {
        System.out.println("hello, world");
    }
}
