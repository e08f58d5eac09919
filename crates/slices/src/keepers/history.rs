//! The calls of one collection or map, in their order.

use super::Unfollowed;
use super::calls::{Done, Kind, Part};
use super::following::{History, Kept, copies, lose, made};
use crate::dependences::{Dependences, Executed, Position};
use crate::graph::Place;
use crate::library::Library;
use crate::shelves::is_getter;
use crate::stretch::Stretch;
use whydunit_replay::ReplayError;
use whydunit_replay::program::CallKind;
use whydunit_replay::unrecorded::is_view;
use whydunit_trace::{ObjectId, ThreadId};

/// Instructions that are replayed for one question.
const MOST_INSTRUCTIONS: u64 = 1 << 24;

/// Stretches that are asked whether they have to do with an object.
const MOST_ASKED: u64 = 1 << 20;

/// Copies of copies are followed so far.
const MOST_COPIES: usize = 8;

/// What may still be spent on a question.
#[derive(Debug)]
struct Budget {
    instructions: u64,
    asked: u64,
    copies: usize,
}

impl Dependences<'_> {
    /// Who has put what a call of a collection or map gives back where it has found it. Empty when that is not known.
    pub(super) fn kept_by(&self, reader: Executed) -> Result<Vec<Executed>, ReplayError> {
        if let Some(known) = self.kept.borrow().get(&reader) {
            return Ok(known.clone());
        }
        if !self.is_call(reader)? {
            return Ok(Vec::new());
        }
        let library = Library::new(self.program, self.objects, self.flows.owners(self.program));
        let stretch = self.stretch(reader.at)?;
        let is_meant = |part| matches!(part, Part::Receiver | Part::Shown | Part::Entry);
        let noted = stretch.keepers().find(|noted| noted.call == reader.node && is_meant(noted.part));
        let Some(receiver) = noted.map(|noted| noted.keeper) else { return Ok(Vec::new()) };
        let mut budget = Budget { instructions: MOST_INSTRUCTIONS, asked: MOST_ASKED, copies: MOST_COPIES };
        let keeper = match library.keeper(receiver) {
            Some(Kind::Iterator) => self.iterated(receiver, reader.at, &mut budget)?,
            Some(_) => Some(receiver),
            None => None,
        };
        let history = match keeper {
            Some(keeper) => self.history(keeper, reader.at, None, &library, &mut budget)?,
            None => None,
        };
        let mut known = self.kept.borrow_mut();
        known.extend(history.into_iter().flat_map(|history| history.found));
        Ok(known.entry(reader).or_default().clone())
    }

    /// The list that an iterator goes over.
    fn iterated(&self, iterator: ObjectId, at: Position, budget: &mut Budget) -> Result<Option<ObjectId>, ReplayError> {
        for segment in (0..=at.segment).rev() {
            let at = at.of_segment(segment);
            let Some(true) = self.is_met(iterator, at, budget)? else { continue };
            let stretch = self.stretch(at)?;
            let made = stretch.keepers().find(|noted| {
                let done = Done::new(self.program, &stretch, at, noted);
                done.is_some_and(|done| done.is_iteration() && done.result == u64::from(iterator.0))
            });
            if let Some(made) = made {
                return Ok(Some(made.keeper));
            }
        }
        Ok(None)
    }

    /// Follows a keeper through the calls of a thread to the end of a stretch, or to a call. `None` when another thread
    /// has to do with it, or when it takes too long.
    fn history(
        &self,
        keeper: ObjectId,
        end: Position,
        until: Option<Executed>,
        library: &Library<'_>,
        budget: &mut Budget,
    ) -> Result<Option<History>, ReplayError> {
        if self.is_shared(keeper, end.thread, budget)? {
            return Ok(None);
        }
        let mut history = History::new(keeper);
        for segment in 0..=end.segment {
            let at = end.of_segment(segment);
            let mut is_met = self.is_met(keeper, at, budget)?;
            for &iterator in history.iterators.keys() {
                if is_met == Some(false) {
                    is_met = self.is_met(iterator, at, budget)?;
                }
            }
            match is_met {
                None => return Ok(None),
                Some(false) => continue,
                Some(true) => {}
            }
            let stretch = self.stretch(at)?;
            for noted in stretch.keepers() {
                let Some(done) = Done::new(self.program, &stretch, at, &noted) else { continue };
                if Some(done.executed) == until {
                    return Ok(Some(history));
                }
                // A view that a function has thrown in has taken away what came before.
                if done.has_thrown && done.part != Part::Viewed {
                    continue;
                }
                if noted.keeper == keeper {
                    self.apply(&mut history, &done, &stretch, library, budget)?;
                } else if done.part == Part::Receiver {
                    history.apply_iterator(noted.keeper, &done);
                }
            }
        }
        Ok(Some(history))
    }

    /// Whether an object can have come up in a stretch. `None`: there is no time to look.
    fn is_met(&self, object: ObjectId, at: Position, budget: &mut Budget) -> Result<Option<bool>, ReplayError> {
        let Some(asked) = budget.asked.checked_sub(1) else { return Ok(None) };
        budget.asked = asked;
        if !self.may_write(Place::Content(object), at)? {
            return Ok(Some(false));
        }
        let cost = self.index(at.thread)?.instructions_of(at.segment);
        let left = budget.instructions.checked_sub(cost);
        budget.instructions = left.unwrap_or_default();
        Ok(left.map(|_| true))
    }

    /// Whether other threads have to do with an object, or may have.
    fn is_shared(&self, object: ObjectId, thread: ThreadId, budget: &mut Budget) -> Result<bool, ReplayError> {
        for (&other, index) in self.threads.iter().filter(|(other, _)| **other != thread) {
            for segment in 0..index.checkpoints() {
                let at = Position::whole(other, segment);
                match self.is_met(object, at, budget)? {
                    Some(false) => {}
                    Some(true) if self.stretch(at)?.keepers().all(|noted| noted.keeper != object) => {}
                    Some(true) | None => return Ok(true),
                }
            }
        }
        Ok(false)
    }

    /// A call that has to do with the keeper.
    fn apply(
        &self,
        history: &mut History,
        done: &Done<'_>,
        stretch: &Stretch<'_>,
        library: &Library<'_>,
        budget: &mut Budget,
    ) -> Result<(), ReplayError> {
        if done.part == Part::Entry {
            history.apply_entry(done, stretch, library);
            return Ok(());
        }
        if done.part == Part::Viewed {
            history.apply_view(done);
            return Ok(());
        }
        if !matches!(done.part, Part::Receiver | Part::Shown) {
            if self.may_change(done, library)? {
                history.kept = Err(Unfollowed);
            }
            return Ok(());
        }
        let other = done.object(1);
        if done.call.kind == CallKind::Constructor {
            history.kept = made(library.keeper(history.keeper), done).ok_or(Unfollowed);
        }
        if copies(done) {
            let copied = self.copied(other, done.executed, library, budget)?;
            history.kept = match (std::mem::replace(&mut history.kept, Err(Unfollowed)), copied) {
                (Ok(kept), Some(copied)) => kept.with(copied),
                _ => Err(Unfollowed),
            };
            lose(&mut history.iterators);
        } else if done.call.kind != CallKind::Constructor {
            history.apply(done, stretch, library);
        }
        Ok(())
    }

    /// What is in a collection when a call copies it.
    fn copied(
        &self,
        other: ObjectId,
        call: Executed,
        library: &Library<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Kept>, ReplayError> {
        let Some(copies) = budget.copies.checked_sub(1) else { return Ok(None) };
        budget.copies = copies;
        if !matches!(library.keeper(other), Some(Kind::List | Kind::Deque | Kind::Map)) {
            return Ok(None);
        }
        let history = self.history(other, call.at, Some(call), library, budget)?;
        Ok(history.and_then(|history| history.kept.ok()))
    }

    /// Whether unrecorded code that is given a keeper may change it, now or later.
    fn may_change(&self, done: &Done<'_>, library: &Library<'_>) -> Result<bool, ReplayError> {
        let method = library.method(done.call);
        if done.part == Part::GivenBack {
            return Ok(!is_getter(&method));
        }
        if done.call.kind == CallKind::Dynamic {
            return Ok(!self.is_harmless_dynamic(done)?);
        }
        // It is no receiver; which argument it is makes no difference for the few methods that change one.
        let first = usize::from(method.has_receiver);
        let changes_argument = (first..done.call.arguments.len()).any(|position| method.changes(position));
        let is_changing_view = is_view(&method) && !done.name().starts_with("unmodifiable");
        Ok(changes_argument || is_changing_view || done.name().starts_with("invoke"))
    }

    /// A function of recorded code shows what it does; text is made at once. A method of the collection itself does not
    /// show who calls it.
    fn is_harmless_dynamic(&self, done: &Done<'_>) -> Result<bool, ReplayError> {
        let Some(found) = self.describe(done.executed)? else { return Ok(false) };
        let Ok(code) = self.program.code(found.frame.method) else { return Ok(false) };
        let is_recorded = self.flows.lambda_made(self.program, code, found.node.pc()).is_some();
        Ok(is_recorded || done.name() == "makeConcatWithConstants")
    }
}
