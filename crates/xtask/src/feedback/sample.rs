//! A small sample of the experiment, on a program that checks itself.

use super::measured::{Measured, Runs};
use super::searched::{End, Manner};
use std::path::{Path, PathBuf};
use std::process::Command;
use whydunit_feedback::{Doubt, Policy};
use whydunit_testkit::{Jdk, Noticed, SELF_CHECKING, noticed, whydunit_binary};

/// Answers to all six, measured when this was written: more are a loss.
const MOST_ANSWERS: usize = 37;

fn record(jdk: &Jdk, classes: &Path, store: PathBuf) -> PathBuf {
    let mut record = Command::new(whydunit_binary().expect("whydunit is built"));
    record.arg("--store").arg(&store).args(["record", "--"]).arg(jdk.java()).arg("-cp").arg(classes);
    let output = record.arg(SELF_CHECKING).output().expect("whydunit runs");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
    store
}

#[test]
fn mutants_of_a_small_program_are_found() {
    let jdk = Jdk::all().into_iter().next().expect("a JDK");
    let folder = tempfile::tempdir().expect("a folder");
    let (classes, all) = noticed(&jdk, folder.path()).expect("mutants");
    let original = record(&jdk, &classes, folder.path().join("original"));
    let mut answers = Vec::new();
    for (number, Noticed { mutant, classes }) in all.iter().enumerate() {
        let mutated = record(&jdk, classes, folder.path().join(format!("store-{number}")));
        let runs = Runs { original: original.clone(), mutated, mutant, name: mutant.to_string() };
        let case = folder.path().join(format!("case-{number}"));
        let measured = Measured::of(
            &runs,
            Manner { policy: Policy::Expected, doubt: Doubt::default(), seed: 1, has_places: false },
            &case,
        )
        .expect("a trial");
        assert_eq!(measured.searched.end, End::Found, "{mutant}: {:#?}", measured.searched.asked);
        assert!(measured.has_way, "{mutant}");
        answers.push(measured.searched.answers);
    }
    assert!(answers.iter().sum::<usize>() <= MOST_ANSWERS, "{answers:?}");
}
