//! A fault is in the slice of what it makes fail: mutants of a small program that checks itself.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use whydunit_mutation::Mutant;
use whydunit_testkit::{Jdk, Noticed, SELF_CHECKING, noticed, whydunit_binary};

#[test]
fn the_slice_of_a_failure_holds_the_mutated_line() {
    let jdk = Jdk::all().into_iter().next().expect("a JDK");
    let folder = tempfile::tempdir().expect("a folder");
    let (_, all) = noticed(&jdk, folder.path()).expect("mutants");
    for Noticed { mutant, classes } in &all {
        check(&jdk, classes, &folder.path().join("store"), mutant);
    }
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
    record.arg("--store").arg(store).args(["record", "--"]).arg(jdk.java()).arg("-cp").arg(classes).arg(SELF_CHECKING);
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
