//! The classes that were met at run time, and which is a subtype of which.

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use whydunit_trace::record::{Class, Loader};
use whydunit_trace::{ClassId, DefinitionId, LoaderId};

#[derive(Debug)]
pub struct ClassTable {
    classes: Vec<Class>,
    by_id: FxHashMap<ClassId, u32>,
    by_name: FxHashMap<(LoaderId, String), ClassId>,
    by_definition: FxHashMap<DefinitionId, ClassId>,
    parents: FxHashMap<LoaderId, LoaderId>,
}

/// Whether one class is a subtype of another, as far as the records tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subtype {
    Yes,
    No,
    Unknown,
}

/// No array of a JVM has more.
const MAX_DIMENSIONS: u32 = 256;

impl ClassTable {
    pub(super) fn new(classes: Vec<Class>, loaders: &[Loader]) -> ClassTable {
        let mut by_id = FxHashMap::default();
        let mut by_name = FxHashMap::default();
        let mut by_definition = FxHashMap::default();
        for (index, class) in classes.iter().enumerate() {
            by_id.insert(class.id, index as u32);
            if let Entry::Vacant(entry) = by_name.entry((class.loader, class.name.clone())) {
                entry.insert(class.id);
            }
            if let Some(definition) = class.definition {
                by_definition.insert(definition, class.id);
            }
        }
        let parents = loaders.iter().map(|loader| (loader.id, loader.parent)).collect();
        ClassTable { classes, by_id, by_name, by_definition, parents }
    }

    pub fn get(&self, id: ClassId) -> Option<&Class> {
        let index = *self.by_id.get(&id)?;
        self.classes.get(index as usize)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Class> {
        self.classes.iter()
    }

    pub fn of_definition(&self, definition: DefinitionId) -> Option<&Class> {
        self.get(*self.by_definition.get(&definition)?)
    }

    /// The class that code of this loader means by a name.
    pub fn by_name(&self, loader: LoaderId, name: &str) -> Option<&Class> {
        let id = self.delegation(loader).find_map(|loader| self.by_name.get(&(loader, name.to_owned())))?;
        self.get(*id)
    }

    /// A loader and those that it asks first, itself first.
    pub fn delegation(&self, loader: LoaderId) -> impl Iterator<Item = LoaderId> {
        let mut next = Some(loader);
        let mut left = self.parents.len() + 2;
        std::iter::from_fn(move || {
            let current = next?;
            left = left.checked_sub(1)?;
            next = (current != LoaderId::BOOT).then(|| self.parents.get(&current).copied().unwrap_or(LoaderId::BOOT));
            Some(current)
        })
    }

    /// A class and its superclasses.
    pub fn superclasses(&self, class: ClassId) -> impl Iterator<Item = &Class> {
        let mut next = self.get(class);
        let mut left = self.classes.len();
        std::iter::from_fn(move || {
            let current = next?;
            left = left.checked_sub(1)?;
            next = current.superclass.and_then(|superclass| self.get(superclass));
            Some(current)
        })
    }

    /// A class, its superclasses and all their interfaces.
    pub fn supertypes(&self, class: ClassId) -> Vec<&Class> {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        let mut work = vec![class];
        while let Some(id) = work.pop() {
            if seen.insert(id)
                && let Some(class) = self.get(id)
            {
                found.push(class);
                work.extend(class.interfaces.iter().copied());
                work.extend(class.superclass);
            }
        }
        found
    }

    /// Whether `class` is a subtype of what code of a loader means by this internal name.
    pub fn is_subtype(&self, class: ClassId, loader: LoaderId, name: &str) -> Subtype {
        let Some(record) = self.get(class) else {
            return Subtype::Unknown;
        };
        if name == "java/lang/Object" {
            return Subtype::Yes;
        }
        match (record.name.strip_prefix('['), name.strip_prefix('[')) {
            (Some(_), None) => match name {
                "java/lang/Cloneable" | "java/io/Serializable" => Subtype::Yes,
                _ => Subtype::No,
            },
            (Some(own), Some(element)) if own == element && own.len() == 1 => Subtype::Yes,
            (Some(_), Some(element)) => self.is_element_subtype(record, loader, element),
            (None, Some(_)) => Subtype::No,
            (None, None) => {
                let supertypes = self.supertypes(class);
                let is_complete = supertypes.iter().all(|c| self.has_all_supertypes(c));
                let named = self.by_name(loader, name).map(|named| named.id);
                match supertypes.iter().find(|c| c.name == name) {
                    Some(same_name) if named == Some(same_name.id) => Subtype::Yes,
                    None if is_complete => Subtype::No,
                    _ => Subtype::Unknown,
                }
            }
        }
    }

    /// Whether a class is another or a subtype of it.
    pub fn extends(&self, class: ClassId, other: ClassId) -> Subtype {
        let (mut class, mut other) = (class, other);
        for _ in 0..MAX_DIMENSIONS {
            if class == other {
                return Subtype::Yes;
            }
            let (Some(own), Some(wanted)) = (self.get(class), self.get(other)) else {
                return Subtype::Unknown;
            };
            match (own.element, wanted.element) {
                (Some(own), Some(wanted)) => (class, other) = (own, wanted),
                _ if wanted.name.starts_with('[') => return Subtype::No,
                _ => return self.is_subtype(class, wanted.loader, &wanted.name),
            }
        }
        Subtype::Unknown
    }

    fn has_all_supertypes(&self, class: &Class) -> bool {
        let is_interface = class.access & whydunit_classfile::access::INTERFACE != 0;
        let has_superclass = is_interface
            || class.name == "java/lang/Object"
            || class.superclass.is_some_and(|superclass| self.by_id.contains_key(&superclass));
        has_superclass && class.interfaces.iter().all(|interface| self.by_id.contains_key(interface))
    }

    /// `element` is a descriptor.
    fn is_element_subtype(&self, array: &Class, loader: LoaderId, element: &str) -> Subtype {
        let name = match element.strip_prefix('L') {
            Some(name) => name.strip_suffix(';').unwrap_or(name),
            None if element.starts_with('[') => element,
            None => return Subtype::No,
        };
        match array.element {
            Some(class) => self.is_subtype(class, loader, name),
            // Elements are of a primitive type.
            None if array.name.len() == 2 => Subtype::No,
            None => Subtype::Unknown,
        }
    }
}
