//! What can be looked for in a run.

use crate::program::{Call, Field, MethodIndex};
use whydunit_trace::{LogKind, ObjectId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// The method is entered.
    Entry(MethodIndex),
    /// A step starts at the line of one of these methods.
    Line { methods: Vec<MethodIndex>, line: u16 },
    /// A local is written, in whatever frame of the method.
    Local { method: MethodIndex, slot: u16 },
    /// A field is written, static or of whatever object.
    Field(Field),
    /// A field of one object is written.
    ObjectField { object: ObjectId, field: Field },
    /// An element of one array is written.
    Element { array: ObjectId, index: i32 },
    /// Any element of one of these arrays is written.
    Elements(Vec<ObjectId>),
    /// An instruction throws.
    Thrown,
    /// An exception reaches a handler.
    Caught,
}

/// A place in the heap, as filters know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteKey {
    filter: u64,
    /// Another key under which it may be.
    also: Option<u64>,
    pub(super) unidentified: OfUnidentified,
    /// Whose place it is; `None` for static fields.
    pub(super) object: Option<ObjectId>,
}

/// How a place of an object that has no id yet is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfUnidentified {
    No,
    Field(u64),
    Met,
}

impl WriteKey {
    pub fn static_field(field: FieldKey) -> WriteKey {
        WriteKey { filter: field.0, also: None, unidentified: OfUnidentified::No, object: None }
    }

    pub fn field(object: ObjectId, field: FieldKey) -> WriteKey {
        let filter = object_key(object, field.0);
        WriteKey { filter, also: None, unidentified: OfUnidentified::Field(field.0), object: Some(object) }
    }

    /// An element of an array, which unrecorded code may have written, too.
    pub fn element(array: ObjectId, index: i32) -> WriteKey {
        WriteKey { also: Some(element_key(array, index)), ..WriteKey::met(array) }
    }

    /// What unrecorded code keeps in an object.
    pub fn met(object: ObjectId) -> WriteKey {
        WriteKey { filter: met_key(object), also: None, unidentified: OfUnidentified::Met, object: Some(object) }
    }

    /// Elements of an array that unrecorded code may have written.
    pub(super) fn touched(array: ObjectId) -> WriteKey {
        let filter = touched_key(array);
        WriteKey { filter, also: None, unidentified: OfUnidentified::No, object: Some(array) }
    }

    /// Without that of the making of its object.
    pub(super) fn is_of(&self, key: u64) -> bool {
        key == self.filter || Some(key) == self.also
    }

    /// With that of the making of its object, as what is done to new objects is not all there. To each key the object
    /// that comes up wherever the key does, if there is one: what unrecorded code meets need not come up.
    pub(super) fn in_filter(&self) -> impl Iterator<Item = (u64, Option<ObjectId>)> {
        let is_at_hand = matches!(self.unidentified, OfUnidentified::Field(_));
        let first = (self.filter, self.object.filter(|_| is_at_hand));
        let others = self.also.into_iter().chain(self.object.map(made_key));
        [first].into_iter().chain(others.map(|key| (key, self.object)))
    }
}

/// A field in an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldKey(u64);

impl FieldKey {
    pub fn of(field: &Field) -> FieldKey {
        FieldKey(field_key(field))
    }
}

/// The same in every process: FNV-1a over owner, name and descriptor.
pub(super) fn field_key(field: &Field) -> u64 {
    let parts = [&field.owner, &field.name, &field.descriptor];
    let bytes = parts.into_iter().flat_map(|part| part.bytes().chain([0xFF]));
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

/// A field of an object.
#[inline]
pub(super) fn object_key(object: ObjectId, field: u64) -> u64 {
    field ^ u64::from(object.0).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[inline]
pub(super) fn element_key(array: ObjectId, index: i32) -> u64 {
    u64::from(array.0) << 32 | u64::from(index.cast_unsigned())
}

/// Calls of unrecorded code that are given an object or give it back.
#[inline]
pub(super) fn met_key(object: ObjectId) -> u64 {
    u64::from(object.0).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// An array that a call of unrecorded code may write to.
#[inline]
pub(super) fn touched_key(array: ObjectId) -> u64 {
    u64::from(array.0).wrapping_mul(0x8CB9_2BA7_2F3D_8DD7)
}

/// A local that is written, in whatever frame of the method.
pub(super) fn local_key(method: MethodIndex, slot: u16) -> u64 {
    (u64::from(method.0) << 16 | u64::from(slot)).wrapping_mul(0xE703_7ED1_A0B4_28DB)
}

/// A line of which anything runs; 0 stands for what has no line.
pub(super) fn ran_key(method: MethodIndex, line: u16) -> u64 {
    (u64::from(method.0) << 16 | u64::from(line)).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
}

/// A method of which a frame catches something.
pub(super) fn caught_key(method: MethodIndex) -> u64 {
    u64::from(method.0).wrapping_mul(0x94D0_49BB_1331_11EB)
}

/// An object that is made, or gets its id.
#[inline]
pub(super) fn made_key(object: ObjectId) -> u64 {
    u64::from(object.0).wrapping_mul(0xA24B_AED4_963E_E407)
}

/// An object that comes up in whatever way.
#[inline]
pub(super) fn occurs_key(object: ObjectId) -> u64 {
    u64::from(object.0)
}

/// The objects that a call is given.
pub(super) fn objects_given<'s>(call: &'s Call, slots: &'s [u64]) -> impl Iterator<Item = ObjectId> + 's {
    let mut slot = 0;
    call.arguments.iter().filter_map(move |&kind| {
        let bits = slots.get(slot).copied().unwrap_or_default();
        slot += usize::from(kind.slots());
        (kind == LogKind::Reference && bits != 0).then_some(ObjectId(bits as u32))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_recorded_code_writes_comes_up_and_what_other_code_meets_need_not() {
        let (array, field) = (ObjectId(7), FieldKey(5));
        let keys = |key: WriteKey| key.in_filter().collect::<Vec<_>>();
        let made = (made_key(array), Some(array));
        let element = (element_key(array, 3), Some(array));
        assert_eq!(keys(WriteKey::element(array, 3)), [(met_key(array), None), element, made]);
        assert_eq!(keys(WriteKey::field(array, field)), [(object_key(array, 5), Some(array)), made]);
        assert_eq!(keys(WriteKey::static_field(field)), [(5, None)]);
    }
}
