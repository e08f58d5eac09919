//! A set that may say yes where it should say no.

use serde::{Deserialize, Serialize};

/// Bits of a filter that is being filled: 64 kB.
const BITS: usize = 1 << 19;
const SMALLEST: usize = 1 << 6;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Bloom {
    /// Their number is a power of two.
    words: Vec<u64>,
}

impl Bloom {
    pub(super) fn new() -> Bloom {
        Bloom { words: vec![0; BITS / 64] }
    }

    #[inline]
    pub(super) fn insert(&mut self, key: u64) {
        for bit in bits_of(key) {
            let word = (bit / 64) & (self.words.len() - 1);
            self.words[word] |= 1 << (bit % 64);
        }
    }

    pub(super) fn may_contain(&self, key: u64) -> bool {
        let mask = self.words.len().wrapping_sub(1);
        bits_of(key).iter().all(|bit| self.words.get((bit / 64) & mask).is_some_and(|word| word >> (bit % 64) & 1 != 0))
    }

    /// As small as it can be without many false answers; empties this one.
    pub(super) fn take_folded(&mut self) -> Bloom {
        let mut words = std::mem::replace(&mut self.words, vec![0; BITS / 64]);
        loop {
            let set: u32 = words.iter().map(|word| word.count_ones()).sum();
            let half = words.len() / 2;
            if half * 64 < SMALLEST || set as usize * 6 > half * 64 {
                return Bloom { words };
            }
            let upper = words.split_off(half);
            words.iter_mut().zip(upper).for_each(|(lower, upper)| *lower |= upper);
        }
    }
}

fn bits_of(key: u64) -> [usize; 2] {
    let mixed = (key ^ (key >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    [(mixed >> 40) as usize, (mixed >> 16 & 0xFF_FFFF) as usize]
}

#[cfg(test)]
mod tests {
    use super::Bloom;

    #[test]
    fn folded_filters_keep_what_is_in_them() {
        for count in [0u64, 1, 10, 1000, 100_000] {
            let mut bloom = Bloom::new();
            (0..count).for_each(|key| bloom.insert(key * 7));
            let folded = bloom.take_folded();
            assert!((0..count).all(|key| folded.may_contain(key * 7)));
            let wrong = (0..1000).filter(|key| folded.may_contain(key * 7 + 3)).count();
            assert!(count > 1000 || wrong < 200, "{count}: {wrong}");
            assert!((0..count).all(|key| !bloom.may_contain(key * 7)));
        }
    }
}
