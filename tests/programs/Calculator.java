// args: (((1+((1+2)+(2-1))-(1-3))+1)+1)+1

/** Works out sums in brackets, the innermost first; a minus after a minus is taken for another subtraction. */
public class Calculator {
    public static void main(String[] args) {
        System.out.println(calculate(args[0]));
    }

    static int calculate(String sum) {
        int open = -1;
        while (sum.contains("(")) {
            char[] signs = sum.toCharArray();
            for (int i = 0; i < signs.length; i++) {
                char sign = signs[i];
                if (sign == '(')
                    open = i;
                else if (sign == ')') {
                    String inner = sum.substring(open + 1, i);
                    int value = evaluate(inner);
                    String before = sum.substring(0, open);
                    String after = i >= sum.length() ? "" : sum.substring(i + 1);
                    sum = before + value + after;
                    break;
                }
            }
        }
        int result = evaluate(sum);
        return result;
    }

    static int evaluate(String plain) {
        String[] operators = operators(plain);
        String[] numbers = plain.split("[+-]");
        int total = number(numbers, 0);
        for (int i = 0; i < operators.length; i++) {
            String operator = operators[i];
            int next = number(numbers, i + 1);
            if (operator.equals("+")) {
                total = total + next;
            } else if (operator.equals("-")) {
                total = total - next;
            }
        }
        return total;
    }

    static String[] operators(String plain) {
        String found = plain.replaceAll("[0-9]", "");
        return found.split("");
    }

    static int number(String[] numbers, int index) {
        String text = numbers[index];
        return text.isEmpty() ? 0 : Integer.parseInt(text);
    }
}
