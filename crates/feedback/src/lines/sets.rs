//! Sets of places that are walked through from the last to the first.

const BITS: usize = u64::BITS as usize;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlaceSet {
    blocks: Vec<u64>,
}

impl PlaceSet {
    pub(crate) fn new(places: usize) -> PlaceSet {
        PlaceSet { blocks: vec![0; places.div_ceil(BITS)] }
    }

    pub(crate) fn insert(&mut self, place: usize) {
        self.blocks[place / BITS] |= 1 << (place % BITS);
    }

    pub(crate) fn remove(&mut self, place: usize) {
        self.blocks[place / BITS] &= !(1 << (place % BITS));
    }

    pub(crate) fn contains(&self, place: usize) -> bool {
        self.blocks[place / BITS] & 1 << (place % BITS) != 0
    }

    /// The last place in the set that is before another.
    pub(crate) fn last_before(&self, end: usize) -> Option<usize> {
        let block = end / BITS;
        let below = self.blocks.get(block).map_or(0, |bits| bits & ((1 << (end % BITS)) - 1));
        if below != 0 {
            return Some(block * BITS + below.ilog2() as usize);
        }
        let block = self.blocks[..block].iter().rposition(|&bits| bits != 0)?;
        Some(block * BITS + self.blocks[block].ilog2() as usize)
    }

    /// What both sets have.
    pub(crate) fn intersection(&self, other: &PlaceSet) -> PlaceSet {
        PlaceSet { blocks: self.blocks.iter().zip(&other.blocks).map(|(one, other)| one & other).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::PlaceSet;

    #[test]
    fn places_come_from_the_last_to_the_first() {
        let mut set = PlaceSet::new(200);
        [0, 63, 64, 128, 199].into_iter().for_each(|place| set.insert(place));
        set.remove(128);
        let mut found = Vec::new();
        let mut end = 200;
        while let Some(place) = set.last_before(end) {
            found.push(place);
            end = place;
        }
        assert_eq!(found, [199, 64, 63, 0]);
        assert_eq!(PlaceSet::new(0).last_before(0), None);
    }
}
