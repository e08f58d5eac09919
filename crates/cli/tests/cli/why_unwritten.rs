//! Values that nobody has written, and what did not decide. Needs a JDK on the PATH.

use crate::sandbox::Sandbox;
use expect_test::{Expect, expect};

/// A constructor forgets a field; a list is sorted; a text is built in an array of characters.
const PROGRAM: &str = r#"
import java.util.*;

public class Main {
    static class Customer {
        String name;
        boolean isLoyal;
        int points;
        Customer(String name, boolean isLoyal, int points) {
            this.name = name;
            this.isLoyal = isLoyal;
            this.points = points;
        }
        Customer(Customer other) {
            name = other.name;
            points = other.points;
        }
    }

    final Customer customer;

    Main(Customer customer) {
        this.customer = new Customer(customer);
    }

    int pay(int cents) {
        int total = cents;
        if (customer.isLoyal) {
            total -= total / 10;
        }
        if ((customer.points > 5 || customer.name.isEmpty()) && total > 2000) {
            total -= 5;
        }
        if (total > 100 && (customer.isLoyal || customer.points < 13) && cents > 9000) {
            total -= 7;
        }
        return total;
    }

    public static void main(String[] arguments) {
        Main till = new Main(new Customer("ann", true, 10));
        int paid = till.pay(1350);
        String[] words = "x y z".split(" ");
        String second = words[1];
        List<String> names = new ArrayList<>(List.of("zoe", "bob", "kim"));
        Collections.sort(names);
        String first = names.get(0);
        StringBuilder text = new StringBuilder();
        text.append("pays ").append(paid);
        char[] buffer = new char[8];
        second.getChars(0, 1, buffer, 0);
        first.getChars(0, 3, buffer, 1);
        System.out.println(text + new String(buffer, 0, 4));
    }
}
"#;

fn recorded() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.compile("Main", PROGRAM);
    sandbox.run(&["record", "--name", "till", "--", "java", "-cp", "classes", "Main"]);
    sandbox
}

fn line_of(text: &str) -> String {
    let line = PROGRAM.lines().position(|line| line.contains(text)).expect("a line of the program") + 1;
    format!("Main.java:{line}")
}

fn check(sandbox: &Sandbox, question: &[&str], expected: &Expect) {
    expected.assert_eq(&sandbox.transcript(&[&["why"], question].concat()));
}

#[test]
fn a_field_that_a_constructor_forgot() {
    let sandbox = recorded();
    let line = line_of("if (customer.isLoyal)");
    check(
        &sandbox,
        &[&line, "isLoyal"],
        &expect![[r#"
              <Customer:2>.isLoyal = false  never written since it was made in step 8  Main.<init>:23  this.customer = new Customer(customer);
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        &[&line, "customer.isLoyal"],
        &expect![[r#"
              <Customer:2>.isLoyal = false  never written since it was made in step 8  Main.<init>:23  this.customer = new Customer(customer);
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        &[&line_of("return total"), "this.customer.isLoyal"],
        &expect![[r#"
              <Customer:2>.isLoyal = false  never written since it was made in step 8  Main.<init>:23  this.customer = new Customer(customer);
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        &[&line, "isLoyal", "--slice", "--actual"],
        &expect![[r#"
            Main.<init>
                 23  this.customer = new Customer(customer);  step 8
            Main.main
                 41  Main till = new Main(new Customer("ann", true, 10));  step 1
            whydunit: 2 steps in 2 lines
            exit code 0
        "#]],
    );
}

#[test]
fn elements_of_an_array_that_a_library_has_made() {
    let sandbox = recorded();
    check(
        &sandbox,
        &[&line_of("String second"), "words[1]"],
        &expect![[r#"
                 20  Main.main:43  String[] words = "x y z".split(" ");  String.split() = <String[]:2>
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        &[&line_of("Collections.sort"), "words[1]"],
        &expect![[r#"
                 20  Main.main:43  String[] words = "x y z".split(" ");  String.split() = <String[]:2>
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        &[&line_of("Collections.sort"), "words[2]"],
        &expect![[r#"
            whydunit: <String[]:2>[2] was not written by recorded code before
            exit code 1
        "#]],
    );
}

#[test]
fn parts_of_a_condition_that_could_not_have_helped() {
    let sandbox = recorded();
    check(
        &sandbox,
        &["--not", &line_of("total -= 5")],
        &expect![[r#"
            Main.pay:32  total -= 5;
              did not run because of step 17  Main.pay:31  if ((customer.points > 5 || customer.name.isEmpty()) && total > 2000) {
                this.customer.points:10 > 5, which led on
                total:1350 <= 2000
                total = 1350  from step 15  Main.pay:27  int total = cents;
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        &["--not", &line_of("total -= 7")],
        &expect![[r#"
            Main.pay:35  total -= 7;
              did not run because of step 18  Main.pay:34  if (total > 100 && (customer.isLoyal || customer.points < 13) && cents > 9000) {
                total:1350 > 100, which led on
                this.customer.isLoyal:false, which led on
                this.customer.points:10 < 13, which led on
                cents:1350 <= 9000
                cents = 1350  from step 14  Main.main:42  int paid = till.pay(1350);
            exit code 0
        "#]],
    );
}

#[test]
fn what_moved_an_element_and_what_is_in_an_object() {
    let sandbox = recorded();
    check(
        &sandbox,
        &[&line_of("String first")],
        &expect![[r#"
                 24  Main.main:47  String first = names.get(0);
              List.get() = "bob"  from step 22  Main.main:45  List<String> names = new ArrayList<>(List.of("zoe", "bob", "kim"));
                given another order in step 23  Main.main:46  Collections.sort(names);
              called by code that is not recorded
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        &[&line_of("System.out"), "text"],
        &expect![[r#"
                 25  Main.main:48  StringBuilder text = new StringBuilder();  text = <StringBuilder:1>
            whydunit: this is which object it is; what is in it: `whydunit why 30 'contents of <StringBuilder:1>'`
            exit code 0
        "#]],
    );
}

#[test]
fn find_tells_what_changed_contents_and_asks_about_the_constructor() {
    let sandbox = recorded();
    let first = sandbox.transcript(&["find", "--at", &line_of("System.out")]);
    let reads: Vec<&str> = first.lines().filter(|line| line.contains("changed")).map(str::trim_start).collect();
    expect![[r#"
        2  contents of <StringBuilder:1>  changed in step 26  Main.main:49  text.append("pays ").append(paid);
        4  String.getChars()  has changed something in step 29  Main.main:52  first.getChars(0, 3, buffer, 1);"#]]
    .assert_eq(&reads.join("\n"));
    let asked = |answers: &str| {
        let told = sandbox.talk(&["find", "--at", &line_of("int paid")], answers);
        let questions = told.lines().skip_while(|line| !line.starts_with("question"));
        questions.map(str::to_owned).collect::<Vec<String>>()
    };
    let wrong = |question: &[String]| {
        let read = question.iter().find(|line| line.contains(".isLoyal = false")).expect("it reads the field");
        let number = read.split_whitespace().find_map(|word| word.parse::<u32>().ok()).expect("a number");
        format!("wrong {number}\n")
    };
    // The first question is whether the value is right, the second about another line that used it.
    let told = asked(&(wrong(&asked("")) + "correct\n"));
    let last = told.iter().rposition(|line| line.starts_with("question")).expect("a third question");
    expect![[r#"
        question 3  it could have given another value to what you said is wrong
        Customer.<init>:15  step 10 of 31, thread main"#]]
    .assert_eq(&told[last..last + 2].join("\n"));
}

#[test]
fn hints_are_about_the_run_that_was_named() {
    let sandbox = recorded();
    check(
        &sandbox,
        &[&line_of("total -= total / 10"), "--run", "till"],
        &expect![[r#"
            error: line `Main.java:29` did not run
            hint: ask why: `whydunit why --not Main.java:29 --run till`
            exit code 2
        "#]],
    );
    check(
        &sandbox,
        &["--not", &line_of("return total"), "--run", "till"],
        &expect![[r#"
            Main.pay:37  return total;
              it did run, the last time in step 19
              a step narrows it to one call: `whydunit why STEP --not Main.java:37 --run till`
            exit code 1
        "#]],
    );
}

#[test]
fn which_objects_were_meant() {
    let sandbox = recorded();
    check(
        &sandbox,
        &[&line_of("String second"), "second", "--objects"],
        &expect![[r#"
             21  Main.main:44  String second = words[1];  second = "y"
          <String[]:2>[1] = "y"  from step 20  Main.main:43  String[] words = "x y z".split(" ");
          which one: words = <String[]:2> of length 3  from step 20  Main.main:43  String[] words = "x y z".split(" ");
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        &[&line_of("String first"), "--objects", "--chain", "2"],
        &expect![[r#"
                 24  Main.main:47  String first = names.get(0);
              List.get() = "bob"  from step 22  Main.main:45  List<String> names = new ArrayList<>(List.of("zoe", "bob", "kim"));
                given another order in step 23  Main.main:46  Collections.sort(names);
              which one: names = <ArrayList:1>  from step 22  Main.main:45  List<String> names = new ArrayList<>(List.of("zoe", "bob", "kim"));
              which one: Collections.sort()  from step 23  Main.main:46  Collections.sort(names);
                which one: names = <ArrayList:1>  from step 22  Main.main:45  List<String> names = new ArrayList<>(List.of("zoe", "bob", "kim"));
                new ArrayList()  from step 22  Main.main:45  List<String> names = new ArrayList<>(List.of("zoe", "bob", "kim"));
              called by code that is not recorded
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        &[&line_of("if (customer.isLoyal)"), "--objects"],
        &expect![[r#"
             16  Main.pay:28  if (customer.isLoyal) {
          <Main:1>.customer = <Customer:2>  from step 8  Main.<init>:23  this.customer = new Customer(customer);
          which one: till = <Main:1>  from step 1  Main.main:41  Main till = new Main(new Customer("ann", true, 10));
          <Customer:2>.isLoyal = false  never written since it was made in step 8  Main.<init>:23  this.customer = new Customer(customer);
          called by step 14  Main.main:42  int paid = till.pay(1350);
        exit code 0
    "#]],
    );
}
