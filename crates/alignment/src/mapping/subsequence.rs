//! The longest common subsequence of two sequences that differ little, after Myers (1986).

use crate::side::Pair;

/// Positions of the longest common subsequence; `None` when there are more than `most` insertions and deletions.
pub(crate) fn longest(left: &[u32], right: &[u32], most: usize) -> Option<Vec<Pair<u32>>> {
    let prefix = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let (inner_left, inner_right) = (&left[prefix..], &right[prefix..]);
    let suffix = inner_left.iter().rev().zip(inner_right.iter().rev()).take_while(|(a, b)| a == b).count();
    let inner_left = &inner_left[..inner_left.len() - suffix];
    let inner_right = &inner_right[..inner_right.len() - suffix];
    let inner = inner(inner_left, inner_right, most)?;
    let pair = |left: usize, right: usize| Pair { left: left as u32, right: right as u32 };
    let before = (0..prefix).map(|at| pair(at, at));
    let inside = inner.into_iter().map(|(a, b)| pair(prefix + a, prefix + b));
    let after = (1..=suffix).rev().map(|at| pair(left.len() - at, right.len() - at));
    Some(before.chain(inside).chain(after).collect())
}

/// How far each diagonal was come along with so many changes; diagonal `k` is at `k + changes`.
type Reached = Vec<usize>;

fn inner(left: &[u32], right: &[u32], most: usize) -> Option<Vec<(usize, usize)>> {
    let mut steps: Vec<Reached> = Vec::new();
    for changes in 0..=most {
        let mut reached = vec![0; 2 * changes + 1];
        for at in (0..=2 * changes).step_by(2) {
            let start = match steps.last() {
                None => 0,
                Some(before) => start_of(before, at, changes),
            };
            // A diagonal that lies outside.
            let Some(down) = (start + changes).checked_sub(at).filter(|&down| down <= right.len()) else { continue };
            if start > left.len() {
                continue;
            }
            let equal = left[start..].iter().zip(&right[down..]).take_while(|(a, b)| a == b).count();
            reached[at] = start + equal;
            if reached[at] == left.len() && down + equal == right.len() {
                steps.push(reached);
                return Some(walk_back(&steps, at));
            }
        }
        steps.push(reached);
    }
    None
}

/// Where a diagonal is entered with one more change: by an insertion or, if that leads further, a deletion.
fn start_of(before: &Reached, at: usize, changes: usize) -> usize {
    let by_deletion = at.checked_sub(2).and_then(|at| before.get(at)).map(|&x| x + 1);
    let by_insertion = before.get(at).copied().filter(|_| at < 2 * changes - 1);
    by_deletion.max(by_insertion).unwrap_or_default()
}

fn walk_back(steps: &[Reached], end: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut at = end;
    for (changes, reached) in steps.iter().enumerate().rev() {
        let start = match changes.checked_sub(1) {
            None => 0,
            Some(before) => start_of(&steps[before], at, changes),
        };
        pairs.extend((start..reached[at]).rev().map(|x| (x, x + changes - at)));
        if let Some(before) = changes.checked_sub(1) {
            let deleted = at.checked_sub(2).and_then(|at| steps[before].get(at));
            if deleted.is_some_and(|&x| x + 1 == start) {
                at -= 2;
            }
        }
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length_by_table(left: &[u32], right: &[u32]) -> usize {
        let mut table = vec![vec![0; right.len() + 1]; left.len() + 1];
        for (i, a) in left.iter().enumerate() {
            for (j, b) in right.iter().enumerate() {
                let longer = table[i][j + 1].max(table[i + 1][j]);
                table[i + 1][j + 1] = if a == b { table[i][j] + 1 } else { longer };
            }
        }
        table[left.len()][right.len()]
    }

    #[test]
    fn as_long_as_the_table_says() {
        let mut state: u64 = 7;
        let mut below = |limit: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % limit
        };
        for _ in 0..2000 {
            let mut sequence = || -> Vec<u32> { (0..below(9)).map(|_| below(3) as u32).collect() };
            let (left, right) = (sequence(), sequence());
            let expected = length_by_table(&left, &right);
            let found = longest(&left, &right, left.len() + right.len()).expect("a subsequence");
            assert_eq!(found.len(), expected, "{left:?} {right:?} {found:?}");
            assert!(found.iter().all(|pair| left[pair.left as usize] == right[pair.right as usize]));
            assert!(found.windows(2).all(|two| two[0].left < two[1].left && two[0].right < two[1].right));
            let changes = left.len() + right.len() - 2 * expected;
            assert!(longest(&left, &right, changes).is_some());
            assert!(changes == 0 || longest(&left, &right, changes - 1).is_none());
        }
    }
}
