//! A fault is in the slice of what it makes fail: mutants of a small program that checks itself.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use whydunit_mutation::{Mutant, Operator, mutants};
use whydunit_testkit::{Jdk, Program, compile, whydunit_binary};

/// Of each, the first mutant that the program notices. Of a statement that a mutant takes away nothing is left to find.
const OPERATORS: [Operator; 6] = [
    Operator::ConditionalBoundary,
    Operator::NegatedConditional,
    Operator::Arithmetic,
    Operator::Increment,
    Operator::ReturnValue,
    Operator::InlineConstant,
];

#[test]
fn the_slice_of_a_failure_holds_the_mutated_line() {
    let jdk = Jdk::all().into_iter().next().expect("a JDK");
    let program = Program::of_source("Till", include_str!("Till.java")).expect("a program");
    let original = compile(&program, &jdk).expect("it compiles").classes;
    let folder = tempfile::tempdir().expect("a folder");
    let classes = folder.path().join("classes");
    let mut waiting = OPERATORS.to_vec();
    for name in ["Till$Line", "Till"] {
        let class = fs::read(original.join(name).with_extension("class")).expect("the class is there");
        for mutant in mutants(&class).expect("it is well formed") {
            // What `main` and `check` do is the test.
            let is_test = mutant.method.starts_with("main") || mutant.method.starts_with("check");
            if is_test || !waiting.contains(&mutant.operator) {
                continue;
            }
            copy(&original, &classes);
            let file = classes.join(name).with_extension("class");
            fs::write(file, mutant.apply(&class).expect("a small change")).expect("a class");
            if is_noticed(&jdk, &classes) {
                check(&jdk, &classes, &folder.path().join("store"), &mutant);
                waiting.retain(|operator| *operator != mutant.operator);
            }
        }
    }
    assert_eq!(waiting, [], "the program notices no such mutant");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("classes") {
        let entry = entry.expect("a class");
        fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
    }
}

/// Whether the program fails, and not because the loop has no end.
fn is_noticed(jdk: &Jdk, classes: &Path) -> bool {
    let output = Command::new("timeout").arg("10").arg(jdk.java()).arg("-cp").arg(classes).arg("Till").output();
    output.expect("java runs").status.code() == Some(1)
}

fn check(jdk: &Jdk, classes: &Path, store: &Path, mutant: &Mutant) {
    let _ = fs::remove_dir_all(store);
    let whydunit = whydunit_binary().expect("whydunit is built");
    let ask = |arguments: &[&str]| -> Value {
        let mut command = Command::new(&whydunit);
        let output = command.arg("--store").arg(store).args(arguments).arg("--json").output().expect("whydunit runs");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{mutant}: {arguments:?}: {output:?}"))
    };
    let mut record = Command::new(&whydunit);
    record.arg("--store").arg(store).args(["record", "--"]).arg(jdk.java()).arg("-cp").arg(classes).arg("Till");
    assert_eq!(record.output().expect("whydunit runs").status.code(), Some(1), "{mutant}");
    let failing = ask(&["open"])["step"].as_u64().expect("a step").to_string();
    let slice = ask(&["why", &failing, "--slice"]);
    let lines = slice["answers"][0]["lines"].as_array().expect("lines");
    let is_mutated = |line: &&Value| {
        let place = &line["place"];
        place["class"].as_str() == Some(&mutant.class) && place["line"].as_u64() == mutant.line.map(u64::from)
    };
    assert!(lines.iter().any(|line| is_mutated(&line)), "{mutant} is not in the slice of step {failing}: {slice:#}");
}
