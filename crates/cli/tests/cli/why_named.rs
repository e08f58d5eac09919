//! Values by what a user calls them: `this`, an element by a path, what functions and conditions were given. Needs a JDK on
//! the PATH.

use crate::sandbox::Sandbox;
use expect_test::{Expect, expect};

const PROGRAM: &str = r#"
import java.util.*;
import java.util.stream.*;

public class Till {
    final int price;
    Till(int price) {
        this.price = price;
    }
    int twice() {
        return price + price;
    }
    static Till pick(Till[] all, int index) {
        return all[index];
    }
    static int add(int sum, int next) {
        return sum + next;
    }
    public static void main(String[] arguments) {
        Till[] all = { new Till(300), new Till(400) };
        int got = pick(all, 1).twice();
        int[] from = {1, 2, 3};
        int[] copy = new int[3];
        System.arraycopy(from, 1, copy, 0, 2);
        int sum = copy[1] + got;
        Map<Integer, Integer> sums = Stream.of("bb", "cc", "dd").collect(Collectors.toMap(
            word -> word.length(),
            word -> word.charAt(0) * 1000,
            (one, next) -> add(one, next)));
        Integer left = 1000 + arguments.length;
        Integer right = 1000 + arguments.length;
        if (left == right) {
            sum = 0;
        }
        System.out.println(sum + " " + sums);
    }
}
"#;

fn recorded() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.record("Till", PROGRAM, &[]);
    sandbox
}

fn check(sandbox: &Sandbox, text: &str, question: &[&str], expected: &Expect) {
    let line = 1 + PROGRAM.lines().position(|line| line.contains(text)).expect("a line");
    let place = format!("Till.java:{line}");
    expected.assert_eq(&sandbox.transcript(&[&["why", &place], question].concat()));
}

#[test]
fn this_comes_from_what_the_method_was_called_on() {
    check(
        &recorded(),
        "return price + price",
        &["this"],
        &expect![[r#"
              8  Till.main:21  int got = pick(all, 1).twice();  this
          pick() = <Till:2>  from step 9  Till.pick:14  return all[index];
        exit code 0
    "#]],
    );
}

#[test]
fn an_element_that_was_copied_is_the_same_by_its_path() {
    let sandbox = recorded();
    check(
        &sandbox,
        "int sum = copy",
        &["copy[1]"],
        &expect![[r#"
             13  Till.main:24  System.arraycopy(from, 1, copy, 0, 2);  <int[]:2>[1]
          <int[]:1>[2] = 3  from step 11  Till.main:22  int[] from = {1, 2, 3};
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "int sum = copy",
        &["<int[]:2>[1]"],
        &expect![[r#"
             13  Till.main:24  System.arraycopy(from, 1, copy, 0, 2);  <int[]:2>[1]
          <int[]:1>[2] = 3  from step 11  Till.main:22  int[] from = {1, 2, 3};
        exit code 0
    "#]],
    );
}

#[test]
fn what_one_function_has_returned_is_given_to_the_next() {
    let sandbox = recorded();
    check(
        &sandbox,
        "(one, next)",
        &["next"],
        &expect![[r#"
             15  Till.main:26  Map<Integer, Integer> sums = Stream.of("bb", "cc", "dd").collect(Collectors.toMap(  next = 100000
          lambda$main$1() = 100000  from step 23  Till.lambda$main$1:28  word -> word.charAt(0) * 1000,
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "(one, next)",
        &["one"],
        &expect![[r#"
             15  Till.main:26  Map<Integer, Integer> sums = Stream.of("bb", "cc", "dd").collect(Collectors.toMap(  one = 197000
          lambda$main$2() = 197000  from step 20  Till.lambda$main$2:29  (one, next) -> add(one, next)));
        exit code 0
    "#]],
    );
}

#[test]
fn equal_numbers_may_be_two_objects() {
    let sandbox = recorded();
    check(
        &sandbox,
        "if (left == right)",
        &[],
        &expect![[r#"
             28  Till.main:32  if (left == right) {
          left = 1000  from step 26  Till.main:30  Integer left = 1000 + arguments.length;
          right = 1000  from step 27  Till.main:31  Integer right = 1000 + arguments.length;
          called by code that is not recorded
        exit code 0
    "#]],
    );
    let line = 1 + PROGRAM.lines().position(|line| line.contains("sum = 0;")).expect("a line");
    expect![[r#"
        Till.main:33  sum = 0;
          did not run because of step 28  Till.main:32  if (left == right) {
            left:1000 != right:1000 (two objects)
            left = 1000  from step 26  Till.main:30  Integer left = 1000 + arguments.length;
            right = 1000  from step 27  Till.main:31  Integer right = 1000 + arguments.length;
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["why", "--not", &format!("Till.java:{line}")]));
}
