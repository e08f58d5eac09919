//! What the threads have, segment by segment, in the order of all threads.

use crate::search::Direction;
use crate::session::SessionError;
use std::collections::VecDeque;
use std::ops::Range;
use whydunit_replay::index::{Rank, ThreadIndex};

/// Something with its place in the order of all threads.
pub(crate) type Placed<T> = (Rank, T);

/// Takes the next of all threads, from either end of the run.
#[derive(Debug)]
pub(crate) struct InOrder<'m, T> {
    direction: Direction,
    threads: Vec<Cursor<'m, T>>,
}

#[derive(Debug)]
struct Cursor<'m, T> {
    index: &'m ThreadIndex,
    /// Segments that were not looked at.
    left: Range<usize>,
    ready: VecDeque<Placed<T>>,
}

impl<'m, T> InOrder<'m, T> {
    pub(crate) fn new(
        direction: Direction,
        segments: impl IntoIterator<Item = (&'m ThreadIndex, Range<usize>)>,
    ) -> InOrder<'m, T> {
        let cursor = |(index, left)| Cursor { index, left, ready: VecDeque::new() };
        InOrder { direction, threads: segments.into_iter().map(cursor).collect() }
    }

    /// `look` gives what a segment has, in the order of its thread.
    pub(crate) fn next(
        &mut self,
        look: &mut dyn FnMut(&'m ThreadIndex, usize) -> Result<Vec<Placed<T>>, SessionError>,
    ) -> Result<Option<T>, SessionError> {
        for cursor in &mut self.threads {
            cursor.fill(self.direction, look)?;
        }
        self.threads.retain(|cursor| !cursor.ready.is_empty());
        let place = |cursor: &&mut Cursor<'_, T>| cursor.ready.front().map(|(place, _)| *place);
        let next = match self.direction {
            Direction::Forwards => self.threads.iter_mut().min_by_key(place),
            Direction::Backwards => self.threads.iter_mut().max_by_key(place),
        };
        Ok(next.and_then(|cursor| cursor.ready.pop_front()).map(|(_, one)| one))
    }
}

impl<'m, T> Cursor<'m, T> {
    /// Looks further until there is something.
    fn fill(
        &mut self,
        direction: Direction,
        look: &mut dyn FnMut(&'m ThreadIndex, usize) -> Result<Vec<Placed<T>>, SessionError>,
    ) -> Result<(), SessionError> {
        while self.ready.is_empty() {
            let segment = match direction {
                Direction::Forwards => self.left.next(),
                Direction::Backwards => self.left.next_back(),
            };
            let Some(segment) = segment else { break };
            self.ready = look(self.index, segment)?.into();
            if direction == Direction::Backwards {
                self.ready.make_contiguous().reverse();
            }
        }
        Ok(())
    }
}
