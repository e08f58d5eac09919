//! Programs whose lines say where their values have to come from.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use whydunit_testkit::{Jdk, whydunit_binary, workspace_dir};

/// In `tests/programs`.
const PROGRAMS: &[&str] = &["CapturedValues", "KeyedValues", "PositionedValues", "ChangedEntries"];

/// What a line asks for: `//? port from thread-made`. Several labels are separated by commas.
#[derive(Debug)]
struct Question<'s> {
    line: usize,
    variable: &'s str,
    labels: BTreeSet<&'s str>,
}

#[test]
fn values_come_from_the_lines_that_the_programs_name() {
    for name in PROGRAMS {
        let source = fs::read_to_string(workspace_dir().join("tests/programs").join(name).with_extension("java"));
        check(name, &source.expect("a program"));
    }
}

fn check(name: &str, source: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = format!("{name}.java");
    fs::write(folder.path().join(&file), source).expect("a file");
    let jdk = Jdk::all().into_iter().next().expect("a JDK");
    let compiled = Command::new(jdk.javac()).args(["-g", &file]).current_dir(folder.path()).status();
    assert!(compiled.expect("javac runs").success());
    let whydunit = whydunit_binary().expect("whydunit is built");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&whydunit);
        command.current_dir(folder.path()).arg("--store").arg(folder.path().join("store")).args(arguments);
        command.output().expect("whydunit runs")
    };
    let java = jdk.java();
    let recorded = run(&["record", "--", java.to_str().expect("a path"), "-cp", ".", name]);
    assert!(recorded.status.success(), "{recorded:?}");
    let mut wrong = String::new();
    for Question { line, variable, labels } in questions(source) {
        let place = format!("{file}:{line}");
        let question = if variable == "control" { "--control" } else { variable };
        let output = run(&["why", &place, question, "--json"]);
        let answer: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{place} {question}: {output:?}"));
        let lines = if variable == "control" { deciders(&answer) } else { lines_behind(&answer, line) };
        let found: BTreeSet<String> = lines.into_iter().map(|line| label(source, line)).collect();
        if !found.iter().map(String::as_str).eq(labels.iter().copied()) {
            wrong.push_str(&format!("{place} {question}: {found:?} instead of {labels:?}\n{answer:#}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn questions(source: &str) -> impl Iterator<Item = Question<'_>> {
    (1..).zip(source.lines()).flat_map(|(line, text)| {
        text.split("//? ").skip(1).map(move |asked| {
            let asked = asked.split("//").next().unwrap_or_default().trim();
            let (variable, labels) = asked.split_once(" from ").expect("a question");
            Question { line, variable, labels: labels.split(", ").collect() }
        })
    })
}

/// The label of a line, or its number.
fn label(source: &str, line: u64) -> String {
    let text = source.lines().nth(line as usize - 1).unwrap_or_default();
    let label = text.split_once("//= ").map(|(_, label)| label.split("//").next().unwrap_or_default().trim());
    label.map_or_else(|| line.to_string(), str::to_owned)
}

/// The lines that a variable of a step has its value from.
fn lines_behind(answer: &Value, asked: usize) -> Vec<u64> {
    let mut lines = Vec::new();
    for cause in answer["answers"].as_array().into_iter().flatten() {
        let line = cause.pointer("/place/line").and_then(Value::as_u64);
        if line != Some(asked as u64) {
            lines.extend(line);
            continue;
        }
        for ingredient in cause["made_of"].as_array().into_iter().flatten() {
            if ingredient.get("is_address").is_none() {
                lines.extend(ingredient.pointer("/from/place/line").and_then(Value::as_u64));
            }
        }
    }
    lines
}

fn deciders(answer: &Value) -> Vec<u64> {
    let first = answer["answers"].as_array().and_then(|answers| answers.first());
    first.and_then(|decider| decider.pointer("/place/line")).and_then(Value::as_u64).into_iter().collect()
}
