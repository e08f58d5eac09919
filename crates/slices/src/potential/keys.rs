//! What code can write, as far as it tells: which field, elements of which kind, objects of which unrecorded class.

use rustc_hash::FxHashMap;
use whydunit_replay::Program;
use whydunit_trace::LogKind;

/// Number of something that code writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key(pub(crate) u32);

/// What a key stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Meaning {
    Field(u32),
    Element,
    Content,
}

#[derive(Debug)]
pub(crate) struct Keys {
    fields: u32,
    /// By name of an unrecorded class.
    contents: FxHashMap<Box<str>, Key>,
}

const KINDS: [LogKind; 8] = [
    LogKind::Byte,
    LogKind::Char,
    LogKind::Short,
    LogKind::Int,
    LogKind::Float,
    LogKind::Long,
    LogKind::Double,
    LogKind::Reference,
];

impl Keys {
    pub(crate) fn new(program: &Program) -> Keys {
        Keys::with_fields(program.fields_named().len() as u32)
    }

    /// As many fields, and no class.
    pub(crate) fn with_fields(fields: u32) -> Keys {
        Keys { fields, contents: FxHashMap::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.first_content() as usize + self.contents.len()
    }

    /// Behind the elements, and the object that nothing is known of.
    fn first_content(&self) -> u32 {
        self.fields + KINDS.len() as u32 + 1
    }

    pub(crate) fn element(&self, kind: LogKind) -> Key {
        let position = KINDS.iter().position(|&known| known == kind).unwrap_or_default();
        Key(self.fields + position as u32)
    }

    /// Any object or array.
    pub(crate) fn anything(&self) -> Key {
        Key(self.fields + KINDS.len() as u32)
    }

    pub(crate) fn add_content(&mut self, class: &str) -> Key {
        let next = Key(self.first_content() + self.contents.len() as u32);
        *self.contents.entry(class.into()).or_insert(next)
    }

    pub(crate) fn contents(&self) -> impl Iterator<Item = (&str, Key)> {
        self.contents.iter().map(|(class, &key)| (&**class, key))
    }

    pub(crate) fn meaning(&self, key: Key) -> Meaning {
        match key {
            Key(field) if field < self.fields => Meaning::Field(field),
            key if key < self.anything() => Meaning::Element,
            _ => Meaning::Content,
        }
    }
}

/// A set of keys that is built.
#[derive(Clone, Debug)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub(crate) fn new(keys: &Keys) -> Bits {
        Bits(vec![0; keys.len().div_ceil(64)])
    }

    pub(crate) fn insert(&mut self, key: Key) {
        if let Some(word) = self.0.get_mut(key.0 as usize / 64) {
            *word |= 1 << (key.0 % 64);
        }
    }

    pub(crate) fn remove(&mut self, key: Key) {
        if let Some(word) = self.0.get_mut(key.0 as usize / 64) {
            *word &= !(1 << (key.0 % 64));
        }
    }

    pub(crate) fn add(&mut self, other: &KeySet) {
        for &(number, bits) in &other.0 {
            if let Some(word) = self.0.get_mut(number as usize) {
                *word |= bits;
            }
        }
    }

    pub(crate) fn union(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    pub(crate) fn to_set(&self) -> KeySet {
        KeySet((0..).zip(&self.0).filter(|(_, word)| **word != 0).map(|(number, &word)| (number, word)).collect())
    }
}

/// A set of keys: the words of a bit set that are not empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeySet(Box<[(u32, u64)]>);

impl KeySet {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first that is in both.
    pub(crate) fn first_common(&self, other: &Bits) -> Option<Key> {
        self.0.iter().find_map(|&(number, bits)| {
            let common = bits & other.0.get(number as usize).copied().unwrap_or_default();
            (common != 0).then(|| Key(number * 64 + common.trailing_zeros()))
        })
    }
}
