//! Mutants of a program that checks itself.

use crate::Result;
use crate::compile::compile;
use crate::jdk::Jdk;
use crate::program::Program;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use whydunit_mutation::{Mutant, Operator, mutants};

/// In `tests/programs`: what its `main` and `check` do is the test of all else.
pub const SELF_CHECKING: &str = "SelfChecking";

const CLASSES: [&str; 2] = ["SelfChecking$Line", "SelfChecking"];

/// Of a statement that a mutant takes away nothing is left to find.
const OPERATORS: [Operator; 6] = [
    Operator::ConditionalBoundary,
    Operator::NegatedConditional,
    Operator::Arithmetic,
    Operator::Increment,
    Operator::ReturnValue,
    Operator::InlineConstant,
];

/// A mutant that the program notices, and all classes with the mutated one among them.
#[derive(Debug)]
pub struct Noticed {
    pub mutant: Mutant,
    pub classes: PathBuf,
}

/// Of each operator the first mutant that the program notices, in folders of its own; the original's classes first.
pub fn noticed(jdk: &Jdk, folder: &Path) -> Result<(PathBuf, Vec<Noticed>)> {
    let program = Program::named(SELF_CHECKING)?.expect("the program is there");
    let original = compile(&program, jdk)?.classes;
    let mut waiting = OPERATORS.to_vec();
    let mut found = Vec::new();
    for name in CLASSES {
        let class = fs::read(original.join(name).with_extension("class")).expect("the class is there");
        for mutant in mutants(&class).expect("it is well formed") {
            let is_test = mutant.method.starts_with("main") || mutant.method.starts_with("check");
            if is_test || !waiting.contains(&mutant.operator) {
                continue;
            }
            let classes = folder.join(format!("mutant-{}", found.len()));
            copy(&original, &classes);
            let file = classes.join(name).with_extension("class");
            fs::write(file, mutant.apply(&class).expect("a small change")).expect("a class");
            if is_noticed(jdk, &classes) {
                waiting.retain(|operator| *operator != mutant.operator);
                found.push(Noticed { mutant, classes });
            }
        }
    }
    assert_eq!(waiting, [], "the program notices no such mutant");
    Ok((original, found))
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("classes") {
        let entry = entry.expect("a class");
        fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
    }
}

/// Whether the program fails, and not because a loop has no end.
fn is_noticed(jdk: &Jdk, classes: &Path) -> bool {
    let mut java = Command::new("timeout");
    let output = java.arg("10").arg(jdk.java()).arg("-cp").arg(classes).arg(SELF_CHECKING).output();
    output.expect("java runs").status.code() == Some(1)
}
