//! What can be told of unrecorded code by its names: which calls change what they are given, and which make objects that
//! show what is in others.

use crate::program::{Call, CallKind, Program};
use rustc_hash::FxHashMap;
use std::ops::Range;
use whydunit_trace::{ClassId, LogKind};

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
const WITHOUT_CONTENT: [&str; 19] = [
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
    "java/util/UUID",
    "java/util/Locale",
    "java/util/regex/Pattern",
];

/// The same of all classes of some packages: character sets, times and dates.
const PACKAGES_WITHOUT_CONTENT: [&str; 2] = ["sun/nio/cs/", "java/time/"];

/// Classes whose constructors say nothing of an object that others do not say.
const MADE_OF_NOTHING: [&str; 5] =
    ["java/lang/Object", "java/lang/Number", "java/lang/Enum", "java/lang/Record", "java/lang/Class"];

/// Methods of the platform that leave their receiver as it is, whatever class has them.
const READERS: [&str; 98] = [
    "clone",
    "get",
    "size",
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
    "nextIndex",
    "previousIndex",
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
    "orElse",
    "join",
    "resultNow",
    "name",
    "ordinal",
    "lowerEntry",
    "higherEntry",
    "subSequence",
    "group",
    "groupCount",
    "start",
    "end",
    "cardinality",
    "codePointAt",
    "codePointBefore",
    "codePointCount",
    "chars",
    "codePoints",
    "lines",
    "capacity",
    "search",
    "elementAt",
    "firstElement",
    "lastElement",
    "intValue",
    "longValue",
    "doubleValue",
    "floatValue",
    "booleanValue",
    "nextSetBit",
    "nextClearBit",
    "previousSetBit",
    "previousClearBit",
    "intersects",
    "comparator",
    "elements",
    "keys",
    "descendingIterator",
    "descendingMap",
    "descendingSet",
    "descendingKeySet",
    "navigableKeySet",
    "count",
    "available",
    "orElseThrow",
    "orElseGet",
    "ifPresent",
    "ifPresentOrElse",
    "remaining",
    "position",
    "limit",
];

/// How names of methods start that leave their receiver as it is, and go on with a capital letter, if at all.
const READING: [&str; 7] = ["get", "is", "has", "to", "contains", "indexOf", "lastIndexOf"];

/// How names of methods start that do not, although they start so.
const NOT_READING: [&str; 2] = ["getAnd", "getNext"];

/// Objects of these classes go on with each `get`.
const BUFFERS: &str = "java/nio/";

/// Methods of the platform that change an argument: by class, name, and position without the receiver.
const CHANGED_ARGUMENTS: [(&str, &str, usize); 17] = [
    ("java/lang/System", "arraycopy", 2),
    ("java/util/Arrays", "sort", 0),
    ("java/util/Arrays", "parallelSort", 0),
    ("java/util/Arrays", "fill", 0),
    ("java/util/Arrays", "setAll", 0),
    ("java/util/Arrays", "parallelSetAll", 0),
    ("java/util/Arrays", "parallelPrefix", 0),
    ("java/lang/Thread", "enumerate", 0),
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
const FILLERS: [&str; 21] = [
    "toArray",
    "getChars",
    "getBytes",
    "copyInto",
    "drainTo",
    "read",
    "readFully",
    "readNBytes",
    "appendReplacement",
    "appendTail",
    "transferTo",
    "writeTo",
    "store",
    "storeToXML",
    "printStackTrace",
    "nextBytes",
    "inflate",
    "deflate",
    "digest",
    "doFinal",
    "enumerate",
];

/// Classes of the platform whose methods do to their arguments what the program likes.
const HANDLES: [&str; 2] = ["java/lang/invoke/VarHandle", "java/lang/invoke/MethodHandle"];

/// Methods whose result shows what is in their receiver or first argument, and changes it.
const VIEWS: [&str; 27] = [
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
    "getBuffer",
    "wrap",
    "slice",
    "duplicate",
];

/// How names of such methods of `Collections` start.
const VIEWING: [&str; 3] = ["unmodifiable", "synchronized", "checked"];

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

/// Classes of test frameworks with methods that compare.
const ASSERTING: [&str; 6] = [
    "junit/framework/Assert",
    "junit/framework/TestCase",
    "org/junit/Assert",
    "org/junit/jupiter/api/Assertions",
    "org/testng/Assert",
    "org/testng/AssertJUnit",
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

    /// One that a reference such as `list::add` names, with its receiver.
    pub fn bound(owner: &'c str, name: &'c str) -> Method<'c> {
        Method { owner, name, has_receiver: true, is_dynamic: false }
    }

    pub fn is_platform(&self) -> bool {
        let is_array = self.owner.starts_with('[');
        is_array || self.owner.starts_with("java/") || self.owner.starts_with("javax/")
    }

    /// Whether a method of the platform leaves its receiver as it is.
    fn reads_only(&self) -> bool {
        let starts = |start: &&str| {
            let rest = self.name.strip_prefix(*start);
            rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_lowercase()))
        };
        let is_reading = || READING.iter().any(starts) && !self.owner.starts_with(BUFFERS);
        let is_other = || NOT_READING.iter().any(|start| self.name.starts_with(start));
        READERS.contains(&self.name) || is_reading() && !is_other()
    }

    /// Whether it is one that test frameworks have to compare what they are given, and leave it as it is.
    fn is_assertion(&self) -> bool {
        let takes_lines = self.name == "assertLinesMatch";
        !self.has_receiver && self.name.starts_with("assert") && !takes_lines && ASSERTING.contains(&self.owner)
    }

    /// Whether it may change what is in an argument; the receiver is the first.
    pub fn changes(&self, position: usize) -> bool {
        match (self.is_platform(), position.checked_sub(usize::from(self.has_receiver))) {
            (false, _) => !self.is_dynamic && !self.is_assertion(),
            (true, None) => !self.reads_only(),
            (true, Some(_)) if HANDLES.contains(&self.owner) => {
                !self.name.starts_with("get") || self.name.contains("And")
            }
            (true, Some(_)) if self.owner.starts_with(BUFFERS) && self.name == "get" => true,
            (true, Some(_)) if self.has_receiver => FILLERS.contains(&self.name),
            (true, Some(0)) if self.owner == "java/lang/reflect/Array" => self.name.starts_with("set"),
            (true, Some(argument)) => CHANGED_ARGUMENTS
                .iter()
                .any(|&(owner, name, changed)| (owner, name, changed) == (self.owner, self.name, argument)),
        }
    }
}

/// What calls do to arrays.
impl Method<'_> {
    /// Whether it may write to an array that it is given at this position. No method that arrays have changes them.
    pub fn writes_to_array(&self, position: usize) -> bool {
        position >= usize::from(self.has_receiver) && self.changes(position)
    }

    /// Whether it may write to an array that a call-back gives it.
    pub fn writes_to_results(&self) -> bool {
        !self.is_platform() && !self.is_dynamic || self.name == "toArray"
    }

    /// The elements that it may write of an array that it is given at this position.
    pub fn elements_written(&self, call: &Call, position: usize, slots: &[u64]) -> Range<i32> {
        let number = |slot: usize| slots.get(slot).copied().unwrap_or_default() as i32;
        let counted = |first: usize| number(first)..number(first).saturating_add(number(first + 1));
        let has_bounds = matches!(call.arguments.get(position + 1..), Some([LogKind::Int, LogKind::Int, ..]));
        match (self.owner, self.name) {
            ("java/lang/System", "arraycopy") => counted(3),
            ("java/util/Arrays", "fill") if call.arguments.len() == 4 => number(1)..number(2),
            ("java/util/Arrays", "sort" | "parallelSort") if has_bounds => number(1)..number(2),
            // The array is the first argument behind the receiver.
            (_, "read" | "readFully" | "readNBytes") if self.is_platform() && has_bounds && position == 1 => counted(2),
            _ => 0..i32::MAX,
        }
    }
}

/// Whether who changes an object of this class may change an array that it shows: streams only read theirs.
pub fn shows_writable_array(class: &str) -> bool {
    let is_platform = class.starts_with("java/") || class.starts_with("javax/");
    !is_platform || class == "java/util/Arrays$ArrayList" || class.starts_with("java/nio/")
}

/// Methods of iterators that take them on, or say whether there is more.
const MOVERS: [&str; 11] = [
    "next",
    "previous",
    "nextElement",
    "nextInt",
    "nextLong",
    "nextDouble",
    "forEachRemaining",
    "tryAdvance",
    "hasNext",
    "hasPrevious",
    "hasMoreElements",
];

/// Whether a method changes its receiver alone, and not what that is a view of.
pub fn is_mover(method: &Method<'_>) -> bool {
    let is_iterator = method.owner.contains("terator") || method.owner.contains("Enumeration");
    method.has_receiver && method.is_platform() && is_iterator && MOVERS.contains(&method.name)
}

/// Whether objects of an unrecorded class have something in them that can change.
pub fn has_content(class: &str) -> bool {
    !WITHOUT_CONTENT.contains(&class) && !PACKAGES_WITHOUT_CONTENT.iter().any(|start| class.starts_with(start))
}

/// Whether objects of an unrecorded class are what their constructor was given, for ever.
pub fn is_value(class: &str) -> bool {
    !has_content(class) && !MADE_OF_NOTHING.contains(&class)
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
    let is_decorating =
        || method.owner == "java/util/Collections" && VIEWING.iter().any(|start| method.name.starts_with(start));
    method.is_platform() && (VIEWS.contains(&method.name) || is_decorating())
}

/// Whether a call makes an object that is a view of what the call is given.
pub fn is_wrapping(call: &Call, method: &Method<'_>) -> bool {
    let wraps = !method.is_platform() || WRAPPERS.iter().any(|start| method.owner.starts_with(start));
    call.kind == CallKind::Constructor && wraps
}

/// What a stream, reader or writer may pass something on to.
const WRAPPED: [&str; 4] = ["java/io/Writer", "java/io/OutputStream", "java/io/Reader", "java/io/InputStream"];

/// How names of methods start that views of maps have, and that change these.
const REMOVING: [&str; 5] = ["remove", "retain", "clear", "poll", "setValue"];

/// Collections that may be views of maps.
const OF_MAPS: [&str; 9] = [
    "java/util/Map$Entry",
    "java/util/Collection",
    "java/util/SequencedCollection",
    "java/util/Set",
    "java/util/SortedSet",
    "java/util/NavigableSet",
    "java/util/SequencedSet",
    "java/util/concurrent/ConcurrentHashMap$KeySetView",
    "java/util/concurrent/ConcurrentHashMap$CollectionView",
];

/// Classes one of whose objects a method may change although it is called on another, which may be a view.
pub fn behind_view(method: &Method<'_>) -> &'static [&'static str] {
    if !method.has_receiver || !method.is_platform() || is_mover(method) {
        return &[];
    }
    let is_removing = || REMOVING.iter().any(|start| method.name.starts_with(start));
    match method.owner {
        "java/util/Formatter" => &["java/lang/Appendable"],
        "java/util/Scanner" => &["java/lang/Readable", "java/io/InputStream"],
        "java/util/Iterator" => &["java/util/Collection", "java/util/Map"],
        "java/util/ListIterator" => &["java/util/Collection"],
        owner if OF_MAPS.contains(&owner) && is_removing() => &["java/util/Map"],
        owner if WRAPPERS.iter().any(|start| owner.starts_with(start)) => &WRAPPED,
        _ => &[],
    }
}

/// The elements that a method may write of an array that its receiver may be a view of: `Arrays.asList`, `ByteBuffer.wrap`.
pub fn elements_behind_view(method: &Method<'_>) -> Option<LogKind> {
    let is_changing = method.name == "set" || method.name == "sort" || method.name == "replaceAll";
    match method.owner {
        "java/util/List" if method.has_receiver && is_changing => Some(LogKind::Reference),
        "java/nio/ByteBuffer" if method.name.starts_with("put") => Some(LogKind::Byte),
        "java/nio/CharBuffer" if method.name.starts_with("put") => Some(LogKind::Char),
        "java/nio/ShortBuffer" if method.name.starts_with("put") => Some(LogKind::Short),
        "java/nio/IntBuffer" if method.name.starts_with("put") => Some(LogKind::Int),
        "java/nio/LongBuffer" if method.name.starts_with("put") => Some(LogKind::Long),
        "java/nio/FloatBuffer" if method.name.starts_with("put") => Some(LogKind::Float),
        "java/nio/DoubleBuffer" if method.name.starts_with("put") => Some(LogKind::Double),
        _ => None,
    }
}

/// How much of its receiver a call takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emptying {
    All,
    /// From its start to what the argument in a slot says.
    Up(usize),
}

/// Whether a call takes away what was in its receiver.
pub fn emptying(call: &Call, method: &Method<'_>, slots: &[u64]) -> Option<Emptying> {
    let is_zero = |slot: usize| slots.get(slot).copied() == Some(0);
    match (method.name, &*call.descriptor) {
        _ if !method.is_platform() || !method.has_receiver => None,
        ("clear" | "removeAllElements", "()V") => Some(Emptying::All),
        ("setLength", "(I)V") if is_zero(1) => Some(Emptying::All),
        ("delete", descriptor) if descriptor.starts_with("(II)") && is_zero(1) => Some(Emptying::Up(2)),
        _ => None,
    }
}
