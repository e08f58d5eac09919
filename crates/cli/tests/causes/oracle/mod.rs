//! Slices against an oracle that knows nothing of dependences: it runs a program again with a value changed, or without
//! a statement. What changes the result must be in the slice of the result.

mod experiment;
mod expressions;
mod generator;
mod shrink;
mod source;
mod statements;

use experiment::{Asked, Experiment, Finding};
use std::ops::Range;

/// Seeds that are always tried; `WHYDUNIT_ORACLE=FIRST..END` tries others.
const SEEDS: Range<u64> = 1..41;

/// Programs that are compiled and run together.
const TOGETHER: usize = 40;

fn seeds() -> Range<u64> {
    let Ok(text) = std::env::var("WHYDUNIT_ORACLE") else { return SEEDS };
    let ends = text.split_once("..").and_then(|(first, end)| Some(first.parse().ok()?..end.parse().ok()?));
    ends.expect("WHYDUNIT_ORACLE is FIRST..END")
}

/// Sums over programs.
#[derive(Debug, Default)]
struct Sums {
    programs: usize,
    /// Numbers of lines.
    executed: usize,
    changeable: usize,
    sliced: usize,
    actual: usize,
    /// Those of them that can be changed, and those whose changes lead to another result.
    sliced_changeable: usize,
    actual_changeable: usize,
    mattering: usize,
    actual_mattering: usize,
    changes: usize,
}

impl Sums {
    fn add(&mut self, finding: &Finding) {
        self.programs += 1;
        self.executed += finding.executed.len();
        self.changeable += finding.changeable().count();
        self.sliced += finding.slice.len();
        self.actual += finding.actual.len();
        self.sliced_changeable += finding.changeable().filter(|line| finding.slice.contains(line)).count();
        self.actual_changeable += finding.changeable().filter(|line| finding.actual.contains(line)).count();
        self.mattering += finding.mattering.len();
        self.actual_mattering += finding.mattering.keys().filter(|line| finding.actual.contains(line)).count();
        self.changes += finding.changes;
    }
}

/// All findings of some programs; a program whose slice lacks a line that matters fails, made as short as possible.
fn check(make: fn(u64) -> source::Source, asked: Asked) -> Vec<(u64, Finding)> {
    let all: Vec<u64> = seeds().collect();
    let mut found = Vec::new();
    for seeds in all.chunks(TOGETHER) {
        let sources: Vec<source::Source> = seeds.iter().map(|&seed| make(seed)).collect();
        let findings = Experiment::new(&sources).expect("programs that compile").findings(asked);
        for ((&seed, source), finding) in seeds.iter().zip(&sources).zip(findings) {
            if finding.missing().next().is_some() {
                panic!("seed {seed}: {}", shrink::shrunk(source, asked));
            }
            found.push((seed, finding));
        }
    }
    found
}

#[test]
fn slices_hold_all_that_matters() {
    let mut sums = Sums::default();
    for (_, finding) in check(generator::program, Asked::Write) {
        sums.add(&finding);
    }
    let share = sums.mattering as f64 / sums.sliced_changeable as f64;
    println!("{sums:?}: of the changeable lines in slices, {:.0} % matter", share * 100.0);
    // Otherwise the oracle, or the slices, say nothing.
    assert!(sums.mattering > 5 * sums.programs && sums.actual_mattering < sums.mattering);
    assert!(sums.sliced * 2 < sums.executed && share > 0.3);
}

#[test]
fn slices_of_what_is_read_later_hold_all_that_matters() {
    let mut sums = Sums::default();
    for (_, finding) in check(generator::throwing_program, Asked::Read) {
        sums.add(&finding);
    }
    println!("{sums:?}");
    assert!(sums.mattering > 5 * sums.programs && sums.actual_mattering < sums.mattering);
    assert!(sums.sliced < sums.executed);
}

#[test]
fn slices_of_straight_programs_hold_nothing_else() {
    let mut sums = Sums::default();
    for (seed, finding) in check(generator::straight_program, Asked::Write) {
        let actual: Vec<u32> = finding.changeable().filter(|line| finding.actual.contains(line)).collect();
        let mattering: Vec<u32> = finding.mattering.keys().copied().collect();
        assert_eq!(actual, mattering, "seed {seed}\n{}", finding.listing);
        sums.add(&finding);
    }
    println!("{sums:?}");
}
