//! Numbers of a thread's steps among the steps of all threads.

use crate::state::Moments;
use std::io;
use std::ops::RangeInclusive;
use whydunit_replay::index::{GlobalOrder, Rank, Stretch, Until};
use whydunit_replay::interpreter::{Phase, When};
use whydunit_trace::ThreadId;

/// Remembers the stretch of steps that it was asked about last: in one, numbers rise as the thread's steps do.
#[derive(Debug)]
pub struct StepNumbers<'m> {
    order: GlobalOrder<'m>,
    last: Option<(ThreadId, Stretch)>,
}

impl<'m> StepNumbers<'m> {
    pub fn new(moments: &'m Moments) -> StepNumbers<'m> {
        StepNumbers { order: GlobalOrder::new(moments.indexes()), last: None }
    }

    /// The number of a thread's step; `None` when it has no such step.
    pub fn number(&mut self, thread: ThreadId, step: u64) -> io::Result<Option<u64>> {
        if let Some((known, stretch)) = &self.last
            && *known == thread
            && stretch.steps.contains(&step)
        {
            return Ok(Some(stretch.first + (step - stretch.steps.start())));
        }
        let Some(stretch) = self.order.stretch_of(thread, step)? else { return Ok(None) };
        let number = stretch.first + (step - stretch.steps.start());
        self.last = Some((thread, stretch));
        Ok(Some(number))
    }

    /// The place of an instruction in the order of all threads, before it has any effect; `None` when the thread has no
    /// such step.
    pub(crate) fn rank(&mut self, thread: ThreadId, latest: u64, instruction: u64) -> io::Result<Option<Rank>> {
        self.rank_when(thread, latest, When { instruction, phase: Phase::Start })
    }

    pub(crate) fn rank_when(&mut self, thread: ThreadId, latest: u64, when: When) -> io::Result<Option<Rank>> {
        let Some(number) = self.number(thread, latest)? else { return Ok(None) };
        let sequence = self.order.sequence_at(thread, when)?;
        if self.last.as_ref().is_some_and(|(_, stretch)| stretch.sequence == sequence) {
            return Ok(Some(Rank { steps: number, sequence }));
        }
        Ok(Some(self.order.rank(number, sequence)?))
    }

    /// The same without remembering anything.
    pub(crate) fn rank_of(&self, thread: ThreadId, latest: u64, instruction: u64) -> io::Result<Option<Rank>> {
        self.order.rank_of(thread, latest, When { instruction, phase: Phase::Start })
    }

    pub(crate) fn rank_of_start(&self, thread: ThreadId, step: u64) -> io::Result<Option<Rank>> {
        self.order.rank_of_start(thread, step)
    }

    /// What a thread has done before a place at which another one is.
    pub(crate) fn until(&self, thread: ThreadId, rank: Rank) -> io::Result<Until> {
        self.order.until(thread, rank)
    }

    /// The first step of a thread with this number or a later one.
    pub(crate) fn first_step_from(&self, thread: ThreadId, number: u64) -> io::Result<u64> {
        self.order.first_step_from(thread, number)
    }

    /// The steps of a thread that have these numbers; `None` when it has none of them.
    pub fn steps_of(&self, thread: ThreadId, numbers: &RangeInclusive<u64>) -> io::Result<Option<RangeInclusive<u64>>> {
        let first = match numbers.start() {
            0 => 0,
            start => self.order.first_step_from(thread, *start)?,
        };
        let behind = match numbers.end().checked_add(1) {
            Some(next) => self.order.first_step_from(thread, next)?,
            None => u64::MAX,
        };
        Ok((first < behind).then(|| first..=behind - 1))
    }
}
