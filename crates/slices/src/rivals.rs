//! What other threads write while a stretch runs.

use crate::dependences::{Dependences, Executed, Position};
use crate::graph::{NodeId, Origin, OriginKind, Place};
use crate::stretch::Stretch;
use crate::timeline::Held;
use crate::wants::{Unknown, Want};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use whydunit_replay::ReplayError;
use whydunit_trace::ThreadId;

/// Places of which it is remembered who else has written them.
const MOST_CONTESTS: usize = 1 << 20;

/// The stretches of other threads that run between the first and the last meeting of one of a thread. What other threads
/// do without ever meeting this one is looked for only when nothing else explains a value.
#[derive(Debug, Default)]
pub(crate) struct Rivals {
    /// By thread, of those that have any.
    stretches: Vec<(ThreadId, Range<usize>)>,
}

impl Rivals {
    pub(crate) fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }

    /// So many that what they have written is looked for in all at once.
    pub(crate) fn are_many(&self) -> bool {
        self.stretches.iter().map(|(_, segments)| segments.len()).sum::<usize>() > 3
    }

    fn of_thread(&self, thread: ThreadId) -> Option<&Range<usize>> {
        self.stretches.iter().find(|(known, _)| *known == thread).map(|(_, segments)| segments)
    }
}

impl Dependences<'_> {
    /// The number of the first step of a stretch among the steps of all threads.
    pub(crate) fn start_of(&self, at: Position) -> Result<u64, ReplayError> {
        let index = self.index(at.thread)?;
        // No step starts in a stretch that is all inside one.
        let step = self.steps_of(at)?.start.min(index.steps());
        Ok(self.order.number_of(at.thread, step)?.unwrap_or_default())
    }

    /// The steps of its thread that start in a stretch.
    fn steps_of(&self, at: Position) -> Result<Range<u64>, ReplayError> {
        Ok(match at.part() {
            Some(part) => self.parts_of(at)?.steps_of(part),
            None => self.index(at.thread)?.steps_of(at.segment),
        })
    }

    /// The number of the last step that starts in a stretch, or is under way in it.
    pub(crate) fn last_number_of(&self, at: Position) -> Result<u64, ReplayError> {
        if let Some(&known) = self.last_numbers.borrow().get(&at) {
            return Ok(known);
        }
        let index = self.index(at.thread)?;
        let last = self.steps_of(at)?.end.saturating_sub(1).clamp(1, index.steps().max(1));
        let number = self.order.number_of(at.thread, last)?.unwrap_or_default();
        self.last_numbers.borrow_mut().insert(at, number);
        Ok(number)
    }

    pub(crate) fn rivals(&self, at: Position) -> Result<Rc<Rivals>, ReplayError> {
        if let Some(known) = self.rivals.borrow().get(&at) {
            return Ok(Rc::clone(known));
        }
        let mut rivals = Rivals::default();
        let sequences = self.index(at.thread)?.sequences_of(at.segment)?;
        for (&thread, index) in self.threads.iter().filter(|(thread, _)| **thread != at.thread) {
            let segments = index.segments_between(&sequences)?;
            if !segments.is_empty() {
                rivals.stretches.push((thread, segments));
            }
        }
        let rivals = Rc::new(rivals);
        self.rivals.borrow_mut().insert(at, Rc::clone(&rivals));
        Ok(rivals)
    }

    /// Whether rivals of a stretch may have written a place.
    fn is_contested(&self, place: Place, at: Position) -> Result<bool, ReplayError> {
        // What a function has captured, nobody changes.
        if matches!(place, Place::Captured(_)) {
            return Ok(false);
        }
        if let Some(&known) = self.contested.borrow().get(&(at, place)) {
            return Ok(known);
        }
        let mut is_contested = false;
        for (thread, segments) in &self.rivals(at)?.stretches {
            is_contested = is_contested || self.last_writing_elsewhere(place, *thread, segments)?.is_some();
        }
        let mut contested = self.contested.borrow_mut();
        if contested.len() >= MOST_CONTESTS {
            contested.clear();
        }
        contested.insert((at, place), is_contested);
        Ok(is_contested)
    }

    /// The last stretch before one of the same thread whose rivals may have written a place.
    pub(crate) fn last_contested(&self, place: Place, before: Position) -> Result<Option<usize>, ReplayError> {
        if matches!(place, Place::Captured(_)) {
            return Ok(None);
        }
        if let Some(&(known, last)) = self.contests.borrow().get(&(before.thread, place))
            && before.segment <= known
            && last.is_none_or(|last| last < before.segment)
        {
            return Ok(last);
        }
        let mut last = None;
        for &thread in self.threads.keys().filter(|thread| **thread != before.thread) {
            last = last.max(self.last_contested_by(thread, place, before)?);
        }
        let mut contests = self.contests.borrow_mut();
        if contests.len() >= MOST_CONTESTS {
            contests.clear();
        }
        contests.insert((before.thread, place), (before.segment, last));
        Ok(last)
    }

    /// The same for rivals of one thread.
    fn last_contested_by(&self, rival: ThreadId, place: Place, before: Position) -> Result<Option<usize>, ReplayError> {
        let (own, index) = (self.index(before.thread)?, self.index(rival)?);
        let Some(last) = before.segment.checked_sub(1) else { return Ok(None) };
        let mut behind = index.starting_before(own.sequences_of(last)?.end);
        while let Some(writing) = self.last_writing_elsewhere(place, rival, &(0..behind))? {
            let sequences = index.sequences_of(writing)?;
            for segment in (0..before.segment.min(own.starting_before(sequences.end))).rev() {
                let rivals = self.rivals(before.of_segment(segment))?;
                if rivals.of_thread(rival).is_some_and(|segments| segments.contains(&writing)) {
                    return Ok(Some(segment));
                }
                if own.sequences_of(segment)?.end <= sequences.start {
                    break;
                }
            }
            behind = writing;
        }
        Ok(None)
    }

    /// What an instruction has from an origin, if rivals of its stretch can have written it.
    pub(crate) fn contested(
        &self,
        rivals: &Rivals,
        stretch: &Stretch<'_>,
        executed: Executed,
        origin: Origin,
    ) -> Result<Option<Contested>, ReplayError> {
        if rivals.is_empty() {
            return Ok(None);
        }
        let own = match origin.kind() {
            OriginKind::Node(node) => Ok(Executed { node, ..executed }),
            OriginKind::None | OriginKind::Before(_) => Err(Unknown::Nothing),
        };
        let place = match stretch.wanted(origin) {
            Some(place) if stretch.place_read(self.program, executed.node).is_none() => Some((place, None)),
            _ => self.looked_for(executed, origin, own, true)?,
        };
        let Some((place, held)) = place else { return Ok(None) };
        if !self.is_contested(place, executed.at)? {
            return Ok(None);
        }
        let since = match own {
            Ok(own) => self.sequence_of(own)?,
            Err(_) => self.index(executed.thread())?.sequences_of(executed.at.segment)?.start,
        };
        let sequences = since..self.sequence_of(executed)?;
        Ok(Some(Contested { thread: executed.thread(), sequences, place, held, best: None }))
    }

    /// What a later instruction wants to know of a stretch, if rivals can have written it. `own` is what the stretch
    /// itself says.
    pub(crate) fn contested_want(
        &self,
        rivals: &Rivals,
        at: Position,
        want: Want,
        held: Option<Held>,
        own: Option<NodeId>,
    ) -> Result<Option<Contested>, ReplayError> {
        let Want::Written(place) = want else { return Ok(None) };
        if rivals.is_empty() || !self.is_contested(place, at)? {
            return Ok(None);
        }
        let all = self.index(at.thread)?.sequences_of(at.segment)?;
        let since = own.map_or(Ok(all.start), |node| self.sequence_of(Executed { at, node }))?;
        Ok(Some(Contested { thread: at.thread, sequences: since..all.end, place, held, best: None }))
    }

    /// Who has last written what is contested, of one thing.
    pub(crate) fn settle(&self, contested: &Contested) -> Result<Option<Executed>, ReplayError> {
        self.last_between(contested.thread, contested.sequences.clone(), contested.place, contested.held)
    }

    /// The same for many things: every stretch of other threads is looked at once.
    pub(crate) fn settle_all(&self, mut contested: Vec<&mut Contested>) -> Result<(), ReplayError> {
        let mut beside = Beside::new();
        for (position, one) in contested.iter().enumerate() {
            for (&thread, index) in self.threads.iter().filter(|(thread, _)| **thread != one.thread) {
                let segments = index.segments_between(&one.sequences)?;
                self.file_at_last(&mut beside, one.place, position, thread, segments)?;
            }
        }
        // Those that end latest first: what was found is the last when all that are left end before it.
        while let Some(((end, at), asked)) = beside.pop_last() {
            for (position, mut segments) in asked {
                let one = &mut contested[position];
                if one.best.is_some_and(|(number, _)| number > end) {
                    continue;
                }
                let stretch = self.stretch(at)?;
                let mut writes = stretch.timeline(self.program).writes(one.place, one.sequences.clone());
                if let Some(node) = writes.rfind(|&node| stretch.can_have_written(node, one.held)) {
                    let executed = Executed { at, node };
                    let number = self.number(executed)?;
                    one.best = one.best.filter(|(known, _)| *known > number).or(Some((number, executed)));
                }
                segments.end = at.segment;
                self.file_at_last(&mut beside, one.place, position, at.thread, segments)?;
            }
        }
        Ok(())
    }

    /// Asks the last of some stretches of a thread that can have written a place.
    fn file_at_last(
        &self,
        beside: &mut Beside,
        place: Place,
        position: usize,
        thread: ThreadId,
        segments: Range<usize>,
    ) -> Result<(), ReplayError> {
        if let Some(segment) = self.last_writing_elsewhere(place, thread, &segments)? {
            let at = Position::whole(thread, segment);
            beside.entry((self.last_number_of(at)?, at)).or_default().push((position, segments));
        }
        Ok(())
    }
}

/// Stretches, by the number of their last step among those of all threads: positions of what they can have written, and
/// the stretches of the thread that are left to ask.
type Beside = BTreeMap<(u64, Position), Vec<(usize, Range<usize>)>>;

/// Something that other threads may have written between two meetings.
#[derive(Clone, Debug)]
pub(crate) struct Contested {
    pub(crate) thread: ThreadId,
    pub(crate) sequences: Range<u64>,
    pub(crate) place: Place,
    pub(crate) held: Option<Held>,
    /// The last write that was found, with its number among the steps of all threads.
    pub(crate) best: Option<(u64, Executed)>,
}
