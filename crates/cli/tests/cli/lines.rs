//! Lines of the source where a step is wanted, and lines without code. Needs a JDK on the PATH.

use crate::sandbox::Sandbox;
use expect_test::{Expect, expect};

const PROGRAM: &str = r#"
import java.util.List;

public class Main {
    static int unset;

    static class Unused {
        int twice(int n) {
            return 2 * n;
        }
    }

    static boolean isFar(int x, int y) {
        return x > 3
            && y > 4
            && x + y > 100;
    }

    static Runnable later(boolean isWanted) {
        if (isWanted) {
            return new Runnable() {
                public void run() {
                    unset = 1;
                }
            };
        }
        return () -> { };
    }

    static int sum(List<Integer> numbers, int factor) {
        int scaled = numbers.stream().mapToInt(n -> n * factor).sum();
        return scaled;
    }

    public static void main(String[] arguments) {
        isFar(4, 5);
        later(false).run();
        sum(List.of(1, 2), 3);
        sum(List.of(4, 5), 6);
    }
}
"#;

fn recorded() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.record("Main", PROGRAM, &[]);
    sandbox
}

/// `Main.java:12` of the first line with a text.
fn at(text: &str) -> String {
    let line = PROGRAM.lines().position(|line| line.contains(text)).expect("a line with this text");
    format!("Main.java:{}", line + 1)
}

fn check(sandbox: &Sandbox, arguments: &[&str], expected: Expect) {
    expected.assert_eq(&sandbox.transcript(arguments));
}

#[test]
fn lines_without_code() {
    let sandbox = recorded();
    check(
        &sandbox,
        &["why", "--not", &at("&& x + y")],
        expect![[r#"
        error: there is no recorded code in line `Main.java:16`
        hint: did you mean `Main.java:14`, `Main.java:20`?
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        &["why", "--not", &at("static int unset")],
        expect![[r#"
        error: there is no recorded code in line `Main.java:5`
        hint: did you mean `Main.java:4`, `Main.java:14`?
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        &["why", "--not", &at("return 2 * n")],
        expect![[r#"
        Main.java:9
          no class with this line was loaded in this run, or none was recorded
        exit code 1
    "#]],
    );
    check(
        &sandbox,
        &["why", "--not", &at("unset = 1")],
        expect![[r#"
        Main.java:23
          no class with this line was loaded in this run, or none was recorded
        exit code 1
    "#]],
    );
}

#[test]
fn a_line_for_a_step() {
    let sandbox = recorded();
    let line = &at("return scaled");
    check(
        &sandbox,
        &["show", line],
        expect![[r#"
        Main.sum:32  step 16 of 17, thread main

          29  
          30      static int sum(List<Integer> numbers, int factor) {
          31          int scaled = numbers.stream().mapToInt(n -> n * factor).sum();
        → 32          return scaled;
          33      }
          34  
          35      public static void main(String[] arguments) {

        read
          scaled = 54

        then
          returns 54 to Main.main:39

        stack
          16  Main.sum:32
          12  Main.main:39

        variables
          numbers = <List12:2>
          factor = 6
          scaled = 54
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        &["tree", "--step", &at("return x > 3")],
        expect![[r#"
           ▼ main
        1    ▼ Main.main(arguments:<String[]:1>) [36]
        2      ▼ Main.isFar(x:4, y:5) => false [36]
        2          return x > 3 [14] ←
        2          if (x:4 > 3) [14] ←
        2          if (y:5 > 4) [14] ←
        2          if (x + y:9 <= 100) [14] ←
        2          return false [14] ←
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        &["show", "scaled"],
        expect![[r#"
        error: `scaled` is neither a step nor a line
        hint: write the number of a step, or a line as `Cart.java:31`
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        &["tree", "--step", &at("return 2 * n")],
        expect![[r#"
        error: there is no recorded code in line `Main.java:9`
        hint: did you mean `Main.java:4`, `Main.java:14`?
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        &["show", &at("unset;")],
        expect![[r#"
        error: there is no recorded code in line `Main.java:5`
        hint: did you mean `Main.java:4`, `Main.java:14`?
        exit code 2
    "#]],
    );
    expect![[r#"
        Here is step 16.
        Main.sum:32  step 16 of 17, thread main
          30      static int sum(List<Integer> numbers, int factor) {
          31          int scaled = numbers.stream().mapToInt(n -> n * factor).sum();
        → 32          return scaled;
          33      }
          34  
          read     scaled = 54
          then     returns 54 to Main.main:39
        Main.isFar:14  step 2 of 17, thread main
          12  
          13      static boolean isFar(int x, int y) {
        → 14          return x > 3
          15              && y > 4
          16              && x + y > 100;
          read     x = 4
                   y = 5
          done     if (x:4 > 3)
                   if (y:5 > 4)
                   if (x + y:9 <= 100)
          then     returns false to Main.main:36
        error: invalid value 'Main.java:32' for '[TIMES]': it is no number of times; `goto Main.java:32` goes to a step or line
        hint: `help COMMAND` tells what it needs
        exit code 0
    "#]]
        .assert_eq(&sandbox.talk(&["open", "--step", line], &format!("goto {}\nstep {line}\n", at("return x > 3"))));
}

#[test]
fn a_variable_of_the_method_around_a_lambda() {
    let sandbox = recorded();
    let line = &at("numbers.stream()");
    check(
        &sandbox,
        &["why", line, "scaled"],
        expect![[r#"
             13  Main.sum:31  int scaled = numbers.stream().mapToInt(n -> n * factor).sum();  scaled = 54
          lambda$sum$1() = 24  from step 14  Main.lambda$sum$1:31  int scaled = numbers.stream().mapToInt(n -> n * factor).sum();
          lambda$sum$1() = 30  from step 15  Main.lambda$sum$1:31  int scaled = numbers.stream().mapToInt(n -> n * factor).sum();
          factor = 6  from step 12  Main.main:39  sum(List.of(4, 5), 6);
          List.of() = <List12:2>  from step 12  Main.main:39  sum(List.of(4, 5), 6);
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        &["why", line, "scaled", "--slice", "--thin"],
        expect![[r#"
        Main.sum
             31  int scaled = numbers.stream().mapToInt(n -> n * factor).sum();  step 13
        Main.main
             39  sum(List.of(4, 5), 6);  step 12
        Main.lambda$sum$1
             31  int scaled = numbers.stream().mapToInt(n -> n * factor).sum();  2 steps, the last 15
        whydunit: 4 steps in 3 lines
        exit code 0
    "#]],
    );
    // The lambda has run last.
    check(
        &sandbox,
        &["why", line, "n"],
        expect![[r#"
             13  Main.sum:31  int scaled = numbers.stream().mapToInt(n -> n * factor).sum();  n = 5
          argument 2 of of() = 5  from step 12  Main.main:39  sum(List.of(4, 5), 6);
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        &["why", line, "nosuch"],
        expect![[r#"
        error: step 15 neither reads nor writes `nosuch`
        hint: it reads `factor`, `n` and writes `Integer.intValue()`, `lambda$sum$1()`
        exit code 2
    "#]],
    );
}
