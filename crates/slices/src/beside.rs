//! What threads could have written while another needed it.

use crate::dependences::{Dependences, Executed, Found, Position};
use crate::graph::Place;
use crate::potential::{Bits, Key, Names, NeededElsewhere, Window};
use crate::slice::{Asker, Slicer};
use crate::stretch::Stretch;
use crate::wants::{Unknown, Want};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Range;
use whydunit_replay::ReplayError;
use whydunit_replay::index::Presence;
use whydunit_replay::program::Op;
use whydunit_trace::{ObjectId, ThreadId};

/// From when on an instruction needed what it has from a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Since {
    /// Who has written it; `None` when nobody has.
    pub(crate) writer: Option<Executed>,
    /// The last sequence number of that thread then.
    pub(crate) sequence: u64,
}

/// What is needed while a stretch runs.
#[derive(Debug, Default)]
pub(crate) struct Needed {
    whole: Option<Bits>,
    /// What is not needed in all of it.
    parts: Vec<Window>,
}

impl Needed {
    pub(crate) fn is_empty(&self) -> bool {
        self.whole.is_none() && self.parts.is_empty()
    }

    fn add(&mut self, other: Needed) {
        match (&mut self.whole, other.whole) {
            (Some(whole), Some(other)) => whole.union(&other),
            (whole, other) => *whole = whole.take().or(other),
        }
        self.parts.extend(other.parts);
    }
}

impl Slicer<'_, '_> {
    pub(crate) fn has_other_threads(&self) -> bool {
        self.dependences.threads.len() > 1
    }

    /// Other threads could have written what an instruction has from a place; the own one, too, where its stretches were not
    /// looked at with this in mind.
    pub(crate) fn note_needed(&mut self, place: Place, since: Since, asker: Asker, has_own: bool) {
        let Since { writer, sequence } = since;
        // What the own thread could have written between two meetings of it, others could not.
        let is_of_interest = self.has_other_threads() && (has_own || sequence < asker.read);
        let Some(names) = self.names.clone().filter(|_| is_of_interest) else { return };
        names.for_each_key(Want::Written(place), |key| {
            let sequences = sequence..asker.read;
            self.windows.add(Window { key, writer, reader: asker.executed, has_own, sequences });
        });
    }

    /// The same of what its own thread has written, in a stretch that was looked at.
    pub(crate) fn note_own(&mut self, stretch: &Stretch<'_>, place: Place, writer: Executed, asker: Asker) {
        if self.has_other_threads() {
            let sequence = stretch.sequence_of(self.dependences.program, writer.node);
            self.note_needed(place, Since { writer: Some(writer), sequence }, asker, false);
        }
    }

    /// The same of what somebody has written, of whatever thread.
    pub(crate) fn note_written(&mut self, place: Place, writer: Executed, asker: Asker) -> Result<(), ReplayError> {
        if self.names.is_some() && self.has_other_threads() {
            self.note_needed(place, self.since(writer)?, asker, true);
        }
        Ok(())
    }

    /// The same where nobody knows more than that the place was looked for in vain.
    pub(crate) fn note_found(&mut self, unknown: Unknown, found: Found, asker: Asker) -> Result<(), ReplayError> {
        match (unknown, found) {
            (Unknown::NotWritten(place) | Unknown::Changed(place), Ok(writer)) => {
                self.note_written(place, writer, asker)
            }
            _ => Ok(()),
        }
    }

    /// The same of what a thread wants of the time before its first step.
    pub(crate) fn note_before_thread(&mut self, want: Want, asker: Asker, found: Found) -> Result<(), ReplayError> {
        let Want::Written(place) = want else { return Ok(()) };
        if self.names.is_none() || !self.has_other_threads() {
            return Ok(());
        }
        match found {
            Ok(writer) => self.note_needed(place, self.since(writer)?, asker, false),
            Err(_) => {
                let since = self.since_made(place, 0)?;
                self.note_needed(place, since, asker, false);
            }
        }
        Ok(())
    }

    /// The same of what nobody has written since a sequence number, in the own thread neither.
    pub(crate) fn note_unwritten_since(
        &mut self,
        place: Place,
        sequence: u64,
        asker: Asker,
    ) -> Result<(), ReplayError> {
        if self.names.is_some() && self.has_other_threads() {
            let since = self.since_made(place, sequence)?;
            self.note_needed(place, since, asker, true);
        }
        Ok(())
    }

    fn since(&self, writer: Executed) -> Result<Since, ReplayError> {
        Ok(Since { writer: Some(writer), sequence: self.dependences.sequence_of(writer)? })
    }

    /// Nobody has written anything of an object before it was made.
    fn since_made(&mut self, place: Place, sequence: u64) -> Result<Since, ReplayError> {
        let made = match place {
            Place::Field(object, _) | Place::Element(object, _) | Place::Content(object) => self.maker_of(object)?,
            _ => None,
        };
        let made = made.map(|maker| self.since(maker)).transpose()?;
        Ok(made.filter(|made| made.sequence >= sequence).unwrap_or(Since { writer: None, sequence }))
    }

    /// The instruction that has made an object.
    fn maker_of(&mut self, object: ObjectId) -> Result<Option<Executed>, ReplayError> {
        if let Some(&known) = self.made.get(&object) {
            return Ok(known);
        }
        let made = self.dependences.made(object)?;
        self.made.insert(object, made);
        Ok(made)
    }

    /// Opens the stretches that could have written what was needed meanwhile.
    pub(crate) fn open_elsewhere(&mut self) -> Result<(), ReplayError> {
        let fresh = self.windows.take_fresh();
        let Some(names) = self.names.clone().filter(|_| !fresh.is_empty()) else { return Ok(()) };
        let dependences = self.dependences;
        for &thread in dependences.threads.keys() {
            for (segment, needed) in dependences.needed_by_segment(thread, &names, &fresh)? {
                let at = Position::whole(thread, segment);
                let mut keys = needed.whole.clone().unwrap_or_else(|| Bits::new(&names.may_write.keys));
                needed.parts.iter().for_each(|window| keys.insert(window.key));
                if self.could_write(&names, &keys, at)? {
                    self.level(at)?.elsewhere.add(needed);
                }
            }
        }
        Ok(())
    }
}

impl Dependences<'_> {
    fn needed_by_segment(
        &self,
        thread: ThreadId,
        names: &Names<'_>,
        windows: &[Window],
    ) -> Result<BTreeMap<usize, Needed>, ReplayError> {
        let mut needed: BTreeMap<usize, Needed> = BTreeMap::new();
        // Where keys begin and end to be needed in all of a segment.
        let mut bounds: BTreeMap<usize, Vec<(Key, bool)>> = BTreeMap::new();
        for window in windows {
            let Range { start, end } = self.segments_of(thread, window)?;
            for segment in [start, end.saturating_sub(1)].into_iter().take(end.saturating_sub(start).min(2)) {
                needed.entry(segment).or_default().parts.push(window.clone());
            }
            if end > start + 2 {
                bounds.entry(start + 1).or_default().push((window.key, true));
                bounds.entry(end - 1).or_default().push((window.key, false));
            }
        }
        let mut open: FxHashMap<Key, usize> = FxHashMap::default();
        let mut bounds = bounds.into_iter().peekable();
        while let Some((first, changes)) = bounds.next() {
            for (key, is_start) in changes {
                let count = open.entry(key).or_default();
                *count = if is_start { *count + 1 } else { count.saturating_sub(1) };
            }
            open.retain(|_, count| *count > 0);
            let behind = bounds.peek().map_or(first, |(behind, _)| *behind);
            if open.is_empty() {
                continue;
            }
            let mut keys = Bits::new(&names.may_write.keys);
            open.keys().for_each(|&key| keys.insert(key));
            for segment in first..behind {
                needed.entry(segment).or_default().whole = Some(keys.clone());
            }
        }
        Ok(needed)
    }

    /// The segments of a thread that run during a window.
    fn segments_of(&self, thread: ThreadId, window: &Window) -> Result<Range<usize>, ReplayError> {
        let Window { writer, reader, has_own, ref sequences, .. } = *window;
        let is_own = thread == reader.thread();
        if is_own && !has_own {
            return Ok(0..0);
        }
        let sequences = sequences.start..sequences.end + u64::from(is_own);
        let mut segments = self.index(thread)?.segments_between(&sequences)?;
        if is_own {
            segments.end = segments.end.min(reader.at.segment + 1);
        }
        if let Some(writer) = writer.filter(|writer| writer.thread() == thread) {
            segments.start = segments.start.max(writer.at.segment);
        }
        Ok(segments)
    }

    /// The instruction that has made an object, if recorded code has.
    pub fn made(&self, object: ObjectId) -> Result<Option<Executed>, ReplayError> {
        for (&thread, index) in &self.threads {
            let mut segments = 0..index.checkpoints();
            while let Some(segment) = index.last_made_in(&segments, object)? {
                let at = Position::whole(thread, segment);
                let stretch = self.stretch(at)?;
                if let Some((node, _)) = stretch.nodes().find(|(_, node)| {
                    let code = stretch.frame(node.frame).and_then(|frame| self.program.code(frame.method).ok());
                    let op = code.and_then(|code| code.ops.get(node.pc() as usize));
                    is_making(op) && stretch.identity(node.bits) == u64::from(object.0)
                }) {
                    return Ok(Some(Executed { at, node }));
                }
                segments.end = segment;
            }
        }
        Ok(None)
    }
}

/// Whether an instruction makes an object.
pub(crate) fn is_making(op: Option<&Op>) -> bool {
    matches!(op, Some(Op::New(_) | Op::NewArray(_) | Op::MultiNewArray { .. }))
}

impl Stretch<'_> {
    /// What is needed when, by the instructions of the stretch.
    pub(crate) fn needed_elsewhere(&self, at: Position, names: &Names<'_>, needed: Needed) -> NeededElsewhere {
        let times = |window: &Window| {
            let start = match window.writer.filter(|writer| writer.at == at) {
                Some(writer) => writer.node.0 + 1,
                None => self.first_since(window.sequences.start),
            };
            let end = match window.reader {
                reader if reader.at == at => reader.node.0,
                reader if reader.thread() == at.thread => self.len() as u32,
                _ => self.first_since(window.sequences.end),
            };
            start..end
        };
        let parts: Vec<(Key, Range<u32>)> = needed
            .parts
            .iter()
            .map(|window| (window.key, times(window)))
            .filter(|(_, times)| !times.is_empty())
            .collect();
        NeededElsewhere::new(&names.may_write.keys, needed.whole, &parts, self.len())
    }

    /// The first instruction that runs when the thread has taken a sequence number or a later one.
    fn first_since(&self, sequence: u64) -> u32 {
        if sequence <= self.sequence_after(0) {
            return 0;
        }
        self.meeting_since(sequence).map_or(self.len() as u32, |meeting| meeting.before)
    }
}
