//! Stretches that a slice need not look at.

use crate::dependences::Position;
use crate::potential::{Bits, Names, Standing, object_of};
use crate::slice::{Level, Slicer, add};
use crate::wants::{FrameKey, Want};
use whydunit_replay::ReplayError;
use whydunit_replay::index::{Presence, Query};
use whydunit_replay::program::MethodIndex;

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
            let before = self.last_concerned(want, at)?.unwrap_or(at.of_segment(0));
            add(&mut self.level(before)?.wants, want, asker);
            if let Some(names) = &self.names {
                self.standing.add(names, want);
            }
        }
        Ok(())
    }

    /// The last stretch before one of the same thread that has to do with a want.
    fn last_concerned(&self, want: Want, before: Position) -> Result<Option<Position>, ReplayError> {
        let dependences = self.dependences;
        let mut last = dependences.last_answering(want, before)?;
        if let Want::Written(place) = want
            && dependences.threads.len() > 1
        {
            let contested = dependences.last_contested(place, before)?;
            last = last.max(contested.map(|segment| before.of_segment(segment)));
        }
        if self.names.is_none() {
            return Ok(last);
        }
        // A frame that runs could have written a local of its own.
        if let (Want::Slot { frame, slot }, Some(names)) = (want, &self.names) {
            last = last.max(self.last_that_could_set(names, frame, slot, before)?);
        }
        // What was made is no older.
        if let Some(object) = object_of(want) {
            last = last.max(dependences.last_before(before, |among, end| Ok(among.last_made_in(&(0..end), object)?))?);
        }
        Ok(last)
    }

    /// The last stretch before one in which a frame could have written a local. Of parts it is known which lines ran.
    fn last_that_could_set(
        &self,
        names: &Names<'_>,
        frame: FrameKey,
        slot: u16,
        before: Position,
    ) -> Result<Option<Position>, ReplayError> {
        let dependences = self.dependences;
        if let Some(end) = before.part() {
            let alternatives = names.may_write.alternatives(dependences.program, dependences.flows, frame.method);
            let is_line = |(method, line): (MethodIndex, u16)| {
                method == frame.method && alternatives.is_some_and(|known| known.locals_of_line(line).contains(&slot))
            };
            let parts = dependences.parts_of(before)?;
            let could_set = |&part: &usize| {
                let may_have_run = parts.may_have_run(part, frame.depth);
                may_have_run && (parts.has_exceptions(part) || parts.lines_run(part).any(is_line))
            };
            if let Some(part) = (0..end).rev().find(could_set) {
                return Ok(Some(before.of_part(part)));
            }
        }
        let segment = dependences.index(before.thread)?.last_run_before(before.segment, frame.depth);
        Ok(segment.map(|segment| before.of_segment(segment)))
    }

    /// What is wanted of stretches further back counts in those on the way that could have changed it: takes it to the
    /// next one that is looked at.
    pub(crate) fn take_standing_on(&mut self, at: Position) -> Result<(), ReplayError> {
        let standing = std::mem::take(&mut self.standing);
        let Some(names) = self.names.clone().filter(|_| !standing.is_empty()) else { return Ok(()) };
        let start = self.start_of(at)?;
        let of_thread = |((_, position), _): &(&(u64, Position), &Level)| position.thread == at.thread;
        let next = self.open.range(..(start, at)).rev().find(of_thread).map(|((_, position), _)| *position);
        let mut stretch = at;
        while let Some(before) = stretch.before() {
            stretch = before;
            if next == Some(stretch) || self.could_change(&names, &standing, stretch)? {
                self.level(stretch)?.standing.merge(standing, &names);
                break;
            }
        }
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
        if let Some(part) = at.part() {
            let parts = dependences.parts_of(at)?;
            return Ok(self.could_lines_write(names, keys, parts.lines_run(part), parts.has_exceptions(part)));
        }
        let summary = dependences.index(at.thread)?.summary(at.segment)?;
        Ok(self.could_lines_write(names, keys, summary.lines_run(), summary.may_contain(&Query::Thrown)))
    }

    fn could_lines_write(
        &self,
        names: &Names<'_>,
        keys: &Bits,
        mut lines: impl Iterator<Item = (MethodIndex, u16)>,
        may_be_cut_short: bool,
    ) -> bool {
        let dependences = self.dependences;
        lines.any(|(method, line)| {
            let alternatives = names.may_write.alternatives(dependences.program, dependences.flows, method);
            let of_line = alternatives.and_then(|alternatives| alternatives.of_line(line));
            of_line.is_some_and(|of_line| of_line.first_common(keys).is_some())
                || may_be_cut_short && names.may_write.of_method(method).first_common(keys).is_some()
        })
    }
}
