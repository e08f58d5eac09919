// releases: 8 17
/** Switches on ints (dense and sparse), chars, strings with equal hashes, enums and boxed values. */
public class Switches {
    enum Day { MON, TUE, SAT, SUN }

    static int dense(int n) {
        switch (n) {
            case -1:
                return 100;
            case 0:
            case 1:
                n += 5;
            case 2:
                n += 50;
                break;
            case 4:
                n = -n;
        }
        return n;
    }

    static int sparse(int n) {
        switch (n) {
            case Integer.MIN_VALUE:
                return 1;
            case -1000:
                return 2;
            case 0:
                return 3;
            case 70000:
                return 4;
            case Integer.MAX_VALUE:
                return 5;
            default:
                return 6;
        }
    }

    static int text(String s) {
        switch (s) {
            case "Aa":
                return 1;
            case "BB":
                return 2;
            case "":
                return 3;
            case "long text with blanks":
                return 4;
            default:
                return 5;
        }
    }

    static boolean weekend(Day day) {
        switch (day) {
            case SAT:
            case SUN:
                return true;
            default:
                return false;
        }
    }

    static int nested(char c, Integer boxed) {
        int result = 0;
        switch (c) {
            case 'a':
                switch (boxed) {
                    case 1:
                        result = 11;
                        break;
                    default:
                        result = 10;
                }
                break;
            case '\uffff':
                result = 99;
                break;
            default:
                result = boxed;
        }
        return result;
    }

    public static void main(String[] args) {
        StringBuilder out = new StringBuilder();
        for (int n = -2; n <= 5; n++) {
            out.append(dense(n)).append(' ');
        }
        for (int n : new int[] {Integer.MIN_VALUE, -1000, 0, 70000, Integer.MAX_VALUE, 1}) {
            out.append(sparse(n)).append(' ');
        }
        for (String s : new String[] {"Aa", "BB", "", "long text with blanks", "C#", new String("BB")}) {
            out.append(text(s)).append(' ');
        }
        for (Day day : Day.values()) {
            out.append(weekend(day)).append(' ');
        }
        out.append(nested('a', 1)).append(' ').append(nested('a', 2)).append(' ');
        out.append(nested('\uffff', 2)).append(' ').append(nested('z', 2));
        System.out.println(out);
        try {
            weekend(null);
        } catch (NullPointerException e) {
            System.out.println("null day");
        }
    }
}
