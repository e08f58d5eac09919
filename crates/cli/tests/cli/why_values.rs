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
    check(&sandbox, &[&line_of("int second"), "second"], &expect![[""]]);
    check(&sandbox, &[&line_of("boolean less"), "less"], &expect![[""]]);
    check(&sandbox, &[&line_of("i = i++"), "i"], &expect![[""]]);
}

#[test]
fn results_of_calls_have_names() {
    let sandbox = recorded();
    check(&sandbox, &[&line_of("int total"), "minutes()"], &expect![[""]]);
    check(&sandbox, &[&line_of("int total"), "minutes()", "--slice", "--thin"], &expect![[""]]);
    check(&sandbox, &[&line_of("int total"), "nosuch"], &expect![[""]]);
    check(&sandbox, &[&line_of("int total"), "list", "--slice", "--thin"], &expect![[""]]);
}

#[test]
fn each_cause_of_a_chain_is_told_once() {
    let sandbox = recorded();
    check(&sandbox, &[&line_of("println(a)"), "a", "--chain", "30", "--limit", "8"], &expect![[""]]);
    check(&sandbox, &[&line_of("b = b + a"), "--control", "--chain", "3"], &expect![[""]]);
}

#[test]
fn from_an_exception_to_the_value() {
    let sandbox = recorded();
    check(&sandbox, &["--exception"], &expect![[""]]);
    check(&sandbox, &["--exception", "ArrayIndexOutOfBoundsException"], &expect![[""]]);
    check(&sandbox, &[&line_of("fail(new String[1], 0)")], &expect![[""]]);
    check(&sandbox, &["--exception", "IllegalStateException"], &expect![[""]]);
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
        (&[&total, "--control"], "control"),
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
