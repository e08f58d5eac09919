//! Stretches that a slice need not look at.

use crate::dependences::Position;
use crate::potential::{Bits, Names, Standing, object_of};
use crate::slice::{Level, Slicer, add};
use crate::wants::Want;
use whydunit_replay::ReplayError;
use whydunit_replay::index::Query;

impl Slicer<'_, '_> {
    /// Asks of each want the last stretch before this one that may have something to say.
    pub(crate) fn pass_all(&mut self, at: Position) -> Result<(), ReplayError> {
        let wants = std::mem::take(&mut self.passed);
        if at.segment == 0 {
            self.unanswered.extend(wants.into_iter().map(|((want, _), asker)| (want, asker)));
            return Ok(());
        }
        for ((want, _), asker) in wants {
            // What no stretch knows is told when all of the thread was looked at.
            let segment = self.last_concerned(want, at)?.unwrap_or(0);
            add(&mut self.level(Position { segment, ..at })?.wants, want, asker);
            if let Some(names) = &self.names {
                self.standing.add(names, want);
            }
        }
        Ok(())
    }

    /// The last stretch before one of the same thread that has to do with a want.
    fn last_concerned(&self, want: Want, before: Position) -> Result<Option<usize>, ReplayError> {
        let dependences = self.dependences;
        let mut last = dependences.last_answering(want, before)?;
        if let Want::Written(place) = want
            && dependences.threads.len() > 1
        {
            last = last.max(dependences.last_contested(place, before)?);
        }
        if self.names.is_none() {
            return Ok(last);
        }
        let index = dependences.index(before.thread)?;
        // A frame that runs could have written a local of its own.
        if let Want::Slot { frame, .. } = want {
            last = last.max(index.last_run_before(before.segment, frame.depth));
        }
        // What was made is no older.
        if let Some(object) = object_of(want) {
            last = last.max(index.last_made_in(&(0..before.segment), object)?);
        }
        Ok(last)
    }

    /// What is wanted of stretches further back counts in those on the way that could have changed it: takes it to the
    /// next one that is looked at.
    pub(crate) fn take_standing_on(&mut self, at: Position) -> Result<(), ReplayError> {
        let standing = std::mem::take(&mut self.standing);
        let Some(names) = self.names.clone().filter(|_| !standing.is_empty()) else { return Ok(()) };
        let start = self.start_of(at)?;
        let of_thread = |((_, position), _): &(&(u64, Position), &Level)| position.thread == at.thread;
        let next = self.open.range(..(start, at)).rev().find(of_thread).map(|((_, position), _)| position.segment);
        let mut segment = at.segment;
        loop {
            let Some(before) = segment.checked_sub(1) else { return Ok(()) };
            segment = before;
            if next == Some(segment) || self.could_change(&names, &standing, Position { segment, ..at })? {
                break;
            }
        }
        self.level(Position { segment, ..at })?.standing.merge(standing, &names);
        Ok(())
    }

    /// Whether something that ran could have written a place that is wanted, had it done something else.
    pub(crate) fn could_change(
        &self,
        names: &Names<'_>,
        standing: &Standing,
        at: Position,
    ) -> Result<bool, ReplayError> {
        match standing.keys() {
            Some(keys) => self.could_write(names, keys, at),
            None => Ok(false),
        }
    }

    /// The same of some keys.
    pub(crate) fn could_write(&self, names: &Names<'_>, keys: &Bits, at: Position) -> Result<bool, ReplayError> {
        let dependences = self.dependences;
        let summary = dependences.index(at.thread)?.summary(at.segment)?;
        let may_be_cut_short = summary.may_contain(&Query::Thrown);
        Ok(summary.lines_run().any(|(method, line)| {
            let alternatives = names.may_write.alternatives(dependences.program, dependences.flows, method);
            let of_line = alternatives.and_then(|alternatives| alternatives.of_line(line));
            of_line.is_some_and(|of_line| of_line.first_common(keys).is_some())
                || may_be_cut_short && names.may_write.of_method(method).first_common(keys).is_some()
        }))
    }
}
