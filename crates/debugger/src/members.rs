//! Fields and classes by the names that a source uses for them.

use crate::names::{UnknownName, is_named, listed, split};
use crate::session::Session;
use whydunit_classfile::access;
use whydunit_replay::Value;
use whydunit_replay::program::{DefinitionIndex, Field, MethodIndex};
use whydunit_trace::ObjectId;

/// A field, and whether objects share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundField {
    pub field: Field,
    pub is_static: bool,
}

impl Session {
    /// Fields of recorded classes called `field`, or `Class.field`.
    pub fn find_fields(&self, asked: &str) -> Result<Vec<Field>, UnknownName> {
        let (class, name) = split(asked);
        let mut found = Vec::new();
        let mut known = Vec::new();
        for (index, definition) in self.program().definitions() {
            let Some(summary) = self.program().summary(index) else { continue };
            for field in &summary.fields {
                if &*field.name == name && class.is_none_or(|class| is_named(&definition.name, class)) {
                    let owner = definition.name.as_str().into();
                    found.push(Field { owner, name: field.name.clone(), descriptor: field.descriptor.clone() });
                }
                known.push(listed(class, &definition.name, &field.name));
            }
        }
        if found.is_empty() {
            return Err(UnknownName::new(format!("no recorded class has a field `{asked}`"), asked, known));
        }
        found.dedup();
        Ok(found)
    }

    /// What code of a method means by the name of a field: one of its class, of a class above, or of a class around it.
    pub fn field_in_scope(&self, method: MethodIndex, name: &str) -> Option<FoundField> {
        let (definition, _) = self.program().method(method)?;
        self.scopes(definition).into_iter().find_map(|definition| self.field_of(definition, name))
    }

    /// All fields that code of a method can name alone.
    pub fn fields_in_scope(&self, method: MethodIndex) -> Vec<String> {
        let Some((definition, _)) = self.program().method(method) else { return Vec::new() };
        let scopes = self.scopes(definition);
        scopes.into_iter().flat_map(|definition| self.fields_of(definition)).map(|f| f.field.name.to_string()).collect()
    }

    /// A field of an object's class.
    pub fn field_of_object(&self, object: ObjectId, name: &str) -> Option<FoundField> {
        self.field_of(self.definition_of(object)?, name)
    }

    pub fn fields_of_object(&self, object: ObjectId) -> Vec<String> {
        let fields = self.definition_of(object).map(|definition| self.fields_of(definition));
        fields.unwrap_or_default().into_iter().map(|found| found.field.name.to_string()).collect()
    }

    /// Checks that an object can have a field, or an array an element `[3]`. Of classes that are not recorded nothing is
    /// known.
    pub fn check_part(&self, object: ObjectId, asked: &str) -> Result<(), UnknownName> {
        let fields = self.fields_of_object(object);
        let name = self.words(Value::Ref(object));
        let is_array = name.contains("[]");
        let index = asked.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        match index.filter(|_| is_array) {
            Some(index) => {
                let is_there = |index: u32| self.length_of(object).is_none_or(|length| index < length);
                if index.parse().is_ok_and(is_there) {
                    return Ok(());
                }
                let length = self.length_of(object).unwrap_or_default();
                Err(UnknownName { problem: format!("{name} has {length} elements"), nearest: Vec::new() })
            }
            None if is_array => {
                Err(UnknownName { problem: format!("{name} is an array: ask for `[3]`"), nearest: Vec::new() })
            }
            None if fields.is_empty() || fields.iter().any(|field| field == asked) => Ok(()),
            None => Err(UnknownName::new(format!("{name} has no field `{asked}`"), asked, fields)),
        }
    }

    /// A static field of a class that code of a method names.
    pub fn static_field(&self, method: MethodIndex, class: &str, name: &str) -> Option<FoundField> {
        let program = self.program();
        let (from, _) = program.method(method)?;
        let mut named: Vec<DefinitionIndex> =
            program.definitions().filter(|(_, d)| is_named(&d.name, class)).map(|(index, _)| index).collect();
        // The nearest: in the same package or file.
        let own = program.definition(from).map(|d| d.name.as_str()).unwrap_or_default();
        let near = |index: &DefinitionIndex| {
            let name = program.definition(*index).map(|d| d.name.as_str()).unwrap_or_default();
            std::cmp::Reverse(own.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count())
        };
        named.sort_by_key(near);
        named.into_iter().find_map(|definition| self.field_of(definition, name)).filter(|found| found.is_static)
    }

    /// Whether a recorded class has this name, or the end of it.
    pub fn is_class(&self, name: &str) -> bool {
        self.program().definitions().any(|(_, definition)| is_named(&definition.name, name))
    }

    /// Whether an object is of a class, or of one below it; `None` when the recording does not tell.
    pub fn is_instance(&self, object: ObjectId, class: &str) -> Option<bool> {
        let own = self.objects().class(object).ok().flatten()?;
        let classes = self.program().classes();
        if let Some(array) = class.strip_suffix("[]") {
            let name = &classes.get(own)?.name;
            let element = name.strip_prefix('[')?;
            let shown = whydunit_replay::naming::simple_name(name);
            return Some(shown.strip_suffix("[]") == Some(array) || is_named(element.trim_matches(['L', ';']), array));
        }
        let supertypes = classes.supertypes(own);
        if class == "Object" || supertypes.iter().any(|supertype| is_named(&supertype.name, class)) {
            return Some(true);
        }
        let is_complete = supertypes.iter().any(|supertype| supertype.name == "java/lang/Object");
        is_complete.then_some(false)
    }

    /// Whether a class of this name was met in the run.
    pub fn find_class(&self, asked: &str) -> Result<(), UnknownName> {
        let plain = asked.trim_end_matches("[]");
        let classes = self.program().classes();
        let is_known = plain == "Object"
            || plain != asked
            || classes.iter().any(|class| is_named(&class.name, plain))
            || self.is_class(plain);
        if is_known {
            return Ok(());
        }
        let known = classes.iter().map(|class| whydunit_replay::naming::simple_name(&class.name));
        Err(UnknownName::new(format!("no class of the run is called `{asked}`"), plain, known))
    }

    pub fn length_of(&self, array: ObjectId) -> Option<u32> {
        self.array_length(array)
    }

    fn definition_of(&self, object: ObjectId) -> Option<DefinitionIndex> {
        let class = self.objects().class(object).ok().flatten()?;
        // The class itself may not be recorded, but one above it.
        self.program().classes().superclasses(class).find_map(|class| {
            let own = class.definition.and_then(|id| self.program().definition_index(id));
            own.or_else(|| self.program().definitions().find(|(_, d)| d.name == class.name).map(|(index, _)| index))
        })
    }

    /// A class and those around it.
    fn scopes(&self, definition: DefinitionIndex) -> Vec<DefinitionIndex> {
        let mut scopes = vec![definition];
        let mut name = self.program().definition(definition).map(|d| d.name.as_str()).unwrap_or_default();
        while let Some((outer, _)) = name.rsplit_once('$') {
            scopes.extend(self.program().find_definition(definition, outer));
            name = outer;
        }
        scopes
    }

    /// The fields of a class and those above it, its own first.
    fn fields_of(&self, definition: DefinitionIndex) -> Vec<FoundField> {
        let program = self.program();
        let mut found = Vec::new();
        let mut work = vec![definition];
        let mut seen = Vec::new();
        while let Some(index) = work.pop() {
            let (Some(class), Some(summary)) = (program.definition(index), program.summary(index)) else { continue };
            if seen.contains(&index) {
                continue;
            }
            seen.push(index);
            found.extend(summary.fields.iter().map(|member| FoundField {
                field: Field {
                    owner: class.name.as_str().into(),
                    name: member.name.clone(),
                    descriptor: member.descriptor.clone(),
                },
                is_static: member.access & access::STATIC != 0,
            }));
            let above = summary.interfaces.iter().chain(&summary.superclass);
            work.extend(above.filter_map(|name| program.find_definition(index, name)));
        }
        found
    }

    fn field_of(&self, definition: DefinitionIndex, name: &str) -> Option<FoundField> {
        self.fields_of(definition).into_iter().find(|found| &*found.field.name == name)
    }
}
