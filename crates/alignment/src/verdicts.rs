//! What is to be said of each step of a run, compared with a run that is as it should be.

use crate::compare::{Aligned, CompareError, Run, compare_in_detail};
use crate::difference::{Report, What};
use crate::filters::Filters;
use crate::listener::{Holds, Listener, Part};
use crate::shapes::Detail;
use crate::side::Pair;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use whydunit_replay::Value;
use whydunit_replay::program::Pc;
use whydunit_trace::{ObjectId, ThreadId};

/// Every step of one run, compared with another: whether it is on a way that the other went, too, and which of its
/// values are others.
#[derive(Debug)]
pub struct Verdicts {
    report: Report,
    threads: BTreeMap<ThreadId, ThreadVerdicts>,
}

#[derive(Debug, Default)]
struct ThreadVerdicts {
    partner: Option<ThreadId>,
    /// In rising order.
    matched: Vec<Matched>,
    /// With their steps, in rising order, those of a step in the order of execution. There may be as many as values in the run.
    wrong: Vec<(u64, WrongValue)>,
    /// By object, in the order of execution.
    contents: FxHashMap<ObjectId, Vec<Turn>>,
}

/// From a step on, a part of an object holds what it should not, or does no more.
#[derive(Clone, Copy, Debug)]
struct Turn {
    step: u64,
    part: Part,
    holds: Holds,
}

impl Turn {
    /// Whether it is wrong when a step is the latest one. What only the other run has changed by then, it may have changed
    /// on its way to its next step.
    fn is_wrong_after(&self, step: u64) -> bool {
        match self.holds {
            Holds::AsItShould => false,
            Holds::Another => true,
            Holds::Unchanged => self.step < step,
        }
    }
}

/// Successive steps with successive partners.
#[derive(Clone, Copy, Debug)]
struct Matched {
    first: u64,
    partner: u64,
    count: u64,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepVerdict {
    /// The step of the other run whose thread is [`Verdicts::partner`]. A step that has none is on a wrong path.
    pub partner: Option<u64>,
    /// In the order of execution.
    pub wrong: Vec<WrongValue>,
}

/// A value that is not the one of the other run.
#[derive(Clone, Debug, PartialEq)]
pub struct WrongValue {
    /// Of the instruction; 0 for parameters.
    pub pc: Pc,
    pub what: What,
    /// The step gets it from elsewhere. Otherwise it writes, passes, returns or decides it, or unrecorded code gives it.
    pub is_read: bool,
    /// In the other run; references are to its objects.
    pub expected: Value,
    pub found: Value,
}

impl Verdicts {
    /// Compares a run, the right one, with a run that is as it should be. Values that are read are compared only if
    /// that is asked for.
    pub fn new(
        runs: Pair<Run<'_>>,
        filters: &Filters,
        has_reads: bool,
        progress: &dyn Fn(u64),
    ) -> Result<Verdicts, CompareError> {
        let mut threads = Recorder::default();
        let has_values = !filters.control_only;
        let detail = Detail { has_values, has_steps: true, has_reads: has_reads && has_values };
        let report = compare_in_detail(runs, filters, detail, progress, Some(&mut threads))?;
        if threads.wrong > MOST_WRONG {
            return Err(CompareError::TooManyDifferences);
        }
        let mut threads = threads.threads;
        // A step that calls others goes on after them.
        threads.values_mut().for_each(|known| known.wrong.sort_by_key(|(step, _)| *step));
        for compared in &report.threads {
            if let Pair { left, right: Some(right) } = compared.ids {
                threads.entry(right).or_default().partner = left;
            }
        }
        Ok(Verdicts { report, threads })
    }

    /// Where the runs part.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The thread of the other run that a thread was compared with.
    pub fn partner(&self, thread: ThreadId) -> Option<ThreadId> {
        self.threads.get(&thread)?.partner
    }

    pub fn of(&self, thread: ThreadId, step: u64) -> StepVerdict {
        let Some(known) = self.threads.get(&thread) else { return StepVerdict::default() };
        let wrong = known.wrong_of(step).iter().map(|(_, wrong)| wrong.clone());
        StepVerdict { partner: known.partner_of(step), wrong: wrong.collect() }
    }

    /// Whether an object holds something else than it should when a step of a thread is the latest one, before the next
    /// starts, as far as that thread has changed it.
    pub fn is_spoilt(&self, thread: ThreadId, step: u64, object: ObjectId) -> bool {
        let mut seen = FxHashSet::default();
        self.turns(thread, step, object).any(|turn| seen.insert(turn.part) && turn.is_wrong_after(step))
    }

    /// The same of a part of it.
    pub fn is_part_spoilt(&self, thread: ThreadId, step: u64, object: ObjectId, part: Part) -> bool {
        let last = self.turns(thread, step, object).find(|turn| turn.part == part);
        last.is_some_and(|turn| turn.is_wrong_after(step))
    }

    /// What has changed about an object when a step is the latest one, the last change first.
    fn turns(&self, thread: ThreadId, step: u64, object: ObjectId) -> impl Iterator<Item = &Turn> {
        let turns = self.threads.get(&thread).and_then(|known| known.contents.get(&object));
        let turns = turns.map(Vec::as_slice).unwrap_or_default();
        turns[..turns.partition_point(|turn| turn.step <= step)].iter().rev()
    }

    /// Values of a thread that are not those of the other run, with their steps, in rising order.
    pub fn wrong(&self, thread: ThreadId) -> impl Iterator<Item = (u64, &WrongValue)> {
        let known = self.threads.get(&thread).into_iter();
        known.flat_map(|known| known.wrong.iter().map(|(step, wrong)| (*step, wrong)))
    }

    /// The steps of a thread that are on a wrong path. `steps` is how many it has.
    pub fn apart(&self, thread: ThreadId, steps: u64) -> Vec<RangeInclusive<u64>> {
        let matched = self.threads.get(&thread).map_or(&[][..], |known| &known.matched);
        let mut next = 1;
        let mut found = Vec::new();
        for run in matched {
            if next < run.first {
                found.push(next..=run.first - 1);
            }
            next = run.first + run.count;
        }
        if next <= steps {
            found.push(next..=steps);
        }
        found
    }
}

impl ThreadVerdicts {
    fn wrong_of(&self, step: u64) -> &[(u64, WrongValue)] {
        let first = self.wrong.partition_point(|(known, _)| *known < step);
        let behind = self.wrong.partition_point(|(known, _)| *known <= step);
        &self.wrong[first..behind]
    }

    fn partner_of(&self, step: u64) -> Option<u64> {
        let after = self.matched.partition_point(|run| run.first <= step);
        let run = self.matched.get(after.checked_sub(1)?)?;
        let offset = step - run.first;
        (offset < run.count).then_some(run.partner + offset)
    }

    fn add(&mut self, step: u64, partner: u64) {
        match self.matched.last_mut() {
            Some(run) if run.first + run.count == step && run.partner + run.count == partner => run.count += 1,
            _ => self.matched.push(Matched { first: step, partner, count: 1 }),
        }
    }
}

/// Values that are not those of the other run, each of some hundred bytes.
const MOST_WRONG: usize = 40_000_000;

#[derive(Debug, Default)]
struct Recorder {
    threads: BTreeMap<ThreadId, ThreadVerdicts>,
    wrong: usize,
}

impl Listener for Recorder {
    fn aligned(&mut self, aligned: Aligned) {
        if aligned.starts_step {
            let thread = self.threads.entry(aligned.threads.right).or_default();
            thread.add(aligned.steps.right, aligned.steps.left);
        }
    }

    fn content(&mut self, thread: ThreadId, step: u64, (object, part): (ObjectId, Part), holds: Holds) {
        let turns = self.threads.entry(thread).or_default().contents.entry(object).or_default();
        turns.push(Turn { step, part, holds });
    }

    fn wrong(&mut self, thread: ThreadId, step: u64, wrong: WrongValue) {
        self.wrong += 1;
        if self.wrong <= MOST_WRONG {
            self.threads.entry(thread).or_default().wrong.push((step, wrong));
        }
    }
}
