//! Stands for content that is compared often and kept long: of the same length whatever the content is.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Two contents with the same digest are taken for the same, so it has to be long and of a hash that no regular values
/// bring to collide: numbers with many zeros at their end, such as small floating-point ones, are common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Digest([u32; 4]);

impl Digest {
    pub(crate) fn of(content: impl Hash) -> Digest {
        let half = |number: u8| {
            let mut hasher = DefaultHasher::new();
            (number, &content).hash(&mut hasher);
            let bits = hasher.finish();
            [bits as u32, (bits >> 32) as u32]
        };
        let ([a, b], [c, d]) = (half(0), half(1));
        Digest([a, b, c, d])
    }

    /// The same with a mark in its last bit.
    pub(crate) fn marked(self, is_marked: bool) -> Digest {
        let Digest([a, b, c, d]) = self;
        Digest([a, b, c, d & !1 | u32::from(is_marked)])
    }

    pub(crate) fn is_marked(self) -> bool {
        self.0[3] & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::Digest;
    use std::collections::BTreeSet;

    #[test]
    fn numbers_that_end_with_zeros_have_digests_of_their_own() {
        let doubles = (0..1000).map(|half| (f64::from(half) / 2.0).to_bits());
        let powers = (1..64).map(|power| 1u64 << power);
        let contents: BTreeSet<u64> = doubles.chain(powers).collect();
        let digests: BTreeSet<Digest> = contents.iter().map(Digest::of).collect();
        assert_eq!(digests.len(), contents.len());
    }
}
