//! A small sample of the experiment, on a program that checks itself.

use super::case::Case;
use super::measured::{Measured, Runs};
use super::searched::{End, Manner, search};
use std::path::{Path, PathBuf};
use std::process::Command;
use whydunit_feedback::{Doubt, Policy};
use whydunit_testkit::{Jdk, Noticed, SELF_CHECKING, noticed, whydunit_binary};

/// Users who are unclear about other steps: what one of them needs differs much by chance.
const USERS: std::ops::RangeInclusive<u64> = 1..=8;

/// Answers of all users to all six, measured when this was written: more are a loss.
const MOST_ANSWERS: usize = 354;

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
        let runs = Runs { original: original.clone(), mutated, others: None, mutant, name: mutant.to_string() };
        let file = folder.path().join(format!("case-{number}"));
        let manner = |seed| Manner {
            policy: Policy::Expected,
            doubt: Doubt::default(),
            seed,
            has_places: false,
            has_others: false,
        };
        let measured = Measured::of(&runs, manner(*USERS.start()), Some(&file)).expect("a trial");
        assert!(measured.has_way, "{mutant}");
        let case = Case::read(&file).expect("a case");
        for user in USERS {
            let searched = search(manner(user), &mut &case).expect("a search");
            assert_eq!(searched.end, End::Found, "{mutant}: {:#?}", searched.asked);
            answers.push(searched.answers);
        }
    }
    assert!(answers.iter().sum::<usize>() <= MOST_ANSWERS, "{} of {answers:?}", answers.iter().sum::<usize>());
}
