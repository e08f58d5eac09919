//! Answers to one question about many steps.

use super::asking::Asked;
use crate::measure::median;
use crate::table::short;
use std::time::Duration;

#[derive(Debug, Default)]
pub(crate) struct Samples {
    times: Vec<Duration>,
    given_up: usize,
    memory: Option<u64>,
    /// Steps of the slices.
    sizes: Vec<u64>,
    /// For each 100 000 steps of a slice; smaller slices count as they are.
    relative: Vec<Duration>,
}

impl Samples {
    pub(crate) fn add(&mut self, asked: Asked) {
        self.memory = self.memory.max(asked.memory);
        let Some(time) = asked.time else {
            self.given_up += 1;
            return;
        };
        self.times.push(time);
        if let Some(size) = asked.slice {
            self.sizes.push(size);
            self.relative.push(time.mul_f64(1e5 / (size as f64).max(1e5)));
        }
    }

    pub(crate) fn row(mut self, question: &str) -> Vec<String> {
        self.times.sort_unstable();
        self.sizes.sort_unstable();
        let time = |position: usize| self.times.get(position).map_or_else(|| "–".to_owned(), |&time| seconds(time));
        let size = |size: Option<&u64>| size.map(|&size| short(size)).unwrap_or_default();
        let last = self.times.len().saturating_sub(1);
        let relative = if self.relative.is_empty() { String::new() } else { seconds(median(self.relative)) };
        vec![
            question.to_owned(),
            if self.times.is_empty() { "–".to_owned() } else { seconds(median(self.times.iter().copied())) },
            time((self.times.len() * 95).div_ceil(100).saturating_sub(1)),
            time(last),
            if self.given_up == 0 { String::new() } else { self.given_up.to_string() },
            megabytes(self.memory),
            size(self.sizes.get(self.sizes.len() / 2)),
            size(self.sizes.last()),
            relative,
        ]
    }
}

pub(crate) fn seconds(duration: Duration) -> String {
    match duration.as_secs_f64() {
        short if short < 1.0 => format!("{:.0} ms", short * 1e3),
        long => format!("{long:.2} s"),
    }
}

pub(crate) fn megabytes(bytes: Option<u64>) -> String {
    bytes.map(|bytes| format!("{} MB", bytes / 1_000_000)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_twenty_the_second_slowest_is_the_95th_percentile() {
        let mut samples = Samples::default();
        for time in 1..=20 {
            samples.add(Asked { time: Some(Duration::from_secs(time)), memory: None, slice: None });
        }
        samples.add(Asked { time: None, memory: Some(3_000_000), slice: None });
        let row = samples.row("q");
        assert_eq!(row[..6], ["q", "10.50 s", "19.00 s", "20.00 s", "1", "3 MB"]);
    }
}
