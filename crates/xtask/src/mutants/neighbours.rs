//! The tests that a user runs with the one that fails: those of its class.

use super::coverage::CoveredBy;
use std::collections::BTreeMap;
use std::time::Duration;

/// Of larger classes, the nearest are taken.
const MOST: usize = 100;

/// Recorded, a test takes some times as long.
const LONGEST: Duration = Duration::from_millis(50);

/// By class: its tests, in rising order.
#[derive(Debug)]
pub(crate) struct Neighbours(BTreeMap<String, Vec<String>>);

impl Neighbours {
    pub(crate) fn new(covered: &[CoveredBy]) -> Neighbours {
        let mut classes: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for CoveredBy { test, .. } in covered.iter().filter(|one| one.took <= LONGEST) {
            classes.entry(class_of(test).to_owned()).or_default().push(test.clone());
        }
        classes.values_mut().for_each(|tests| tests.sort_unstable());
        Neighbours(classes)
    }

    pub(crate) fn of(&self, test: &str) -> Vec<String> {
        let Some(tests) = self.0.get(class_of(test)) else { return Vec::new() };
        let own = tests.partition_point(|one| one.as_str() < test);
        let first = own.saturating_sub(MOST / 2).min(tests.len().saturating_sub(MOST + 1));
        let near = tests.iter().skip(first).take(MOST + 1);
        near.filter(|one| one.as_str() != test).take(MOST).cloned().collect()
    }
}

/// What the unique id of a test begins with.
fn class_of(test: &str) -> &str {
    test.rsplit_once("/[").map_or(test, |(class, _)| class)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests(count: usize) -> Vec<CoveredBy> {
        let test = |number| CoveredBy {
            test: format!("[runner:A]/[test:{number:03}]"),
            took: Duration::ZERO,
            mutants: vec![0],
        };
        let other = CoveredBy { test: "[runner:B]/[test:000]".to_owned(), took: Duration::ZERO, mutants: vec![0] };
        (0..count).map(test).chain([other]).collect()
    }

    #[test]
    fn others_are_of_the_same_class() {
        let neighbours = Neighbours::new(&tests(3));
        assert_eq!(neighbours.of("[runner:A]/[test:001]"), ["[runner:A]/[test:000]", "[runner:A]/[test:002]"]);
        assert!(neighbours.of("[runner:B]/[test:000]").is_empty());
    }

    #[test]
    fn of_many_the_nearest_are_taken() {
        let neighbours = Neighbours::new(&tests(300));
        let of = |number: usize| neighbours.of(&format!("[runner:A]/[test:{number:03}]"));
        assert_eq!((of(0).len(), of(150).len(), of(299).len()), (MOST, MOST, MOST));
        assert_eq!(of(150)[0], "[runner:A]/[test:100]");
        assert_eq!(of(299)[0], "[runner:A]/[test:199]");
    }
}
