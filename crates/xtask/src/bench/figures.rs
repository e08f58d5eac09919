//! What was measured, and what follows from it.

use super::programs::Program;
use crate::measure::{Measured, median};
use crate::recorder::Sizes;
use std::fmt;
use std::time::Duration;

#[derive(Debug)]
pub(crate) struct Round {
    pub(crate) plain: Measured,
    pub(crate) recorded: Measured,
}

#[derive(Debug)]
pub(crate) struct Startup {
    pub(crate) rounds: Vec<Round>,
}

#[derive(Debug)]
pub(crate) struct Replay {
    pub(crate) bytecodes: u64,
    /// From the start of the command to its end, reading included.
    pub(crate) wall: Duration,
}

#[derive(Debug)]
pub(crate) struct Figures {
    pub(crate) program: &'static Program,
    pub(crate) rounds: Vec<Round>,
    pub(crate) sizes: Sizes,
    /// Not known when the replay failed.
    pub(crate) replay: Option<Replay>,
    /// Wall time of `java -Xint`.
    pub(crate) interpreted: Option<Duration>,
}

/// Medians of the rounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    pub(crate) plain: Duration,
    pub(crate) recorded: Duration,
}

impl Cost {
    pub(crate) fn cpu(rounds: &[Round]) -> Cost {
        Cost::of(rounds, |measured| measured.cpu)
    }

    pub(crate) fn wall(rounds: &[Round]) -> Cost {
        Cost::of(rounds, |measured| measured.wall)
    }

    fn of(rounds: &[Round], time: fn(&Measured) -> Duration) -> Cost {
        Cost {
            plain: median(rounds.iter().map(|round| time(&round.plain))),
            recorded: median(rounds.iter().map(|round| time(&round.recorded))),
        }
    }

    pub(crate) fn ratio(self) -> f64 {
        self.recorded.as_secs_f64() / self.plain.as_secs_f64().max(1e-6)
    }
}

impl Figures {
    pub(crate) fn cpu_ratio(&self) -> f64 {
        Cost::cpu(&self.rounds).ratio()
    }

    /// Bytes of log for each executed bytecode: raw and compressed.
    pub(crate) fn density(&self) -> Option<(f64, f64)> {
        let bytecodes = self.replay.as_ref()?.bytecodes.max(1) as f64;
        Some((self.sizes.raw as f64 / bytecodes, self.sizes.stored as f64 / bytecodes))
    }

    /// Bytecodes a second.
    pub(crate) fn replay_speed(&self) -> Option<f64> {
        let replay = self.replay.as_ref()?;
        Some(replay.bytecodes as f64 / replay.wall.as_secs_f64().max(1e-6))
    }

    /// Time of the replay as a part of the time of `java -Xint`.
    pub(crate) fn replay_share(&self) -> Option<f64> {
        Some(self.replay.as_ref()?.wall.as_secs_f64() / self.interpreted?.as_secs_f64().max(1e-6))
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cpu, wall) = (Cost::cpu(&self.rounds), Cost::wall(&self.rounds));
        write!(
            f,
            "{}: CPU {:.2} s -> {:.2} s = {:.2}, wall {:.2}, {} MB raw, {} MB stored",
            self.program.name,
            cpu.plain.as_secs_f64(),
            cpu.recorded.as_secs_f64(),
            cpu.ratio(),
            wall.ratio(),
            self.sizes.raw / 1_000_000,
            self.sizes.stored / 1_000_000
        )
    }
}

/// Not a number when there is nothing to take the mean of.
pub(crate) fn geometric_mean(ratios: impl IntoIterator<Item = f64>) -> f64 {
    let logarithms: Vec<f64> = ratios.into_iter().map(f64::ln).collect();
    (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_of_ratios() {
        assert!((geometric_mean([1.0, 4.0]) - 2.0).abs() < 1e-9);
        assert!(geometric_mean([]).is_nan());
    }
}
