//! The recorded program: definitions, classes and methods of a recording, decoded when they are needed.

mod classes;
mod code;
mod decode;
mod dispatch;
mod fields;
mod fuse;
mod initialise;
mod op;
mod origins;
mod parsed;
mod types;

pub use classes::{ClassTable, Subtype};
pub use code::{Call, CallKind, CallSite, Guard, Handler, MethodCode, Variable};
pub use decode::DecodeError;
pub use dispatch::Target;
pub use fields::Field;
pub use op::{LookupSwitch, Op, Pc, TableSwitch};
pub use types::{SlotType, SlotTypes};

use fields::Fields;
use initialise::Entries;
use parsed::Parsed;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock, RwLock};
use whydunit_classfile::{ClassFile, ClassFileError};
use whydunit_trace::block::Flags;
use whydunit_trace::reader::Recording;
use whydunit_trace::record::{Definition, MethodStatus};
use whydunit_trace::token::Token;
use whydunit_trace::{ClassId, DefinitionId, LoaderId, MethodId};

/// Position of a definition in the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefinitionIndex(pub u32);

/// Position of a method among the methods of all definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodIndex(pub u32);

#[derive(Debug)]
pub struct Program {
    recording: Arc<Recording>,
    definitions: Vec<DefinitionEntry>,
    by_id: FxHashMap<DefinitionId, DefinitionIndex>,
    by_name: FxHashMap<String, Vec<DefinitionIndex>>,
    /// First method of each definition that has any, by rising number.
    by_first_method: Vec<(MethodId, DefinitionIndex)>,
    /// Sequence numbers at which other agents changed classes.
    changes: BTreeSet<u64>,
    methods: Vec<MethodEntry>,
    classes: ClassTable,
    fields: RwLock<Fields>,
    next_site: AtomicU32,
    virtual_targets: RwLock<FxHashMap<(u32, ClassId), Target>>,
    entries: OnceLock<Option<Entries>>,
}

#[derive(Debug)]
struct DefinitionEntry {
    first_index: u32,
    /// Synchronisations after which another definition may run in place of this one or code around it.
    changed_after: u64,
    class_file: OnceLock<Result<Parsed, ClassFileError>>,
    summary: OnceLock<Option<Summary>>,
}

#[derive(Debug)]
struct MethodEntry {
    definition: DefinitionIndex,
    code: OnceLock<Result<Box<MethodCode>, DecodeError>>,
}

/// What calls and field accesses need to know of a class file.
#[derive(Debug)]
pub struct Summary {
    pub access: u16,
    pub superclass: Option<Box<str>>,
    pub interfaces: Vec<Box<str>>,
    pub methods: Vec<Member>,
    pub fields: Vec<Member>,
    pub source_file: Option<Box<str>>,
}

#[derive(Debug)]
pub struct Member {
    pub name: Box<str>,
    pub descriptor: Box<str>,
    pub access: u16,
}

impl Program {
    pub fn new(recording: &Arc<Recording>) -> Program {
        let mut definitions = Vec::with_capacity(recording.definitions.len());
        let mut methods = Vec::new();
        let mut by_name: FxHashMap<String, Vec<DefinitionIndex>> = FxHashMap::default();
        let mut by_id = FxHashMap::default();
        let mut by_first_method = Vec::new();
        for (position, record) in recording.definitions.iter().enumerate() {
            let index = DefinitionIndex(position as u32);
            let first_index = methods.len() as u32;
            methods.extend(record.methods.iter().map(|_| MethodEntry { definition: index, code: OnceLock::new() }));
            if record.replaces.is_none() {
                by_name.entry(record.name.clone()).or_default().push(index);
            }
            by_id.insert(record.id, index);
            if !record.methods.is_empty() {
                by_first_method.push((record.first_method, index));
            }
            let changed_after = if record.replaces.is_some() { 0 } else { u64::MAX };
            definitions.push(DefinitionEntry {
                first_index,
                changed_after,
                class_file: OnceLock::new(),
                summary: OnceLock::new(),
            });
        }
        for replaced in recording.definitions.iter().filter_map(|record| record.replaces) {
            if let Some(entry) = by_id.get(&replaced.definition).and_then(|i| definitions.get_mut(i.0 as usize)) {
                entry.changed_after = entry.changed_after.min(replaced.sequence);
            }
        }
        by_first_method.sort_unstable();
        let replaced = recording.definitions.iter().filter_map(|record| record.replaces);
        Program {
            changes: replaced.map(|replaced| replaced.sequence).collect::<BTreeSet<u64>>(),
            recording: Arc::clone(recording),
            definitions,
            by_id,
            by_name,
            by_first_method,
            methods,
            classes: ClassTable::new(recording.classes.clone(), &recording.loaders),
            fields: RwLock::default(),
            next_site: AtomicU32::new(0),
            virtual_targets: RwLock::default(),
            entries: OnceLock::new(),
        }
    }

    /// Whether a thread took this sequence number for the change of a class, wherever it was.
    pub(crate) fn is_change(&self, sequence: u64) -> bool {
        self.changes.contains(&sequence)
    }

    /// What the recorder took for a name.
    pub(crate) fn token(&self, expected: Token) -> u32 {
        let moved = self.recording.moved_tokens.iter().find(|token| token.name == expected.name);
        moved.map_or(expected.number, |token| token.number)
    }

    pub fn flags(&self) -> Flags {
        self.recording.flags
    }

    pub fn recording(&self) -> &Arc<Recording> {
        &self.recording
    }

    pub fn classes(&self) -> &ClassTable {
        &self.classes
    }

    pub fn definition(&self, index: DefinitionIndex) -> Option<&Definition> {
        self.recording.definitions.get(index.0 as usize)
    }

    pub fn definition_index(&self, id: DefinitionId) -> Option<DefinitionIndex> {
        self.by_id.get(&id).copied()
    }

    pub fn definitions(&self) -> impl Iterator<Item = (DefinitionIndex, &Definition)> {
        (0..).map(DefinitionIndex).zip(&self.recording.definitions)
    }

    pub fn method_index(&self, id: MethodId) -> Option<MethodIndex> {
        let after = self.by_first_method.partition_point(|&(first, _)| first <= id);
        let &(first, definition) = self.by_first_method.get(after.checked_sub(1)?)?;
        self.method_at(definition, (id.0 - first.0) as usize)
    }

    fn method_at(&self, definition: DefinitionIndex, position: usize) -> Option<MethodIndex> {
        let count = self.definition(definition)?.methods.len();
        let first = self.definitions.get(definition.0 as usize)?.first_index;
        (position < count).then(|| MethodIndex(first + position as u32))
    }

    /// All methods of all rewritten classes.
    pub fn methods(&self) -> impl Iterator<Item = MethodIndex> {
        (0..self.methods.len() as u32).map(MethodIndex)
    }

    /// A method's class file record and what the class file says of the method.
    pub fn method(&self, index: MethodIndex) -> Option<(DefinitionIndex, &Member)> {
        let (definition, position) = self.place_of(index)?;
        Some((definition, self.summary(definition)?.methods.get(position)?))
    }

    /// The definition of a method and its position in the class file.
    fn place_of(&self, index: MethodIndex) -> Option<(DefinitionIndex, usize)> {
        let definition = self.methods.get(index.0 as usize)?.definition;
        let first = self.definitions.get(definition.0 as usize)?.first_index;
        Some((definition, (index.0 - first) as usize))
    }

    pub fn method_status(&self, index: MethodIndex) -> Option<MethodStatus> {
        let (definition, position) = self.place_of(index)?;
        self.definition(definition)?.methods.get(position).copied()
    }

    /// Whether one method is the other, or what it became when another agent changed its class.
    pub fn is_replacement(&self, method: MethodId, of: &MethodCode) -> bool {
        let Some((definition, member)) = self.method_index(method).and_then(|index| self.method(index)) else {
            return false;
        };
        let is_class = match (self.definition(definition), self.definition(of.definition)) {
            (Some(a), Some(b)) => a.name == b.name && a.loader == b.loader,
            _ => false,
        };
        is_class && member.name == of.name && member.descriptor == of.descriptor
    }

    /// See [`MethodCode::changed_after`].
    fn changed_after(&self, definition: DefinitionIndex) -> u64 {
        self.definitions.get(definition.0 as usize).map_or(u64::MAX, |entry| entry.changed_after)
    }

    /// The decoded method; the first call decodes it.
    pub fn code(&self, index: MethodIndex) -> Result<&MethodCode, &DecodeError> {
        let Some(entry) = self.methods.get(index.0 as usize) else {
            return Err(&DecodeError::NoCode);
        };
        match entry.code.get_or_init(|| decode::decode(self, index).map(Box::new)) {
            Ok(code) => Ok(code),
            Err(error) => Err(error),
        }
    }

    /// Class, name and descriptor, for messages; works for methods that are not recorded, too.
    pub fn method_name(&self, index: MethodIndex) -> String {
        let name = || {
            let (definition, position) = self.place_of(index)?;
            let member = self.summary(definition)?.methods.get(position)?;
            let class = self.definition(definition)?.name.replace('/', ".");
            Some(format!("{class}.{}{}", member.name, member.descriptor))
        };
        name().unwrap_or_else(|| format!("method #{}", index.0))
    }

    /// The class file of a definition as it was before it was instrumented; the first call parses it.
    pub fn class_file(&self, index: DefinitionIndex) -> Option<Result<&ClassFile<'_>, &ClassFileError>> {
        let position = index.0 as usize;
        let entry = self.definitions.get(position)?;
        let parsed = entry.class_file.get_or_init(|| Parsed::definition(&self.recording, position));
        Some(parsed.as_ref().map(Parsed::borrow_dependent))
    }

    pub fn summary(&self, index: DefinitionIndex) -> Option<&Summary> {
        let entry = self.definitions.get(index.0 as usize)?;
        entry.summary.get_or_init(|| summarise(self.class_file(index)?.ok()?).ok()).as_ref()
    }

    /// The definition that code in `from` means by a class name.
    pub fn find_definition(&self, from: DefinitionIndex, name: &str) -> Option<DefinitionIndex> {
        let origin = self.definition(from)?;
        if origin.name == name {
            return Some(from);
        }
        let candidates = self.by_name.get(name)?;
        let of_loader = |loader: LoaderId| {
            let mut own =
                candidates.iter().copied().filter(|&c| self.definition(c).is_some_and(|d| d.loader == loader));
            // Two threads may have tried to define the class; only one succeeded.
            let is_used =
                |&c: &DefinitionIndex| self.definition(c).is_some_and(|d| self.classes.of_definition(d.id).is_some());
            own.clone().find(is_used).or_else(|| own.next())
        };
        let found = self.classes.delegation(origin.loader).find_map(of_loader);
        found.or(match candidates.as_slice() {
            [only] => Some(*only),
            _ => None,
        })
    }

    /// Whether code of a definition means its own class or a superclass by a name: it runs, so that class was
    /// initialised.
    pub fn is_own_superclass(&self, definition: DefinitionIndex, name: &str) -> bool {
        let mut next = Some(definition);
        for _ in 0..self.definitions.len() {
            let Some(index) = next else { break };
            if self.definition(index).is_some_and(|d| d.name == name) {
                return true;
            }
            let superclass = self.summary(index).and_then(|summary| summary.superclass.as_deref());
            next = superclass.and_then(|superclass| self.find_definition(index, superclass));
        }
        false
    }

    /// [`Program::virtual_target`], remembered.
    pub fn dispatch(&self, definition: DefinitionIndex, call: &Call, receiver: ClassId) -> Option<Target> {
        let key = (call.site, receiver);
        let known = self.virtual_targets.read().ok().and_then(|targets| targets.get(&key).copied());
        known.or_else(|| {
            let target = self.virtual_target(definition, call, receiver)?;
            if let Ok(mut targets) = self.virtual_targets.write() {
                targets.insert(key, target);
            }
            Some(target)
        })
    }

    fn next_site(&self) -> u32 {
        self.next_site.fetch_add(1, Ordering::Relaxed)
    }
}

fn summarise(class: &ClassFile<'_>) -> Result<Summary, ClassFileError> {
    let members = |members: &[whydunit_classfile::Member<'_>]| {
        let member = |m: &whydunit_classfile::Member<'_>| {
            Ok(Member {
                name: m.name(&class.pool)?.into(),
                descriptor: m.descriptor(&class.pool)?.into(),
                access: m.access,
            })
        };
        members.iter().map(member).collect::<Result<Vec<_>, ClassFileError>>()
    };
    Ok(Summary {
        access: class.access,
        superclass: class.super_name()?.map(Into::into),
        interfaces: class.interface_names()?.into_iter().map(Into::into).collect(),
        methods: members(&class.methods)?,
        fields: members(&class.fields)?,
        source_file: class.source_file().map(Into::into),
    })
}
