//! A thread's replay as data, to go on from later. There is no heap to save: the log has every value that is
//! read from it.

use super::{Divergence, Entry, Frame, ReplayError, ThreadReplay};
use crate::objects::ObjectTable;
use crate::program::{MethodIndex, Program};
use serde::{Deserialize, Serialize};
use whydunit_trace::ThreadId;
use whydunit_trace::stream::StreamError;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Offset in the values stream.
    values: u64,
    /// Offset in the control stream.
    control: u64,
    sequence: u64,
    number: u64,
    resumed_at: u64,
    initialised_at: u64,
    next_temporary: u32,
    exhausted_at: Option<u64>,
    frames: Vec<SavedFrame>,
    stack: Vec<u64>,
    late: Vec<(u64, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SavedFrame {
    method: u32,
    pc: u32,
    is_call_back: bool,
    top: u32,
    base: u64,
    is_token_seen: bool,
    this: u64,
    is_unwinding: bool,
}

impl Snapshot {
    /// Instructions before it.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Slots and frames, a measure of its size.
    pub fn size(&self) -> usize {
        self.stack.len() + 4 * self.frames.len() + 4 * self.late.len()
    }
}

impl<'p> ThreadReplay<'p> {
    pub fn snapshot(&self) -> Snapshot {
        let used = self.frames.last().map_or(0, |frame| frame.base + frame.top as usize);
        let mut late: Vec<(u64, String)> = self.late.iter().map(|(&id, &class)| (id, class.to_owned())).collect();
        late.sort_unstable();
        Snapshot {
            values: self.values.offset(),
            control: self.control.position(),
            sequence: self.sequence,
            number: self.number,
            resumed_at: self.resumed_at,
            initialised_at: self.initialised_at,
            next_temporary: self.next_temporary,
            exhausted_at: self.exhausted_at,
            frames: self.frames.iter().map(SavedFrame::of).collect(),
            stack: self.stack.get(..used).unwrap_or_default().to_vec(),
            late,
        }
    }

    /// A thread at the moment of a snapshot.
    pub fn from_snapshot(
        program: &'p Program,
        objects: &'p ObjectTable,
        thread: ThreadId,
        snapshot: &Snapshot,
    ) -> Result<ThreadReplay<'p>, ReplayError> {
        let mut replay = ThreadReplay::new(program, objects, thread)?;
        replay.go_to(snapshot)?;
        Ok(replay)
    }

    /// To the moment of a snapshot of the same thread.
    pub(crate) fn go_to(&mut self, snapshot: &Snapshot) -> Result<(), ReplayError> {
        let (program, thread) = (self.program, self.thread);
        let misfit = |what: &str| ReplayError::from(Box::new(Divergence::at_start(thread, what.to_owned())));
        let stream_error = |error| match error {
            StreamError::Io(error) => ReplayError::Io(error),
            error => misfit(&error.to_string()),
        };
        self.values.seek(snapshot.values).map_err(stream_error)?;
        self.control.seek(snapshot.control).map_err(stream_error)?;
        let frames: Option<Vec<Frame<'p>>> = snapshot.frames.iter().map(|saved| saved.restore(program)).collect();
        self.frames = frames.ok_or_else(|| misfit("a checkpoint does not fit the program"))?;
        let slots = self.frames.iter().map(|frame| frame.base + usize::from(frame.code.slots)).max().unwrap_or(0);
        if snapshot.stack.len() > slots {
            return Err(misfit("a checkpoint has a stack without frames"));
        }
        self.stack.clone_from(&snapshot.stack);
        self.stack.resize(slots, 0);
        self.sequence = snapshot.sequence;
        self.number = snapshot.number;
        self.resumed_at = snapshot.resumed_at;
        self.initialised_at = snapshot.initialised_at;
        self.next_temporary = snapshot.next_temporary;
        self.exhausted_at = snapshot.exhausted_at;
        self.late.clear();
        for (id, name) in &snapshot.late {
            // A class that was never met has no target to look for.
            if let Some(class) = program.classes().iter().find(|class| class.name == *name) {
                self.late.insert(*id, &class.name);
            }
        }
        self.forget_what_ran();
        Ok(())
    }
}

impl SavedFrame {
    fn of(frame: &Frame<'_>) -> SavedFrame {
        SavedFrame {
            method: frame.code.index.0,
            pc: frame.pc,
            is_call_back: frame.entry == Entry::CallBack,
            top: frame.top,
            base: frame.base as u64,
            is_token_seen: frame.is_token_seen,
            this: frame.this,
            is_unwinding: frame.is_unwinding,
        }
    }

    fn restore<'p>(&self, program: &'p Program) -> Option<Frame<'p>> {
        let code = program.code(MethodIndex(self.method)).ok()?;
        let is_sound = (self.pc as usize) < code.ops.len()
            && (u32::from(code.max_locals)..=u32::from(code.slots)).contains(&self.top)
            && self.base <= u64::from(u32::MAX);
        is_sound.then_some(Frame {
            code,
            pc: self.pc,
            entry: if self.is_call_back { Entry::CallBack } else { Entry::Direct },
            top: self.top,
            base: usize::try_from(self.base).ok()?,
            is_token_seen: self.is_token_seen,
            this: self.this,
            is_unwinding: self.is_unwinding,
        })
    }
}
