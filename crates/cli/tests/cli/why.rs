//! Where values come from, as users see it. Needs a JDK on the PATH.

use crate::sandbox::Sandbox;
use expect_test::{Expect, expect};
use std::fs;
use std::process::Command;

/// A list is gone through twice; an exception keeps an entry from being marked.
const PROGRAM: &str = r#"
import java.util.*;

public class Main {
    static class Entry {
        final String text;
        boolean isMarked;
        Entry(String text) { this.text = text; }
    }

    static int parse(String text) {
        return Integer.parseInt(text);
    }

    static String label(Entry entry) {
        return entry.text.isEmpty() ? "" : null;
    }

    void never() {
        System.out.println("never");
    }

    public static void main(String[] arguments) {
        List<Entry> list = new ArrayList<>();
        list.add(new Entry("1"));
        list.add(new Entry("x"));
        for (Entry entry : list) {
            entry.isMarked = true;
            try {
                int number = parse(entry.text);
                entry.isMarked = number > 5;
            } catch (NumberFormatException ignored) {
                arguments = null;
            }
        }
        Map<String, Entry> byText = new HashMap<>();
        for (Entry entry : list) {
            byText.put(entry.text, entry);
        }
        Entry found = byText.get("x");
        String label = "none";
        if (found.isMarked) {
            label = label(found);
        }
        System.out.println(label);
    }
}
"#;

fn recorded() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path().join("Main.java"), PROGRAM).expect("a file");
    let compiled =
        Command::new("javac").args(["-g", "-d", "classes", "Main.java"]).current_dir(sandbox.path()).status();
    assert!(compiled.expect("a JDK on the PATH").success());
    let output = sandbox.run(&["record", "--", "java", "-cp", "classes", "Main"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "null\n");
    sandbox
}

fn check(sandbox: &Sandbox, question: &str, expected: &Expect) {
    let arguments: Vec<&str> = ["why"].into_iter().chain(question.split(' ')).collect();
    expected.assert_eq(&sandbox.transcript(&arguments));
}

#[test]
fn from_the_effect_to_the_cause() {
    let sandbox = recorded();
    check(
        &sandbox,
        "42",
        &expect![[r#"
        error: there is no step 42
        hint: the run has steps 1 to 35
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        "42 label --chain 2",
        &expect![[r#"
        error: there is no step 42
        hint: the run has steps 1 to 35
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        "40 --control --chain 2",
        &expect![[r#"
        error: there is no step 40
        hint: the run has steps 1 to 35
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        "38 found --chain 2",
        &expect![[r#"
        error: there is no step 38
        hint: the run has steps 1 to 35
        exit code 2
    "#]],
    );
}

#[test]
fn slices() {
    let sandbox = recorded();
    check(
        &sandbox,
        "42 label --slice",
        &expect![[r#"
        error: there is no step 42
        hint: the run has steps 1 to 35
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        "42 label --slice --thin",
        &expect![[r#"
        error: there is no step 42
        hint: the run has steps 1 to 35
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        "42 label --slice --json",
        &expect![[r#"
        error: there is no step 42
        hint: the run has steps 1 to 35
        exit code 2
    "#]],
    );
}

#[test]
fn lines_that_did_not_run() {
    let sandbox = recorded();
    check(
        &sandbox,
        "--not Main.java:19",
        &expect![[r#"
        error: there is no recorded code in line `Main.java:19`
        hint: did you mean `Main.java:20`, `Main.java:21`?
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        "22 --not Main.java:30",
        &expect![[r#"
        Main.main:30  int number = parse(entry.text);
          it did run, the last time in step 15
        exit code 1
    "#]],
    );
    check(
        &sandbox,
        "--not Main.java:30",
        &expect![[r#"
        Main.main:30  int number = parse(entry.text);
          it did run, the last time in step 15
        exit code 1
    "#]],
    );
    check(
        &sandbox,
        "--not Main.java:19 --json",
        &expect![[r#"
        error: there is no recorded code in line `Main.java:19`
        hint: did you mean `Main.java:20`, `Main.java:21`?
        exit code 2
    "#]],
    );
}

#[test]
fn what_is_not_there() {
    let sandbox = recorded();
    check(
        &sandbox,
        "4711",
        &expect![[r#"
        error: there is no step 4 711
        hint: the run has steps 1 to 35
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        "42 lable",
        &expect![[r#"
        error: there is no step 42
        hint: the run has steps 1 to 35
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        "--not Main.java:2",
        &expect![[r#"
        error: there is no recorded code in line `Main.java:2`
        hint: did you mean `Main.java:4`, `Main.java:8`?
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        "42 --not Main.java:12",
        &expect![[r#"
        error: there is no step 42
        hint: the run has steps 1 to 35
        exit code 2
    "#]],
    );
}
