//! Fields of an object that `Object.clone` has made: those of the object that it was called on.

use crate::dependences::Dependences;
use crate::graph::{About, NodeId, Origin, Place, Role};
use crate::outside::Given;
use crate::recorder::Recorder;
use whydunit_replay::ReplayError;
use whydunit_replay::program::Call;
use whydunit_trace::{ClassId, LogKind, ObjectId};

const CLONEABLE: &str = "java/lang/Cloneable";

impl Recorder<'_> {
    /// A call has given back another object than the one that it was called on: if that is its copy, every field of it has
    /// what the field of the other has now.
    pub(crate) fn take_clone(&mut self, node: NodeId, call: &Call, original: Given, copy: ObjectId) {
        let is_alike = || self.library.class(original.object) == self.library.class(copy);
        if !is_clone(call) || original.object == copy || !is_alike() {
            return;
        }
        let Some(&cloning) = self.graph.nodes.get(node.0 as usize) else { return };
        for number in self.fields_in(copy) {
            let place = Place::Field(copy, number);
            // A call-back has written it since it was copied.
            if self.heap.written(place).is_some() {
                continue;
            }
            let copied_from = Place::Field(original.object, number);
            let value = self.place_origin(copied_from);
            let about = About::place(self.graph.places.len());
            self.graph.places.push(place);
            let mut copying = cloning.into_change(about);
            copying.inputs = 0;
            let copied = NodeId(self.graph.nodes.len() as u32);
            self.graph.nodes.push(copying);
            self.graph.looked.push((copied, value, copied_from));
            self.add_input(copied, value, Role::Value);
            self.add_input(copied, original.origin, Role::Address);
            self.add_input(copied, Origin::node(node), Role::Address);
            self.heap.note_copied(place, Origin::node(copied));
        }
    }

    /// The fields that recorded classes have given to an object.
    fn fields_in(&self, object: ObjectId) -> Vec<u32> {
        let classes = self.library.class(object).map(|class| self.program.classes().superclasses(class));
        let definitions = classes.into_iter().flatten().filter_map(|class| class.definition);
        definitions
            .filter_map(|definition| self.program.definition_index(definition))
            .flat_map(|definition| self.fields_of(definition))
            .collect()
    }
}

fn is_clone(call: &Call) -> bool {
    &*call.name == "clone" && call.arguments[..] == [LogKind::Reference] && call.result == LogKind::Reference
}

impl Dependences<'_> {
    /// Whether fields of an object may have been written by making a copy.
    pub(crate) fn may_be_clone(&self, object: ObjectId) -> Result<bool, ReplayError> {
        let Some(class) = self.objects.class(object)? else { return Ok(false) };
        let mut cloneable = self.cloneable.borrow_mut();
        let classes = self.program.classes();
        let is_cloneable = |interface: &ClassId| classes.get(*interface).is_some_and(|one| one.name == CLONEABLE);
        // Classes below a collection that can be cloned are many, and seldom are.
        let recorded = || classes.superclasses(class).filter(|one| one.definition.is_some());
        let find = || recorded().any(|one| one.interfaces.iter().any(is_cloneable));
        Ok(*cloneable.entry(class).or_insert_with(find))
    }
}
