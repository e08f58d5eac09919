//! Runs a command to its end and measures what it took.

use anyhow::{Context, Result};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    /// User and system time of the process and of those it started and waited for.
    pub(crate) cpu: Duration,
    pub(crate) wall: Duration,
    pub(crate) status: ExitStatus,
}

/// Runs `command` with its output in the files `stdout` and `stderr` of the folder `logs`.
///
/// Nothing else may run as a child of this process at the same time: its time would be counted.
pub(crate) fn measure(command: &mut Command, logs: &Path) -> Result<Measured> {
    fs::create_dir_all(logs).with_context(|| format!("cannot create {}", logs.display()))?;
    let log = |name| File::create(logs.join(name)).with_context(|| format!("cannot write to {}", logs.display()));
    command.stdin(Stdio::null()).stdout(log("stdout")?).stderr(log("stderr")?);
    let before = cpu_of_children()?;
    let start = Instant::now();
    let status = command.status().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    Ok(Measured { wall: start.elapsed(), cpu: cpu_of_children()?.saturating_sub(before), status })
}

fn cpu_of_children() -> Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("cannot read the CPU time of children")?;
    let microseconds = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(Duration::from_micros(microseconds.try_into().unwrap_or(0)))
}

/// The middle one; of two in the middle the mean. Zero when there is none.
pub(crate) fn median(durations: impl IntoIterator<Item = Duration>) -> Duration {
    let mut sorted: Vec<Duration> = durations.into_iter().collect();
    sorted.sort();
    let (Some(&low), Some(&high)) = (sorted.get(sorted.len().saturating_sub(1) / 2), sorted.get(sorted.len() / 2))
    else {
        return Duration::ZERO;
    };
    (low + high) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_of_odd_even_and_none() {
        let seconds = |all: &[u64]| median(all.iter().map(|&s| Duration::from_secs(s)));
        assert_eq!(seconds(&[3, 1, 2]), Duration::from_secs(2));
        assert_eq!(seconds(&[4, 2]), Duration::from_secs(3));
        assert_eq!(seconds(&[]), Duration::ZERO);
    }
}
