//! Real JVMs, recorded. Needs a JDK on the PATH.

use crate::sandbox::Sandbox;
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

#[test]
fn nothing_in_scope_is_the_users_mistake() {
    let sandbox = program();
    let output = sandbox.run(&["record", "--include", "org.nowhere", "--", "java", "-cp", "classes", "com.acme.Main"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--include"));
    assert_eq!(json(&sandbox, &["runs", "--json"]).as_array().map(Vec::len), Some(0));
}
