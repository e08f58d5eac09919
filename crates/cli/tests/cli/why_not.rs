//! Why lines did not run, as users see it. Needs a JDK on the PATH.

use crate::sandbox::Sandbox;
use expect_test::{Expect, expect};

const PROGRAM: &str = r#"
import java.util.*;

public class Main {
    enum Kind { A, B }
    interface Op { int run(int x); }
    static class Never implements Op { public int run(int x) {
        return x;
    } }
    static class Twice implements Op { public int run(int x) { return 2 * x; } }
    static class Other { static int half(int n) { return n; } }
    static int hits;

    static int half(int n) {
        if (n % 2 != 0) throw new IllegalArgumentException("odd " + n);
        return n / 2;
    }

    static int left(int n) {
        int h = half(n);
        return h + 1;
    }

    static int handled(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    static int loop(List<Integer> list) {
        int sum = 0;
        for (int n : list) {
            int h = half(n);
            sum += h;
        }
        return sum;
    }

    static int byKind(Kind kind) {
        switch (kind) {
            case A: return 1;
            default: return 2;
        }
    }

    static int byText(String text) {
        switch (text) {
            case "a":
                return 1;
            default: return 2;
        }
    }

    static void conditions(String text, int[] numbers) {
        if (text.charAt(0) == 'x') {
            hits++;
        }
        if (numbers.length > 3) {
            hits++;
        }
        for (int i = 0; i < 30000; i++) {
            if (hits > 5 && i > 10) {
                hits++;
            }
        }
    }

    static Runnable function(int n) {
        return () -> {
            hits = n;
        };
    }

    static int onlyOther(int n) {
        return Other.half(n);
    }

    public static void main(String[] arguments) {
        try { left(5); } catch (IllegalArgumentException e) { hits++; }
        handled("4");
        try { loop(List.of(2, 4, 5)); } catch (IllegalArgumentException e) { hits++; }
        byKind(Kind.B);
        byText("b");
        conditions("abc", new int[2]);
        function(3);
        Op op = new Twice();
        new Never();
        op.run(4);
        System.exit(0);
        hits = 15;
    }
}
"#;

fn check(sandbox: &Sandbox, question: &str, expected: &Expect) {
    let arguments: Vec<&str> = ["why"].into_iter().chain(question.split(' ')).collect();
    expected.assert_eq(&sandbox.transcript(&arguments));
}

fn line_of(text: &str) -> usize {
    PROGRAM.lines().position(|line| line.contains(text)).expect("a line of the program") + 1
}

#[test]
fn calls_that_ended_before() {
    let sandbox = Sandbox::new();
    sandbox.record("Main", PROGRAM, &[]);
    check(&sandbox, &format!("--not Main.java:{}", line_of("return h + 1")), &expect![[""]]);
    check(&sandbox, &format!("--not Main.java:{}", line_of("return -1")), &expect![[""]]);
    check(&sandbox, &format!("--not Main.java:{}", line_of("return sum")), &expect![[""]]);
    check(&sandbox, &format!("--not Main.java:{}", line_of("hits = 15")), &expect![[""]]);
    check(&sandbox, &format!("--not Main.java:{}", line_of("sum += h")), &expect![[""]]);
}

#[test]
fn what_was_compared() {
    let sandbox = Sandbox::new();
    sandbox.record("Main", PROGRAM, &[]);
    check(&sandbox, &format!("--not Main.java:{}", line_of("case A: return 1")), &expect![[""]]);
    check(&sandbox, &format!("--not Main.java:{}", line_of("case \"a\"") + 1), &expect![[""]]);
    check(&sandbox, &format!("--not Main.java:{}", line_of("== 'x'") + 1), &expect![[""]]);
    check(&sandbox, &format!("--not Main.java:{}", line_of("numbers.length >") + 1), &expect![[""]]);
    check(&sandbox, &format!("--not Main.java:{}", line_of("&& i > 10") + 1), &expect![[""]]);
}

#[test]
fn who_would_have_called() {
    let sandbox = Sandbox::new();
    sandbox.record("Main", PROGRAM, &[]);
    check(&sandbox, &format!("--not Main.java:{}", line_of("return x;")), &expect![[""]]);
    check(&sandbox, &format!("--not Main.java:{}", line_of("hits = n")), &expect![[""]]);
    check(&sandbox, &format!("--not Main.java:{}", line_of("Other.half(n)")), &expect![[""]]);
    check(&sandbox, "--not Unloaded.java:3", &expect![[""]]);
}
