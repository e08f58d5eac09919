//! Which classes can be told to have been initialised without an exception.

use super::{DefinitionIndex, Program, Summary};
use rustc_hash::FxHashSet;
use whydunit_classfile::{Constant, access};
use whydunit_trace::MethodId;
use whydunit_trace::block::BlockKind;
use whydunit_trace::record::MethodStatus;
use whydunit_trace::stream::{Control, ControlEvent, StreamError};

impl Program {
    /// Whether the class that code of a definition means by a name was found and initialised wherever the run
    /// needed it. `false` when this cannot be told, as of classes of another loader: they may not be what the code
    /// gets.
    pub fn never_fails_to_initialise(&self, from: DefinitionIndex, name: &str) -> bool {
        let loader = self.definition(from).map(|definition| definition.loader);
        let mut next = self.find_definition(from, name);
        for _ in 0..self.definitions.len() {
            let Some((index, summary)) = next.and_then(|index| Some((index, self.summary(index)?))) else { break };
            if self.definition(index).map(|definition| definition.loader) != loader
                || !self.initialiser_never_fails(index)
                || !summary.interfaces.iter().all(|interface| self.is_known(index, interface))
            {
                return false;
            }
            match summary.superclass.as_deref() {
                None => return true,
                Some(superclass) if is_of_the_platform(superclass) => return true,
                Some(superclass) => next = self.find_definition(index, superclass),
            }
        }
        false
    }

    /// Whether initialising one class initialises another: a class its superclasses and those of all their
    /// interfaces that have default methods, an interface nothing but itself.
    pub fn initialises(&self, class: DefinitionIndex, other: DefinitionIndex) -> bool {
        let mut seen = FxHashSet::default();
        let mut work = vec![class];
        while let Some(index) = work.pop() {
            let Some(summary) = self.summary(index).filter(|_| seen.insert(index)) else { continue };
            let is_interface = summary.access & access::INTERFACE != 0;
            if index == other && (index == class || !is_interface || has_default_method(summary)) {
                return true;
            }
            if index == class && is_interface {
                return false;
            }
            let above = summary.superclass.iter().chain(&summary.interfaces);
            work.extend(above.filter_map(|name| self.find_definition(index, name)));
        }
        false
    }

    /// Whether the class of a definition is one of class loaders.
    pub fn is_class_loader(&self, definition: DefinitionIndex) -> bool {
        let mut next = Some(definition);
        for _ in 0..self.definitions.len() {
            let Some((index, summary)) = next.and_then(|index| Some((index, self.summary(index)?))) else { break };
            match summary.superclass.as_deref() {
                Some("java/lang/Object") | None => return false,
                // `ClassLoader`, `SecureClassLoader`, `URLClassLoader`.
                Some(superclass) if is_of_the_platform(superclass) => return superclass.ends_with("ClassLoader"),
                Some(superclass) => next = self.find_definition(index, superclass),
            }
        }
        // It extends a class that is not recorded.
        true
    }

    /// Whether the class file of a definition names a class, if only in a descriptor.
    pub fn mentions(&self, definition: DefinitionIndex, class: &str) -> bool {
        let Some(Ok(file)) = self.class_file(definition) else { return false };
        let in_descriptor = format!("L{class};");
        file.pool.iter().any(|(_, constant)| match constant {
            Constant::Utf8(bytes) => {
                *bytes == class.as_bytes() || std::str::from_utf8(bytes).is_ok_and(|text| text.contains(&in_descriptor))
            }
            _ => false,
        })
    }

    fn is_known(&self, from: DefinitionIndex, class: &str) -> bool {
        is_of_the_platform(class) || self.find_definition(from, class).is_some()
    }

    fn initialiser_never_fails(&self, index: DefinitionIndex) -> bool {
        let (Some(definition), Some(summary)) = (self.definition(index), self.summary(index)) else {
            return false;
        };
        match summary.methods.iter().position(|method| &*method.name == "<clinit>") {
            None => true,
            Some(position) => {
                let initialiser = MethodId(definition.first_method.0 + position as u32);
                definition.methods.get(position) == Some(&MethodStatus::Recorded)
                    && self.initialisers().is_some_and(|seen| {
                        seen.entered.contains(&initialiser) && !seen.left_by_exceptions.contains(&initialiser)
                    })
            }
        }
    }

    /// What the log says of all methods that were entered by the JVM or by unrecorded code. Few runs ever need it,
    /// so it is found out when asked for. `None` when the log does not say everything.
    fn initialisers(&self) -> Option<&Entries> {
        self.entries.get_or_init(|| self.read_entries().ok().flatten()).as_ref()
    }

    fn read_entries(&self) -> Result<Option<Entries>, StreamError> {
        let mut entries = Entries::default();
        for &thread in self.recording.threads.keys() {
            let mut stream = self.recording.stream(thread, BlockKind::Control);
            while let Some(record) = Control::read(&mut stream)? {
                match record.event {
                    ControlEvent::Enter { method, .. } => drop(entries.entered.insert(method)),
                    // Frames were left without a record.
                    ControlEvent::Unwind { left: 2.., .. } | ControlEvent::Catch { left: 1.., .. } => return Ok(None),
                    ControlEvent::Unwind { method, .. } => drop(entries.left_by_exceptions.insert(method)),
                    ControlEvent::Catch { .. } | ControlEvent::Sync { .. } => {}
                }
            }
        }
        Ok(Some(entries))
    }
}

/// Methods of which there are certain records.
#[derive(Debug, Default)]
pub(super) struct Entries {
    entered: FxHashSet<MethodId>,
    left_by_exceptions: FxHashSet<MethodId>,
}

fn has_default_method(interface: &Summary) -> bool {
    interface.methods.iter().any(|method| method.access & (access::ABSTRACT | access::STATIC) == 0)
}

fn is_of_the_platform(class: &str) -> bool {
    class.starts_with("java/")
}
