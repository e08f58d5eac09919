//! The shortest program that still lacks a line in its slice.

use super::experiment::{Asked, Experiment, Finding};
use super::generator;
use super::source::Source;

/// The shortened program with its lines, and what is missing.
pub(crate) fn shrunk(source: &Source, asked: Asked) -> String {
    let mut shortest = source.clone();
    let mut finding = failure(source, asked).expect("it fails alone, too");
    println!("before it is made shorter: {}", described(finding.clone()));
    let mut length = source.count() / 2;
    while length > 0 {
        let mut first = 0;
        while first < shortest.count() {
            let shorter = shortest.without(first, length);
            match failure(&shorter, asked) {
                Some(found) => (shortest, finding) = (shorter, found),
                None => first += length,
            }
        }
        length /= 2;
    }
    described(finding)
}

fn described(finding: Finding) -> String {
    let missing: Vec<String> =
        finding.missing().map(|line| format!("line {line} leads to {}", finding.mattering[&line])).collect();
    let Finding { listing, result, slice, .. } = finding;
    format!("\n{listing}the slice of {result} lacks {}; it has {slice:?}", missing.join(", "))
}

fn failure(source: &Source, asked: Asked) -> Option<Finding> {
    // Otherwise one run goes on where another has ended.
    if !generator::sets_all_statics(source) {
        return None;
    }
    let finding = Experiment::new(std::slice::from_ref(source)).ok()?.findings(asked).pop()?;
    let is_failure = finding.missing().next().is_some();
    is_failure.then_some(finding)
}
