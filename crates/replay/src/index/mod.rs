//! What makes questions about a long run quick: for each thread a file beside the recording with a checkpoint
//! every few million instructions and a summary of what happens between two. A summary tells where there is
//! nothing to find; the exact place comes from a replay of the rest.
//!
//! Whatever is wrong with a file, it is built again: it holds nothing that the recording does not.

mod bloom;
mod calls;
mod contents;
mod departures;
mod filters;
mod find;
mod given;
mod look;
mod lowest;
mod mentions;
mod order;
mod parts;
mod presence;
mod query;
mod recent;
mod runs;
mod segment;
mod side_by_side;
mod summary;
mod touches;
mod views;
mod walk;

pub use calls::{Call, CallEnd};
pub use contents::{Evidence, Held, HeldAround, Part};
pub use departures::Departure;
pub use find::Hit;
pub use look::{Accesses, HeapAccess, Look, Looked, Spot, Stop};
pub use lowest::{LowestCall, LowestEnd};
pub use mentions::{FrameStart, Mention, Told};
pub use order::{GlobalOrder, Rank, Stretch, Until};
pub use parts::{Cutter, Parts};
pub use presence::Presence;
pub use query::{FieldKey, Query, WriteKey};
pub use summary::Summary;
pub use walk::{Walk, WalkEnd};

use crate::checkpoint::Checkpoint;
use crate::error::ReplayError;
use crate::interpreter::{End, Progress, ThreadReplay};
use crate::objects::ObjectTable;
use crate::pieces::{self, Key, Place, Writer};
use crate::program::Program;
use crate::state::{State, state_after};
use crate::unrecorded::Owners;
use filters::FilterPlace;
use given::Given;
use presence::Outline;
use query::{element_key, made_key, occurs_key};
use recent::Recent;
use serde::{Deserialize, Serialize};
use side_by_side::{GROUP, GroupPlace, PagesRead};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use summary::{Meeting, Summariser, Unidentified};
use touches::Touches;
use whydunit_trace::reader::Recording;
use whydunit_trace::{ObjectId, ThreadId};

/// Instructions between two checkpoints: less than a millisecond of replay, three when their dependences are recorded.
pub const INTERVAL: u64 = 80_000;

/// Instructions for each slot of a checkpoint, so that deep stacks do not make the index large.
const INSTRUCTIONS_PER_SLOT: u64 = 32;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Directory {
    /// At least one.
    segments: Vec<SegmentEntry>,
    /// What was written, made, met and run, by [`GROUP`] segments.
    groups: Vec<GroupPlace>,
    /// Of objects from this one on it is not told since when they come up.
    unordered: ObjectId,
    departures: Vec<Departure>,
    steps: u64,
    instructions: u64,
    ending: Ending,
}

/// A checkpoint and what comes between it and the next one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SegmentEntry {
    /// Steps before the checkpoint.
    steps: u64,
    /// Instructions before the checkpoint.
    number: u64,
    /// The last sequence number before the checkpoint.
    sequence: u64,
    /// The lowest depth of a frame that was entered or left behind the checkpoint.
    lowest: u32,
    /// Frames at the checkpoint.
    frames: u32,
    checkpoint: Place,
    summary: Place,
    /// A filter of the summary, which can be asked without reading it.
    objects: FilterPlace,
    unidentified: Unidentified,
    /// The highest object below `unordered` that is in a filter of this segment or one before. That ids mostly rise with time
    /// only makes it tell more.
    newest: ObjectId,
    meetings: Place,
    /// If there are any.
    older_views: Option<Place>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    Finished,
    /// The log ends inside recorded methods.
    CutOff,
    /// The replay does not fit the log from here on.
    Diverged(String),
}

/// The index of a thread.
#[derive(Debug)]
pub struct ThreadIndex {
    thread: ThreadId,
    file: File,
    path: PathBuf,
    directory: Directory,
    outline: Outline,
    pages: PagesRead,
    summaries: Recent<Summary, 8>,
    meetings: Recent<Vec<Meeting>, 4>,
    given: Recent<Given, 32>,
    touches: Recent<Touches, 32>,
    owners: OnceLock<Arc<Owners>>,
}

impl ThreadIndex {
    fn new(thread: ThreadId, file: File, path: &Path, directory: Directory) -> ThreadIndex {
        ThreadIndex {
            thread,
            file,
            path: path.to_owned(),
            outline: Outline::of(&directory.segments),
            pages: PagesRead::of(&directory.groups),
            directory,
            summaries: Recent::default(),
            meetings: Recent::default(),
            given: Recent::default(),
            touches: Recent::default(),
            owners: OnceLock::new(),
        }
    }

    /// Opens the thread's file in `folder`; builds it if it is missing, damaged or of another recording.
    /// `progress` is told the instructions that were replayed since it was last called.
    pub fn open_or_build(
        folder: &Path,
        program: &Program,
        objects: &ObjectTable,
        thread: ThreadId,
        interval: u64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<ThreadIndex, ReplayError> {
        let key = Key::new(program.recording(), thread, interval);
        let path = path_of(folder, thread);
        if let Some(index) = ThreadIndex::open(&path, key) {
            return Ok(index);
        }
        let (file, directory) = pieces::replace(&path, |writer| build(writer, key, program, objects, progress))?;
        Ok(ThreadIndex::new(thread, file, &path, directory))
    }

    /// Whether the thread's file is there and can be used.
    pub fn is_built(folder: &Path, recording: &Recording, thread: ThreadId) -> bool {
        ThreadIndex::open(&path_of(folder, thread), Key::new(recording, thread, INTERVAL)).is_some()
    }

    fn open(path: &Path, key: Key) -> Option<ThreadIndex> {
        let (file, directory): (File, Directory) = pieces::open(path, key)?;
        (!directory.segments.is_empty()).then(|| ThreadIndex::new(key.thread, file, path, directory))
    }

    pub fn thread(&self) -> ThreadId {
        self.thread
    }

    /// Steps of the thread.
    pub fn steps(&self) -> u64 {
        self.directory.steps
    }

    /// Instructions of the thread.
    pub fn instructions(&self) -> u64 {
        self.directory.instructions
    }

    pub fn ending(&self) -> &Ending {
        &self.directory.ending
    }

    /// Calls that exceptions left for unrecorded code, in the order of the run; of many, the last ones.
    pub fn departures(&self) -> &[Departure] {
        &self.directory.departures
    }

    /// Whether there may be more of these, before the first.
    pub fn has_forgotten_departures(&self) -> bool {
        self.directory.departures.len() >= departures::MOST
    }

    /// Checkpoints of the thread.
    pub fn checkpoints(&self) -> usize {
        self.directory.segments.len()
    }

    /// The state at the start of a step; `None` when the thread has no such step.
    pub fn state_at(&self, program: &Program, objects: &ObjectTable, step: u64) -> Result<Option<State>, ReplayError> {
        if step == 0 || step > self.steps() {
            return Ok(None);
        }
        let checkpoint = self.checkpoint_before(step)?;
        state_after(program, objects, self.thread, checkpoint, step)
    }

    /// The last checkpoint before the start of a step.
    pub fn checkpoint_before(&self, step: u64) -> io::Result<Checkpoint> {
        self.checkpoint(self.segment_before(step))
    }

    /// The segment in which an instruction is run.
    pub fn segment_of_instruction(&self, number: u64) -> usize {
        self.directory.segments.partition_point(|segment| segment.number < number).saturating_sub(1)
    }

    /// Instructions of a segment.
    pub fn instructions_of(&self, index: usize) -> u64 {
        let start = self.directory.segments.get(index).map_or(0, |segment| segment.number);
        self.end_of(index).saturating_sub(start)
    }

    /// The segment in which a step starts.
    pub fn segment_before(&self, step: u64) -> usize {
        self.directory.segments.partition_point(|segment| segment.steps < step).saturating_sub(1)
    }

    /// The steps that start in a segment.
    pub fn steps_of(&self, index: usize) -> Range<u64> {
        let before = |index: usize| self.directory.segments.get(index).map_or(self.steps(), |segment| segment.steps);
        before(index) + 1..before(index + 1) + 1
    }

    fn segment(&self, index: usize) -> io::Result<&SegmentEntry> {
        self.directory.segments.get(index).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    /// Instructions before the end of a segment.
    pub fn end_of(&self, index: usize) -> u64 {
        self.directory.segments.get(index + 1).map_or(self.directory.instructions, |next| next.number)
    }

    /// The checkpoint that a segment starts with.
    pub fn checkpoint(&self, index: usize) -> io::Result<Checkpoint> {
        self.dropped_if_damaged(pieces::read(&self.file, self.segment(index)?.checkpoint))
    }

    /// What happened in a segment.
    pub fn summary(&self, index: usize) -> io::Result<Arc<Summary>> {
        let segment = self.segment(index)?;
        let summary = self.summaries.get(index, || {
            let mut summary: Summary = pieces::read(&self.file, segment.summary)?;
            summary.objects = segment.objects.read(&self.file)?;
            Ok(summary)
        });
        self.dropped_if_damaged(summary)
    }

    /// As [`Summary::may_contain`]; most queries do without reading the summary.
    pub fn may_contain(&self, index: usize, query: &Query) -> io::Result<bool> {
        match query {
            Query::ObjectField { object, field } => {
                self.may_write(index, &WriteKey::field(*object, FieldKey::of(field)))
            }
            Query::Element { array, index: element } => Ok(self.is_in_filter(index, element_key(*array, *element))?
                || self.is_in_filter(index, made_key(*array))?),
            Query::Field(field) if !self.may_write(index, &WriteKey::static_field(FieldKey::of(field)))? => Ok(false),
            _ => Ok(self.summary(index)?.may_contain(query)),
        }
    }

    /// Whether an object, of those that have an id, may come up in a segment.
    fn may_come_up(&self, index: usize, object: ObjectId) -> io::Result<bool> {
        self.dropped_if_damaged(self.segment(index)?.objects.may_contain(&self.file, occurs_key(object)))
    }

    fn meetings(&self, index: usize) -> io::Result<Arc<Vec<Meeting>>> {
        let place = self.segment(index)?.meetings;
        self.dropped_if_damaged(self.meetings.get(index, || pieces::read(&self.file, place)))
    }

    /// Views that are older than a segment and that unrecorded code was given in it, each with what it shows.
    pub fn older_views(&self, index: usize) -> io::Result<Vec<(ObjectId, ObjectId)>> {
        match self.segment(index)?.older_views {
            Some(place) => self.dropped_if_damaged(pieces::read(&self.file, place)),
            None => Ok(Vec::new()),
        }
    }

    /// What was read from the file; one that is damaged is not there any more when the next question is asked.
    fn dropped_if_damaged<T>(&self, read: io::Result<T>) -> io::Result<T> {
        read.inspect_err(|_| pieces::drop_damaged(&self.path))
    }
}

fn path_of(folder: &Path, thread: ThreadId) -> PathBuf {
    folder.join(format!("{thread}.wdi"))
}

fn build(
    mut writer: Writer,
    key: Key,
    program: &Program,
    objects: &ObjectTable,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(File, Directory), ReplayError> {
    let mut replay = ThreadReplay::new(program, objects, key.thread)?;
    replay.read_ahead();
    let mut summariser = Summariser::new(program, objects);
    let (mut segments, mut groups, mut places) = (Vec::new(), Vec::new(), Vec::new());
    let ending = loop {
        let mut steps = summariser.steps.clone();
        steps.truncate(replay.frames().len());
        let checkpoint = Checkpoint { steps, replay: replay.snapshot() };
        let (steps, number, sequence) = (summariser.steps.steps(), replay.number(), summariser.last_sequence);
        let frames = replay.frames().len() as u32;
        let distance = key.interval.max(checkpoint.replay.size() as u64 * INSTRUCTIONS_PER_SLOT);
        let checkpoint = writer.piece(&checkpoint)?;
        summariser.start(&replay);
        let mut outcome = replay.run(&mut summariser, number.saturating_add(distance));
        while matches!(outcome, Ok(Progress::Paused)) && segment::is_between(&replay) {
            outcome = replay.run(&mut summariser, replay.number() + 1);
        }
        progress(replay.number() - number);
        let segment = summariser.take(&replay);
        let (summary, meetings) = (writer.piece(&segment.summary)?, writer.piece(&segment.meetings)?);
        let views = Some(&segment.older_views).filter(|views| !views.is_empty());
        let older_views = views.map(|views| writer.piece(views)).transpose()?;
        places.push(segment.places);
        if places.len() == GROUP {
            groups.push(side_by_side::write(&mut writer, &std::mem::take(&mut places))?);
        }
        let objects = filters::write(&mut writer, &segment.summary.objects)?;
        segments.push(SegmentEntry {
            steps,
            number,
            sequence,
            lowest: segment.lowest,
            frames,
            checkpoint,
            summary,
            objects,
            unidentified: segment.unidentified,
            newest: segment.newest,
            meetings,
            older_views,
        });
        match outcome {
            Ok(Progress::Paused) => {}
            Ok(Progress::Ended(End::Finished)) => break Ending::Finished,
            Ok(Progress::Ended(End::CutOff)) => break Ending::CutOff,
            Err(ReplayError::Divergence(divergence)) => break Ending::Diverged(divergence.to_string()),
            Err(error) => return Err(error),
        }
    };
    if !places.is_empty() {
        groups.push(side_by_side::write(&mut writer, &places)?);
    }
    let steps = summariser.steps.steps();
    let departures = summariser.departures.into_vec();
    let unordered = summariser.unordered;
    let directory = Directory { segments, groups, unordered, departures, steps, instructions: replay.number(), ending };
    let file = writer.finish(key, &directory)?;
    Ok((file, directory))
}
