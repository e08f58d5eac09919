//! Which mutants are tried on which tests. Tests come first, as in the experiment of paper 003: each is given some mutants of
//! the code that it runs.

use super::coverage::CoveredBy;
use super::sample::Random;

/// Mutants to try on one test.
const MOST_MUTANTS: usize = 8;

/// A test and mutants of what it runs, which no other test is given.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TestWithMutants {
    pub(crate) test: String,
    /// Of the first pair, among all pairs.
    pub(crate) first: usize,
    /// Places in the list of all mutants.
    pub(crate) mutants: Vec<usize>,
}

/// In an order that the seed determines.
pub(crate) fn pair_up(mut covered: Vec<CoveredBy>, mutants: usize, seed: u64) -> Vec<TestWithMutants> {
    let mut random = Random(seed);
    let mut is_given = vec![false; mutants];
    let mut pairs = Vec::new();
    let mut first = 0;
    random.shuffle(&mut covered);
    for CoveredBy { test, mut mutants, .. } in covered {
        mutants.retain(|&mutant| !is_given[mutant as usize]);
        random.shuffle(&mut mutants);
        mutants.truncate(MOST_MUTANTS);
        mutants.iter().for_each(|&mutant| is_given[mutant as usize] = true);
        let mutants: Vec<usize> = mutants.into_iter().map(|mutant| mutant as usize).collect();
        let count = mutants.len();
        pairs.push(TestWithMutants { test, first, mutants });
        first += count;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn no_mutant_is_given_twice() {
        let covered = || {
            let by = |test: &str, mutants: std::ops::Range<u32>| CoveredBy {
                test: test.to_owned(),
                took: Duration::ZERO,
                mutants: mutants.collect(),
            };
            vec![by("a", 0..10), by("b", 5..12), by("c", 0..3)]
        };
        let pairs = pair_up(covered(), 12, 1);
        let mut given: Vec<usize> = pairs.iter().flat_map(|one| one.mutants.clone()).collect();
        given.sort_unstable();
        let count = given.len();
        given.dedup();
        assert_eq!(given.len(), count);
        assert!(pairs.iter().all(|one| one.mutants.len() <= MOST_MUTANTS));
        assert_eq!(pairs.iter().map(|one| one.first).collect::<Vec<_>>()[1], pairs[0].mutants.len());
        assert_eq!(pairs, pair_up(covered(), 12, 1));
    }
}
