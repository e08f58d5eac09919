//! Which classes can be told to have been initialised without an exception.

use super::{DefinitionIndex, Program};
use rustc_hash::FxHashSet;
use whydunit_trace::MethodId;
use whydunit_trace::block::BlockKind;
use whydunit_trace::record::MethodStatus;
use whydunit_trace::stream::{Control, ControlEvent};

impl Program {
    /// Whether the class that code of a definition means by a name was found and initialised wherever the run
    /// needed it. `false` when this cannot be told.
    pub fn never_fails_to_initialise(&self, from: DefinitionIndex, name: &str) -> bool {
        let mut next = self.find_definition(from, name);
        for _ in 0..self.definitions.len() {
            let Some((index, summary)) = next.and_then(|index| Some((index, self.summary(index)?))) else { break };
            if !self.initialiser_never_fails(index)
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
                definition.methods.get(position) == Some(&MethodStatus::Recorded)
                    && !self.left_by_exceptions().contains(&MethodId(definition.first_method.0 + position as u32))
            }
        }
    }

    /// Methods that an exception has left at some time. Few runs ever need it, so it is found out when asked for.
    fn left_by_exceptions(&self) -> &FxHashSet<MethodId> {
        self.left_by_exceptions.get_or_init(|| {
            let mut found = FxHashSet::default();
            for &thread in self.recording.threads.keys() {
                let mut stream = self.recording.stream(thread, BlockKind::Control);
                while let Ok(Some(record)) = Control::read(&mut stream) {
                    if let ControlEvent::Unwind { method, .. } = record.event {
                        found.insert(method);
                    }
                }
            }
            found
        })
    }
}

fn is_of_the_platform(class: &str) -> bool {
    class.starts_with("java/")
}
