//! A segment cut into short parts, in memory: for who is interested in little of it. A replay notes where what happens, and
//! can be taken up again at the start of each part.

use super::ThreadIndex;
use super::presence::Presence;
use super::query::{WriteKey, element_key, field_key, made_key, met_key, object_key, objects_given};
use super::runs::Runs;
use super::segment::is_between;
use super::summary::locals_written;
use crate::checkpoint::Checkpoint;
use crate::error::ReplayError;
use crate::interpreter::{At, ElementAccess, Entry, FieldAccess, Observer, Progress, TEMPORARY, ThreadReplay, When};
use crate::objects::{ObjectReader, ObjectTable};
use crate::program::{Call, CallKind, MethodCode, MethodIndex, Pc, Program};
use crate::steps::StepCounter;
use crate::unrecorded::{class_has_content, has_content};
use rustc_hash::FxHashSet;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use whydunit_trace::{LogKind, ObjectId};

/// Parts of a segment, more or less: it takes about as long to start with one as to record it.
const PARTS: u64 = 40;

/// Instructions for each slot of a checkpoint in memory, so that deep stacks do not take long to copy.
const INSTRUCTIONS_PER_SLOT: u64 = 8;

/// What is known of a part.
#[derive(Debug)]
struct Part {
    checkpoint: Checkpoint,
    /// The last sequence number before it.
    sequence: u64,
    happened: Happened,
}

/// What happened in a part.
#[derive(Debug)]
struct Happened {
    /// The least depth of which a frame may have come or gone.
    lowest: u32,
    /// Methods and lines of which anything ran; 0 for what has no line.
    lines: Vec<(MethodIndex, u16)>,
    /// Methods and slots of locals that were written.
    locals: Vec<(MethodIndex, u16)>,
    /// Keys of what was written and made, of objects that unrecorded code has met and of arrays that objects were put into.
    written: Vec<u64>,
    /// Methods of which a frame has caught something.
    caught: Vec<MethodIndex>,
    has_exceptions: bool,
}

impl Default for Happened {
    fn default() -> Happened {
        Happened {
            lowest: u32::MAX,
            lines: Vec::new(),
            locals: Vec::new(),
            written: Vec::new(),
            caught: Vec::new(),
            has_exceptions: false,
        }
    }
}

/// A temporary reference that turned out to be an object in a part, or in a later segment.
#[derive(Clone, Copy, Debug)]
struct Identified {
    temporary: u64,
    object: ObjectId,
    part: usize,
}

#[derive(Debug)]
pub struct Parts<'p> {
    parts: Vec<Part>,
    /// Instructions and steps before the end.
    end: u64,
    steps: u64,
    identified: Vec<Identified>,
    /// Of several segments, with what it has unpacked.
    replay: Arc<Mutex<ThreadReplay<'p>>>,
}

impl<'p> Parts<'p> {
    #[expect(clippy::len_without_is_empty, reason = "there is at least one")]
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// The replay at the start of a part.
    pub fn replay_of(&self, part: usize) -> Result<MutexGuard<'_, ThreadReplay<'p>>, ReplayError> {
        let checkpoint = &self.part(part)?.checkpoint;
        let mut replay = self.replay.lock().unwrap_or_else(PoisonError::into_inner);
        replay.go_to(&checkpoint.replay)?;
        Ok(replay)
    }

    /// The steps as they are counted at the start of a part.
    pub fn counter_of(&self, part: usize) -> io::Result<&StepCounter> {
        Ok(&self.part(part)?.checkpoint.steps)
    }

    /// The last sequence number before a part.
    pub fn sequence_before(&self, part: usize) -> io::Result<u64> {
        Ok(self.part(part)?.sequence)
    }

    /// Instructions before the end of a part.
    pub fn end_of(&self, part: usize) -> u64 {
        self.parts.get(part + 1).map_or(self.end, |next| next.checkpoint.replay.number())
    }

    pub fn instructions_of(&self, part: usize) -> u64 {
        let start = self.parts.get(part).map_or(self.end, |part| part.checkpoint.replay.number());
        self.end_of(part).saturating_sub(start)
    }

    /// The steps that start in a part.
    pub fn steps_of(&self, part: usize) -> Range<u64> {
        let before = |part: usize| self.parts.get(part).map_or(self.steps, |part| part.checkpoint.steps.steps());
        before(part) + 1..before(part + 1) + 1
    }

    /// What temporary references at the end of a part turn out to be later: each with its object.
    pub fn identified_behind(&self, part: usize, references: &FxHashSet<u64>) -> Vec<(u64, ObjectId)> {
        let later = self.identified.iter().filter(|known| known.part > part && references.contains(&known.temporary));
        later.map(|known| (known.temporary, known.object)).collect()
    }

    /// Methods and lines of which anything ran; 0 for what has no line.
    pub fn lines_run(&self, part: usize) -> impl Iterator<Item = (MethodIndex, u16)> {
        self.parts.get(part).into_iter().flat_map(|part| part.happened.lines.iter().copied())
    }

    pub fn has_exceptions(&self, part: usize) -> bool {
        self.parts.get(part).is_some_and(|part| part.happened.has_exceptions)
    }

    fn part(&self, part: usize) -> io::Result<&Part> {
        self.parts.get(part).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn last(&self, parts: &Range<usize>, is_it: impl Fn(&Happened) -> bool) -> Option<usize> {
        parts.clone().rev().find(|&part| self.parts.get(part).is_some_and(|part| is_it(&part.happened)))
    }
}

impl Presence for Parts<'_> {
    fn last_write_in(&self, parts: &Range<usize>, key: &WriteKey) -> io::Result<Option<usize>> {
        Ok(self.last(parts, |part| part.written.iter().any(|&written| key.is_of(written))))
    }

    fn last_made_in(&self, parts: &Range<usize>, object: ObjectId) -> io::Result<Option<usize>> {
        let key = made_key(object);
        Ok(self.last(parts, |part| part.written.contains(&key)))
    }

    fn last_come_before(&self, end: usize, depth: u32) -> Option<usize> {
        self.last(&(0..end), |part| part.lowest <= depth)
    }

    fn may_have_come(&self, part: usize, depth: u32) -> bool {
        self.parts.get(part).is_none_or(|part| part.happened.lowest <= depth)
    }

    fn last_local_in(&self, parts: &Range<usize>, method: MethodIndex, slot: u16) -> io::Result<Option<usize>> {
        Ok(self.last(parts, |part| part.locals.contains(&(method, slot))))
    }

    fn last_line_in(&self, parts: &Range<usize>, method: MethodIndex, line: u16) -> io::Result<Option<usize>> {
        Ok(self.last(parts, |part| part.lines.contains(&(method, line))))
    }

    fn last_catch_in(&self, parts: &Range<usize>, method: MethodIndex) -> io::Result<Option<usize>> {
        Ok(self.last(parts, |part| part.caught.contains(&method)))
    }
}

/// Cuts segments of one program after another.
#[derive(Debug)]
pub struct Cutter<'p> {
    program: &'p Program,
    objects: &'p ObjectTable,
    classes: ObjectReader<'p>,
    runs: Vec<Option<Runs>>,
    /// By method: the last part in which one of its frames was entered.
    entered: Vec<u32>,
    /// By number of the field.
    fields: Vec<Option<u64>>,
    /// Numbers the parts of all segments, from 1.
    number: u32,
}

impl<'p> Cutter<'p> {
    pub fn new(program: &'p Program, objects: &'p ObjectTable) -> Cutter<'p> {
        let methods = program.methods().count();
        Cutter {
            program,
            objects,
            classes: ObjectReader::new(objects),
            runs: std::iter::repeat_with(|| None).take(methods).collect(),
            entered: vec![0; methods],
            fields: Vec::new(),
            number: 0,
        }
    }

    /// The parts of successive segments.
    pub fn cut(&mut self, index: &ThreadIndex, segments: Range<usize>) -> Vec<Result<Option<Parts<'p>>, ReplayError>> {
        let mut replay = None;
        let mut cut_one = |segment| {
            let known = match replay.take() {
                Some(known) => known,
                None => Arc::new(Mutex::new(ThreadReplay::new(self.program, self.objects, index.thread())?)),
            };
            self.cut_one(index, segment, replay.insert(known))
        };
        segments.map(&mut cut_one).collect()
    }

    /// `None` when unrecorded code that runs in it has to do with objects that it may keep something in, or runs recorded
    /// code: what it is given and what comes out may be in different parts.
    fn cut_one(
        &mut self,
        index: &ThreadIndex,
        segment: usize,
        shared: &Arc<Mutex<ThreadReplay<'p>>>,
    ) -> Result<Option<Parts<'p>>, ReplayError> {
        let (checkpoint, end) = (index.checkpoint(segment)?, index.end_of(segment));
        let mut replay = shared.lock().unwrap_or_else(PoisonError::into_inner);
        replay.go_to(&checkpoint.replay)?;
        let has_called_back = |frame: &crate::interpreter::Frame<'_>| frame.entry == Entry::CallBack;
        if replay.is_resuming() || replay.frames().iter().skip(1).any(has_called_back) {
            return Ok(None);
        }
        let sequence = index.sequences_of(segment)?.start;
        let mut watch = Watch::new(self, checkpoint.steps, sequence);
        let shortest = index.instructions_of(segment) / PARTS + 1;
        let mut parts = Vec::with_capacity(PARTS as usize);
        loop {
            let mut steps = watch.steps.clone();
            steps.truncate(replay.frames().len());
            let checkpoint = Checkpoint { steps, replay: replay.snapshot() };
            let length = shortest.max(checkpoint.replay.size() as u64 * INSTRUCTIONS_PER_SLOT);
            let limit = replay.number().saturating_add(length).min(end);
            watch.start_part();
            let (sequence, frames) = (watch.sequence, replay.frames().len() as u32);
            // The end of an index is where the replay ended, for whatever reason.
            let mut is_over = has_ended(replay.run(&mut watch, limit))?;
            while !is_over && replay.number() < end && is_between(&replay) {
                let next = replay.number() + 1;
                is_over = has_ended(replay.run(&mut watch, next))?;
            }
            if watch.is_opaque {
                return Ok(None);
            }
            parts.push(watch.take_part(checkpoint, sequence, frames));
            if is_over || replay.number() >= end {
                break;
            }
        }
        let steps = watch.steps.steps();
        let Watch { mut identified, late, .. } = watch;
        let behind = index.identified_behind(segment, &replay.unidentified());
        let behind = behind.into_iter();
        identified.extend(behind.map(|(temporary, object)| Identified { temporary, object, part: parts.len() }));
        for Late { part, temporary, what } in late {
            if let Some(known) = identified.iter().find(|known| known.temporary == temporary && known.part >= part)
                && let Some(part) = parts.get_mut(part)
            {
                part.happened.written.push(what.key(known.object));
            }
        }
        Ok(Some(Parts { parts, end, steps, identified, replay: Arc::clone(shared) }))
    }
}

fn has_ended(outcome: Result<Progress, ReplayError>) -> Result<bool, ReplayError> {
    match outcome {
        Ok(Progress::Paused) => Ok(false),
        Ok(Progress::Ended(_)) | Err(ReplayError::Divergence(_)) => Ok(true),
        Err(error) => Err(error),
    }
}

/// Something that was done to an object that had no id yet.
#[derive(Clone, Copy, Debug)]
struct Late {
    part: usize,
    temporary: u64,
    what: Done,
}

#[derive(Clone, Copy, Debug)]
enum Done {
    Made,
    Met,
    Written(u64),
}

impl Done {
    fn key(self, object: ObjectId) -> u64 {
        match self {
            Done::Made => made_key(object),
            Done::Met => met_key(object),
            Done::Written(field) => object_key(object, field),
        }
    }
}

/// Looks on while a segment is cut.
struct Watch<'c, 'p> {
    cutter: &'c mut Cutter<'p>,
    steps: StepCounter,
    sequence: u64,
    /// How many parts came before this one.
    part: usize,
    happened: Happened,
    late: Vec<Late>,
    identified: Vec<Identified>,
    is_opaque: bool,
}

impl<'c, 'p> Watch<'c, 'p> {
    fn new(cutter: &'c mut Cutter<'p>, steps: StepCounter, sequence: u64) -> Watch<'c, 'p> {
        Watch {
            cutter,
            steps,
            sequence,
            part: 0,
            happened: Happened::default(),
            late: Vec::new(),
            identified: Vec::new(),
            is_opaque: false,
        }
    }

    fn start_part(&mut self) {
        self.cutter.number += 1;
    }

    fn take_part(&mut self, checkpoint: Checkpoint, sequence: u64, frames: u32) -> Part {
        self.part += 1;
        let mut happened = std::mem::take(&mut self.happened);
        happened.lowest = happened.lowest.min(frames);
        Part { checkpoint, sequence, happened }
    }

    fn note_line(&mut self, code: &MethodCode, pc: Pc) {
        let line = (code.index, code.lines.get(pc as usize).copied().unwrap_or_default());
        if !self.happened.lines.contains(&line) {
            self.happened.lines.push(line);
        }
    }

    fn write(&mut self, key: u64) {
        if self.happened.written.last() != Some(&key) {
            self.happened.written.push(key);
        }
    }

    /// What an object that may have no id yet is known by.
    fn note_object(&mut self, object: u64, what: Done) {
        self.write(what.key(ObjectId(object as u32)));
        if object & TEMPORARY != 0 {
            self.late.push(Late { part: self.part, temporary: object, what });
        }
    }

    fn field(&mut self, number: u32) -> u64 {
        let index = number as usize;
        if index >= self.cutter.fields.len() {
            self.cutter.fields.resize(index + 1, None);
        }
        let program = self.cutter.program;
        *self.cutter.fields[index].get_or_insert_with(|| program.field(number).map_or(0, |field| field_key(&field)))
    }

    fn may_keep_something(&mut self, object: ObjectId) -> bool {
        let class = self.cutter.classes.class(object).ok().flatten();
        class.is_none_or(|class| class_has_content(self.cutter.program, class))
    }

    /// Whether a call has nothing to do with objects but such as never change.
    fn is_plain(&mut self, call: &Call, arguments: &[u64]) -> bool {
        if call.kind == CallKind::Dynamic || &*call.name == "clone" {
            return false;
        }
        // The object that is made may have no id yet.
        let is_making = call.kind == CallKind::Constructor;
        if is_making && &*call.owner != "java/lang/Object" && has_content(&call.owner) {
            return false;
        }
        objects_given(call, arguments).skip(usize::from(is_making)).all(|object| !self.may_keep_something(object))
    }
}

impl Observer for Watch<'_, '_> {
    const EVERY_INSTRUCTION: bool = false;

    #[inline]
    fn ran(&mut self, code: &MethodCode, depth: u32, from: Pc, to: Pc) {
        let Some(runs) = self.cutter.runs.get_mut(code.index.0 as usize) else { return };
        let runs = runs.get_or_insert_with(|| Runs::new(code));
        if let Some(run) = runs.lines(from, to) {
            self.steps.ran(&run, depth);
        }
        if runs.is_new(from, to, self.cutter.number) {
            for local in locals_written(code, from, to) {
                if !self.happened.locals.contains(&(code.index, local)) {
                    self.happened.locals.push((code.index, local));
                }
            }
            let mut last = None;
            for pc in from..=to {
                let line = code.lines.get(pc as usize);
                if std::mem::replace(&mut last, line) != line {
                    self.note_line(code, pc);
                }
            }
        }
    }

    #[inline]
    fn entered(&mut self, at: At<'_>, _arguments: &[u64], entry: Entry) {
        self.steps.entered(at.depth);
        self.happened.lowest = self.happened.lowest.min(at.depth);
        self.is_opaque |= entry == Entry::CallBack && at.depth > 0;
        let number = self.cutter.number;
        if let Some(last) = self.cutter.entered.get_mut(at.code.index.0 as usize)
            && std::mem::replace(last, number) != number
        {
            self.note_line(at.code, 0);
        }
    }

    #[inline]
    fn returned(&mut self, at: At<'_>, _kind: LogKind, _bits: u64) {
        self.happened.lowest = self.happened.lowest.min(at.depth);
    }

    fn thrown(&mut self, _at: At<'_>) {
        self.happened.has_exceptions = true;
    }

    fn unwound(&mut self, at: At<'_>, _exception: u64) {
        self.happened.has_exceptions = true;
        self.happened.lowest = self.happened.lowest.min(at.depth);
        self.note_line(at.code, at.pc);
    }

    fn caught(&mut self, at: At<'_>, _exception: u64) {
        self.happened.has_exceptions = true;
        self.happened.caught.push(at.code.index);
        self.note_line(at.code, at.pc);
    }

    fn allocated(&mut self, _at: At<'_>, _class: &str, object: u64) {
        self.note_object(object, Done::Made);
    }

    #[inline]
    fn field_written(&mut self, _at: At<'_>, access: FieldAccess) {
        let field = self.field(access.field);
        match access.is_static {
            true => self.write(field),
            false => self.note_object(access.object, Done::Written(field)),
        }
    }

    #[inline]
    fn element_written(&mut self, _at: At<'_>, access: ElementAccess) {
        let array = ObjectId(access.array as u32);
        self.write(element_key(array, access.index));
        if access.kind == LogKind::Reference {
            self.write(met_key(array));
        }
    }

    fn calling(&mut self, _at: At<'_>, call: &Call, arguments: &[u64]) {
        self.is_opaque = self.is_opaque || !self.is_plain(call, arguments);
        objects_given(call, arguments).for_each(|object| self.note_object(u64::from(object.0), Done::Met));
    }

    fn called(&mut self, _at: At<'_>, call: &Call, bits: u64) {
        if call.result == LogKind::Reference && bits != 0 {
            self.is_opaque = self.is_opaque || self.may_keep_something(ObjectId(bits as u32));
            self.note_object(bits, Done::Met);
        }
    }

    fn identified(&mut self, temporary: u64, object: u64) {
        self.identified.push(Identified { temporary, object: ObjectId(object as u32), part: self.part });
    }

    fn synchronised(&mut self, sequence: u64, _when: When) {
        self.sequence = sequence;
    }
}
