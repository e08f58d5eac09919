//! Everything that has to do with one object. The index tells where it does not come up; what is left is replayed
//! quickly first, to find out where it does. A branch on an object that was at hand before is not
//! looked for: something else has to happen to the object in the same segment.

use super::ThreadIndex;
use crate::error::ReplayError;
use crate::events::{Event, Teller, Wanted};
use crate::interpreter::{At, ElementAccess, Entry, FieldAccess, Observer, ThreadReplay};
use crate::objects::ObjectTable;
use crate::program::{Call, MethodCode, MethodIndex, Program};
use std::ops::ControlFlow;
use whydunit_classfile::{access, descriptor};
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
    pub fn comes_up(
        &self,
        program: &Program,
        objects: &ObjectTable,
        object: ObjectId,
        index: usize,
    ) -> Result<bool, ReplayError> {
        // What has no id yet cannot be looked for.
        if !self.summary(index)?.may_have_object(object) {
            return self.may_meet(index, object).map_err(ReplayError::from);
        }
        self.glance(program, objects, index, &One(object))
    }

    /// Whether a value may come up in a segment: a quick look, without events.
    pub fn glance<L: Mention>(
        &self,
        program: &Program,
        objects: &ObjectTable,
        index: usize,
        look: &L,
    ) -> Result<bool, ReplayError> {
        let checkpoint = self.checkpoint(index)?;
        let mut replay = ThreadReplay::from_snapshot(program, objects, self.thread, &checkpoint.replay)?;
        let mut finder = Finder { look, is_found: false };
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

/// What to look for.
pub trait Mention {
    /// Whether it can be something else than an object.
    const PRIMITIVES: bool;

    fn reference(&self, bits: u64) -> bool;

    fn value(&self, kind: LogKind, bits: u64) -> bool;
}

struct One(ObjectId);

impl Mention for One {
    const PRIMITIVES: bool = false;

    #[inline(always)]
    fn reference(&self, bits: u64) -> bool {
        bits == u64::from(self.0.0)
    }

    #[inline(always)]
    fn value(&self, kind: LogKind, bits: u64) -> bool {
        self.reference(bits) && kind == LogKind::Reference
    }
}

/// Whether what is looked for is anywhere.
struct Finder<'l, L> {
    look: &'l L,
    is_found: bool,
}

impl<L: Mention> Finder<'_, L> {
    #[inline(always)]
    fn look(&mut self, bits: u64) {
        self.is_found = self.is_found || self.look.reference(bits);
    }

    #[inline(always)]
    fn look_at(&mut self, kind: LogKind, bits: u64) {
        self.is_found = self.is_found || self.look.value(kind, bits);
    }
}

impl<L: Mention> Observer for Finder<'_, L> {
    const EVERY_INSTRUCTION: bool = false;

    #[inline]
    fn entered(&mut self, at: At<'_>, arguments: &[u64], _entry: Entry) {
        if self.is_found {
            return;
        }
        if L::PRIMITIVES {
            let mut slot = 0;
            for kind in argument_kinds(at.code) {
                self.look_at(kind, arguments.get(slot).copied().unwrap_or_default());
                slot += usize::from(kind.slots());
            }
            return;
        }
        let own = arguments.get(..usize::from(at.code.argument_slots)).unwrap_or_default();
        let mut found = own.iter().enumerate().filter(|(_, bits)| self.look.reference(**bits));
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

    #[inline]
    fn local_written(&mut self, _at: At<'_>, _local: u16, kind: LogKind, bits: u64) {
        self.look_at(kind, bits);
    }

    fn allocated(&mut self, _at: At<'_>, _class: &str, object: u64) {
        self.look(object);
    }

    fn identified(&mut self, _temporary: u64, object: u64) {
        self.look(object);
    }
}

/// Of the arguments of a method, with `this`.
fn argument_kinds(code: &MethodCode) -> impl Iterator<Item = LogKind> {
    let this = (code.access & access::STATIC == 0).then_some(LogKind::Reference);
    let parameters = descriptor::parameters(&code.descriptor).unwrap_or_default();
    this.into_iter().chain(parameters.into_iter().map(|(base, _)| LogKind::of(base)))
}
