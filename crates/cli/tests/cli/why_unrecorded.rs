//! What is told of an exception that came out of a call of code that is not recorded. Needs a JDK on the PATH.

use crate::sandbox::Sandbox;
use expect_test::{Expect, expect};

/// Checks values and throws, as libraries for tests do; it asks recorded code for texts on its way.
const CHECKS: &str = r#"package checks;

import java.util.function.Supplier;

public final class Checks {
    private final Object found;
    private final Supplier<String> words;

    private Checks(Object found, Supplier<String> words) {
        this.found = found;
        this.words = words;
    }

    public static Checks that(Object found, Supplier<String> words) {
        words.get();
        return new Checks(found, words);
    }

    /// Gives back what recorded code has given back to it.
    public static Checks passed(Object found, java.util.function.UnaryOperator<Checks> operator) {
        return operator.apply(new Checks(found, () -> "passed"));
    }

    public Checks named(String name) {
        return this;
    }

    public void is(Object expected) {
        String first = words.get();
        String last = words.get();
        if (!found.equals(expected)) {
            throw new AssertionError(first + last + ": " + found + " is not " + expected);
        }
    }

    public static void same(Object found, Holder holder) {
        if (!found.equals(holder.value)) {
            throw new AssertionError(found + " is not " + holder.value);
        }
    }

    public static Holder holding(Object value) {
        return new Holder(value);
    }

    public static final class Holder {
        final Object value;

        Holder(Object value) {
            this.value = value;
        }
    }

    public static void alone(Supplier<String> words) {
        throw new AssertionError(words.get() + words.get() + words.get() + words.get());
    }
}
"#;

const PROGRAM: &str = r#"import checks.Checks;

public class Main {
    static int asked;

    static String words() {
        asked++;
        return "call " + asked;
    }

    static Checks pass(Checks checks) {
        return checks;
    }

    static int price(int amount) {
        return amount * 3;
    }

    static void oneLine(int amount) {
        Checks.that(price(amount), Main::words).is(10);
    }

    static void namedOnTheWay(int amount) {
        Checks.that(price(amount), Main::words).named("price").is(10);
    }

    static void givenBack(int amount) {
        Checks.passed(price(amount), Main::pass).is(10);
    }

    static void severalLines(int amount) {
        Checks.that(price(amount), Main::words)
            .named("price")
            .is(10);
    }

    static void inVariables(int amount) {
        int found = price(amount);
        Checks checks = Checks.that(found, Main::words);
        check(checks);
    }

    static void check(Checks checks) {
        checks.is(10);
    }

    static void matched(int amount) {
        int expected = price(amount);
        Checks.same(10, Checks.holding(expected));
    }

    static void alone() {
        Checks.alone(Main::words);
    }

    static void required(String name) {
        java.util.Objects.requireNonNull(name, Main::words);
    }

    interface Test {
        void run();
    }

    static void fails(Test test) {
        try {
            test.run();
        } catch (AssertionError | NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] arguments) {
        fails(() -> oneLine(4));
        fails(() -> namedOnTheWay(5));
        fails(() -> givenBack(6));
        fails(() -> severalLines(7));
        fails(() -> inVariables(8));
        fails(() -> matched(9));
        fails(() -> alone());
        fails(() -> required(null));
    }
}
"#;

fn check(sandbox: &Sandbox, text: &str, expected: &Expect) {
    let line = PROGRAM.lines().position(|line| line.contains(text)).map_or(0, |index| index + 1);
    expected.assert_eq(&sandbox.transcript(&["why", &format!("Main.java:{line}")]));
}

fn recorded() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.compile("Checks", CHECKS);
    sandbox.compile("Main", PROGRAM);
    let recorded = sandbox.run(&["record", "--exclude", "checks", "--", "java", "-cp", "classes", "Main"]);
    assert!(recorded.status.success(), "{}", sandbox.describe(&recorded));
    sandbox
}

#[test]
fn the_values_that_an_unrecorded_call_was_given() {
    let sandbox = recorded();
    check(
        &sandbox,
        "words).is(10)",
        &expect![[r#"
        <AssertionError:1> was thrown in step 4  Main.oneLine:20  Checks.that(price(amount), Main::words).is(10);
          price() = 12  from step 5  Main.price:16  return amount * 3;
          called by step 3  Main.lambda$main$0:73  fails(() -> oneLine(4));
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "words).named(\"price\").is(10)",
        &expect![[r#"
        <AssertionError:2> was thrown in step 18  Main.namedOnTheWay:24  Checks.that(price(amount), Main::words).named("price").is(10);
          price() = 15  from step 19  Main.price:16  return amount * 3;
          called by step 17  Main.lambda$main$1:74  fails(() -> namedOnTheWay(5));
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "pass).is(10)",
        &expect![[r#"
        <AssertionError:3> was thrown in step 32  Main.givenBack:28  Checks.passed(price(amount), Main::pass).is(10);
          price() = 18  from step 33  Main.price:16  return amount * 3;
          called by step 31  Main.lambda$main$2:75  fails(() -> givenBack(6));
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "            .is(10);",
        &expect![[r#"
        <AssertionError:4> was thrown in step 46  Main.severalLines:34  .is(10);
          Checks.named() = <Checks:4>  from step 45  Main.severalLines:33  .named("price")
            price() = 21  from step 42  Main.price:16  return amount * 3;
          called by step 40  Main.lambda$main$3:76  fails(() -> severalLines(7));
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "  checks.is(10)",
        &expect![[r#"
        <AssertionError:5> was thrown in step 63  Main.check:44  checks.is(10);
          checks = <Checks:5>  from step 62  Main.inVariables:40  check(checks);
            found = 24  from step 57  Main.inVariables:38  int found = price(amount);
          called by step 62  Main.inVariables:40  check(checks);
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "Checks.same",
        &expect![[r#"
        <AssertionError:6> was thrown in step 76  Main.matched:49  Checks.same(10, Checks.holding(expected));
          expected = 27  from step 74  Main.matched:48  int expected = price(amount);
          called by step 73  Main.lambda$main$5:78  fails(() -> matched(9));
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "requireNonNull",
        &expect![[r#"
        <NullPointerException:1> was thrown in step 98  Main.required:57  java.util.Objects.requireNonNull(name, Main::words);
          name = null  from step 97  Main.lambda$main$7:80  fails(() -> required(null));
          called by step 97  Main.lambda$main$7:80  fails(() -> required(null));
        exit code 0
    "#]],
    );
}

/// With nothing else to tell, the last that was returned to the call.
#[test]
fn what_call_backs_have_returned_comes_last() {
    check(
        &recorded(),
        "Checks.alone",
        &expect![[r#"
        <AssertionError:7> was thrown in step 83  Main.alone:53  Checks.alone(Main::words);
          words() = "call 14"  from step 87  Main.words:8  return "call " + asked;
          words() = "call 15"  from step 89  Main.words:8  return "call " + asked;
          words() = "call 16"  from step 91  Main.words:8  return "call " + asked;
          called by step 82  Main.lambda$main$6:79  fails(() -> alone());
        exit code 0
    "#]],
    );
}

/// What the call has asked for on its way to the exception is not behind it: the last text before it is the first one.
#[test]
fn find_goes_on_with_what_the_call_was_given() {
    let sandbox = recorded();
    let line = PROGRAM.lines().position(|line| line.contains("words).is(10)")).expect("the line") + 1;
    let told = sandbox.talk(&["find", "--at", &format!("Main.java:{line}"), "--json", "--policy", "paper"], "hidden\n");
    let mut questions = told.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let last = questions.next_back().expect("a question");
    assert_eq!(last["makes"][1], serde_json::json!({ "what": "words()", "value": "\"call 1\"" }), "{told}");
}

/// As that of JUnit.
const ASSERT: &str = r#"package org.junit;

public class Assert {
    public static void assertArrayEquals(int[] expected, int[] found) {
        if (!java.util.Arrays.equals(expected, found)) {
            throw new AssertionError("arrays differ");
        }
    }

    public static void sort(int[] numbers) {
        java.util.Arrays.sort(numbers);
    }
}
"#;

const ASSERTED: &str = r#"import org.junit.Assert;

public class Asserted {
    public static void main(String[] arguments) {
        int[] numbers = {3, 4};
        numbers[1] = 5;
        Assert.assertArrayEquals(new int[] {3, 5}, numbers);
        int second = numbers[1];
        Assert.sort(numbers);
        int sorted = numbers[1];
        System.out.println(second + sorted);
    }
}
"#;

#[test]
fn assertions_leave_what_they_compare() {
    let sandbox = Sandbox::new();
    sandbox.compile("Assert", ASSERT);
    sandbox.compile("Asserted", ASSERTED);
    let recorded = sandbox.run(&["record", "--exclude", "org.junit", "--", "java", "-cp", "classes", "Asserted"]);
    assert!(recorded.status.success(), "{}", sandbox.describe(&recorded));
    let why = |variable: &str, step: &str| sandbox.transcript(&["why", step, variable]);
    expect![[r#"
              4  Asserted.main:8  int second = numbers[1];  second = 5
          <int[]:1>[1] = 5  from step 2  Asserted.main:6  numbers[1] = 5;
        exit code 0
              6  Asserted.main:10  int sorted = numbers[1];  sorted = 5
          <int[]:1>[1] = 5  from step 5  Asserted.main:9  Assert.sort(numbers);
        exit code 0
    "#]]
    .assert_eq(&(why("second", "4") + &why("sorted", "6")));
}
