//! The shortest program that still lacks a line in its slice.

use super::experiment::{Experiment, Finding};
use super::source::Source;

/// The shortened program with its lines, and what is missing.
pub(crate) fn shrunk(source: &Source) -> String {
    let mut shortest = source.clone();
    let mut finding = failure(source).expect("it fails alone, too");
    let mut length = source.count() / 2;
    while length > 0 {
        let mut first = 0;
        while first < shortest.count() {
            let shorter = shortest.without(first, length);
            match failure(&shorter) {
                Some(found) => (shortest, finding) = (shorter, found),
                None => first += length,
            }
        }
        length /= 2;
    }
    let missing: Vec<String> =
        finding.missing().map(|line| format!("line {line} leads to {}", finding.mattering[&line])).collect();
    let Finding { listing, result, slice, .. } = finding;
    format!("the slice of {result} lacks {}; it has {slice:?}\n{listing}", missing.join(", "))
}

fn failure(source: &Source) -> Option<Finding> {
    let finding = Experiment::new(std::slice::from_ref(source)).ok()?.findings().pop()?;
    let is_failure = finding.missing().next().is_some();
    is_failure.then_some(finding)
}
