//! Real JVMs, recorded. Needs a JDK on the PATH.

use crate::sandbox::Sandbox;
use expect_test::expect;
use std::fs;
use std::process::Command;

const PROGRAM: &str = "
package com.acme;
public class Main {
    public static void main(String[] arguments) {
        int sum = 0;
        for (int i = 0; i < 10; i++) sum += i;
        System.out.println(\"sum \" + sum);
        System.exit(arguments.length);
    }
}
";

fn program() -> Sandbox {
    let sandbox = Sandbox::new();
    let source = sandbox.path().join("src/com/acme/Main.java");
    fs::create_dir_all(source.parent().expect("a parent")).expect("folders");
    fs::write(&source, PROGRAM).expect("a file");
    let compiled =
        Command::new("javac").args(["-g", "-d", "classes"]).arg(&source).current_dir(sandbox.path()).status();
    assert!(compiled.expect("a JDK on the PATH").success());
    sandbox
}

fn json(sandbox: &Sandbox, arguments: &[&str]) -> serde_json::Value {
    let output = sandbox.run(arguments);
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn a_run_has_its_command_its_jvm_and_its_sources() {
    let sandbox = program();
    let output = sandbox.run(&["record", "--name", "one", "--", "java", "-cp", "classes", "com.acme.Main", "x", "y"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "sum 45\n");
    assert_eq!(output.status.code(), Some(2));
    let info = json(&sandbox, &["info", "one", "--json"]);
    assert_eq!(info["run"]["exit"]["code"], 2);
    assert_eq!(info["trace"]["ending"], "complete");
    assert_eq!(info["trace"]["classes_recorded"], 1);
    assert_eq!(info["jvm"]["command"], "com.acme.Main x y");
    let source = sandbox.path().join(".whydunit/runs/one/sources/com/acme/Main.java");
    assert_eq!(fs::read_to_string(source).expect("the source"), PROGRAM);
}

#[test]
fn every_jvm_of_a_script_becomes_a_run_without_a_word_on_stderr() {
    let sandbox = program();
    let script = "java -cp classes com.acme.Main && java -cp classes com.acme.Main";
    let output = sandbox.run(&["record", "--json", "--", "sh", "-c", script]);
    let summary: serde_json::Value = serde_json::from_slice(&output.stderr).expect("only our own line");
    assert_eq!(summary["runs"].as_array().map(Vec::len), Some(2));
    assert_eq!(output.stdout, b"sum 45\nsum 45\n");
}

#[test]
fn the_jvms_own_variable_works_too() {
    let sandbox = program();
    let command = ["record", "--attach", "tool-options", "--", "java", "-cp", "classes", "com.acme.Main"];
    let output = sandbox.command(&command).env("JAVA_TOOL_OPTIONS", "-Dkept=1").output().expect("whydunit runs");
    assert!(String::from_utf8_lossy(&output.stderr).contains("-Dkept=1"));
    assert_eq!(json(&sandbox, &["runs", "--json"]).as_array().map(Vec::len), Some(1));
}

const JAVA: [&str; 5] = ["--", "java", "-cp", "classes", "com.acme.Main"];

fn recorded_with(sandbox: &Sandbox, options: &[&str], command: &[&str]) -> String {
    sandbox.transcript(&[&["record"], options, command].concat())
}

#[test]
fn a_pattern_that_matches_nothing_is_named() {
    let sandbox = program();
    expect![[r#"
        sum 45
        error: nothing was recorded: `--include org.nowhere` matched no class
        hint: the program's classes have names such as `com.acme.Main`
        exit code 2
    "#]]
    .assert_eq(&recorded_with(&sandbox, &["--include", "org.nowhere"], &JAVA));
    assert_eq!(json(&sandbox, &["runs", "--json"]).as_array().map(Vec::len), Some(0));
    let options = ["--name", "one", "--include", "com.acme", "--include", "org.nowhere", "--exclude", "com.acme.gen"];
    expect![[r#"
        sum 45
        whydunit: recorded one: 1 class, 1 thread, SIZE
        warning: `--include org.nowhere` matched no class
        hint: check the spelling: `com.acme` is a package, `com.acme.Foo` a class
        warning: `--exclude com.acme.gen` matched no class
        hint: check the spelling: `com.acme` is a package, `com.acme.Foo` a class
        whydunit: next: `whydunit tree latest`
        exit code 0
    "#]]
    .assert_eq(&without_sizes(&recorded_with(&sandbox, &options, &JAVA)));
    fs::write(sandbox.path().join("whydunit.toml"), "include = [\"org.elsewhere\"]\n").expect("a file");
    expect![[r#"
        sum 45
        error: nothing was recorded: `org.elsewhere` (include in whydunit.toml) matched no class
        hint: the program's classes have names such as `com.acme.Main`; `latest` is still an older run, one
        exit code 2
    "#]]
    .assert_eq(&recorded_with(&sandbox, &[], &JAVA));
}

/// The size depends on the JDK.
fn without_sizes(text: &str) -> String {
    let line = |line: &str| match line.rsplit_once("thread, ") {
        Some((start, _size)) => format!("{start}thread, SIZE\n"),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn nothing_recorded_is_explained() {
    let sandbox = program();
    let excluded = recorded_with(&sandbox, &["--exclude", "com"], &JAVA);
    assert!(excluded.contains("leave out the program's classes, such as `com.acme.Main`"), "{excluded}");
    let failed = recorded_with(&sandbox, &[], &["--", "java", "-cp", "classes", "com.acme.Nobody"]);
    assert!(failed.contains("the command failed (exit 1), and no class of the program was loaded"), "{failed}");
    let version = recorded_with(&sandbox, &[], &["--", "java", "-version"]);
    assert!(version.contains("1 JVM ran, but no class of a program was loaded"), "{version}");
}

#[test]
fn runs_go_to_the_nearest_project() {
    let sandbox = program();
    let module = sandbox.path().join("module");
    fs::create_dir(&module).expect("a folder");
    let record = || {
        let mut command = sandbox.command(&["record", "--", "java", "-cp", "../classes", "com.acme.Main"]);
        sandbox.describe(&command.current_dir(&module).output().expect("whydunit runs"))
    };
    let real = fs::canonicalize(sandbox.path()).expect("a path");
    assert!(record().contains(
        &format!("in {}", real.join(".whydunit/runs").display()).replace(&real.display().to_string(), "DIR")
    ));
    fs::write(module.join("pom.xml"), "").expect("a file");
    assert!(!record().contains(", in "));
    assert_eq!(json(&sandbox, &["runs", "--json"]).as_array().map(Vec::len), Some(1));
    assert!(module.join(".whydunit/runs").is_dir());
}

#[test]
fn a_thread_that_ends_the_jvm_is_no_damage() {
    let sandbox = program();
    recorded_with(&sandbox, &["--check"], &JAVA);
    let verified = sandbox.transcript(&["verify"]);
    assert!(verified.contains("bytecodes of 1 thread replayed\n"), "{verified}");
    assert!(verified.contains("thread main was still running when the JVM ended\nno differences"), "{verified}");
}
