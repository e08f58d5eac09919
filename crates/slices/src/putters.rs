//! Who else may have put a value where it was found: objects are followed by their identity, and the same object can be in
//! a collection several times.

use crate::dependences::{Dependences, Executed, Position};
use crate::entries::Key;
use crate::graph::{Need, NodeId, Origin, OriginKind, Place, Role};
use crate::heap::{Put, Under};
use crate::stretch::Stretch;
use std::ops::Range;
use whydunit_replay::{Program, ReplayError};
use whydunit_trace::{LogKind, ObjectId, ThreadId};

/// Instructions of a thread that are replayed for one question.
const MOST_INSTRUCTIONS: u64 = 1 << 22;

/// Calls that are looked for.
const MOST_PUTTERS: usize = 64;

/// Objects that others have their elements from.
const MOST_SHELVES: usize = 64;

/// Objects and stretches of which it is remembered where the items came from.
const MOST_SOURCES: usize = 1 << 18;

/// Calls that may have put something where it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Putters {
    /// The latest first. When it is known which one it was, there is no other.
    pub calls: Vec<Executed>,
    /// There may be more, which were not looked for.
    pub has_more: bool,
}

/// Where something was found.
#[derive(Clone, Copy, Debug)]
struct Spot {
    shelf: ObjectId,
    item: ObjectId,
    key: Option<Key>,
}

#[derive(Debug)]
struct Search {
    spot: Spot,
    /// The shelf and those that it has its elements from.
    shelves: Vec<ObjectId>,
    calls: Vec<Executed>,
    has_more: bool,
}

/// A part of a thread, from its start.
#[derive(Clone, Copy, Debug)]
struct Extent {
    thread: ThreadId,
    /// The number of stretches.
    segments: usize,
    until: Until,
}

#[derive(Clone, Copy, Debug)]
enum Until {
    Instruction(Executed),
    Sequence(u64),
}

impl Spot {
    fn of(place: Place) -> Option<Spot> {
        match place {
            Place::Item(shelf, item) => Some(Spot { shelf, item, key: None }),
            Place::Entry(shelf, key, item) => Some(Spot { shelf, item, key: Some(key) }),
            _ => None,
        }
    }

    fn place(self) -> Place {
        match self.key {
            Some(key) => Place::Entry(self.shelf, key, self.item),
            None => Place::Item(self.shelf, self.item),
        }
    }

    /// Whether a call may have put the item where it was found, and not under another key.
    fn is_meant(&self, put: &Put) -> bool {
        match (self.key, put.under) {
            (None, _) | (Some(_), Under::Unknown) => true,
            (Some(_), Under::ItselfAsKey) => false,
            (Some(wanted), Under::Key(key)) => wanted == key || !(wanted.is_plain() && key.is_plain()),
        }
    }

    /// Whether it does not matter what was under the key before: nothing was copied to the shelf since.
    fn is_replaced_by(&self, put: &Put, shelves: &[ObjectId]) -> bool {
        let is_same = |wanted: Key| put.under == Under::Key(wanted);
        *shelves == [self.shelf] && put.shelf == self.shelf && self.key.is_some_and(is_same)
    }
}

impl Stretch<'_> {
    /// Where an instruction has found something that it has from an origin, if it was looked for by its identity.
    pub(crate) fn place_searched(&self, program: &Program, reader: NodeId, origin: Origin) -> Option<Place> {
        let looked = self.timeline(program).looked_for(reader, origin);
        let place = looked.or_else(|| match origin.kind() {
            OriginKind::Before(position) => match self.need(position) {
                Some(Need::Written(place)) => Some(self.known_place(place)),
                _ => None,
            },
            OriginKind::Node(_) | OriginKind::None => None,
        });
        place.filter(|place| matches!(place, Place::Item(..) | Place::Entry(..)))
    }

    /// All that may have put something where it was found, up to an instruction, and the places to ask for before the
    /// stretch.
    pub(crate) fn all_putters(&self, place: Place, until: NodeId) -> (Vec<Origin>, Vec<Place>) {
        let Some(spot) = Spot::of(place) else { return (Vec::new(), Vec::new()) };
        let shelves: Vec<ObjectId> = self.sources(spot.shelf).collect();
        let is_before = |put: &Put| match put.origin.kind() {
            OriginKind::Node(node) => node < until,
            OriginKind::Before(_) | OriginKind::None => true,
        };
        let is_one = |put: &Put| shelves.contains(&put.shelf) && spot.is_meant(put) && is_before(put);
        let mut origins = Vec::new();
        for put in self.puts_of(spot.item).iter().rev().filter(|put| is_one(put)) {
            origins.push(put.origin);
            if spot.is_replaced_by(put, &shelves) {
                return (origins, Vec::new());
            }
        }
        (origins, shelves.into_iter().map(|shelf| Spot { shelf, ..spot }.place()).collect())
    }
}

impl Dependences<'_> {
    /// The calls that may have put there what an instruction has found, when `found` is the last one that did.
    pub fn putters(&self, reader: Executed, found: Executed) -> Result<Putters, ReplayError> {
        let known = Putters { calls: vec![found], has_more: false };
        let Some(spot) = self.spot(reader)? else { return Ok(known) };
        // A future has one result.
        if self.is_by_key(reader)? || self.is_of_future(reader)? {
            return Ok(known);
        }
        let mut search = self.new_search(spot);
        let mut shelves = 0;
        while shelves < search.shelves.len() && !search.has_more {
            shelves = search.shelves.len();
            for extent in self.extents_before(reader)? {
                self.search(&mut search, extent)?;
            }
        }
        if !search.calls.contains(&found) {
            search.calls.push(found);
        }
        let mut calls = Vec::new();
        for call in search.calls {
            calls.push((self.number(call)?, call));
        }
        calls.sort_unstable_by(|one, other| other.cmp(one));
        calls.dedup();
        let has_more = search.has_more || calls.len() > MOST_PUTTERS;
        calls.truncate(MOST_PUTTERS);
        Ok(Putters { calls: calls.into_iter().map(|(_, call)| call).collect(), has_more })
    }

    /// Those of other threads than that of the instruction.
    pub(crate) fn putters_elsewhere(&self, reader: Executed, place: Place) -> Result<Vec<Executed>, ReplayError> {
        let Some(spot) = Spot::of(place) else { return Ok(Vec::new()) };
        let mut search = self.new_search(spot);
        let stretch = self.stretch(reader.at)?;
        search.add_sources(|shelf| Ok(stretch.sources(shelf).collect()))?;
        for extent in self.extents_before(reader)?.into_iter().filter(|extent| extent.thread != reader.thread()) {
            self.search(&mut search, extent)?;
        }
        Ok(search.calls)
    }

    fn new_search(&self, spot: Spot) -> Search {
        Search { spot, shelves: vec![spot.shelf], calls: Vec::new(), has_more: false }
    }

    /// Where an instruction has found its value, if it was looked for by its identity there.
    fn spot(&self, reader: Executed) -> Result<Option<Spot>, ReplayError> {
        let stretch = self.stretch(reader.at)?;
        let Some(node) = stretch.node(reader.node) else { return Ok(None) };
        if let Some(Place::Element(array, _)) = stretch.place_read(self.program, reader.node) {
            let is_reference = stretch.held(self.program, node).is_some_and(|held| held.kind == LogKind::Reference);
            let Some(written) = stretch.inputs(reader.node).last().filter(|_| is_reference && node.bits != 0) else {
                return Ok(None);
            };
            let item = ObjectId(stretch.identity(node.bits) as u32);
            let is_unwritten = self.source(reader, written.origin)?.is_err();
            return Ok(is_unwritten.then_some(Spot { shelf: array, item, key: None }));
        }
        let values = stretch.inputs(reader.node).iter().filter(|input| input.role == Role::Value);
        let mut places = values.filter_map(|input| stretch.place_searched(self.program, reader.node, input.origin));
        Ok(places.next().and_then(Spot::of))
    }

    /// What every thread did before an instruction, or may have done before it.
    fn extents_before(&self, reader: Executed) -> Result<Vec<Extent>, ReplayError> {
        let own =
            Extent { thread: reader.thread(), segments: reader.at.segment + 1, until: Until::Instruction(reader) };
        let mut extents = vec![own];
        if self.threads.len() > 1 {
            let read = self.sequence_of(reader)?;
            let end = self.index(reader.thread())?.sequence_after(read)?.unwrap_or(u64::MAX);
            for (&thread, index) in self.threads.iter().filter(|(thread, _)| **thread != reader.thread()) {
                let segments = index.segments_between(&(0..end))?.end;
                extents.push(Extent { thread, segments, until: Until::Sequence(end) });
            }
        }
        Ok(extents)
    }

    fn search(&self, search: &mut Search, extent: Extent) -> Result<(), ReplayError> {
        let mut segments = 0..extent.segments;
        let (mut instructions, known) = (MOST_INSTRUCTIONS, search.calls.len());
        while let Some(segment) = self.last_putting(search, extent.thread, &segments)? {
            segments.end = segment;
            let at = Position::whole(extent.thread, segment);
            let left = instructions.checked_sub(self.index(at.thread)?.instructions_of(segment));
            let Some(left) = left.filter(|_| search.calls.len() - known < MOST_PUTTERS) else {
                search.has_more = true;
                break;
            };
            instructions = left;
            if self.search_stretch(search, at, extent.until)? {
                break;
            }
        }
        Ok(())
    }

    /// The last of some stretches in which something may have been put on one of the shelves.
    fn last_putting(
        &self,
        search: &Search,
        thread: ThreadId,
        segments: &Range<usize>,
    ) -> Result<Option<usize>, ReplayError> {
        let mut last = None;
        for &shelf in &search.shelves {
            last = last.max(self.last_writing(Place::Content(shelf), thread, segments)?);
        }
        Ok(last)
    }

    /// What an object may have its items from, as one stretch knows it. Many items of a shelf are looked for.
    fn sources_in(&self, at: Position, shelf: ObjectId) -> Result<Box<[ObjectId]>, ReplayError> {
        if let Some(known) = self.sources.borrow().get(&(at, shelf)) {
            return Ok(known.clone());
        }
        let found: Box<[ObjectId]> = self.stretch(at)?.sources(shelf).collect();
        let mut sources = self.sources.borrow_mut();
        if sources.len() >= MOST_SOURCES {
            sources.clear();
        }
        sources.insert((at, shelf), found.clone());
        Ok(found)
    }

    /// Whether what was put there before was replaced.
    fn search_stretch(&self, search: &mut Search, at: Position, until: Until) -> Result<bool, ReplayError> {
        if !self.index(at.thread)?.may_have_used(at.segment, search.spot.item)? {
            search.add_sources(|shelf| self.sources_in(at, shelf))?;
            return Ok(false);
        }
        let stretch = self.stretch(at)?;
        search.add_sources(|shelf| Ok(stretch.sources(shelf).collect()))?;
        let is_before = |node: NodeId| match until {
            Until::Instruction(reader) => reader.at != at || node < reader.node,
            Until::Sequence(end) => stretch.sequence_after(node.0) < end,
        };
        let known = search.calls.len();
        for put in stretch.puts_of(search.spot.item).iter().rev() {
            if !search.shelves.contains(&put.shelf) || !search.spot.is_meant(put) {
                continue;
            }
            if search.calls.len() - known > MOST_PUTTERS {
                search.has_more = true;
                return Ok(true);
            }
            let Ok(call) = self.find(at, put.origin)? else { continue };
            if call.at == at && !is_before(call.node) {
                continue;
            }
            if !search.calls.contains(&call) {
                search.calls.push(call);
            }
            if matches!(until, Until::Instruction(_)) && search.spot.is_replaced_by(put, &search.shelves) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Search {
    /// Looks on what the shelves have their elements from, too.
    fn add_sources(
        &mut self,
        sources: impl Fn(ObjectId) -> Result<Box<[ObjectId]>, ReplayError>,
    ) -> Result<(), ReplayError> {
        let mut next = 0;
        while let Some(&shelf) = self.shelves.get(next) {
            for &source in &sources(shelf)? {
                if self.shelves.contains(&source) {
                    continue;
                }
                if self.shelves.len() >= MOST_SHELVES {
                    self.has_more = true;
                    return Ok(());
                }
                self.shelves.push(source);
            }
            next += 1;
        }
        Ok(())
    }
}
