// stdin: 3 4
// stdin: 1.5 text
// stdin: x 9
// args: first "second one" -7
import java.util.InputMismatchException;
import java.util.Scanner;

/** Arguments and Scanner on the standard input, with a wrong token and the end of input. */
public class ScannerInput {
    public static void main(String[] args) {
        int fromArgument = Integer.parseInt(args[2]);
        Scanner in = new Scanner(System.in);
        in.useLocale(java.util.Locale.ROOT);
        int a = in.nextInt();
        int b = in.nextInt();
        System.out.println(a * b + fromArgument);
        System.out.println(in.nextDouble() + in.next() + args[1]);
        try {
            System.out.println(in.nextInt());
        } catch (InputMismatchException e) {
            System.out.println("skipped " + in.next() + " then " + in.nextInt());
        }
        System.out.println(in.hasNext() + " " + args.length);
    }
}
