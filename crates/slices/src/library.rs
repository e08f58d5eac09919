//! What calls of unrecorded code read and change of the objects that they are given.

use crate::entries::Key;
use crate::keepers::{Kind, Part};
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use whydunit_replay::Program;
use whydunit_replay::objects::{ObjectReader, ObjectTable};
use whydunit_replay::program::Call;
use whydunit_replay::unrecorded::{Method, Owners, class_has_content};
use whydunit_trace::stream::Content;
use whydunit_trace::{ClassId, DefinitionId, LogKind, ObjectId};

/// Objects whose contents a call may read and change. Fields that recorded code reads or writes are not among the
/// contents: who changes those is recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effects {
    pub(crate) read: Vec<ObjectId>,
    pub(crate) written: Vec<ObjectId>,
}

pub(crate) struct Library<'p> {
    pub(crate) program: &'p Program,
    objects: &'p ObjectTable,
    owners: &'p Owners,
    contents: OnceCell<RefCell<ObjectReader<'p>>>,
    pub(crate) keys: RefCell<FxHashMap<ObjectId, Key>>,
    /// By class: what can be followed element by element.
    pub(crate) keepers: RefCell<FxHashMap<ClassId, Option<Kind>>>,
    /// By class: what its objects are to a keeper that they show.
    pub(crate) keeper_views: RefCell<FxHashMap<ClassId, Option<Part>>>,
    /// By class: whether its objects have contents that unrecorded code keeps.
    classes: RefCell<FxHashMap<ClassId, bool>>,
}

impl<'p> Library<'p> {
    pub(crate) fn new(program: &'p Program, objects: &'p ObjectTable, owners: &'p Owners) -> Library<'p> {
        Library {
            program,
            objects,
            owners,
            contents: OnceCell::new(),
            keys: RefCell::default(),
            keepers: RefCell::default(),
            keeper_views: RefCell::default(),
            classes: RefCell::default(),
        }
    }

    pub(crate) fn effects(&self, call: &Call, slots: &[u64]) -> Effects {
        let mut effects = Effects::default();
        let method = self.method(call);
        let mut slot = 0;
        for (position, &kind) in call.arguments.iter().enumerate() {
            let bits = slots.get(slot).copied().unwrap_or_default();
            slot += usize::from(kind.slots());
            if kind != LogKind::Reference || bits == 0 || !self.has_content(ObjectId(bits as u32)) {
                continue;
            }
            let object = ObjectId(bits as u32);
            effects.read.push(object);
            if method.changes(position) {
                effects.written.push(object);
            }
        }
        effects
    }

    /// The method that a call means: one that a recorded class inherits is a method of the unrecorded class above it.
    pub(crate) fn method<'c>(&self, call: &'c Call) -> Method<'c>
    where
        'p: 'c,
    {
        self.owners.method(call)
    }

    /// Whether an object is of the class that a definition made.
    pub(crate) fn is_of(&self, object: ObjectId, definition: DefinitionId) -> bool {
        let class = self.objects.class(object).ok().flatten();
        class
            .and_then(|class| self.program.classes().get(class))
            .is_some_and(|class| class.definition == Some(definition))
    }

    pub(crate) fn class(&self, object: ObjectId) -> Option<ClassId> {
        self.objects.class(object).ok().flatten()
    }

    /// The text or boxed value of an object that has one.
    pub(crate) fn content(&self, object: ObjectId) -> Option<Content> {
        let reader = self.contents.get_or_init(|| RefCell::new(ObjectReader::new(self.objects)));
        reader.borrow_mut().content(object).ok().flatten()
    }

    /// Whether an object is a map of the platform, or of a recorded class below one, whose keys are the same when they
    /// are equal.
    pub(crate) fn is_map(&self, object: ObjectId) -> bool {
        let mut class = self.class(object).and_then(|class| self.program.classes().get(class));
        while let Some(recorded) = class.filter(|class| class.definition.is_some()) {
            class = recorded.superclass.and_then(|superclass| self.program.classes().get(superclass));
        }
        class.is_some_and(|class| {
            let name = class.name.strip_prefix("java/util/").unwrap_or_default();
            // Maps that sort may have been given an order in which other keys are the same.
            let is_own_order = matches!(name, "IdentityHashMap" | "TreeMap" | "concurrent/ConcurrentSkipListMap");
            // So may those that are behind a view.
            let is_view = name.starts_with("Collections$");
            name.ends_with("Map") && !is_own_order && !is_view || matches!(name, "Hashtable" | "Properties")
        })
    }

    /// Whether an object is an entry of a map of the platform.
    pub(crate) fn is_entry(&self, object: ObjectId) -> bool {
        let class = self.class(object).and_then(|class| self.program.classes().get(class));
        let name = class.and_then(|class| class.name.strip_prefix("java/util/")).unwrap_or_default();
        let own = name.rsplit(['/', '$']).next().unwrap_or_default();
        own.ends_with("Entry") || own.ends_with("Node") || own == "KeyValueHolder"
    }

    /// Whether an object is a constant of an enum.
    pub(crate) fn is_enum(&self, object: ObjectId) -> bool {
        let above = |class: ClassId| self.program.classes().get(class).and_then(|class| class.superclass);
        let mut classes = std::iter::successors(self.class(object), |&class| above(class)).skip(1).take(2);
        classes.any(|class| self.program.classes().get(class).is_some_and(|class| class.name == "java/lang/Enum"))
    }

    /// Whether an object is a function that code of a class has made.
    pub(crate) fn is_function_of(&self, object: ObjectId, maker: &str) -> bool {
        let class = self.objects.class(object).ok().flatten();
        let class = class.and_then(|class| self.program.classes().get(class));
        class.and_then(|class| class.name.split_once("$$Lambda")).is_some_and(|(host, _)| host == maker)
    }

    /// `None` for what is no array, and when nothing is known of the object.
    pub(crate) fn array_length(&self, object: ObjectId) -> Option<u32> {
        self.objects.array_length(object).ok().flatten()
    }

    pub(crate) fn has_content(&self, object: ObjectId) -> bool {
        // An object that cannot be read is taken for one that has.
        let Ok(class) = self.objects.class(object) else { return true };
        class.is_none_or(|class| self.class_has_content(class))
    }

    fn class_has_content(&self, class: ClassId) -> bool {
        if let Some(&known) = self.classes.borrow().get(&class) {
            return known;
        }
        let has_content = class_has_content(self.program, class);
        self.classes.borrow_mut().insert(class, has_content);
        has_content
    }
}
