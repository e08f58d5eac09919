//! What can be told of unrecorded code by its names: which calls change what they are given, and which make objects that
//! show what is in others.

use crate::program::{Call, CallKind, Program};
use rustc_hash::FxHashMap;
use whydunit_trace::ClassId;

/// The nearest unrecorded class above each recorded one, by internal name.
#[derive(Debug)]
pub struct Owners(FxHashMap<Box<str>, Box<str>>);

impl Owners {
    pub fn new(program: &Program) -> Owners {
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

    /// The method that a call means: one that a recorded class inherits is a method of the unrecorded class above it.
    pub fn method<'c>(&'c self, call: &'c Call) -> Method<'c> {
        Method::new(call, self.unrecorded(&call.owner).unwrap_or(&call.owner))
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

/// Methods whose result shows what is in their receiver or first argument, and changes it.
const VIEWS: [&str; 35] = [
    "iterator",
    "listIterator",
    "descendingIterator",
    "keySet",
    "navigableKeySet",
    "descendingKeySet",
    "values",
    "entrySet",
    "subList",
    "headMap",
    "tailMap",
    "subMap",
    "descendingMap",
    "headSet",
    "tailSet",
    "subSet",
    "descendingSet",
    "asList",
    "elements",
    "keys",
    "reversed",
    "newSetFromMap",
    "asLifoQueue",
    "unmodifiableCollection",
    "unmodifiableList",
    "unmodifiableSet",
    "unmodifiableMap",
    "synchronizedCollection",
    "synchronizedList",
    "synchronizedSet",
    "synchronizedMap",
    "checkedCollection",
    "checkedList",
    "checkedMap",
    "getBuffer",
];

/// Classes of the platform whose objects pass on what they are asked to do to an object that their constructor was given:
/// streams, readers and writers. All others copy what is in it.
const WRAPPERS: [&str; 9] = [
    "java/io/",
    "java/nio/",
    "java/net/",
    "java/security/",
    "java/util/zip/",
    "java/util/jar/",
    "java/util/Formatter",
    "java/util/Scanner",
    "javax/",
];

/// A method of unrecorded code, as a call means it.
#[derive(Clone, Copy, Debug)]
pub struct Method<'c> {
    /// The class that has it, or one above the recorded class through which it is called.
    pub owner: &'c str,
    pub name: &'c str,
    pub has_receiver: bool,
    is_dynamic: bool,
}

impl<'c> Method<'c> {
    pub fn new(call: &'c Call, owner: &'c str) -> Method<'c> {
        let has_receiver = !matches!(call.kind, CallKind::Static | CallKind::Dynamic);
        Method { owner, name: &call.name, has_receiver, is_dynamic: call.kind == CallKind::Dynamic }
    }

    pub fn is_platform(&self) -> bool {
        let is_array = self.owner.starts_with('[');
        is_array || self.owner.starts_with("java/") || self.owner.starts_with("javax/")
    }

    /// Whether it may change what is in an argument; the receiver is the first.
    pub fn changes(&self, position: usize) -> bool {
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
pub fn has_content(class: &str) -> bool {
    !WITHOUT_CONTENT.contains(&class) && !class.starts_with(CHARSETS)
}

/// The same of a class that may be recorded: what is in its objects is what unrecorded classes above it keep there.
pub fn class_has_content(program: &Program, class: ClassId) -> bool {
    match program.classes().get(class) {
        None => true,
        Some(found) if found.definition.is_some() => {
            found.superclass.is_some_and(|superclass| class_has_content(program, superclass))
        }
        Some(found) => has_content(&found.name),
    }
}

/// Whether the result of a method shows what is in its receiver or first argument.
pub fn is_view(method: &Method<'_>) -> bool {
    method.is_platform() && VIEWS.contains(&method.name)
}

/// Whether a call makes an object that is a view of what the call is given.
pub fn is_wrapping(call: &Call, method: &Method<'_>) -> bool {
    let wraps = !method.is_platform() || WRAPPERS.iter().any(|start| method.owner.starts_with(start));
    call.kind == CallKind::Constructor && wraps
}
