//! Programs whose lines say where their values have to come from.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Output};
use tempfile::TempDir;
use whydunit_testkit::{Jdk, whydunit_binary, workspace_dir};

/// In `tests/programs`.
const PROGRAMS: &[&str] = &[
    "CapturedValues",
    "KeyedValues",
    "PositionedValues",
    "ChangedEntries",
    "EqualElements",
    "ViewedElements",
    "CopiedElements",
    "ClonedObjects",
    "CausesOfExceptions",
    "BegunTasks",
    "ArraysOfThreads",
    "ViewedContents",
    "LateViews",
    "LibraryValues",
    "SuppliedValues",
];

/// Programs whose lines say what slices have.
const SLICED: &[&str] = &[
    "PreventedWrites",
    "JumpingStatements",
    "EqualElements",
    "CopiedElements",
    "CapturedValues",
    "LargeArrays",
    "ViewedContents",
    "LateViews",
    "SlowConstruction",
    "ClonedObjects",
    "LibraryValues",
    "SuppliedValues",
    "WideArguments",
    "WaitedValues",
    "FailedTasks",
    "OthersLeftOut",
    "OverwrittenByOthers",
];

/// What a line asks for: `//? port from thread-made`. Several labels are separated by commas; `from one of` is followed by
/// those of all calls that may be meant.
#[derive(Debug)]
struct Question<'s> {
    line: usize,
    variable: &'s str,
    labels: BTreeSet<&'s str>,
}

const ONE_OF: &str = "one of ";

#[test]
fn values_come_from_the_lines_that_the_programs_name() {
    for name in PROGRAMS {
        check(name, &read(name));
    }
}

#[test]
fn slices_have_the_lines_that_the_programs_name() {
    for name in SLICED {
        let source = read(name);
        let recorded = Recorded::new(name, &source);
        let mut wrong = String::new();
        for (mark, is_wanted, verb, options) in [
            ("//? ", true, " sliced to ", ["--slice"].as_slice()),
            ("//! ", false, " sliced to ", &["--slice"]),
            ("//? ", true, " thinned to ", &["--slice", "--thin"]),
            ("//! ", false, " thinned to ", &["--slice", "--thin"]),
        ] {
            for Question { line, variable, labels } in questions(&source, mark, verb) {
                let answer = recorded.ask(line, &[&[variable], options].concat());
                let lines = answer.pointer("/answers/0/lines").and_then(Value::as_array).expect("a slice");
                let lines = lines.iter().filter_map(|line| line.pointer("/place/line").and_then(Value::as_u64));
                let found: BTreeSet<String> = lines.map(|line| label(&source, line)).collect();
                for label in labels.into_iter().filter(|&label| found.contains(label) != is_wanted) {
                    wrong.push_str(&format!("{name}:{line} {variable}: {label} in {found:?}\n"));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    }
}

fn read(name: &str) -> String {
    fs::read_to_string(workspace_dir().join("tests/programs").join(name).with_extension("java")).expect("a program")
}

/// A program that was run and is asked questions.
pub(crate) struct Recorded {
    folder: TempDir,
    file: String,
}

impl Recorded {
    pub(crate) fn new(name: &str, source: &str) -> Recorded {
        let (folder, file) = (tempfile::tempdir().expect("a folder"), format!("{name}.java"));
        fs::write(folder.path().join(&file), source).expect("a file");
        let jdk = Jdk::all().into_iter().next().expect("a JDK");
        let compiled = Command::new(jdk.javac()).args(["-g", &file]).current_dir(folder.path()).status();
        assert!(compiled.expect("javac runs").success());
        let recorded = Recorded { folder, file };
        let java = jdk.java();
        let output = recorded.run(&["record", "--", java.to_str().expect("a path"), "-cp", ".", name]);
        assert!(output.status.success(), "{output:?}");
        recorded
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(whydunit_binary().expect("whydunit is built"));
        let folder = self.folder.path();
        command.current_dir(folder).arg("--store").arg(folder.join("store")).args(arguments);
        command.output().expect("whydunit runs")
    }

    /// Asks why of a line.
    pub(crate) fn ask(&self, line: usize, question: &[&str]) -> Value {
        let place = format!("{}:{line}", self.file);
        let output = self.run(&[&["why", &place], question, &["--json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{place} {question:?}: {output:?}"))
    }
}

fn check(name: &str, source: &str) {
    let recorded = Recorded::new(name, source);
    let mut wrong = String::new();
    for Question { line, variable, labels } in questions(source, "//? ", " from ") {
        let question = if variable == "control" { "--control" } else { variable };
        let answer = recorded.ask(line, &[question]);
        let is_one_of = labels.iter().any(|label| label.starts_with(ONE_OF));
        let lines = match variable {
            "control" => deciders(&answer),
            _ if is_one_of => lines_of_one(&answer),
            _ => lines_behind(&answer, line),
        };
        let labels: BTreeSet<&str> = labels.iter().map(|label| label.strip_prefix(ONE_OF).unwrap_or(label)).collect();
        let found: BTreeSet<String> = lines.into_iter().map(|line| label(source, line)).collect();
        if !found.iter().map(String::as_str).eq(labels.iter().copied()) {
            wrong.push_str(&format!("{name}:{line} {question}: {found:?} instead of {labels:?}\n{answer:#}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn questions<'s>(source: &'s str, mark: &'s str, verb: &'s str) -> impl Iterator<Item = Question<'s>> {
    (1..).zip(source.lines()).flat_map(move |(line, text)| {
        text.split(mark).skip(1).filter_map(move |asked| {
            let asked = asked.split("//").next().unwrap_or_default().trim();
            let (variable, labels) = asked.split_once(verb)?;
            Some(Question { line, variable, labels: labels.split(", ").collect() })
        })
    })
}

/// The label of a line, or its number.
fn label(source: &str, line: u64) -> String {
    let text = source.lines().nth(line as usize - 1).unwrap_or_default();
    let label = text.split_once("//= ").map(|(_, label)| label.split("//").next().unwrap_or_default().trim());
    label.map_or_else(|| line.to_string(), str::to_owned)
}

/// The lines of the calls of which one has put the value of a variable where the step has found it.
fn lines_of_one(answer: &Value) -> Vec<u64> {
    let causes = answer["answers"].as_array().into_iter().flatten();
    let made_of = causes.filter_map(|cause| cause["made_of"].as_array()).flatten();
    let calls = made_of.filter_map(|ingredient| ingredient["from_one_of"].as_array()).flatten();
    calls.filter_map(|call| call.pointer("/place/line").and_then(Value::as_u64)).collect()
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
