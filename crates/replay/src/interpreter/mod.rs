//! Replays one thread: interprets the original bytecode and takes from the log what only the run knew.

mod arithmetic;
mod call;
mod control;
mod decide;
mod fault;
mod frame;
mod observer;
mod run;
mod snapshot;
mod throw;

pub use frame::Frame;
pub use observer::{At, ElementAccess, Entry, FieldAccess, Interruption, Observer, Phase, Unobserved, When};
pub use snapshot::Snapshot;

use crate::error::{Divergence, ReplayError};
use crate::objects::{ObjectReader, ObjectTable};
use crate::program::{MethodCode, Program};
use control::ControlCursor;
use fault::ExceptionKind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::io;
use whydunit_trace::block::BlockKind;
use whydunit_trace::stream::{StreamError, StreamReader};
use whydunit_trace::{ClassId, LogKind, ObjectId, ThreadId};

/// Marks references to objects whose id has not been logged yet.
pub const TEMPORARY: u64 = 1 << 31;

/// Instructions that a thread may run after the last record of its log: it may have been cut off in an endless
/// loop that logs nothing.
const MAX_AFTER_END: u64 = 1 << 27;

/// The same for a thread that came to its end: minutes of replay.
const MAX_BEFORE_END: u64 = 1 << 34;

/// Whether the log is at its end is looked at whenever the number of instructions is a multiple of this.
const CHUNK: u64 = 1 << 22;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The limit was reached.
    Paused,
    Ended(End),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// All recorded methods returned, all of the log was used.
    Finished,
    /// The log ends inside recorded methods: the JVM ended, or recording did.
    CutOff,
}

/// A thread at one moment of its replay.
#[derive(Debug)]
pub struct ThreadReplay<'p> {
    program: &'p Program,
    objects: ObjectReader<'p>,
    thread: ThreadId,
    values: StreamReader,
    control: ControlCursor,
    frames: Vec<Frame<'p>>,
    /// Locals and operand stacks of all frames; a callee's first locals are its caller's topmost operands.
    stack: Vec<u64>,
    /// The last synchronisation.
    sequence: u64,
    /// Instructions so far.
    number: u64,
    /// The instruction that is taken up again after a call-back.
    resumed_at: u64,
    /// The instruction that is taken up again after a static initialiser that came to its end.
    initialised_at: u64,
    next_temporary: u32,
    /// Constructed objects that are still known by a temporary reference, with the name of their class.
    late: FxHashMap<u64, &'p str>,
    /// Targets of call sites, for the class of the last receiver.
    sites: Vec<Site<'p>>,
    /// Targets of call sites that have several.
    varying_sites: VaryingSites<'p>,
    /// The kind of the exception looked at last.
    last_exception: (ObjectId, ExceptionKind),
    /// `unwind` records in the run that stands at this position of the control stream.
    run_length: (u64, usize),
    /// How far the observer has read the check stream, if it does.
    checked_up_to: Option<u64>,
    /// Where the log was first seen to be at its end.
    exhausted_at: Option<u64>,
}

/// What a call site ran last.
#[derive(Clone, Copy, Debug)]
struct Site<'p> {
    /// Class of the receiver; 0 for calls that do not depend on it.
    class: u32,
    /// `None`: unrecorded.
    target: Option<&'p MethodCode>,
    /// The callee sees the caller's token when nothing comes between.
    has_handshake: bool,
    /// See [`MethodCode::changed_after`].
    changed_after: u64,
}

impl Site<'_> {
    const UNKNOWN: Site<'static> =
        Site { class: u32::MAX, target: None, has_handshake: false, changed_after: u64::MAX };
}

/// Call sites and the classes of their receivers that came up not long ago.
#[derive(Debug)]
struct VaryingSites<'p>(Box<[(u32, Site<'p>); VARYING_SITES]>);

const VARYING_SITES: usize = 1 << 10;

impl<'p> VaryingSites<'p> {
    fn new() -> VaryingSites<'p> {
        VaryingSites(Box::new([(0, Site::UNKNOWN); VARYING_SITES]))
    }

    fn index(number: u32, class: u32) -> usize {
        (number.wrapping_mul(31) ^ class) as usize & (VARYING_SITES - 1)
    }

    fn get(&self, number: u32, class: u32) -> Option<Site<'p>> {
        let (known, site) = self.0[VaryingSites::index(number, class)];
        (known == number && site.class == class).then_some(site)
    }

    fn clear(&mut self) {
        self.0.fill((0, Site::UNKNOWN));
    }

    fn insert(&mut self, number: u32, site: Site<'p>) {
        self.0[VaryingSites::index(number, site.class)] = (number, site);
    }
}

/// Why interpretation stops in the middle.
#[derive(Debug)]
enum Halt {
    EndOfLog,
    Diverged(Box<Divergence>),
    Io(io::Error),
}

type Halting<T> = Result<T, Halt>;

impl<'p> ThreadReplay<'p> {
    /// A thread at its start.
    pub fn new(
        program: &'p Program,
        objects: &'p ObjectTable,
        thread: ThreadId,
    ) -> Result<ThreadReplay<'p>, ReplayError> {
        let recording = program.recording();
        let control = ControlCursor::new(recording.stream(thread, BlockKind::Control));
        let control = control.map_err(|error| match error {
            StreamError::Io(error) => ReplayError::Io(error),
            error => ReplayError::Divergence(Box::new(Divergence::at_start(thread, error.to_string()))),
        })?;
        Ok(ThreadReplay {
            program,
            objects: ObjectReader::new(objects),
            thread,
            values: recording.stream(thread, BlockKind::Values),
            control,
            frames: Vec::new(),
            stack: Vec::new(),
            sequence: 0,
            number: 0,
            resumed_at: u64::MAX,
            initialised_at: u64::MAX,
            next_temporary: 0,
            late: FxHashMap::default(),
            sites: Vec::new(),
            varying_sites: VaryingSites::new(),
            last_exception: (ObjectId::NULL, ExceptionKind::Other),
            run_length: (u64::MAX, 0),
            checked_up_to: None,
            exhausted_at: None,
        })
    }

    /// The log is unpacked on another thread from here on: for a replay of all of it.
    pub fn read_ahead(&mut self) {
        self.values.read_ahead();
    }

    /// Runs until `limit` instructions were run since the start of the thread.
    pub fn run<O: Observer>(&mut self, observer: &mut O, limit: u64) -> Result<Progress, ReplayError> {
        let mut stack = std::mem::take(&mut self.stack);
        let outcome = self.run_chunks(&mut stack, observer, limit);
        self.stack = stack;
        match outcome {
            Ok(progress) => Ok(progress),
            Err(Halt::EndOfLog) => match self.objection_to_end() {
                None => Ok(Progress::Ended(End::CutOff)),
                Some(divergence) => Err(ReplayError::Divergence(divergence)),
            },
            Err(Halt::Diverged(divergence)) => Err(ReplayError::Divergence(divergence)),
            Err(Halt::Io(error)) => Err(ReplayError::Io(error)),
        }
    }

    fn run_chunks<O: Observer>(&mut self, stack: &mut Vec<u64>, observer: &mut O, limit: u64) -> Halting<Progress> {
        loop {
            let chunk = limit.min((self.number / CHUNK + 1) * CHUNK);
            let progress = self.run_frames(stack, observer, chunk)?;
            if progress != Progress::Paused || self.number < chunk {
                return Ok(progress);
            }
            if self.number.is_multiple_of(CHUNK) && self.is_log_exhausted() {
                let since = *self.exhausted_at.get_or_insert(self.number);
                let most = if self.has_ended() { MAX_BEFORE_END } else { MAX_AFTER_END };
                if self.number - since > most {
                    return Err(Halt::EndOfLog);
                }
            }
            if self.number >= limit {
                return Ok(progress);
            }
        }
    }

    pub fn thread(&self) -> ThreadId {
        self.thread
    }

    /// Instructions so far.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Whether the next instruction is one that a call-back has interrupted.
    pub fn is_resuming(&self) -> bool {
        self.resumed_at == self.number + 1
    }

    /// Lowest first.
    pub fn frames(&self) -> &[Frame<'p>] {
        &self.frames
    }

    /// The slots of a frame that are in use: locals, then operands.
    pub fn slots(&self, frame: &Frame<'p>) -> &[u64] {
        self.stack.get(frame.base..frame.base + frame.top as usize).unwrap_or_default()
    }

    /// Temporary references that may still get an id: an object that no frame has any more never does.
    pub fn unidentified(&self) -> FxHashSet<u64> {
        let in_slots = self.frames.iter().flat_map(|frame| {
            let is_reference = move |slot: usize| frame.code.types.is_reference(frame.pc, slot);
            self.slots(frame).iter().enumerate().filter(move |(slot, _)| is_reference(*slot)).map(|(_, &bits)| bits)
        });
        let constructed = self.frames.iter().map(|frame| frame.this);
        in_slots.chain(constructed).filter(|bits| bits & TEMPORARY != 0).collect()
    }

    /// Whether a record may belong to what runs now.
    #[inline(always)]
    fn is_at_control(&self) -> bool {
        self.values.offset() >= self.control.next_at()
    }

    fn is_log_exhausted(&self) -> bool {
        self.values.is_at_end() && self.control.is_at_end()
    }

    /// Whether the thread came to its end in the run.
    fn has_ended(&self) -> bool {
        self.program.recording().threads.get(&self.thread).is_some_and(|thread| thread.has_ended)
    }

    /// Why the log cannot end here, inside recorded methods.
    fn objection_to_end(&self) -> Option<Box<Divergence>> {
        if !self.program.recording().is_complete() {
            return None;
        }
        if self.has_ended() {
            return Some(self.divergence("the thread ended, but the replay is still inside recorded methods"));
        }
        (!self.is_log_exhausted()).then(|| self.divergence("the replay cannot go on, but the log does"))
    }

    fn diverged(&self, what: impl Into<String>) -> Halt {
        Halt::Diverged(self.divergence(what))
    }

    fn divergence(&self, what: impl Into<String>) -> Box<Divergence> {
        let frame = self.frames.last();
        let address = |frame: &Frame<'p>| frame.code.addresses.get(frame.pc as usize).copied();
        Box::new(Divergence {
            thread: self.thread,
            method: frame.map(|f| self.program.method_name(f.code.index)).unwrap_or_default(),
            pc: frame.and_then(address).unwrap_or_default(),
            line: frame.and_then(|f| f.code.line(f.pc)),
            offset: self.values.offset(),
            number: self.number,
            what: what.into(),
        })
    }

    fn stream_halt(&self, error: StreamError) -> Halt {
        match error {
            StreamError::End => Halt::EndOfLog,
            StreamError::Io(error) => Halt::Io(error),
            StreamError::Malformed(_) => self.diverged(error.to_string()),
        }
    }

    /// The class of an object, if it is known.
    #[inline]
    fn class_of(&mut self, reference: u64) -> Halting<Option<ClassId>> {
        self.objects.class(ObjectId(reference as u32)).map_err(Halt::Io)
    }

    /// An object of which nothing is known: it was not written any more, or it never existed.
    fn unknown_object(&self, id: u64) -> Halt {
        let is_complete = self.program.recording().is_complete();
        if is_complete { self.diverged(format!("object {id} is not in the recording")) } else { Halt::EndOfLog }
    }

    #[inline(always)]
    fn read(&mut self, kind: LogKind) -> Result<u64, StreamError> {
        match kind {
            LogKind::Int | LogKind::Float | LogKind::Reference => Ok(u64::from(self.values.u32()?)),
            _ => self.read_other(kind),
        }
    }

    /// What is not of four bytes, which is rarer.
    fn read_other(&mut self, kind: LogKind) -> Result<u64, StreamError> {
        Ok(match kind {
            LogKind::Byte => u64::from(i32::from(self.values.u8()?.cast_signed()).cast_unsigned()),
            LogKind::Char => u64::from(self.values.u16()?),
            LogKind::Short => u64::from(i32::from(self.values.u16()?.cast_signed()).cast_unsigned()),
            LogKind::Int | LogKind::Float | LogKind::Reference => u64::from(self.values.u32()?),
            LogKind::Long | LogKind::Double => self.values.u64()?,
            LogKind::Nothing => u64::from(self.values.u8()?),
        })
    }

    /// After a jump: what was found out on the way may not hold there.
    fn forget_what_ran(&mut self) {
        self.sites.clear();
        self.varying_sites.clear();
        self.run_length = (u64::MAX, 0);
        self.checked_up_to = None;
    }

    fn fresh_reference(&mut self) -> u64 {
        let number = self.next_temporary;
        self.next_temporary = (number + 1) & (TEMPORARY as u32 - 1);
        TEMPORARY | u64::from(number)
    }
}

/// Whether two slots hold the same value of this kind; all NaNs are the same.
pub fn is_same(kind: LogKind, a: u64, b: u64) -> bool {
    a == b
        || match kind {
            LogKind::Byte => a as u8 == b as u8,
            LogKind::Char | LogKind::Short => a as u16 == b as u16,
            LogKind::Float => f32::from_bits(a as u32).is_nan() && f32::from_bits(b as u32).is_nan(),
            LogKind::Double => f64::from_bits(a).is_nan() && f64::from_bits(b).is_nan(),
            LogKind::Nothing => true,
            LogKind::Int | LogKind::Long | LogKind::Reference => false,
        }
}
