//! A slice for each of the numbers from 0 on, all in one allocation.

#[derive(Clone, Debug)]
pub(crate) struct Rows<T> {
    /// Where each row ends; it starts where the one before it ends.
    ends: Box<[u32]>,
    items: Box<[T]>,
}

impl<T> Rows<T> {
    pub(crate) fn collect<R: IntoIterator<Item = T>>(rows: impl Iterator<Item = R>) -> Rows<T> {
        let mut items = Vec::new();
        let mut ends = Vec::with_capacity(rows.size_hint().0);
        for row in rows {
            items.extend(row);
            ends.push(items.len() as u32);
        }
        Rows { ends: ends.into(), items: items.into() }
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Empty for a number that has no row.
    pub(crate) fn row(&self, number: usize) -> &[T] {
        let Some(&end) = self.ends.get(number) else { return &[] };
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start as usize..end as usize]
    }
}

impl<T: Copy + Ord> Rows<T> {
    /// Items with the number of their row, in any order and more than once.
    pub(crate) fn of_pairs(length: usize, mut pairs: Vec<(u32, T)>) -> Rows<T> {
        pairs.sort_unstable();
        pairs.dedup();
        let mut rest = pairs.as_slice();
        Rows::collect((0..length as u32).map(|number| {
            let (row, after) = rest.split_at(rest.partition_point(|&(of, _)| of <= number));
            rest = after;
            row.iter().map(|&(_, item)| item)
        }))
    }
}
