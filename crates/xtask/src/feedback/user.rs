//! A user who knows how the run should have gone, from a run of the original, but is at times not sure.

use anyhow::Result;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use whydunit_debugger::{AskedStep, Moments, Reply, Session, StepPlace, Verdicts};

pub(super) struct User<'s> {
    pub(super) session: &'s Session,
    pub(super) moments: &'s Moments,
    pub(super) verdicts: &'s Verdicts<'s>,
    pub(super) seed: u64,
    /// How often each step was asked about.
    pub(super) times: BTreeMap<StepPlace, u32>,
}

impl User<'_> {
    /// Where the failure is seen, the user can always tell.
    pub(super) fn reply(&mut self, asked: &AskedStep, is_failure: bool) -> Result<Reply> {
        let place = asked.step.place;
        let times = self.times.entry(place).or_default();
        *times += 1;
        let times = *times;
        let level = self.session.nesting(self.moments, place.thread, place.step)?.map_or(1, |nesting| nesting.level);
        if !is_failure && self.chance(&place, times) < doubt(level, times) {
            return Ok(Reply::Unclear);
        }
        Ok(self.judge(asked))
    }

    fn judge(&self, asked: &AskedStep) -> Reply {
        let place = &asked.step.place;
        let verdict = self.verdicts.of(place);
        if verdict.partner.is_none() {
            return Reply::WrongPath;
        }
        let is_wrong = |&number: &usize| self.verdicts.of_ingredient(place, &asked.reads[number]).is_some();
        let wrong: Vec<usize> = (0..asked.reads.len()).filter(is_wrong).collect();
        if !wrong.is_empty() {
            return Reply::Wrong(wrong);
        }
        // The mutated line is not asked about any more: something that is not shown has made it wrong.
        if verdict.wrong.iter().any(|wrong| !wrong.value.is_read) { Reply::WrongSomehow } else { Reply::Correct }
    }

    /// A number between 0 and 1 that depends on nothing but the seed, the step and how often it was asked about.
    fn chance(&self, place: &StepPlace, times: u32) -> f64 {
        let mut hasher = DefaultHasher::new();
        (self.seed, place.thread, place.step, times).hash(&mut hasher);
        (hasher.finish() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// How likely a developer cannot tell about a step of this level that is checked for so many times, after the paper.
fn doubt(level: u32, times: u32) -> f64 {
    (1.0 - (-(f64::from(level) - 1.0)).exp()) / f64::from(times)
}
