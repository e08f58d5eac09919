//! What is found out about one failing test.

use super::asking::{Asking, ClassLine, class_line};
use super::misses::{Miss, Reason};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use whydunit_mutation::Mutant;

/// Slices are cut off by their time only.
const NO_LIMIT: &str = "1000000000000";

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Measured {
    pub(super) run_steps: u64,
    /// Of runs that are not too long to list all lines.
    pub(super) run_lines: Option<u64>,
    /// Where the exception was thrown that made the test fail; `None` when none left recorded code.
    pub(super) failing: Option<Failing>,
    /// With what could have changed; the default.
    pub(super) full: Option<Found>,
    /// Of what happened only.
    pub(super) actual: Option<Found>,
    /// Of values only.
    pub(super) thin: Option<Found>,
    /// Why the default one does not hold the mutated line.
    pub(super) miss: Option<Miss>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Failing {
    pub(super) step: u64,
    pub(super) place: String,
}

/// A slice of the failing step.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Found {
    pub(super) holds_mutant: bool,
    pub(super) steps: u64,
    pub(super) lines: u64,
    pub(super) millis: u64,
}

/// Of longer runs the lines are not counted.
const MOST_STEPS_LISTED: u64 = 30_000;

impl Measured {
    pub(super) fn take(asking: &Asking<'_>, mutant: &Mutant, original: &[u8]) -> Result<Measured> {
        let mutated = (mutant.class.replace('/', "."), u64::from(mutant.line.unwrap_or_default()));
        asking.ask(&["index"])?;
        let (opened, _) = asking.ask(&["open"])?.context("the run takes too long to open")?;
        let at = opened.pointer("/answer/at").context("`open` does not say where it is")?;
        let run_steps = at.get("steps").and_then(Value::as_u64).unwrap_or_default();
        let lines = if run_steps <= MOST_STEPS_LISTED { asking.lines_of_run()? } else { None };
        let failing = failing_step(&opened, at);
        let slice = |kind: &[&str]| match &failing {
            Some(failing) => take_slice(asking, failing.step, kind, &mutated),
            None => Ok(None),
        };
        let mut measured = Measured {
            run_steps,
            run_lines: lines.as_ref().map(|lines| lines.len() as u64),
            full: slice(&[])?,
            actual: slice(&["--actual"])?,
            thin: slice(&["--thin"])?,
            miss: None,
            failing,
        };
        if !measured.full.is_some_and(|found| found.holds_mutant) {
            measured.miss = Some(Miss::find(asking, mutant, original, &mutated, &measured, lines.as_ref())?);
        }
        Ok(measured)
    }

    /// Why the default slice does not hold the mutated line, or is not known to.
    pub(super) fn reason(&self) -> Option<Reason> {
        let is_in_part = [self.actual, self.thin].into_iter().flatten().any(|found| found.holds_mutant);
        match self.miss.as_ref()?.reason {
            Reason::TimedOut if is_in_part => Some(Reason::OnlyInPart),
            reason => Some(reason),
        }
    }

    pub(super) fn summary(&self) -> String {
        match (&self.miss, &self.full) {
            (Some(miss), _) => format!("MISSED in {} steps: {miss}", self.run_steps),
            (None, Some(found)) => {
                format!("{} of {} steps, {} ms", found.steps, self.run_steps, found.millis)
            }
            (None, None) => String::new(),
        }
    }
}

fn failing_step(opened: &Value, at: &Value) -> Option<Failing> {
    let reason = opened.pointer("/answer/reason")?.as_str()?;
    if reason.starts_with("No exception") {
        return None;
    }
    let place = at.pointer("/place/name")?.as_str()?.to_owned();
    Some(Failing { step: opened.get("step")?.as_u64()?, place })
}

fn take_slice(asking: &Asking<'_>, step: u64, kind: &[&str], mutated: &ClassLine) -> Result<Option<Found>> {
    let step = step.to_string();
    let Some((slice, took)) = asking.ask(&[&["why", &step, "--slice", "--most-steps", NO_LIMIT], kind].concat())?
    else {
        return Ok(None);
    };
    let list = |name: &str| slice.pointer(&format!("/answers/0/{name}")).and_then(Value::as_array);
    let lines = list("lines").context("a slice has no lines")?;
    Ok(Some(Found {
        holds_mutant: lines.iter().any(|line| line.get("place").and_then(class_line).as_ref() == Some(mutated)),
        steps: list("steps").map_or(0, Vec::len) as u64,
        lines: lines.len() as u64,
        millis: took.as_millis() as u64,
    }))
}
