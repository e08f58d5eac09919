//! Values at corresponding instructions.

use super::{Lockstep, is_same_value};
use crate::compare::CompareError;
use crate::difference::{Kind, What};
use crate::event::{Event, Tag};
use crate::side::Pair;
use whydunit_replay::Value;
use whydunit_replay::program::Field;
use whydunit_trace::LogKind;

/// Pairs of values that are remembered as excused.
pub(super) const MOST_EXCUSED: usize = 1 << 16;

impl<'p> Lockstep<'_, 'p> {
    #[inline]
    pub(super) fn is_same(&mut self, kind: LogKind, left: u64, right: u64) -> Result<bool, CompareError> {
        if kind == LogKind::Reference {
            return Ok(self.common.renaming.is_same(left, right)?);
        }
        Ok(is_same_value(kind, left, right))
    }

    /// Notes that a value differs, unless there is an excuse.
    #[cold]
    pub(super) fn differs(&mut self, what: Pair<What>, kind: LogKind, bits: Pair<u64>, descriptor: Option<&str>) {
        if !self.is_excused(bits.left, bits.right) {
            let values = bits.map(|bits| Value::of(kind, bits, descriptor));
            self.tell(what.right, values, false);
            self.report(Kind::Value { what: what.left, values });
        }
    }

    /// Whether values may differ because of what they are or were computed from; then their copies may, too. They are
    /// operands of the instruction.
    pub(super) fn has_excuse(&mut self, left: &Event, right: &Event, from_top: usize) -> bool {
        if self.is_excused(left.a, right.a) {
            return true;
        }
        let Some(frame) = self.frames.last() else { return false };
        let is_excused = left.kind != LogKind::Reference && self.is_computed_from_excused(frame, left.pc, from_top);
        if is_excused {
            self.excuse(left.a, right.a);
        }
        is_excused
    }

    /// These need not be the same, wherever they are copied to.
    pub(super) fn excuse(&mut self, left: u64, right: u64) {
        if self.common.excused.len() >= MOST_EXCUSED {
            self.common.excused.clear();
        }
        self.common.excused.insert((left, right));
    }

    #[inline]
    pub(super) fn local(&mut self, left: &Event, right: &Event) -> Result<(), CompareError> {
        if !self.is_same(left.kind, left.a, right.a)? {
            self.local_differs(left, right);
        } else if let Some(frame) = self.frames.last_mut() {
            frame.excuses.is_same(left.slot);
        }
        Ok(())
    }

    #[cold]
    fn local_differs(&mut self, left: &Event, right: &Event) {
        let is_excused = self.has_excuse(left, right, usize::from(left.kind.slots()));
        let Some(frame) = self.frames.last_mut() else { return };
        frame.excuses.differs(left.slot, is_excused);
        let code = self.common.methods.get(frame.methods).code.left;
        let descriptor = code.variable_set(left.slot, left.pc).map(|variable| &*variable.descriptor);
        let bits = Pair { left: left.a, right: right.a };
        let what = Pair { left, right }.map(|event| What::Local { slot: event.slot });
        self.differs(what, left.kind, bits, descriptor);
    }

    #[inline]
    pub(super) fn field(&mut self, left: &Event, right: &Event) -> Result<(), CompareError> {
        let is_same_object = self.common.renaming.is_same(left.b, right.b)?;
        let is_same = self.is_same(left.kind, left.a, right.a)?;
        self.note_written(left, right, is_same_object, is_same);
        if !is_same_object || !is_same {
            self.field_differs(left, right, is_same_object, is_same);
        }
        Ok(())
    }

    #[cold]
    fn field_differs(&mut self, left: &Event, right: &Event, is_same_object: bool, is_same: bool) {
        let unknown = || Field { owner: "?".into(), name: "?".into(), descriptor: "?".into() };
        let field = self.common.shapes.left.program().field(left.extra).unwrap_or_else(unknown);
        if self.common.filters.ignores_field(&field.owner, &field.name) {
            if !is_same {
                self.excuse(left.a, right.a);
            }
            return;
        }
        if !is_same_object {
            let objects = Pair { left: left.b, right: right.b };
            self.differs(Pair::both(What::FieldOf(field.clone())), LogKind::Reference, objects, None);
        }
        if !is_same && !self.has_excuse(left, right, usize::from(left.kind.slots())) {
            let bits = Pair { left: left.a, right: right.a };
            let descriptor = field.descriptor.clone();
            self.differs(Pair::both(What::Field(field)), left.kind, bits, Some(&descriptor));
        }
    }

    #[inline]
    pub(super) fn element(&mut self, left: &Event, right: &Event) -> Result<(), CompareError> {
        let is_same_array = self.common.renaming.is_same(left.b, right.b)?;
        let is_same = self.is_same(left.kind, left.a, right.a)?;
        self.note_written(left, right, is_same_array, is_same);
        if !is_same_array || !is_same || left.extra != right.extra {
            self.element_differs(left, right, is_same_array, is_same);
        }
        Ok(())
    }

    #[cold]
    fn element_differs(&mut self, left: &Event, right: &Event, is_same_array: bool, is_same: bool) {
        if !is_same_array {
            self.differs(Pair::both(What::Array), LogKind::Reference, Pair { left: left.b, right: right.b }, None);
        }
        if left.extra != right.extra {
            let indexes = Pair { left: u64::from(left.extra), right: u64::from(right.extra) };
            self.differs(Pair::both(What::Index), LogKind::Int, indexes, None);
        }
        if !is_same && !self.has_excuse(left, right, usize::from(left.kind.slots())) {
            let what = Pair { left, right }.map(|event| What::Element { index: event.extra.cast_signed() });
            self.differs(what, left.kind, Pair { left: left.a, right: right.a }, None);
        }
    }

    /// What both have read.
    pub(super) fn read(&mut self, left: &Event, right: &Event) -> Result<(), CompareError> {
        let is_same = left.kind == right.kind && self.is_same(left.kind, left.a, right.a)?;
        if is_same || self.is_excused(left.a, right.a) {
            return Ok(());
        }
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let code = self.common.methods.get(frame.methods).code.right;
        let field = self.common.shapes.right.program().field(right.extra).filter(|_| right.tag == Tag::ReadField);
        let (what, descriptor) = match (right.tag, field) {
            (Tag::ReadField, Some(field)) => {
                let descriptor = field.descriptor.clone();
                (What::Field(field), Some(descriptor))
            }
            (Tag::ReadLocal, _) => {
                let address = code.addresses.get(right.pc as usize).copied().unwrap_or(u32::MAX);
                let variable = code.variable_at(right.slot, address);
                (What::Local { slot: right.slot }, variable.map(|variable| variable.descriptor.clone()))
            }
            _ => (What::Element { index: right.extra.cast_signed() }, None),
        };
        let value = |event: &Event| Value::of(event.kind, event.a, descriptor.as_deref());
        self.tell_read(what, Pair { left: value(left), right: value(right) });
        Ok(())
    }

    pub(super) fn is_excused(&self, left: u64, right: u64) -> bool {
        self.common.excused.contains(&(left, right))
    }

    /// Exceptions that go the same way.
    pub(super) fn exception(&mut self, left: &Event, right: &Event) -> Result<(), CompareError> {
        // Of some the log does not tell which they are.
        let is_known = left.a != 0 && right.a != 0 && !self.common.filters.control_only;
        if is_known && !self.is_same(LogKind::Reference, left.a, right.a)? {
            self.differs(Pair::both(What::Exception), LogKind::Reference, Pair { left: left.a, right: right.a }, None);
        }
        Ok(())
    }
}
