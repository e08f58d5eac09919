//! Everything that has to do with one object. The index does not know where an object is read, so all of a thread is
//! replayed, but quickly where the object does not come up. A branch on an object that was at hand before is not
//! looked for: something else has to happen to the object in the same segment.

use super::ThreadIndex;
use crate::error::ReplayError;
use crate::events::{Event, Teller, Wanted};
use crate::interpreter::{At, ElementAccess, Entry, FieldAccess, Observer, ThreadReplay};
use crate::objects::ObjectTable;
use crate::program::{Call, MethodIndex, Program};
use std::ops::ControlFlow;
use whydunit_trace::{LogKind, ObjectId};

/// What is told on the way.
#[derive(Debug)]
pub enum Told<'t> {
    /// Something was left out. These are the frames now, lowest first.
    Frames(Vec<FrameStart>),
    /// An event, of the object or not.
    Event(&'t Event),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameStart {
    pub method: MethodIndex,
    /// Its first step.
    pub entered: u64,
}

impl ThreadIndex {
    /// Shows all events of the parts of the thread in which an object comes up to `visit`, until that breaks.
    /// `progress` is told the instructions that were replayed since it was last called.
    pub fn for_each_near(
        &self,
        program: &Program,
        objects: &ObjectTable,
        object: ObjectId,
        progress: &dyn Fn(u64),
        visit: &mut dyn FnMut(Told<'_>) -> ControlFlow<()>,
    ) -> Result<(), ReplayError> {
        let mut index = 0;
        while index < self.checkpoints() {
            let first = index;
            while index < self.checkpoints() && self.comes_up(program, objects, object, index)? {
                progress(self.end_of(index) - self.segment(index)?.number);
                index += 1;
            }
            if index > first && self.tell_all(program, objects, first, index, visit)?.is_break() {
                return Ok(());
            }
            if index < self.checkpoints() {
                // The one that ended the run was looked at, too.
                progress(self.end_of(index) - self.segment(index)?.number);
                index += 1;
            }
        }
        Ok(())
    }

    /// Whether an object may come up in a segment.
    fn comes_up(
        &self,
        program: &Program,
        objects: &ObjectTable,
        object: ObjectId,
        index: usize,
    ) -> Result<bool, ReplayError> {
        let checkpoint = self.checkpoint(index)?;
        let mut replay = ThreadReplay::from_snapshot(program, objects, self.thread, &checkpoint.replay)?;
        let mut finder = Finder { object: u64::from(object.0), is_found: false };
        match replay.run(&mut finder, self.end_of(index)) {
            // The index ends there, too.
            Ok(_) | Err(ReplayError::Divergence(_)) => Ok(finder.is_found),
            Err(error) => Err(error),
        }
    }

    /// All events of some segments.
    fn tell_all(
        &self,
        program: &Program,
        objects: &ObjectTable,
        first: usize,
        end: usize,
        visit: &mut dyn FnMut(Told<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, ReplayError> {
        let checkpoint = self.checkpoint(first)?;
        let mut replay = ThreadReplay::from_snapshot(program, objects, self.thread, &checkpoint.replay)?;
        let start = |(frame, depth): (&crate::interpreter::Frame<'_>, u32)| FrameStart {
            method: frame.code.index,
            entered: checkpoint.steps.first(depth),
        };
        let frames = replay.frames().iter().zip(0..).map(start).collect();
        if visit(Told::Frames(frames)).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let wanted = Wanted::default();
        let mut told = |event: &Event| visit(Told::Event(event));
        let mut teller = Teller::new(program, objects, self.thread, &wanted, &mut told);
        teller.take_up(&replay, checkpoint.steps);
        let outcome = replay.run(&mut teller, self.end_of(end - 1));
        teller.finish();
        let is_over = teller.is_over;
        match outcome {
            Ok(_) | Err(ReplayError::Divergence(_)) => {}
            Err(error) => return Err(error),
        }
        Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

/// Whether a reference to an object is anywhere.
struct Finder {
    object: u64,
    is_found: bool,
}

impl Finder {
    #[inline(always)]
    fn look(&mut self, bits: u64) {
        self.is_found |= bits == self.object;
    }

    #[inline(always)]
    fn look_at(&mut self, kind: LogKind, bits: u64) {
        self.is_found |= bits == self.object && kind == LogKind::Reference;
    }
}

impl Observer for Finder {
    const EVERY_INSTRUCTION: bool = false;

    #[inline]
    fn entered(&mut self, at: At<'_>, arguments: &[u64], _entry: Entry) {
        let own = arguments.get(..usize::from(at.code.argument_slots)).unwrap_or_default();
        let mut found = own.iter().enumerate().filter(|(_, bits)| **bits == self.object);
        self.is_found |= found.any(|(slot, _)| at.code.types.is_reference(0, slot));
    }

    #[inline]
    fn returned(&mut self, _at: At<'_>, kind: LogKind, bits: u64) {
        self.look_at(kind, bits);
    }

    fn calling(&mut self, _at: At<'_>, call: &Call, arguments: &[u64]) {
        let mut slot = 0;
        for &kind in &call.arguments {
            self.look_at(kind, arguments.get(slot).copied().unwrap_or_default());
            slot += usize::from(kind.slots());
        }
    }

    fn called(&mut self, _at: At<'_>, call: &Call, bits: u64) {
        self.look_at(call.result, bits);
    }

    fn unwound(&mut self, _at: At<'_>, exception: u64) {
        self.look(exception);
    }

    fn caught(&mut self, _at: At<'_>, exception: u64) {
        self.look(exception);
    }

    #[inline]
    fn field_read(&mut self, _at: At<'_>, access: FieldAccess) {
        self.look(access.object);
        self.look_at(access.kind, access.bits);
    }

    #[inline]
    fn field_written(&mut self, _at: At<'_>, access: FieldAccess) {
        self.look(access.object);
        self.look_at(access.kind, access.bits);
    }

    #[inline]
    fn element_read(&mut self, _at: At<'_>, access: ElementAccess) {
        self.look(access.array);
        self.look_at(access.kind, access.bits);
    }

    #[inline]
    fn element_written(&mut self, _at: At<'_>, access: ElementAccess) {
        self.look(access.array);
        self.look_at(access.kind, access.bits);
    }

    fn allocated(&mut self, _at: At<'_>, _class: &str, object: u64) {
        self.look(object);
    }

    fn identified(&mut self, _temporary: u64, object: u64) {
        self.look(object);
    }
}
