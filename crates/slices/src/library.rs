//! What calls of unrecorded code read and change of the objects that they are given.

use crate::entries::Key;
use crate::keepers::Kind;
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use whydunit_replay::Program;
use whydunit_replay::objects::{ObjectReader, ObjectTable};
use whydunit_replay::program::{Call, CallKind};
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
    /// By class: whether its objects have contents that unrecorded code keeps.
    classes: RefCell<FxHashMap<ClassId, bool>>,
}

/// The nearest unrecorded class above each recorded one, by internal name.
#[derive(Debug)]
pub(crate) struct Owners(FxHashMap<Box<str>, Box<str>>);

impl Owners {
    pub(crate) fn new(program: &Program) -> Owners {
        let above: FxHashMap<&str, &str> = program
            .definitions()
            .filter_map(|(index, definition)| {
                Some((definition.name.as_str(), program.summary(index)?.superclass.as_deref()?))
            })
            .collect();
        let nearest = |name: &str| {
            let mut next = *above.get(name)?;
            // A class is not above itself, whatever a damaged recording says.
            for _ in 0..above.len() {
                match above.get(next) {
                    Some(&superclass) => next = superclass,
                    None => break,
                }
            }
            Some((name.into(), next.into()))
        };
        Owners(above.keys().filter_map(|name| nearest(name)).collect())
    }

    fn unrecorded(&self, owner: &str) -> Option<&str> {
        self.0.get(owner).map(|name| &**name)
    }
}

/// Classes whose objects never change, and those that say nothing by themselves.
const WITHOUT_CONTENT: [&str; 22] = [
    "java/lang/Object",
    "java/lang/String",
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Short",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Float",
    "java/lang/Double",
    "java/lang/Number",
    "java/lang/Class",
    "java/lang/Enum",
    "java/lang/Record",
    "java/math/BigInteger",
    "java/math/BigDecimal",
    "java/util/Optional",
    "java/util/UUID",
    "java/util/Locale",
    "java/time/LocalDate",
    "java/time/Duration",
    "java/util/regex/Pattern",
];

/// Classes of character sets.
const CHARSETS: &str = "sun/nio/cs/";

/// Methods of the platform that leave their receiver as it is, whatever class has them.
const READERS: [&str; 77] = [
    "clone",
    "get",
    "getOrDefault",
    "getFirst",
    "getLast",
    "size",
    "isEmpty",
    "contains",
    "containsKey",
    "containsValue",
    "containsAll",
    "indexOf",
    "lastIndexOf",
    "iterator",
    "listIterator",
    "keySet",
    "entrySet",
    "values",
    "subList",
    "headMap",
    "tailMap",
    "subMap",
    "headSet",
    "tailSet",
    "subSet",
    "firstKey",
    "lastKey",
    "firstEntry",
    "lastEntry",
    "floorKey",
    "ceilingKey",
    "lowerKey",
    "higherKey",
    "floorEntry",
    "ceilingEntry",
    "first",
    "last",
    "floor",
    "ceiling",
    "lower",
    "higher",
    "peek",
    "peekFirst",
    "peekLast",
    "element",
    "hasNext",
    "hasPrevious",
    "hasMoreElements",
    "nextIndex",
    "previousIndex",
    "getKey",
    "getValue",
    "toString",
    "hashCode",
    "equals",
    "compareTo",
    "length",
    "charAt",
    "substring",
    "stream",
    "parallelStream",
    "spliterator",
    "forEach",
    "isPresent",
    "orElse",
    "join",
    "isDone",
    "getNow",
    "resultNow",
    "getMessage",
    "getLocalizedMessage",
    "getCause",
    "getSuppressed",
    "getStackTrace",
    "getClass",
    "name",
    "ordinal",
];

/// Methods of the platform that change an argument: by class, name, and position without the receiver.
const CHANGED_ARGUMENTS: [(&str, &str, usize); 14] = [
    ("java/lang/System", "arraycopy", 2),
    ("java/util/Arrays", "sort", 0),
    ("java/util/Arrays", "parallelSort", 0),
    ("java/util/Arrays", "fill", 0),
    ("java/util/Arrays", "setAll", 0),
    ("java/util/Collections", "sort", 0),
    ("java/util/Collections", "reverse", 0),
    ("java/util/Collections", "shuffle", 0),
    ("java/util/Collections", "swap", 0),
    ("java/util/Collections", "fill", 0),
    ("java/util/Collections", "rotate", 0),
    ("java/util/Collections", "addAll", 0),
    ("java/util/Collections", "replaceAll", 0),
    ("java/util/Collections", "copy", 0),
];

/// Instance methods of the platform that write into an array or collection that they are given.
const FILLERS: [&str; 8] =
    ["toArray", "getChars", "getBytes", "copyInto", "drainTo", "read", "readFully", "readNBytes"];

/// A method of unrecorded code, as a call means it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Method<'c> {
    /// The class that has it, or one above the recorded class through which it is called.
    pub(crate) owner: &'c str,
    pub(crate) name: &'c str,
    pub(crate) has_receiver: bool,
    is_dynamic: bool,
}

impl<'c> Method<'c> {
    pub(crate) fn new(call: &'c Call, owner: &'c str) -> Method<'c> {
        let has_receiver = !matches!(call.kind, CallKind::Static | CallKind::Dynamic);
        Method { owner, name: &call.name, has_receiver, is_dynamic: call.kind == CallKind::Dynamic }
    }

    pub(crate) fn is_platform(&self) -> bool {
        let is_array = self.owner.starts_with('[');
        is_array || self.owner.starts_with("java/") || self.owner.starts_with("javax/")
    }

    /// Whether it may change what is in an argument; the receiver is the first.
    pub(crate) fn changes(&self, position: usize) -> bool {
        match (self.is_platform(), position.checked_sub(usize::from(self.has_receiver))) {
            (false, _) => !self.is_dynamic,
            (true, None) => !READERS.contains(&self.name),
            (true, Some(_)) if self.has_receiver => FILLERS.contains(&self.name),
            (true, Some(argument)) => CHANGED_ARGUMENTS
                .iter()
                .any(|&(owner, name, changed)| (owner, name, changed) == (self.owner, self.name, argument)),
        }
    }
}

/// Whether objects of an unrecorded class have something in them that can change.
pub(crate) fn has_content(class: &str) -> bool {
    !WITHOUT_CONTENT.contains(&class) && !class.starts_with(CHARSETS)
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
        Method::new(call, self.owners.unrecorded(&call.owner).unwrap_or(&call.owner))
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
            name.ends_with("Map") && !is_own_order || matches!(name, "Hashtable" | "Properties")
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

    fn has_content(&self, object: ObjectId) -> bool {
        // An object that cannot be read is taken for one that has.
        let Ok(class) = self.objects.class(object) else { return true };
        class.is_none_or(|class| self.class_has_content(class))
    }

    fn class_has_content(&self, class: ClassId) -> bool {
        if let Some(&known) = self.classes.borrow().get(&class) {
            return known;
        }
        let has_content = match self.program.classes().get(class) {
            None => true,
            Some(found) if found.definition.is_some() => {
                found.superclass.is_some_and(|superclass| self.class_has_content(superclass))
            }
            Some(found) => has_content(&found.name),
        };
        self.classes.borrow_mut().insert(class, has_content);
        has_content
    }
}
