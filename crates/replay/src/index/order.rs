//! One numbering of the steps of all threads.
//!
//! Where threads meet, the recorder has written sequence numbers. The steps of a thread between two of them stay
//! together, and such stretches are in the order of the sequence numbers that they start with.

use super::ThreadIndex;
use super::summary::Meeting;
use crate::interpreter::When;
use std::collections::BTreeSet;
use std::io;
use std::ops::{Range, RangeInclusive};
use whydunit_trace::ThreadId;

#[derive(Debug)]
pub struct GlobalOrder<'i> {
    /// By rising thread id.
    threads: Vec<&'i ThreadIndex>,
}

/// Steps of a thread that stay together in the order of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// In the thread.
    pub steps: RangeInclusive<u64>,
    /// The number of the first one among the steps of all threads.
    pub first: u64,
    /// The last sequence number before them; 0 for none.
    pub sequence: u64,
}

/// A place in the order of all threads; in one thread, many instructions have the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    /// Steps of all threads that have started before.
    pub steps: u64,
    /// The last sequence number of the thread; 0 for none.
    pub sequence: u64,
}

/// What a thread has done before something in the order of all threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Until {
    /// Steps before this one …
    pub step: u64,
    /// … and of the last of them, what was done before this sequence number.
    pub sequence: u64,
}

impl Until {
    /// Everything before the start of a step.
    pub fn step(step: u64) -> Until {
        Until { step, sequence: u64::MAX }
    }
}

impl<'i> GlobalOrder<'i> {
    pub fn new(threads: impl IntoIterator<Item = &'i ThreadIndex>) -> GlobalOrder<'i> {
        let mut threads: Vec<&ThreadIndex> = threads.into_iter().collect();
        threads.sort_by_key(|index| index.thread);
        GlobalOrder { threads }
    }

    /// Steps of all threads.
    pub fn steps(&self) -> u64 {
        self.threads.iter().map(|index| index.steps()).sum()
    }

    /// The number, from 1, of a thread's step among the steps of all.
    pub fn number_of(&self, thread: ThreadId, step: u64) -> io::Result<Option<u64>> {
        let Some(index) = self.index(thread) else { return Ok(None) };
        if step == 0 || step > index.steps() {
            return Ok(None);
        }
        let sequence = index.sequence_of(step)?;
        let mut number = step;
        for other in self.threads.iter().filter(|other| other.thread != thread) {
            number += other.steps_in_order(sequence, index)?;
        }
        Ok(Some(number))
    }

    /// The stretch that a step belongs to.
    pub fn stretch_of(&self, thread: ThreadId, step: u64) -> io::Result<Option<Stretch>> {
        let (Some(number), Some(index)) = (self.number_of(thread, step)?, self.index(thread)) else {
            return Ok(None);
        };
        let sequence = index.sequence_of(step)?;
        let start = if sequence == 0 { 1 } else { index.steps_before(sequence)? + 1 };
        let end = index.steps_before(sequence + 1)?;
        Ok(Some(Stretch { steps: start..=end.max(step), first: number - (step - start.min(step)), sequence }))
    }

    /// The place of a time in a thread, whose latest step is known.
    pub fn rank_of(&self, thread: ThreadId, latest: u64, when: When) -> io::Result<Option<Rank>> {
        match (self.number_of(thread, latest)?, self.sequence_at(thread, when)?) {
            (Some(number), sequence) => Ok(Some(self.rank(number, sequence)?)),
            (None, _) => Ok(None),
        }
    }

    /// The place in a step with this number when the thread has a sequence number, which it may have taken in the step.
    pub fn rank(&self, number: u64, sequence: u64) -> io::Result<Rank> {
        Ok(Rank { steps: number.max(self.all_before(sequence)?), sequence })
    }

    /// The last sequence number of a thread at a time; 0 for none.
    pub fn sequence_at(&self, thread: ThreadId, when: When) -> io::Result<u64> {
        self.index(thread).map_or(Ok(0), |index| index.sequence_at(when))
    }

    /// The place of the start of a step.
    pub fn rank_of_start(&self, thread: ThreadId, step: u64) -> io::Result<Option<Rank>> {
        let (Some(index), Some(steps)) = (self.index(thread), self.number_of(thread, step)?) else { return Ok(None) };
        Ok(Some(Rank { steps, sequence: index.sequence_of(step)? }))
    }

    /// What a thread has done before a place at which another one is.
    pub fn until(&self, thread: ThreadId, rank: Rank) -> io::Result<Until> {
        let step = self.first_step_from(thread, rank.steps.saturating_add(1))?;
        // Before any meeting, threads come one after the other.
        Ok(Until { step, sequence: rank.sequence.max(1) })
    }

    /// How many steps of another thread come before a thread's step.
    pub fn steps_before(&self, thread: ThreadId, step: u64, other: ThreadId) -> io::Result<u64> {
        let (Some(own), Some(other)) = (self.index(thread), self.index(other)) else { return Ok(0) };
        other.steps_in_order(own.sequence_of(step)?, own)
    }

    fn index(&self, thread: ThreadId) -> Option<&'i ThreadIndex> {
        self.threads.iter().find(|index| index.thread == thread).copied()
    }

    /// The first step of a thread with this number or a later one; the number of its steps + 1 when there is none.
    pub fn first_step_from(&self, thread: ThreadId, number: u64) -> io::Result<u64> {
        let steps = self.index(thread).map_or(0, ThreadIndex::steps);
        let (mut low, mut high) = (0, steps + 1);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.number_of(thread, middle)?.is_some_and(|found| found < number) {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(high)
    }

    /// The thread and its step that have a number among the steps of all.
    pub fn step_of(&self, number: u64) -> io::Result<Option<(ThreadId, u64)>> {
        if number == 0 || number > self.steps() {
            return Ok(None);
        }
        // The last sequence number before which there are fewer steps.
        let (mut low, mut high) = (0, self.last_sequence()? + 1);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.all_before(middle)? < number {
                low = middle;
            } else {
                high = middle;
            }
        }
        let mut left = number - self.all_before(low)?;
        for index in &self.threads {
            let before = index.steps_before(low)?;
            let within = index.steps_before(low + 1)? - before;
            if left <= within {
                return Ok(Some((index.thread, before + left)));
            }
            left -= within;
        }
        Ok(None)
    }

    fn all_before(&self, sequence: u64) -> io::Result<u64> {
        self.threads.iter().map(|index| index.steps_before(sequence)).sum()
    }

    fn last_sequence(&self) -> io::Result<u64> {
        let mut last = 0;
        for index in &self.threads {
            let segment = index.checkpoints() - 1;
            let meetings = index.meetings(segment)?;
            last = last.max(meetings.last().map_or(index.segment(segment)?.sequence, |meeting| meeting.sequence));
        }
        Ok(last)
    }
}

impl ThreadIndex {
    /// The last sequence number before a step starts; 0 for none.
    fn sequence_of(&self, step: u64) -> io::Result<u64> {
        let segment = self.segment_before(step);
        let meetings = self.meetings(segment)?;
        let before = meetings.partition_point(|meeting| meeting.steps < step);
        let last = before.checked_sub(1).and_then(|last| meetings.get(last));
        Ok(last.map_or(self.segment(segment)?.sequence, |meeting| meeting.sequence))
    }

    pub(super) fn sequence_at(&self, when: When) -> io::Result<u64> {
        let segment = self.segment_of_instruction(when.instruction);
        let meetings = self.meetings(segment)?;
        let last = meetings.partition_point(|meeting| meeting.when <= when).checked_sub(1);
        let last = last.and_then(|last| meetings.get(last));
        Ok(last.map_or(self.segment(segment)?.sequence, |meeting| meeting.sequence))
    }

    /// The segments that start until then.
    pub(super) fn segments_until(&self, until: Until) -> Range<usize> {
        let by_steps = self.directory.segments.partition_point(|segment| segment.steps < until.step);
        0..by_steps.min(self.starting_before(until.sequence))
    }

    /// The segments in which something may be that follows a place at which another thread is.
    pub fn segments_after(&self, rank: Rank) -> Range<usize> {
        let first = match rank.sequence {
            0 => 0,
            sequence => self.starting_before(sequence + 1).saturating_sub(1),
        };
        first..self.checkpoints()
    }

    /// The segments in which something may be that comes before a place at which another thread is.
    pub fn segments_before(&self, rank: Rank) -> Range<usize> {
        0..self.starting_before(rank.sequence.max(1))
    }

    /// The thread's first sequence number after another one.
    pub fn sequence_after(&self, sequence: u64) -> io::Result<Option<u64>> {
        // The one before the first checkpoint that knows of a later meeting has it.
        let later = self.directory.segments.partition_point(|segment| segment.sequence <= sequence);
        let meetings = self.meetings(later.saturating_sub(1))?;
        Ok(meetings.iter().map(|meeting| meeting.sequence).find(|&found| found > sequence))
    }

    /// Sequence numbers among these that the thread has taken from a step on: the first and the last so many, each with its
    /// segment.
    pub fn meetings_between(
        &self,
        sequences: &Range<u64>,
        since: u64,
        most: usize,
    ) -> io::Result<BTreeSet<(usize, u64)>> {
        // The first may have been taken where the one before it was the last.
        let segments = self.segments_between(&(sequences.start.saturating_sub(1)..sequences.end))?;
        let mut found = self.some_meetings(segments.clone(), sequences, since, most)?;
        found.append(&mut self.some_meetings(segments.rev(), sequences, since, most)?);
        Ok(found)
    }

    /// Those of the first segments; of a segment, the first and the last.
    fn some_meetings(
        &self,
        segments: impl Iterator<Item = usize>,
        sequences: &Range<u64>,
        since: u64,
        most: usize,
    ) -> io::Result<BTreeSet<(usize, u64)>> {
        let mut found = BTreeSet::new();
        for segment in segments {
            let meetings = self.meetings(segment)?;
            let in_it = self.sequences_of(segment)?;
            let is_own = |sequence: u64| sequence > in_it.start && sequence < in_it.end;
            let is_meant = |meeting: &&Meeting| {
                meeting.steps >= since && is_own(meeting.sequence) && sequences.contains(&meeting.sequence)
            };
            let own: Vec<u64> = meetings.iter().filter(is_meant).map(|meeting| meeting.sequence).collect();
            let ends = own.iter().take(most).chain(own.iter().rev().take(most));
            found.extend(ends.map(|&sequence| (segment, sequence)));
            if found.len() >= most {
                break;
            }
        }
        Ok(found)
    }

    /// From the last sequence number before a segment to behind the last one in it.
    pub fn sequences_of(&self, segment: usize) -> io::Result<Range<u64>> {
        let start = self.segment(segment)?.sequence;
        let last = match self.directory.segments.get(segment + 1) {
            Some(next) => next.sequence,
            None => self.meetings(segment)?.last().map_or(start, |meeting| meeting.sequence),
        };
        Ok(start..last + 1)
    }

    /// The segments that start before the thread has a sequence number, or a later one.
    pub fn starting_before(&self, sequence: u64) -> usize {
        self.directory.segments.partition_point(|segment| segment.sequence < sequence)
    }

    /// The segments in which the thread's last sequence number is one of these.
    pub fn segments_between(&self, sequences: &Range<u64>) -> io::Result<Range<usize>> {
        let segments = &self.directory.segments;
        let mut first = segments.partition_point(|segment| segment.sequence <= sequences.start).saturating_sub(1);
        let end = segments.partition_point(|segment| segment.sequence < sequences.end);
        let is_in = |sequence: u64| sequences.contains(&sequence);
        // The first one may have all its meetings before or after.
        if first < end
            && !is_in(self.segment(first)?.sequence)
            && !self.meetings(first)?.iter().any(|meeting| is_in(meeting.sequence))
        {
            first += 1;
        }
        Ok(first..end.max(first))
    }

    /// Steps that come before those of another thread that follow a sequence number.
    fn steps_in_order(&self, sequence: u64, other: &ThreadIndex) -> io::Result<u64> {
        match sequence {
            // Before any meeting: in the order of the threads.
            0 if self.thread < other.thread => self.steps_before(1),
            0 => Ok(0),
            sequence => self.steps_before(sequence),
        }
    }

    /// Steps that start before the thread's first meeting with this sequence number or a later one.
    fn steps_before(&self, sequence: u64) -> io::Result<u64> {
        let segments = &self.directory.segments;
        let Some(segment) = segments.partition_point(|segment| segment.sequence < sequence).checked_sub(1) else {
            return Ok(0);
        };
        let meetings = self.meetings(segment)?;
        let first = meetings.get(meetings.partition_point(|meeting| meeting.sequence < sequence));
        Ok(first.map_or(self.steps(), |meeting| meeting.steps))
    }
}
