//! Numbers for the fields that instructions name.

use super::{DefinitionIndex, Program};
use rustc_hash::FxHashMap;
use std::sync::PoisonError;
use whydunit_classfile::MemberRef;

/// A field by the class that declares it, as far as that class is known; else by the class named.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    pub owner: Box<str>,
    pub name: Box<str>,
    pub descriptor: Box<str>,
}

#[derive(Debug, Default)]
pub(super) struct Fields {
    fields: Vec<Field>,
    numbers: FxHashMap<Field, u32>,
    /// By definition and constant of its class file.
    named: FxHashMap<(DefinitionIndex, u16), u32>,
}

impl Fields {
    fn number(&mut self, field: Field) -> u32 {
        if let Some(&number) = self.numbers.get(&field) {
            return number;
        }
        let number = self.fields.len() as u32;
        self.fields.push(field.clone());
        self.numbers.insert(field, number);
        number
    }
}

impl Program {
    pub fn field(&self, number: u32) -> Option<Field> {
        let fields = self.fields.read().unwrap_or_else(PoisonError::into_inner);
        fields.fields.get(number as usize).cloned()
    }

    /// The fields that instructions of recorded methods name. Decodes all of them.
    pub fn fields_named(&self) -> Vec<Field> {
        for method in self.methods() {
            // What cannot be decoded names none.
            let _ = self.code(method);
        }
        self.fields.read().unwrap_or_else(PoisonError::into_inner).fields.clone()
    }

    /// The number of a field that the class itself declares.
    pub fn field_number(&self, field: Field) -> u32 {
        let mut fields = self.fields.write().unwrap_or_else(PoisonError::into_inner);
        fields.number(field)
    }

    /// The number of the field that a constant of a definition's class file names.
    pub(super) fn intern_field(&self, from: DefinitionIndex, constant: u16, named: &MemberRef<'_>) -> u32 {
        let key = (from, constant);
        if let Some(&known) = self.fields.read().unwrap_or_else(PoisonError::into_inner).named.get(&key) {
            return known;
        }
        let MemberRef { owner, name, descriptor, .. } = named;
        let owner = self.declaring_class(from, owner, name, descriptor).unwrap_or_else(|| owner.as_ref().into());
        let field = Field { owner, name: name.as_ref().into(), descriptor: descriptor.as_ref().into() };
        let mut fields = self.fields.write().unwrap_or_else(PoisonError::into_inner);
        let number = fields.number(field);
        fields.named.insert(key, number);
        number
    }

    fn declaring_class(&self, from: DefinitionIndex, owner: &str, name: &str, descriptor: &str) -> Option<Box<str>> {
        let mut work = vec![self.find_definition(from, owner)?];
        let mut seen = Vec::new();
        while let Some(definition) = work.pop() {
            if seen.contains(&definition) {
                continue;
            }
            seen.push(definition);
            let summary = self.summary(definition)?;
            if summary.fields.iter().any(|f| &*f.name == name && &*f.descriptor == descriptor) {
                return Some(self.definition(definition)?.name.as_str().into());
            }
            // Interfaces come before the superclass; the last pushed is looked at first.
            let above = summary.superclass.iter().chain(summary.interfaces.iter().rev());
            work.extend(above.filter_map(|name| self.find_definition(definition, name)));
        }
        None
    }
}
