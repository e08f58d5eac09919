//! What objects hold, as far as writes and calls of unrecorded code tell: it is not as it should be when one side has made a
//! change that the other has not, or another one.

use super::Lockstep;
use crate::compare::CompareError;
use crate::event::{Event, Tag};
use crate::listener::{Holds, Part};
use crate::side::Side;
use rustc_hash::{FxHashMap, FxHashSet};
use whydunit_replay::interpreter::TEMPORARY;
use whydunit_replay::program::{Call, MethodIndex};
use whydunit_replay::unrecorded::{Emptying, Method, emptying};
use whydunit_trace::ObjectId;

/// The parts of objects of the right run that are not as they should be.
#[derive(Debug, Default)]
pub(super) struct Spoilt {
    parts: FxHashMap<ObjectId, FxHashSet<Part>>,
    /// Fields of the right run, by their numbers in the left one.
    fields: FxHashMap<u32, Option<u32>>,
}

impl Spoilt {
    /// Whether that makes a difference.
    fn set(&mut self, object: ObjectId, part: Part, is_wrong: bool) -> bool {
        if is_wrong {
            return self.parts.entry(object).or_default().insert(part);
        }
        let Some(parts) = self.parts.get_mut(&object) else { return false };
        let is_changed = parts.remove(&part);
        if parts.is_empty() {
            self.parts.remove(&object);
        }
        is_changed
    }

    fn contains(&self, reference: u64) -> bool {
        known(reference).is_some_and(|object| self.parts.contains_key(&object))
    }
}

impl<'p> Lockstep<'_, 'p> {
    /// Whether anybody asks for what is in objects.
    pub(super) fn watches_contents(&self) -> bool {
        self.listener.is_some() && self.common.shapes.right.detail().has_reads
    }

    /// A side goes past an event alone.
    pub(super) fn pass(&mut self, side: Side, event: &Event) -> Result<(), CompareError> {
        self.cursors[side].advance();
        if !matches!(event.tag, Tag::Calling | Tag::Field | Tag::Element) || !self.watches_contents() {
            return Ok(());
        }
        let (reference, part) = match event.tag {
            Tag::Calling => {
                let receiver = self.look(side)?;
                if receiver.tag != Tag::Argument || !self.call_of(side, event).is_some_and(may_change) {
                    return Ok(());
                }
                (receiver.a, Some(Part::Content))
            }
            Tag::Field => (event.b, self.field_part(side, event.extra)),
            _ => (event.b, Some(Part::Element(event.extra))),
        };
        let object = match side {
            Side::Left => self.common.renaming.partner(reference),
            Side::Right => known(reference),
        };
        if let (Some(object), Some(part)) = (object, part) {
            let holds = if side == Side::Left { Holds::Unchanged } else { Holds::Another };
            self.set_part(object, part, holds);
        }
        Ok(())
    }

    /// Both have written a field or an element.
    pub(super) fn note_written(&mut self, left: &Event, right: &Event, is_same_object: bool, is_same: bool) {
        if !self.watches_contents() {
            return;
        }
        let part = |event: &Event| match event.tag {
            Tag::Field => Part::Field(left.extra),
            _ => Part::Element(event.extra),
        };
        let is_same = is_same && is_same_object && part(left) == part(right);
        if let Some(object) = known(right.b) {
            self.set_part(object, part(right), if is_same { Holds::AsItShould } else { Holds::Another });
        }
        if !is_same && let Some(object) = self.common.renaming.partner(left.b) {
            self.set_part(object, part(left), Holds::Another);
        }
    }

    /// Both have made a call, with these arguments of the right one.
    pub(super) fn note_contents(&mut self, left: &Event, arguments: &[u64], is_different: bool) {
        let Some(receiver) = arguments.first().copied().and_then(known).filter(|_| self.watches_contents()) else {
            return;
        };
        let Some(call) = self.call_of(Side::Left, left).filter(|call| may_change(call)) else { return };
        let is_emptied = emptying(call, &Method::new(call, &call.owner), arguments) == Some(Emptying::All);
        if is_emptied && !is_different {
            self.set_part(receiver, Part::Content, Holds::AsItShould);
        } else if is_different || arguments[1..].iter().any(|&argument| self.spoilt.contains(argument)) {
            self.set_part(receiver, Part::Content, Holds::Another);
        }
    }

    fn set_part(&mut self, object: ObjectId, part: Part, holds: Holds) {
        if self.spoilt.set(object, part, holds != Holds::AsItShould)
            && let Some(listener) = &mut self.listener
        {
            listener.content(self.threads.right, self.cursors.right.latest, (object, part), holds);
        }
    }

    fn field_part(&mut self, side: Side, number: u32) -> Option<Part> {
        if side == Side::Left {
            return Some(Part::Field(number));
        }
        let (left, right) = (self.common.shapes.left.program(), self.common.shapes.right.program());
        let find = || right.field(number).map(|field| left.field_number(field));
        let number = *self.spoilt.fields.entry(number).or_insert_with(find);
        number.map(Part::Field)
    }

    fn call_of(&self, side: Side, calling: &Event) -> Option<&'p Call> {
        self.common.shapes[side].code(MethodIndex(calling.b as u32))?.call_at(calling.pc)
    }
}

fn may_change(call: &Call) -> bool {
    let method = Method::new(call, &call.owner);
    method.is_platform() && method.has_receiver && method.changes(0)
}

fn known(reference: u64) -> Option<ObjectId> {
    (reference != 0 && reference & TEMPORARY == 0).then_some(ObjectId(reference as u32))
}
