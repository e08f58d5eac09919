//! Stretches that a slice need not look at.

use crate::dependences::Position;
use crate::potential::{Bits, Names, Variable, object_of};
use crate::slice::{Asker, Level, Slicer, Wants};
use crate::stretch::MAX_BEHIND;
use crate::wants::Want;
use whydunit_replay::ReplayError;
use whydunit_replay::index::{Query, Summary};

impl Slicer<'_, '_> {
    /// Whether a stretch has nothing to say to what later ones want to know, and could not have changed any of it.
    pub(crate) fn may_pass_over(
        &self,
        at: Position,
        wants: &Wants,
        keys: &mut Option<Bits>,
        summary: Option<&Summary>,
    ) -> Result<bool, ReplayError> {
        if let (Some(names), Some(summary)) = (&self.names, summary)
            && self.could_change(names, wants, keys, summary)
        {
            return Ok(false);
        }
        for &(want, _) in wants.keys() {
            if self.may_answer(want, at, summary)? {
                return Ok(false);
            }
            if self.names.is_some() && (self.may_make(want, at, summary)? || self.may_leave_alone(want, at)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(crate) fn may_answer(&self, want: Want, at: Position, summary: Option<&Summary>) -> Result<bool, ReplayError> {
        match (want, summary) {
            (Want::Written(place), Some(summary)) => Ok(self.dependences.may_have_written(place, summary)),
            _ => self.dependences.may_answer(want, at),
        }
    }

    /// Whether the object of a place may have been made in a stretch.
    fn may_make(&self, want: Want, at: Position, summary: Option<&Summary>) -> Result<bool, ReplayError> {
        let Some(object) = object_of(want) else { return Ok(false) };
        if summary.is_some_and(|summary| !summary.has_unidentified() && !summary.may_make(object)) {
            return Ok(false);
        }
        Ok(self.dependences.index(at.thread)?.may_make(at.segment, object, MAX_BEHIND)?)
    }

    /// Whether a frame has run that could have written a local of its own, and has not.
    fn may_leave_alone(&self, want: Want, at: Position) -> Result<bool, ReplayError> {
        match want {
            Want::Slot { frame, .. } => self.dependences.may_have_run(frame, at),
            _ => Ok(false),
        }
    }

    /// Whether something that ran could have written a place that is wanted, had it done something else.
    fn could_change(&self, names: &Names<'_>, wants: &Wants, keys: &mut Option<Bits>, summary: &Summary) -> bool {
        let keys = keys.get_or_insert_with(|| {
            let mut keys = Bits::new(&names.may_write.keys);
            for &(want, _) in wants.keys() {
                names.for_each(want, |variable| {
                    if let Variable::Heap(key) = variable {
                        keys.insert(key);
                    }
                });
            }
            keys
        });
        let dependences = self.dependences;
        summary.lines_run().any(|(method, line)| {
            let alternatives = names.may_write.alternatives(dependences.program, dependences.flows, method);
            let of_line = alternatives.and_then(|alternatives| alternatives.of_line(line));
            let may_be_cut_short = summary.may_contain(&Query::Thrown);
            of_line.is_some_and(|of_line| of_line.first_common(keys).is_some())
                || may_be_cut_short && names.may_write.of_method(method).first_common(keys).is_some()
        })
    }

    /// Asks the stretch before this one all that was asked of this one.
    pub(crate) fn pass_all(&mut self, at: Position, wants: Wants, keys: Option<Bits>) -> Result<(), ReplayError> {
        let Some(segment) = at.segment.checked_sub(1) else {
            self.unanswered.extend(wants.into_iter().map(|((want, _), asker)| (want, asker)));
            return Ok(());
        };
        let level = self.level(Position { segment, ..at })?;
        if level.wants.is_empty() {
            (level.wants, level.keys) = (wants, keys);
        } else {
            wants.into_iter().for_each(|((want, _), asker)| level.want(want, asker));
        }
        Ok(())
    }

    /// Asks the stretch before this one.
    pub(crate) fn pass_many(&mut self, at: Position, wants: Vec<(Want, Asker)>) -> Result<(), ReplayError> {
        match at.segment.checked_sub(1) {
            Some(_) if wants.is_empty() => {}
            Some(segment) => {
                let level = self.level(Position { segment, ..at })?;
                wants.into_iter().for_each(|(want, asker)| level.want(want, asker));
            }
            None => self.unanswered.extend(wants),
        }
        Ok(())
    }
}

impl Level {
    pub(crate) fn want(&mut self, want: Want, asker: Asker) {
        self.keys = None;
        let known = self.wants.entry((want, asker.held)).or_insert(asker);
        // What nobody answers may have to be told from all that was known then: the latest knows what others do.
        if known.executed < asker.executed {
            *known = asker;
        }
    }
}
