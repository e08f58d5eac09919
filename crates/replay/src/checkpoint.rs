//! Checkpoints of a thread's replay, in a file beside the recording.
//!
//! A file is a header, checkpoints, a directory of them and a trailer with the directory's place. Whatever is
//! wrong with it, it is built again: it holds nothing that the recording does not.

use crate::error::ReplayError;
use crate::interpreter::{End, Progress, Snapshot, ThreadReplay};
use crate::objects::ObjectTable;
use crate::program::Program;
use crate::state::StepWatch;
use crate::steps::StepCounter;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use whydunit_trace::ThreadId;
use whydunit_trace::block::BlockKind;
use whydunit_trace::reader::Recording;

/// Changes whenever the contents or the numbering of steps do.
const VERSION: u32 = 1;

/// Instructions between two checkpoints: a few dozen milliseconds of replay.
pub const INTERVAL: u64 = 4_000_000;

/// Instructions for each slot of a checkpoint, so that deep stacks do not make the index large.
const INSTRUCTIONS_PER_SLOT: u64 = 32;

const MAGIC: [u8; 8] = *b"WDINDEX\x01";
const TRAILER_SIZE: u64 = 24;

/// Larger pieces are damage.
const MAX_PIECE: u32 = 1 << 30;

/// A moment of a thread to go on from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    pub steps: StepCounter,
    pub replay: Snapshot,
}

/// What a file was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Key {
    version: u32,
    interval: u64,
    thread: ThreadId,
    trace_size: u64,
    trace_checksum: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Directory {
    entries: Vec<DirectoryEntry>,
    steps: u64,
    instructions: u64,
    ending: Ending,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct DirectoryEntry {
    /// Steps before the checkpoint.
    steps: u64,
    /// Instructions before the checkpoint.
    number: u64,
    place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Place {
    at: u64,
    length: u32,
    checksum: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    Finished,
    /// The log ends inside recorded methods.
    CutOff,
    /// The replay does not fit the log from here on.
    Diverged(String),
}

/// The checkpoints of a thread.
#[derive(Debug)]
pub struct Checkpoints {
    file: File,
    directory: Directory,
}

impl Checkpoints {
    /// Opens the thread's file in `folder`; builds it if it is missing, damaged or of another recording.
    /// `progress` is told the instructions that were replayed since it was last called.
    pub fn open_or_build(
        folder: &Path,
        program: &Program,
        objects: &ObjectTable,
        thread: ThreadId,
        interval: u64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Checkpoints, ReplayError> {
        let key = Key::new(program.recording(), thread, interval);
        let path = path_of(folder, thread);
        if let Some(checkpoints) = Checkpoints::open(&path, key) {
            return Ok(checkpoints);
        }
        fs::create_dir_all(folder)?;
        let temporary = folder.join(format!(".new-{thread}-{}", std::process::id()));
        let built = Writer::build(&temporary, key, program, objects, progress);
        let checkpoints = built.and_then(|built| {
            fs::rename(&temporary, &path)?;
            Ok(built)
        });
        if checkpoints.is_err() {
            // The error that matters is the first one.
            let _ = fs::remove_file(&temporary);
        }
        checkpoints
    }

    /// Whether the thread's file is there and can be used.
    pub fn is_built(folder: &Path, recording: &Recording, thread: ThreadId) -> bool {
        Checkpoints::open(&path_of(folder, thread), Key::new(recording, thread, INTERVAL)).is_some()
    }

    fn open(path: &Path, key: Key) -> Option<Checkpoints> {
        let file = File::open(path).ok()?;
        let size = file.metadata().ok()?.len();
        let mut trailer = [0; TRAILER_SIZE as usize];
        file.read_exact_at(&mut trailer, size.checked_sub(TRAILER_SIZE)?).ok()?;
        let (place, magic) = trailer.split_at(16);
        let place = Place {
            at: u64::from_le_bytes(place.get(..8)?.try_into().ok()?),
            length: u32::from_le_bytes(place.get(8..12)?.try_into().ok()?),
            checksum: u32::from_le_bytes(place.get(12..16)?.try_into().ok()?),
        };
        if magic != MAGIC {
            return None;
        }
        let (found, directory): (Key, Directory) = read_piece(&file, place).ok()?;
        (found == key && !directory.entries.is_empty()).then_some(Checkpoints { file, directory })
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

    pub fn len(&self) -> usize {
        self.directory.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.directory.entries.is_empty()
    }

    /// The last checkpoint before the start of a step.
    pub fn before_step(&self, step: u64) -> io::Result<Checkpoint> {
        let after = self.directory.entries.partition_point(|entry| entry.steps < step);
        let entry = self.directory.entries.get(after.saturating_sub(1));
        let entry = entry.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        read_piece(&self.file, entry.place)
    }
}

fn path_of(folder: &Path, thread: ThreadId) -> PathBuf {
    folder.join(format!("checkpoints-{thread}.wdi"))
}

impl Key {
    fn new(recording: &Recording, thread: ThreadId, interval: u64) -> Key {
        let mut checksum = crc32fast::Hasher::new();
        for streams in recording.threads.values() {
            for kind in [BlockKind::Values, BlockKind::Control, BlockKind::Objects] {
                for block in streams.blocks(kind) {
                    for number in [block.at, block.offset, u64::from(block.raw), u64::from(block.stored)] {
                        checksum.update(&number.to_le_bytes());
                    }
                }
            }
        }
        for definition in &recording.definitions {
            checksum.update(&definition.bytes);
        }
        let (trace_size, trace_checksum) = (recording.readable, checksum.finalize());
        Key { version: VERSION, interval, thread, trace_size, trace_checksum }
    }
}

fn read_piece<T: DeserializeOwned>(file: &File, place: Place) -> io::Result<T> {
    let damaged = || io::Error::new(io::ErrorKind::InvalidData, "the index is damaged");
    if place.length > MAX_PIECE {
        return Err(damaged());
    }
    let mut bytes = vec![0; place.length as usize];
    file.read_exact_at(&mut bytes, place.at)?;
    if crc32fast::hash(&bytes) != place.checksum {
        return Err(damaged());
    }
    postcard::from_bytes(&bytes).map_err(|_| damaged())
}

/// Writes pieces one after the other.
struct Writer {
    out: BufWriter<File>,
    at: u64,
}

impl Writer {
    fn build(
        path: &Path,
        key: Key,
        program: &Program,
        objects: &ObjectTable,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Checkpoints, ReplayError> {
        let file = File::options().read(true).write(true).create(true).truncate(true).open(path)?;
        let mut writer = Writer { out: BufWriter::new(file), at: 0 };
        let directory = writer.checkpoints(key, program, objects, progress)?;
        let place = writer.piece(&(key, &directory))?;
        writer.out.write_all(&place.at.to_le_bytes())?;
        writer.out.write_all(&place.length.to_le_bytes())?;
        writer.out.write_all(&place.checksum.to_le_bytes())?;
        writer.out.write_all(&MAGIC)?;
        let file = writer.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(Checkpoints { file, directory })
    }

    fn checkpoints(
        &mut self,
        key: Key,
        program: &Program,
        objects: &ObjectTable,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Directory, ReplayError> {
        let mut replay = ThreadReplay::new(program, objects, key.thread)?;
        let mut watch = StepWatch::new(StepCounter::default(), u64::MAX);
        let mut entries = Vec::new();
        let ending = loop {
            let mut steps = watch.steps.clone();
            steps.truncate(replay.frames().len());
            let checkpoint = Checkpoint { steps, replay: replay.snapshot() };
            let number = replay.number();
            entries.push(DirectoryEntry { steps: watch.steps.steps(), number, place: self.piece(&checkpoint)? });
            let distance = key.interval.max(checkpoint.replay.size() as u64 * INSTRUCTIONS_PER_SLOT);
            let outcome = replay.run(&mut watch, number.saturating_add(distance));
            progress(replay.number() - number);
            match outcome {
                Ok(Progress::Paused) => {}
                Ok(Progress::Ended(End::Finished)) => break Ending::Finished,
                Ok(Progress::Ended(End::CutOff)) => break Ending::CutOff,
                Err(ReplayError::Divergence(divergence)) => break Ending::Diverged(divergence.to_string()),
                Err(error) => return Err(error),
            }
        };
        Ok(Directory { entries, steps: watch.steps.steps(), instructions: replay.number(), ending })
    }

    fn piece(&mut self, contents: &impl Serialize) -> io::Result<Place> {
        let bytes = postcard::to_stdvec(contents).map_err(io::Error::other)?;
        self.out.write_all(&bytes)?;
        let place = Place { at: self.at, length: bytes.len() as u32, checksum: crc32fast::hash(&bytes) };
        self.at += bytes.len() as u64;
        Ok(place)
    }
}
