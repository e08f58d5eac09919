//! Which method a call instruction runs: resolution of the symbolic reference, then selection by the
//! receiver's class, as the JVM does both.

use super::code::{Call, CallKind};
use super::{DefinitionIndex, MethodIndex, Program};
use whydunit_classfile::access;
use whydunit_trace::record::{Class, MethodStatus};
use whydunit_trace::{ClassId, LoaderId};

/// What a call runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Recorded(MethodIndex),
    Unrecorded,
}

/// A declared method.
#[derive(Clone, Debug)]
pub(super) struct Found {
    target: Target,
    access: u16,
    loader: LoaderId,
    package: Box<str>,
    /// The class that declares it.
    class: Box<str>,
}

impl Found {
    fn is_private(&self) -> bool {
        self.access & access::PRIVATE != 0
    }

    fn is_package_private(&self) -> bool {
        self.access & (access::PUBLIC | access::PROTECTED | access::PRIVATE) == 0
    }

    fn is_selectable(&self) -> bool {
        self.access & (access::PRIVATE | access::STATIC) == 0
    }

    /// Directly, without a method of a class between.
    fn overrides(&self, other: &Found) -> bool {
        !other.is_package_private() || (self.loader == other.loader && self.package == other.package)
    }
}

impl Program {
    /// The target of a call that does not depend on the receiver's class.
    pub fn fixed_target(&self, definition: DefinitionIndex, call: &Call) -> Target {
        *call.fixed.get_or_init(|| match call.kind {
            CallKind::Dynamic | CallKind::Virtual => Target::Unrecorded,
            CallKind::Static => self.resolved(definition, call).map_or(Target::Unrecorded, |f| f.target),
            CallKind::Constructor => self
                .find_definition(definition, &call.owner)
                .and_then(|owner| self.declared(owner, &call.name, &call.descriptor))
                .map_or(Target::Unrecorded, |f| f.target),
            CallKind::Special => self.special_target(definition, call),
        })
    }

    /// Whether the token of a call is what this callee expects.
    pub fn is_named_owner(&self, call: &Call, callee: DefinitionIndex) -> bool {
        self.definition(callee).is_some_and(|definition| *definition.name == *call.owner)
    }

    /// The target of a call on a receiver of this class; `None` when the class is not known.
    pub fn virtual_target(&self, definition: DefinitionIndex, call: &Call, receiver: ClassId) -> Option<Target> {
        let class = self.classes().get(receiver)?;
        if class.name.starts_with('[') {
            return Some(Target::Unrecorded);
        }
        let resolved = self.resolved(definition, call);
        if let Some(found) = resolved
            && found.is_private()
        {
            return Some(found.target);
        }
        let found = self.select_in_classes(class, call, resolved).or_else(|| self.select_in_interfaces(class, call));
        Some(found.map_or(Target::Unrecorded, |found| found.target))
    }

    fn resolved<'c>(&self, definition: DefinitionIndex, call: &'c Call) -> Option<&'c Found> {
        call.resolved.get_or_init(|| self.resolve(definition, call)).as_ref()
    }

    fn resolve(&self, from: DefinitionIndex, call: &Call) -> Option<Found> {
        match self.find_definition(from, &call.owner) {
            Some(owner) => self.resolve_in_definition(owner, call, &mut Vec::new()),
            None => {
                let loader = self.definition(from)?.loader;
                let class = self.classes().by_name(loader, &call.owner)?;
                let supertypes = self.classes().supertypes(class.id);
                let in_classes = self.classes().superclasses(class.id);
                let found = in_classes.into_iter().find_map(|class| self.declared_by(class, call));
                found.or_else(|| supertypes.into_iter().find_map(|class| self.declared_by(class, call)))
            }
        }
    }

    /// Superclasses first, then interfaces.
    fn resolve_in_definition(
        &self,
        definition: DefinitionIndex,
        call: &Call,
        seen: &mut Vec<DefinitionIndex>,
    ) -> Option<Found> {
        if seen.contains(&definition) {
            return None;
        }
        seen.push(definition);
        if let Some(found) = self.declared(definition, &call.name, &call.descriptor) {
            return Some(found);
        }
        let summary = self.summary(definition)?;
        let superclass = summary.superclass.iter();
        superclass.chain(&summary.interfaces).find_map(|name| match self.find_definition(definition, name) {
            Some(owner) => self.resolve_in_definition(owner, call, seen),
            None => {
                let class = self.classes().by_name(self.definition(definition)?.loader, name)?;
                let supertypes = self.classes().supertypes(class.id);
                supertypes.into_iter().find_map(|class| self.declared_by(class, call))
            }
        })
    }

    /// `super.method()`, a private method, or a default method of a superinterface.
    fn special_target(&self, from: DefinitionIndex, call: &Call) -> Target {
        let is_own = self.definition(from).is_some_and(|d| *d.name == *call.owner);
        if is_own && let Some(found) = self.declared(from, &call.name, &call.descriptor) {
            return found.target;
        }
        let above = (!call.is_interface).then(|| self.superclass_of(from)).flatten();
        let found = match above {
            Some(superclass) => {
                let mut chain = self.classes().superclasses(superclass.id);
                let in_classes = chain.find_map(|class| self.declared_by(class, call));
                in_classes.or_else(|| self.select_in_interfaces(superclass, call))
            }
            None => self.resolve(from, call),
        };
        found.map_or(Target::Unrecorded, |found| found.target)
    }

    fn superclass_of(&self, definition: DefinitionIndex) -> Option<&Class> {
        let class = self.classes().of_definition(self.definition(definition)?.id)?;
        self.classes().get(class.superclass?)
    }

    fn select_in_classes(&self, class: &Class, call: &Call, resolved: Option<&Found>) -> Option<Found> {
        let mut between: Vec<Found> = Vec::new();
        for class in self.classes().superclasses(class.id) {
            let Some(found) = self.declared_by(class, call) else {
                continue;
            };
            if !found.is_selectable() {
                continue;
            }
            let Some(resolved) = resolved.filter(|resolved| resolved.is_package_private()) else {
                return Some(found);
            };
            let is_resolved = found.class == resolved.class && found.loader == resolved.loader;
            if is_resolved || found.overrides(resolved) {
                // A method further down may override this one, and so the resolved one.
                let lowest = between.into_iter().find(|lower| lower.overrides(&found));
                return Some(lowest.unwrap_or(found));
            }
            between.push(found);
        }
        None
    }

    /// The default method that no other one overrides.
    fn select_in_interfaces(&self, class: &Class, call: &Call) -> Option<Found> {
        let mut candidates: Vec<(&Class, Found)> = Vec::new();
        for supertype in self.classes().supertypes(class.id) {
            if supertype.access & access::INTERFACE == 0 {
                continue;
            }
            if let Some(found) = self.declared_by(supertype, call)
                && found.is_selectable()
            {
                candidates.push((supertype, found));
            }
        }
        let is_hidden = |class: &Class| {
            candidates.iter().any(|(other, _)| {
                other.id != class.id && self.classes().supertypes(other.id).iter().any(|c| c.id == class.id)
            })
        };
        let mut specific = candidates.iter().filter(|(class, _)| !is_hidden(class));
        specific.find(|(_, found)| found.access & access::ABSTRACT == 0).map(|(_, found)| found.clone())
    }

    fn declared(&self, definition: DefinitionIndex, name: &str, descriptor: &str) -> Option<Found> {
        let record = self.definition(definition)?;
        let summary = self.summary(definition)?;
        let position = summary.methods.iter().position(|m| &*m.name == name && &*m.descriptor == descriptor)?;
        let target = match record.methods.get(position) {
            Some(MethodStatus::Recorded) => Target::Recorded(self.method_at(definition, position)?),
            _ => Target::Unrecorded,
        };
        Some(Found {
            target,
            access: summary.methods[position].access,
            loader: record.loader,
            package: package(&record.name).into(),
            class: record.name.as_str().into(),
        })
    }

    fn declared_by(&self, class: &Class, call: &Call) -> Option<Found> {
        if let Some(definition) = class.definition.and_then(|id| self.definition_index(id)) {
            return self.declared(definition, &call.name, &call.descriptor);
        }
        let mut methods = class.methods.iter();
        let method = methods.find(|m| *m.name == *call.name && *m.descriptor == *call.descriptor)?;
        Some(Found {
            target: Target::Unrecorded,
            access: method.access,
            loader: class.loader,
            package: package(&class.name).into(),
            class: class.name.as_str().into(),
        })
    }
}

fn package(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(package, _)| package)
}
