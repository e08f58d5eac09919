import java.util.HashMap;
import java.util.Map;

/** A recursive descent parser and an interpreter over a tree of nodes, with errors that carry a position. */
public class ExpressionTree {
    static class SyntaxError extends Exception {
        private static final long serialVersionUID = 1;
        final int position;

        SyntaxError(String message, int position) {
            super(message);
            this.position = position;
        }
    }

    abstract static class Node {
        abstract double value(Map<String, Double> variables);
    }

    static class Constant extends Node {
        private final double constant;

        Constant(double constant) {
            this.constant = constant;
        }

        @Override
        double value(Map<String, Double> variables) {
            return constant;
        }
    }

    static class Variable extends Node {
        private final String name;

        Variable(String name) {
            this.name = name;
        }

        @Override
        double value(Map<String, Double> variables) {
            Double value = variables.get(name);
            if (value == null) {
                throw new IllegalArgumentException("unknown " + name);
            }
            return value;
        }
    }

    static class Binary extends Node {
        private final char operator;
        private final Node left;
        private final Node right;

        Binary(char operator, Node left, Node right) {
            this.operator = operator;
            this.left = left;
            this.right = right;
        }

        @Override
        double value(Map<String, Double> variables) {
            double a = left.value(variables);
            double b = right.value(variables);
            switch (operator) {
                case '+':
                    return a + b;
                case '-':
                    return a - b;
                case '*':
                    return a * b;
                default:
                    return a / b;
            }
        }
    }

    static class Parser {
        private final String text;
        private int position;

        Parser(String text) {
            this.text = text.replace(" ", "");
        }

        Node parse() throws SyntaxError {
            Node node = sum();
            if (position < text.length()) {
                throw new SyntaxError("unexpected " + text.charAt(position), position);
            }
            return node;
        }

        private Node sum() throws SyntaxError {
            Node node = term();
            while (accept('+') || accept('-')) {
                node = new Binary(text.charAt(position - 1), node, term());
            }
            return node;
        }

        private Node term() throws SyntaxError {
            Node node = factor();
            while (accept('*') || accept('/')) {
                node = new Binary(text.charAt(position - 1), node, factor());
            }
            return node;
        }

        private Node factor() throws SyntaxError {
            if (accept('(')) {
                Node node = sum();
                if (!accept(')')) {
                    throw new SyntaxError("missing )", position);
                }
                return node;
            }
            if (accept('-')) {
                return new Binary('-', new Constant(0), factor());
            }
            int start = position;
            while (position < text.length() && (Character.isLetterOrDigit(text.charAt(position)) || text.charAt(position) == '.')) {
                position++;
            }
            if (start == position) {
                throw new SyntaxError("value expected", position);
            }
            String token = text.substring(start, position);
            return Character.isLetter(token.charAt(0)) ? new Variable(token) : new Constant(Double.parseDouble(token));
        }

        private boolean accept(char c) {
            if (position < text.length() && text.charAt(position) == c) {
                position++;
                return true;
            }
            return false;
        }
    }

    public static void main(String[] args) {
        Map<String, Double> variables = new HashMap<>();
        variables.put("x", 3.0);
        variables.put("y", -0.5);
        String[] inputs = {"1 + 2 * 3", "(1 + 2) * -3", "x * x / y", "1 / 0", "2 * (x + ", "3 $ 4", "z", "1.2.3", "--x"};
        for (String input : inputs) {
            try {
                System.out.println(input + " = " + new Parser(input).parse().value(variables));
            } catch (SyntaxError e) {
                System.out.println(input + ": " + e.getMessage() + " at " + e.position);
            } catch (NumberFormatException e) {
                System.out.println(input + ": bad number");
            } catch (IllegalArgumentException e) {
                System.out.println(input + ": " + e.getMessage());
            }
        }
    }
}
