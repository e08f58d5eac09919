//! The mutants of a project, and numbers to choose among them by.

use super::subject::Subject;
use anyhow::{Context, Result};
use whydunit_mutation::{Mutant, mutants};

/// Those without a line are left out.
pub(crate) fn all_mutants(subject: &Subject) -> Result<Vec<Mutant>> {
    let mut all = Vec::new();
    for (name, class) in &subject.classes {
        let found = mutants(class).with_context(|| format!("{name} is no class"))?;
        all.extend(found.into_iter().filter(|mutant| mutant.line.is_some()));
    }
    Ok(all)
}

/// SplitMix64: the same numbers everywhere, for as long as this file stands.
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// 0 when there is nothing below.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.next().checked_rem(end as u64).unwrap_or(0) as usize
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in 0..items.len() {
            let other = index + self.below(items.len() - index);
            items.swap(index, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn numbers_are_those_of_the_algorithm() {
        let mut random = Random(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn shuffled_items_are_the_same_items() {
        let mut items: Vec<u32> = (0..50).collect();
        Random(1).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
