//! Mistakes of users that only a real JVM shows: each gets a message, a hint and exit code 2.

use crate::support::{Answer, Workplace};
use std::process::Command;

const HELLO: &str = "
package com.acme;
public class Hello {
    public static void main(String[] arguments) {
        System.out.println(\"hello\");
        System.exit(arguments.length);
    }
}
";

fn hello(javac_options: &[&str]) -> Workplace {
    Workplace::with_program("Hello", HELLO, &[javac_options, &["-d", "."]].concat())
}

#[test]
fn no_java_on_the_path() {
    let place = hello(&[]);
    let mut command = place.command(&["record", "--", "java", "-cp", ".", "com.acme.Hello"]);
    command.env("PATH", "/nowhere").env_remove("JAVA_HOME");
    Answer::of(command).explains(&["there is no command `java`", "no JDK was found"]);
}

#[test]
fn a_command_that_does_not_exist() {
    hello(&[]).run(&["record", "--", "mvnn", "test"]).explains(&["there is no command `mvnn`"]);
}

#[test]
fn a_command_without_a_jvm() {
    hello(&[]).run(&["record", "--", "true"]).explains(&["the command ran no JVM"]);
}

#[test]
fn no_class_in_scope() {
    let place = hello(&[]);
    let answer = Answer::of(place.recording(&["--include", "org.nowhere"], &["com.acme.Hello"]));
    assert_eq!(answer.stdout, "hello\n");
    answer.explains(&["`--include org.nowhere` matched no class", "`com.acme.Hello`"]);
    // The program's own failure is more important than ours.
    let failing = Answer::of(place.recording(&["--include", "org.nowhere"], &["com.acme.Hello", "x", "y", "z"]));
    assert_eq!(failing.code, Some(3), "{failing:#?}");
    assert!(failing.stderr.contains("`--include org.nowhere` matched no class"), "{failing:#?}");
}

#[test]
fn unknown_runs() {
    let place = hello(&[]);
    for command in ["info", "verify", "delete"] {
        place.run(&[command, "nowhere"]).explains(&["there are no runs"]);
    }
    let recorded = Answer::of(place.recording(&["--name", "first"], &["com.acme.Hello"]));
    assert_eq!(recorded.code, Some(0), "{recorded:#?}");
    for command in ["info", "verify", "delete"] {
        place.run(&[command, "frist"]).explains(&["no run is called `frist`", "did you mean `first`?"]);
    }
}

/// The run can be used, so the exit code is the program's.
#[test]
fn no_line_numbers() {
    let place = hello(&["-g:none"]);
    let recorded = Answer::of(place.recording(&["--check"], &["com.acme.Hello"]));
    assert_eq!((recorded.code, recorded.stdout.as_str()), (Some(0), "hello\n"), "{recorded:#?}");
    assert!(recorded.stderr.contains("line numbers") && recorded.stderr.contains("`-g`"), "{recorded:#?}");
    let info = place.run(&["info"]);
    assert!(info.stdout.contains("1 class without line numbers: com.acme.Hello; compile with `-g`"), "{info:#?}");
    assert_eq!(place.run(&["verify"]).code, Some(0));
}

/// A JVM that is too old or of another maker says so in its own words; without one at hand, a stand-in for the
/// launcher shows that a command whose JVM has no agent gets an explanation.
#[test]
fn a_jvm_out_of_reach() {
    let place = hello(&[]);
    let mut command = place.command(&["record", "--", "env", "-i"]);
    command.arg(place.java()).args(["-cp", ".", "com.acme.Hello"]);
    let answer = Answer::of(command);
    assert_eq!(answer.stdout, "hello\n");
    answer.explains(&["nothing was recorded", "out of reach", "environment was cleared"]);
}

#[test]
fn a_java_command_that_fails_keeps_its_words_and_code() {
    let place = hello(&[]);
    let mut plain = Command::new(place.java());
    plain.args(["-cp", ".", "com.acme.Nowhere"]).current_dir(place.path());
    let plain = Answer::of(plain);
    let recorded = Answer::of(place.recording(&[], &["com.acme.Nowhere"]));
    assert_eq!(recorded.code, plain.code, "{recorded:#?}");
    assert!(recorded.stderr.starts_with(&plain.stderr), "{recorded:#?}");
}

#[test]
fn a_store_that_cannot_be_written() {
    let place = hello(&[]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_whydunit"));
    command.args(["--store", "Hello.java", "record", "--", "true"]).current_dir(place.path()).env("NO_COLOR", "1");
    let answer = Answer::of(command);
    assert_eq!(answer.code, Some(2), "{answer:#?}");
    assert!(answer.stderr.contains("Hello.java"), "{answer:#?}");
}
