//! The stretches that were needed last. Whoever goes back through a thread stretch by stretch will go on so: the next ones
//! are recorded beside the one that is asked for, as many as the machine can do at once.

use crate::dependences::Position;
use crate::stretch::{Flows, Stretch};
use std::collections::VecDeque;
use std::num::NonZero;
use std::rc::Rc;
use std::sync::LazyLock;
use std::thread;
use whydunit_replay::index::{Parts, ThreadIndex};
use whydunit_replay::objects::ObjectTable;
use whydunit_replay::{Program, ReplayError};

/// Instructions of a stretch, more or less. Each takes some hundred bytes.
const OF_STRETCH: usize = 300_000;

/// Stretches that are kept beside those that are recorded at once. Two are kept whatever their size.
const KEPT: usize = 2;

/// Stretches that are kept at most, so that the room of small ones is used again before it is cold.
const MOST_KEPT: usize = 16;

/// Stretches that are recorded at once at most, so that all of them are kept.
const AT_ONCE: usize = 8;

#[derive(Debug)]
pub(crate) struct Recent<'s> {
    flows: &'s Flows,
    stretches: VecDeque<(Position, Rc<Stretch<'s>>)>,
    /// Where the way back has come to, and how many stretches it has been.
    way_back: Option<(Position, usize)>,
}

impl<'s> Recent<'s> {
    pub(crate) fn new(flows: &'s Flows) -> Recent<'s> {
        Recent { flows, stretches: VecDeque::new(), way_back: None }
    }

    pub(crate) fn get(&mut self, at: Position) -> Option<Rc<Stretch<'s>>> {
        let position = self.stretches.iter().position(|(known, _)| *known == at)?;
        let found = self.stretches.remove(position)?;
        let stretch = Rc::clone(&found.1);
        self.stretches.push_back(found);
        if at.part().is_none() {
            self.note_way(at);
        }
        Some(stretch)
    }

    /// One that is not there.
    pub(crate) fn record(
        &mut self,
        program: &'s Program,
        objects: &'s ObjectTable,
        index: &'s ThreadIndex,
        segment: usize,
    ) -> Result<Rc<Stretch<'s>>, ReplayError> {
        let thread = index.thread();
        let length = self.note_way(Position::whole(thread, segment));
        let others: Vec<usize> = (1..length.min(workers()))
            .filter_map(|back| segment.checked_sub(back))
            .take_while(|&segment| !self.has(Position::whole(thread, segment)))
            .collect();
        self.forget_oldest();
        let flows = self.flows;
        let record = |segment| Stretch::record(program, objects, flows, index, segment);
        let (stretch, others) = thread::scope(|scope| {
            let others: Vec<_> =
                others.into_iter().map(|segment| (segment, scope.spawn(move || record(segment)))).collect();
            let stretch = record(segment);
            let others: Vec<_> = others.into_iter().map(|(segment, other)| (segment, other.join())).collect();
            (stretch, others)
        });
        // Whatever is wrong with another one is told when that one is asked for.
        for (segment, other) in others.into_iter().rev() {
            if let Ok(Ok(other)) = other {
                self.stretches.push_back((Position::whole(thread, segment), Rc::new(other)));
            }
        }
        let stretch = Rc::new(stretch?);
        self.stretches.push_back((Position::whole(thread, segment), Rc::clone(&stretch)));
        Ok(stretch)
    }

    /// A part that is not there.
    pub(crate) fn record_part(
        &mut self,
        program: &'s Program,
        objects: &'s ObjectTable,
        at: Position,
        parts: &Parts<'s>,
        part: usize,
    ) -> Result<Rc<Stretch<'s>>, ReplayError> {
        self.forget_oldest();
        let stretch = Rc::new(Stretch::record_part(program, objects, self.flows, parts, part)?);
        self.stretches.push_back((at, Rc::clone(&stretch)));
        Ok(stretch)
    }

    fn has(&self, at: Position) -> bool {
        self.stretches.iter().any(|(known, _)| *known == at)
    }

    /// Gives back how long the way back is that leads here.
    fn note_way(&mut self, at: Position) -> usize {
        let length = match self.way_back {
            Some((last, length)) if last == at => length,
            Some((last, length)) if last.thread == at.thread && last.segment == at.segment + 1 => length + 1,
            _ => 1,
        };
        self.way_back = Some((at, length));
        length
    }

    fn forget_oldest(&mut self) {
        let mut size: usize = self.stretches.iter().map(|(_, stretch)| stretch.len()).sum();
        while self.stretches.len() >= 2
            && (size > (KEPT + workers()) * OF_STRETCH || self.stretches.len() > MOST_KEPT)
            && let Some((_, old)) = self.stretches.pop_front()
        {
            size -= old.len();
            self.leave_room_of(old);
        }
    }

    fn leave_room_of(&self, old: Rc<Stretch<'s>>) {
        if let Ok(old) = Rc::try_unwrap(old) {
            self.flows.leave_room(old.into_room());
        }
    }
}

/// The next question about the run finds the room of this one.
impl Drop for Recent<'_> {
    fn drop(&mut self) {
        while let Some((_, old)) = self.stretches.pop_front() {
            self.leave_room_of(old);
        }
    }
}

/// Threads that a question is answered by at most.
pub(crate) fn workers() -> usize {
    // To find out takes as long as to record some thousand instructions.
    static WORKERS: LazyLock<usize> =
        LazyLock::new(|| thread::available_parallelism().map_or(1, NonZero::get).min(AT_ONCE));
    *WORKERS
}
