//! Mutants of compiled programs: the JVM verifies each, and each differs in the instruction that it names. Needs a JDK.

use proptest::prelude::*;
use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use whydunit_classfile::{ClassFile, Instruction};
use whydunit_mutation::{Mutant, Operator, mutants};
use whydunit_testkit::{Jdk, Program, compile, target_dir};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A folder, and the contents of some class files in it.
type Classes = (PathBuf, Vec<Vec<u8>>);

/// Between them they have every operator, and classes with and without stack maps.
const PROGRAMS: [&str; 6] =
    ["Arithmetic", "Switches", "ExceptionsInline", "StringConcat", "EarlyStores", "OwnCollections"];

fn jdk() -> Jdk {
    Jdk::all().into_iter().next().expect("a JDK is installed")
}

fn verify_java(arguments: &[&Path], command: &str) -> Result<String> {
    let source = include_str!("java/Verify.java");
    let compiled = compile(&Program::of_source("Verify", source)?, &jdk())?;
    let mut java = Command::new(jdk().java());
    java.args(["-Xverify:all", "-Xshare:auto", "-cp"]).arg(compiled.classes).args(["Verify", command]);
    let output = java.args(arguments).output()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}

fn classes_of(program: &Program) -> Result<Classes> {
    let compiled = compile(program, &jdk())?;
    let mut classes = Vec::new();
    for entry in fs::read_dir(&compiled.classes)? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let is_its = name == program.main_class || name.starts_with(&format!("{}$", program.main_class));
        if is_its && path.is_file() {
            classes.push(fs::read(path)?);
        }
    }
    Ok((compiled.classes, classes))
}

fn programs() -> Result<Vec<Program>> {
    let all = Program::all()?;
    Ok(all.into_iter().filter(|program| PROGRAMS.contains(&program.topic())).collect())
}

#[test]
fn every_mutant_verifies() -> Result<()> {
    let mut operators = BTreeSet::new();
    for program in programs()?.iter().filter(|program| program.runs_on(&jdk())) {
        let (folder, classes) = classes_of(program)?;
        let dir = target_dir().join("mutation-tests").join(&program.name);
        let _ = fs::remove_dir_all(&dir);
        let mut count = 0;
        for class in &classes {
            for mutant in mutants(class)? {
                let dir = dir.join(mutant.class.replace('/', "."));
                fs::create_dir_all(&dir)?;
                fs::write(dir.join(format!("{}.class", mutant.id.0)), mutant.apply(class)?)?;
                operators.insert(mutant.operator);
                count += 1;
            }
        }
        assert_eq!(verify_java(&[&folder, &dir], "verify")?, format!("linked {count}\n"), "{}", program.name);
        fs::remove_dir_all(&dir)?;
    }
    assert_eq!(operators, Operator::ALL.into_iter().collect());
    Ok(())
}

#[test]
fn a_mutant_differs_in_its_instruction_only() -> Result<()> {
    for program in programs()?.iter().filter(|program| program.runs_on(&jdk())) {
        for class in &classes_of(program)?.1 {
            for mutant in mutants(class)? {
                check_difference(class, &mutant.apply(class)?, &mutant)?;
            }
        }
    }
    Ok(())
}

fn check_difference(original: &[u8], mutated: &[u8], mutant: &Mutant) -> Result<()> {
    let (before, after) = (ClassFile::parse(original)?, ClassFile::parse(mutated)?);
    let mut changed_methods = 0;
    for (old, new) in before.methods.iter().zip(&after.methods) {
        let (Some(old_code), Some(new_code)) = (old.code(&before.pool)?, new.code(&after.pool)?) else { continue };
        if old_code.bytes == new_code.bytes {
            continue;
        }
        changed_methods += 1;
        let name = format!("{}{}", old.name(&before.pool)?, old.descriptor(&before.pool)?);
        assert_eq!(name, mutant.method, "{mutant}");
        let (old, new) = (old_code.instructions()?, new_code.instructions()?);
        let is_same = |(a, b): &(&Instruction<'_>, &Instruction<'_>)| is_same_instruction(a, b);
        let same_before = old.iter().zip(&new).take_while(is_same).count();
        let first = old.get(same_before).map(|instruction| instruction.pc);
        assert_eq!(first, Some(mutant.address), "{mutant}");
        let tail = old.iter().skip(same_before + 1).rev();
        assert!(tail.zip(new.iter().rev()).all(|pair| is_same(&pair)), "{mutant}");
        let line = |code: &whydunit_classfile::Code<'_>, class: &ClassFile<'_>| {
            code.line_numbers(&class.pool).map(|lines| lines.iter().map(|entry| entry.line).collect::<Vec<_>>())
        };
        assert_eq!(line(&old_code, &before)?, line(&new_code, &after)?, "{mutant}");
    }
    assert_eq!(changed_methods, 1, "{mutant}");
    Ok(())
}

/// Jumps may span more or less than before.
fn is_same_instruction(a: &Instruction<'_>, b: &Instruction<'_>) -> bool {
    let jumps = |instruction: &Instruction<'_>| instruction.branch().is_some() || instruction.switch().is_some();
    a.opcode == b.opcode && (a.bytes == b.bytes || (jumps(a) && jumps(b)))
}

#[test]
fn classes_of_the_jdk_have_the_same_mutants_each_time() -> Result<()> {
    let dir = target_dir().join("mutation-tests/java.util");
    fs::create_dir_all(&dir)?;
    verify_java(&[Path::new("java/util"), &dir], "dump")?;
    let mut count = 0;
    for entry in fs::read_dir(&dir)? {
        let class = fs::read(entry?.path())?;
        let found = mutants(&class)?;
        assert_eq!(found, mutants(&class)?);
        // Every mutant of all classes would take a minute.
        for mutant in found.iter().step_by(7) {
            let mutated = mutant.apply(&class)?;
            assert_ne!(mutated, class, "{mutant}");
            count += 1;
        }
    }
    assert!(count > 1000, "only {count} mutants");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever stands in a class file: an error or mutants, and of each an error or a class.
    #[test]
    fn damaged_classes_do_no_harm(damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let program = programs().expect("programs are readable").into_iter().next().expect("there is one");
        for mut class in classes_of(&program).expect("it compiles").1 {
            for (at, byte) in &damage {
                let at = at.index(class.len());
                class[at] = *byte;
            }
            let found = mutants(&class).unwrap_or_default();
            prop_assert_eq!(&found, &mutants(&class).unwrap_or_default());
            for mutant in found.iter().take(50) {
                let _ = mutant.apply(&class);
            }
        }
    }
}
