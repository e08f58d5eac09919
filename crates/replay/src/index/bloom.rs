//! A set that may say yes where it should say no.
//!
//! All bits of a key are in one page, so that a look at a filter in a file reads that page alone.

/// Bits of a filter that is being filled: 64 kB.
const BITS: usize = 1 << 19;
const SMALLEST: usize = 1 << 6;

/// Words of a page; a filter that is smaller is one page.
const PAGE: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bloom {
    /// Their number is a power of two.
    words: Vec<u64>,
}

impl Default for Bloom {
    /// Of nothing.
    fn default() -> Bloom {
        Bloom { words: vec![0] }
    }
}

impl Bloom {
    pub(super) fn new() -> Bloom {
        Bloom { words: vec![0; BITS / 64] }
    }

    /// Whatever is in the pages; `None` when their number is none that a filter has.
    pub(super) fn of_pages(words: Vec<u64>) -> Option<Bloom> {
        words.len().is_power_of_two().then_some(Bloom { words })
    }

    #[inline]
    pub(super) fn insert(&mut self, key: u64) {
        let hash = mixed(key);
        let first = PAGE * page_of(hash);
        for bit in bits_of(hash) {
            let word = (first + bit / 64) & (self.words.len() - 1);
            self.words[word] |= 1 << (bit % 64);
        }
    }

    pub(super) fn may_contain(&self, key: u64) -> bool {
        let hash = mixed(key);
        let first = PAGE * page_of(hash);
        let mask = self.words.len().wrapping_sub(1);
        let is_set = |bit: &usize| self.words.get((first + bit / 64) & mask).is_some_and(|word| is_bit(*word, *bit));
        bits_of(hash).iter().all(is_set)
    }

    pub(super) fn pages(&self) -> impl Iterator<Item = &[u64]> {
        self.words.chunks(PAGE)
    }

    pub(super) fn words(&self) -> usize {
        self.words.len()
    }

    /// As small as it can be without many false answers; empties this one.
    pub(super) fn take_folded(&mut self) -> Bloom {
        let mut words = std::mem::replace(&mut self.words, vec![0; BITS / 64]);
        loop {
            let set: u32 = words.iter().map(|word| word.count_ones()).sum();
            let half = words.len() / 2;
            if half * 64 < SMALLEST || set as usize * 5 > half * 64 {
                words.shrink_to_fit();
                return Bloom { words };
            }
            let upper = words.split_off(half);
            words.iter_mut().zip(upper).for_each(|(lower, upper)| *lower |= upper);
        }
    }
}

/// The page of a filter of so many words in which a key is looked for.
pub(super) fn page_number(key: u64, words: usize) -> usize {
    page_of(mixed(key)) & (words / PAGE).saturating_sub(1)
}

/// The words of a page of a filter of so many words.
pub(super) const fn page_length(words: usize) -> usize {
    if words < PAGE { words } else { PAGE }
}

/// Whether the page of a key has it.
pub(super) fn page_may_contain(page: &[u64], key: u64) -> bool {
    let mask = page.len().wrapping_sub(1);
    bits_of(mixed(key)).iter().all(|bit| page.get((bit / 64) & mask).is_some_and(|word| is_bit(*word, *bit)))
}

fn is_bit(word: u64, bit: usize) -> bool {
    word >> (bit % 64) & 1 != 0
}

pub(super) fn mixed(key: u64) -> u64 {
    let mixed = (key ^ (key >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed ^ (mixed >> 32)
}

fn page_of(hash: u64) -> usize {
    (hash >> 48) as usize
}

fn bits_of(hash: u64) -> [usize; 4] {
    [0, 12, 24, 36].map(|shift| (hash >> shift) as usize % (PAGE * 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_filters_keep_what_is_in_them() {
        for count in [0u64, 1, 10, 1000, 100_000] {
            let mut bloom = Bloom::new();
            (0..count).for_each(|key| bloom.insert(key * 7));
            let folded = bloom.take_folded();
            assert!((0..count).all(|key| folded.may_contain(key * 7)));
            let wrong = (0..1000).filter(|key| folded.may_contain(key * 7 + 3)).count();
            assert!(count > 1000 || wrong < 20, "{count}: {wrong}");
            assert!((0..count).all(|key| !bloom.may_contain(key * 7)));
        }
    }

    #[test]
    fn a_page_knows_what_its_filter_knows() {
        for count in [0u64, 10, 3000, 50_000] {
            let mut bloom = Bloom::new();
            (0..count).for_each(|key| bloom.insert(key * 5));
            let folded = bloom.take_folded();
            let pages: Vec<&[u64]> = folded.pages().collect();
            for key in 0..10_000 {
                let page = pages[page_number(key, folded.words())];
                assert_eq!(page.len(), page_length(folded.words()));
                assert_eq!(page_may_contain(page, key), folded.may_contain(key));
            }
        }
    }
}
