//! Lists and queues: what is at which position.

use super::calls::{Done, Kind};
use super::{Element, Unfollowed};
use crate::dependences::Executed;
use crate::library::Library;
use crate::stretch::Stretch;
use std::collections::VecDeque;
use whydunit_trace::ObjectId;

/// The elements of a list or queue, in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Elements(VecDeque<Element>);

/// Where an iterator stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    next: usize,
}

/// What a call does to a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    /// Slots: of the element, of the position.
    Insert {
        element: usize,
        position: At,
    },
    Replace {
        element: usize,
        position: At,
    },
    Read(At),
    Remove(At),
    RemoveEqual,
    Clear,
    Count,
}

/// A position in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    First,
    Last,
    /// The slot of the argument that says which.
    Slot(usize),
}

fn act(kind: Kind, name: &str, parameters: &str) -> Option<Act> {
    let near = if kind == Kind::Deque { At::First } else { At::Last };
    let insert = |position| Act::Insert { element: 1, position };
    Some(match (name, parameters) {
        ("add" | "addElement" | "addLast" | "offer" | "offerLast", "Ljava/lang/Object;") => insert(At::Last),
        ("addFirst" | "offerFirst", _) => insert(At::First),
        ("push", _) => insert(near),
        ("add", "ILjava/lang/Object;") => Act::Insert { element: 2, position: At::Slot(1) },
        ("insertElementAt", _) => Act::Insert { element: 1, position: At::Slot(2) },
        ("set", _) => Act::Replace { element: 2, position: At::Slot(1) },
        ("setElementAt", _) => Act::Replace { element: 1, position: At::Slot(2) },
        ("get" | "elementAt", "I") => Act::Read(At::Slot(1)),
        ("getFirst" | "firstElement" | "element" | "peekFirst", "") => Act::Read(At::First),
        ("getLast" | "lastElement" | "peekLast", "") => Act::Read(At::Last),
        ("peek", "") => Act::Read(near),
        ("remove" | "removeElementAt", "I") => Act::Remove(At::Slot(1)),
        ("remove" | "removeFirst" | "poll" | "pollFirst", "") => Act::Remove(At::First),
        ("removeLast" | "pollLast", "") => Act::Remove(At::Last),
        ("pop", "") => Act::Remove(near),
        ("remove" | "removeFirstOccurrence" | "removeElement", "Ljava/lang/Object;") => Act::RemoveEqual,
        ("clear" | "removeAllElements", "") => Act::Clear,
        ("size", "") => Act::Count,
        _ => return None,
    })
}

impl Elements {
    /// What a call of a method of the list has got from where; `None` when it is not known what the method does.
    pub(super) fn apply(
        &mut self,
        kind: Kind,
        done: &Done<'_>,
        stretch: &Stretch<'_>,
        library: &Library<'_>,
    ) -> Result<Option<Applied>, Unfollowed> {
        let Some(act) = act(kind, done.name(), done.parameters()) else { return Ok(None) };
        let element = |slot| Element { object: done.object(slot), put: done.passing(stretch, slot) };
        let len = self.0.len();
        Ok(Some(match act {
            Act::Insert { element: slot, position } => {
                let position = match position {
                    At::First => 0,
                    At::Last => len,
                    At::Slot(slot) => done.index(slot).ok().filter(|&index| index <= len).ok_or(Unfollowed)?,
                };
                self.0.insert(position, element(slot));
                Applied { found: None, is_moved: true }
            }
            Act::Replace { element: slot, position } => {
                let position = self.position(position, done)?.ok_or(Unfollowed)?;
                let new = element(slot);
                let old = self.0.get_mut(position).map(|old| std::mem::replace(old, new)).ok_or(Unfollowed)?;
                let gives_back = done.name() == "set";
                let found = if gives_back { Some(old.seen_as(done.result)?) } else { None };
                Applied { found, is_moved: false }
            }
            Act::Read(at) => Applied { found: self.read(self.position(at, done)?, done)?, is_moved: false },
            Act::Remove(at) => {
                let position = self.position(at, done)?;
                let found = if done.name() == "removeElementAt" { None } else { self.read(position, done)? };
                let removed = position.and_then(|position| self.0.remove(position));
                Applied { found, is_moved: removed.is_some() }
            }
            Act::RemoveEqual => {
                if done.result != 0 {
                    let position = self.first_equal(done.object(1), library)?;
                    self.0.remove(position);
                }
                Applied { found: None, is_moved: done.result != 0 }
            }
            Act::Clear => {
                self.0.clear();
                Applied { found: None, is_moved: true }
            }
            Act::Count if done.result as usize == len => Applied { found: None, is_moved: false },
            Act::Count => return Err(Unfollowed),
        }))
    }

    /// `None`: there is nothing.
    fn position(&self, at: At, done: &Done<'_>) -> Result<Option<usize>, Unfollowed> {
        match at {
            At::First => Ok((!self.0.is_empty()).then_some(0)),
            At::Last => Ok(self.0.len().checked_sub(1)),
            At::Slot(slot) => done.index(slot).map(Some),
        }
    }

    fn read(&self, position: Option<usize>, done: &Done<'_>) -> Result<Option<Executed>, Unfollowed> {
        match position {
            Some(position) => self.0.get(position).ok_or(Unfollowed)?.seen_as(done.result).map(Some),
            None if done.result == 0 => Ok(None),
            None => Err(Unfollowed),
        }
    }

    fn first_equal(&self, wanted: ObjectId, library: &Library<'_>) -> Result<usize, Unfollowed> {
        for (position, element) in self.0.iter().enumerate() {
            let is_equal = match (element.object, wanted) {
                (ObjectId(0), _) | (_, ObjectId(0)) => element.object == wanted,
                (one, other) => match (library.plain_key(one), library.plain_key(other)) {
                    (Some(one), Some(other)) => one == other,
                    _ => return Err(Unfollowed),
                },
            };
            if is_equal {
                return Ok(position);
            }
        }
        Err(Unfollowed)
    }

    pub(super) fn extend(&mut self, other: Elements) {
        self.0.extend(other.0);
    }

    /// A call of an iterator over the list.
    pub(super) fn apply_iterator(&mut self, cursor: &mut Cursor, done: &Done<'_>) -> Result<Applied, Unfollowed> {
        match (done.name(), done.parameters()) {
            ("hasNext", "") if (done.result != 0) == (cursor.next < self.0.len()) => {
                Ok(Applied { found: None, is_moved: false })
            }
            ("next", "") => {
                let found = self.read(Some(cursor.next), done)?;
                cursor.next += 1;
                Ok(Applied { found, is_moved: false })
            }
            ("remove", "") => {
                cursor.next = cursor.next.checked_sub(1).ok_or(Unfollowed)?;
                self.0.remove(cursor.next).ok_or(Unfollowed)?;
                Ok(Applied { found: None, is_moved: true })
            }
            _ => Err(Unfollowed),
        }
    }
}

/// What a call has done to a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Applied {
    /// Who has put there what the call gives back.
    pub(super) found: Option<Executed>,
    /// Elements have come, gone or moved.
    pub(super) is_moved: bool,
}
