//! Which variables stand for what a slice wants to know.

use super::keys::Key;
use super::may_write::{MayWrite, Side, kind_of};
use super::open::Variable;
use crate::graph::Place;
use crate::stretch::Flows;
use crate::wants::Want;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use whydunit_replay::Program;
use whydunit_replay::objects::ObjectTable;
use whydunit_replay::program::{MethodIndex, Pc, Subtype};
use whydunit_trace::{ClassId, ObjectId};

pub(crate) struct Names<'p> {
    program: &'p Program,
    objects: &'p ObjectTable,
    pub(crate) may_write: &'p MayWrite,
    by_class: RefCell<FxHashMap<Option<ClassId>, Rc<[Key]>>>,
    by_object: RefCell<FxHashMap<ObjectId, Rc<[Key]>>>,
    prevented: RefCell<FxHashMap<Thrown, Rc<Side>>>,
}

/// Method and instruction that threw, and the handler.
type Thrown = (MethodIndex, Pc, Option<Pc>);

impl<'p> Names<'p> {
    pub(crate) fn new(program: &'p Program, objects: &'p ObjectTable, may_write: &'p MayWrite) -> Names<'p> {
        Names {
            program,
            objects,
            may_write,
            by_class: RefCell::default(),
            by_object: RefCell::default(),
            prevented: RefCell::default(),
        }
    }

    /// What a frame would have written had its instruction not thrown.
    pub(crate) fn prevented(&self, flows: &Flows, method: MethodIndex, pc: Pc, handler: Option<Pc>) -> Rc<Side> {
        let mut known = self.prevented.borrow_mut();
        let side = known.entry((method, pc, handler)).or_insert_with(|| {
            let side = self
                .program
                .code(method)
                .map(|code| self.may_write.prevented(self.program, code, flows.shape(code), pc, handler));
            Rc::new(side.unwrap_or_default())
        });
        Rc::clone(side)
    }

    pub(crate) fn for_each(&self, want: Want, mut visit: impl FnMut(Variable)) {
        match want {
            Want::Slot { frame, slot } => visit(Variable::Local(frame, slot)),
            Want::Decision { .. } | Want::Jump { .. } | Want::Pending(_) | Want::Caller(_) | Want::AlsoPut(_) => {}
            // Whoever puts something in changes the content. What was captured is never changed.
            Want::Written(Place::Item(..) | Place::Entry(..) | Place::Captured(_)) => {}
            Want::Written(Place::Static(field) | Place::Field(_, field)) => visit(Variable::Heap(Key(field))),
            Want::Written(Place::Element(object, _) | Place::Content(object)) => {
                self.of_object(object).iter().for_each(|&key| visit(Variable::Heap(key)));
            }
        }
    }

    /// The places of the heap among it.
    pub(crate) fn for_each_key(&self, want: Want, mut visit: impl FnMut(Key)) {
        self.for_each(want, |variable| {
            if let Variable::Heap(key) = variable {
                visit(key);
            }
        });
    }

    /// What stands for changes of an array or of an unrecorded object.
    fn of_object(&self, object: ObjectId) -> Rc<[Key]> {
        let mut known = self.by_object.borrow_mut();
        let keys = known.entry(object).or_insert_with(|| {
            let class = self.objects.class(object).ok().flatten();
            let class = class.filter(|&class| self.program.classes().get(class).is_some());
            Rc::clone(self.by_class.borrow_mut().entry(class).or_insert_with(|| self.of_class(class)))
        });
        Rc::clone(keys)
    }

    fn of_class(&self, class: Option<ClassId>) -> Rc<[Key]> {
        let keys = &self.may_write.keys;
        let Some(class) = class.and_then(|class| self.program.classes().get(class)) else {
            return keys.contents().map(|(_, key)| key).chain([keys.anything()]).collect();
        };
        let mut found = vec![keys.anything()];
        match class.name.strip_prefix('[') {
            Some(element) => found.push(keys.element(kind_of(element))),
            None => {
                let may_be =
                    |name: &str| self.program.classes().is_subtype(class.id, class.loader, name) != Subtype::No;
                found.extend(keys.contents().filter(|(name, _)| may_be(name)).map(|(_, key)| key));
            }
        }
        found.into()
    }
}

/// Before it was made, nobody has written anything of an object.
pub(crate) fn object_of(want: Want) -> Option<ObjectId> {
    match want {
        Want::Written(Place::Field(object, _) | Place::Element(object, _) | Place::Content(object)) => Some(object),
        _ => None,
    }
}
