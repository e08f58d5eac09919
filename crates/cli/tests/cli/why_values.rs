//! Where values and exceptions come from, in one question each. Needs a JDK on the PATH.

use crate::sandbox::Sandbox;
use expect_test::{Expect, expect};
use serde_json::Value;

const PROGRAM: &str = r#"
import java.util.*;

public class Main {
    static int minutes(int hours) {
        return hours * 60;
    }

    static void grow() {
        int a = 1, b = 1;
        for (int i = 0; i < 12; i++) {
            a = a + b;
            b = b + a;
        }
        System.out.println(a);
    }

    static void fail(String[] names, int index) {
        String name = names[index];
        System.out.println(name.length());
    }

    public static void main(String[] arguments) {
        List<Integer> list = new ArrayList<>();
        list.add(700);
        list.add(900);
        int second = list.get(1);
        boolean less = second < 1000;
        int total = minutes(2) + second;
        int i = 3;
        i = i++ + ++i;
        grow();
        System.out.println(less + " " + total + " " + i);
        try {
            fail(new String[1], 4);
        } catch (ArrayIndexOutOfBoundsException e) {
            total = 0;
        }
        fail(new String[1], 0);
    }
}
"#;

fn recorded() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.compile("Main", PROGRAM);
    sandbox.run(&["record", "--", "java", "-cp", "classes", "Main"]);
    sandbox
}

fn check(sandbox: &Sandbox, question: &[&str], expected: &Expect) {
    expected.assert_eq(&sandbox.transcript(&[&["why"], question].concat()));
}

fn line_of(text: &str) -> String {
    let line = PROGRAM.lines().position(|line| line.contains(text)).expect("a line of the program") + 1;
    format!("Main.java:{line}")
}

#[test]
fn boxes_and_conditions_are_looked_through() {
    let sandbox = recorded();
    check(
        &sandbox,
        &[&line_of("int second"), "second"],
        &expect![[r#"
              4  Main.main:27  int second = list.get(1);  second = 900
          List.get() = 900  from step 3  Main.main:26  list.add(900);
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        &[&line_of("boolean less"), "less"],
        &expect![[r#"
              5  Main.main:28  boolean less = second < 1000;  less = true
          second = 900  from step 4  Main.main:27  int second = list.get(1);
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        &[&line_of("i = i++"), "i"],
        &expect![[r#"
              9  Main.main:31  i = i++ + ++i;  i = 8
          i = 3  from step 8  Main.main:30  int i = 3;
        exit code 0
    "#]],
    );
}

#[test]
fn results_of_calls_have_names() {
    let sandbox = recorded();
    check(
        &sandbox,
        &[&line_of("int total"), "minutes()"],
        &expect![[r#"
              7  Main.minutes:6  return hours * 60;  minutes() = 120
          hours = 2  from step 6  Main.main:29  int total = minutes(2) + second;
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        &[&line_of("int total"), "minutes()", "--slice", "--thin"],
        &expect![[r#"
        Main.minutes
              6  return hours * 60;  step 7
        Main.main
             29  int total = minutes(2) + second;  step 6
        whydunit: 2 steps in 2 lines
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        &[&line_of("int total"), "nosuch"],
        &expect![[r#"
        error: step 6 neither reads nor writes `nosuch`
        hint: it reads `minutes()`, `second` and writes `total`
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        &[&line_of("int total"), "list", "--slice", "--thin"],
        &expect![[r#"
            Main.main
                 24  List<Integer> list = new ArrayList<>();  step 1
            whydunit: 1 step in 1 line
            exit code 0
        "#]],
    );
}

#[test]
fn each_cause_of_a_chain_is_told_once() {
    let sandbox = recorded();
    check(
        &sandbox,
        &[&line_of("println(a)"), "a", "--chain", "30", "--limit", "8"],
        &expect![[r#"
             57  Main.grow:12  a = a + b;  a = 75025
          a = 28657  from step 53  Main.grow:12  a = a + b;
            a = 10946  from step 49  Main.grow:12  a = a + b;
              a = 4181  from step 45  Main.grow:12  a = a + b;
                a = 1597  from step 41  Main.grow:12  a = a + b;
                  a = 610  from step 37  Main.grow:12  a = a + b;
                    a = 233  from step 33  Main.grow:12  a = a + b;
                      a = 89  from step 29  Main.grow:12  a = a + b;
                        a = 34  from step 25  Main.grow:12  a = a + b;
          … more; `--limit 80` shows more, `--json` all
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        &[&line_of("b = b + a"), "--control", "--chain", "3"],
        &expect![[r#"
             58  Main.grow:13  b = b + a;
          decided by step 56  Main.grow:11  for (int i = 0; i < 12; i++) {  i:11 < 12
            i = 11  from step 55  Main.grow:11  for (int i = 0; i < 12; i++) {
          … and before that 11 times by the same line, back to step 12
          called by step 10  Main.main:32  grow();
          called by code that is not recorded
        exit code 0
    "#]],
    );
}

#[test]
fn from_an_exception_to_the_value() {
    let sandbox = recorded();
    check(
        &sandbox,
        &["--exception"],
        &expect![[r#"
        <NullPointerException:1> was thrown in step 70  Main.fail:20  System.out.println(name.length());
          name = null  from step 69  Main.fail:19  String name = names[index];
          called by step 68  Main.main:39  fail(new String[1], 0);
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        &["--exception", "ArrayIndexOutOfBoundsException"],
        &expect![[r#"
        <ArrayIndexOutOfBoundsException:1> was thrown in step 65  Main.fail:19  String name = names[index];
          names = <String[]:2> of length 1  from step 64  Main.main:35  fail(new String[1], 4);
          index = 4  from step 64  Main.main:35  fail(new String[1], 4);
          called by step 64  Main.main:35  fail(new String[1], 4);
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        &[&line_of("fail(new String[1], 0)")],
        &expect![[r#"
        <NullPointerException:1> was thrown in step 70  Main.fail:20  System.out.println(name.length());
          name = null  from step 69  Main.fail:19  String name = names[index];
          called by step 68  Main.main:39  fail(new String[1], 0);
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        &["--exception", "IllegalStateException"],
        &expect![[r#"
        error: no recorded object is of a type called `IllegalStateException`
        exit code 2
    "#]],
    );
}

#[test]
fn json_has_one_shape() {
    let sandbox = recorded();
    let asked = |question: &[&str]| -> Value {
        let output = sandbox.run(&[&["why", "--json"], question].concat()).stdout;
        serde_json::from_slice(&output).expect("JSON")
    };
    let total = line_of("int total");
    for (question, kind) in [
        (&[total.as_str()][..], "step"),
        (&[&total, "total"], "variable"),
        (&[&line_of("b = b + a"), "--control"], "control"),
        (&[&total, "total", "--slice"], "slice"),
        (&["--not", &total], "not"),
        (&["--exception"], "exception"),
    ] {
        let answer = asked(question);
        assert_eq!(answer["kind"], kind, "{question:?}");
        assert!(answer["answers"].as_array().is_some_and(|answers| !answers.is_empty()), "{question:?}: {answer}");
    }
    assert_eq!(asked(&[&total, "total"])["answers"][0]["value"], 1020);
    let error = asked(&["4711"]);
    assert_eq!(error["error"]["message"], "there is no step 4711");
    assert!(error["error"]["hint"].is_string(), "{error}");
    let error = asked(&[&total, "--nosuch"]);
    assert!(error["error"]["message"].is_string(), "{error}");
}

/// Between where a variable was set and where it is read, something could have set it again.
#[test]
fn a_slice_holds_what_could_have_changed_the_variable_before_it_is_read() {
    let sandbox = Sandbox::new();
    let program = r#"public class Label {
    static int two() {
        return 1 + 1;
    }

    public static void main(String[] arguments) {
        String label = "none";
        int other = two();
        if (arguments.length == 2) {
            label = "two";
        }
        System.out.println(label + other);
    }
}
"#;
    sandbox.record("Label", program, &[]);
    expect![[r#"
        Label.main
              7  String label = "none";  step 1
              9  if (arguments.length == 2) {  step 4  could have changed label
        whydunit: 2 steps in 2 lines
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["why", "Label.java:12", "label", "--slice"]));
}

/// The other thread has computed something all the time.
#[test]
fn a_slice_that_is_cut_is_complete_from_where_it_says() {
    let sandbox = Sandbox::new();
    let program = r#"
public class Main {
    static int[] shared = new int[1];

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(() -> {
            int sum = 0;
            for (int i = 0; i < 300; i++) sum += i * 3;
            synchronized (shared) { shared[0] = sum; }
        });
        other.start();
        int own = 0;
        for (int i = 0; i < 300; i++) own += i;
        other.join();
        System.out.println(shared[0] + own);
    }
}
"#;
    sandbox.record("Main", program, &[]);
    let slice = |most: &str| -> (Vec<u64>, Option<u64>) {
        let output = sandbox.run(&["why", "Main.java:15", "--slice", "--actual", "--most-steps", most, "--json"]);
        let mut json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let answer = json["answers"][0].take();
        let steps = answer["steps"].as_array().expect("steps").iter().filter_map(Value::as_u64).collect();
        (steps, answer["cut_before"].as_u64())
    };
    let (all, None) = slice("100000") else { panic!("it is cut without a limit") };
    let (found, Some(complete_from)) = slice("1") else { panic!("it is not cut") };
    let missing: Vec<u64> = all.into_iter().filter(|step| !found.contains(step)).collect();
    assert!(!missing.is_empty(), "all is found in one go, so that nothing is shown by this");
    assert_eq!(missing.iter().filter(|&&step| step >= complete_from).count(), 0);
}

const FUNCTIONS: &str = r#"
import java.util.stream.*;

public class Functions {
    static int parse(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            int none = -1;
            return none;
        }
    }

    static int twice(int number) {
        return number * 2;
    }

    public static void main(String[] arguments) {
        int total = IntStream.range(1, 4).map(Functions::twice).sum();
        System.out.println(total + parse("x"));
    }
}
"#;

#[test]
fn what_functions_are_given_and_what_threw() {
    let sandbox = Sandbox::new();
    sandbox.compile("Functions", FUNCTIONS);
    sandbox.run(&["record", "--", "java", "-cp", "classes", "Functions"]);
    check(
        &sandbox,
        &["3"],
        &expect![[r#"
              3  Functions.twice:15  return number * 2;
          number = 2  from step 1  Functions.main:19  int total = IntStream.range(1, 4).map(Functions::twice).sum();
          called by step 1  Functions.main:19  int total = IntStream.range(1, 4).map(Functions::twice).sum();
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        &["Functions.java:9"],
        &expect![[r#"
              8  Functions.parse:9  int none = -1;
          because of step 6  Functions.parse:7  return Integer.parseInt(text);
            text = "x"  from step 5  Functions.main:20  System.out.println(total + parse("x"));
        exit code 0
    "#]],
    );
}
