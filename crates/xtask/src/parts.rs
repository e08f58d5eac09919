//! Values of which so many in a hundred are not larger.

pub(crate) fn middle(values: impl IntoIterator<Item = u64>) -> u64 {
    part(values, 50)
}

/// The value that this many of a hundred do not exceed.
pub(crate) fn part(values: impl IntoIterator<Item = u64>, percent: usize) -> u64 {
    let mut values: Vec<u64> = values.into_iter().collect();
    values.sort_unstable();
    values.get((values.len() * percent).div_ceil(100).saturating_sub(1)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::part;

    #[test]
    fn parts_of_a_hundred() {
        assert_eq!(part(1..=100, 95), 95);
        assert_eq!(part([3, 1, 2], 50), 2);
        assert_eq!(part([], 50), 0);
    }
}
