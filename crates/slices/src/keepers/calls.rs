//! What a stretch notes of the collections and maps whose elements are followed one by one.

use super::Unfollowed;
use crate::dependences::{Executed, Position};
use crate::graph::{About, Node, NodeId, OriginKind};
use crate::library::Library;
use crate::recorder::Recorder;
use crate::stretch::Stretch;
use whydunit_replay::Program;
use whydunit_replay::program::{Call, CallKind};
use whydunit_trace::{LogKind, ObjectId};

/// Arguments of a call that are kept, those behind the receiver.
const ARGUMENTS: usize = 3;

/// A call of unrecorded code that has to do with a keeper.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeeperCall {
    pub(crate) keeper: ObjectId,
    pub(super) part: Part,
    pub(super) call: NodeId,
    receiver: ObjectId,
    /// By slot, without the first.
    arguments: [u64; ARGUMENTS],
}

impl KeeperCall {
    /// The same of a keeper that is now known by its id.
    pub(crate) fn of(self, keeper: ObjectId) -> KeeperCall {
        KeeperCall { keeper, ..self }
    }
}

/// What a keeper is to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Receiver,
    /// The receiver shows all that is in it, and does not change it.
    Shown,
    /// The receiver is one of its entries.
    Entry,
    Argument,
    /// The call changes something that shows what is in it.
    Viewed,
    /// A call-back has returned it to the call.
    GivenBack,
}

/// What can be followed through its calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Puts and takes at its end, as [`Kind::Deque`] does at its beginning.
    List,
    Deque,
    Map,
    Iterator,
}

impl Kind {
    /// Only classes of which it is known what each of their methods does.
    pub(crate) fn of(class: &str) -> Option<Kind> {
        let name = class.strip_prefix("java/util/")?;
        match name {
            "ArrayList" | "Vector" | "Stack" => Some(Kind::List),
            "LinkedList" | "ArrayDeque" => Some(Kind::Deque),
            "HashMap" | "LinkedHashMap" | "TreeMap" | "Hashtable" | "EnumMap" | "concurrent/ConcurrentHashMap" => {
                Some(Kind::Map)
            }
            "ArrayList$Itr"
            | "Vector$Itr"
            | "LinkedList$ListItr"
            | "ArrayDeque$DeqIterator"
            | "Collections$UnmodifiableCollection$1" => Some(Kind::Iterator),
            _ => None,
        }
    }
}

/// What an object is to a keeper that it shows.
fn part_of_view(class: &str) -> Option<Part> {
    match class.strip_prefix("java/util/")? {
        "Collections$UnmodifiableCollection"
        | "Collections$UnmodifiableList"
        | "Collections$UnmodifiableRandomAccessList"
        | "Collections$UnmodifiableMap" => Some(Part::Shown),
        // The key of such an entry is always the same.
        "HashMap$Node" | "LinkedHashMap$Entry" | "HashMap$TreeNode" => Some(Part::Entry),
        _ => None,
    }
}

impl Library<'_> {
    pub(crate) fn keeper(&self, object: ObjectId) -> Option<Kind> {
        let class = self.class(object)?;
        *self.keepers.borrow_mut().entry(class).or_insert_with(|| {
            let class = self.program.classes().get(class).filter(|class| class.definition.is_none())?;
            Kind::of(&class.name)
        })
    }

    fn part_of_view(&self, object: ObjectId) -> Option<Part> {
        let class = self.class(object)?;
        *self.keeper_views.borrow_mut().entry(class).or_insert_with(|| {
            let class = self.program.classes().get(class).filter(|class| class.definition.is_none())?;
            part_of_view(&class.name)
        })
    }
}

impl Recorder<'_> {
    /// A call of unrecorded code starts, or goes on in this stretch.
    pub(crate) fn take_keepers(&mut self, call: &Call, slots: &[u64]) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.keepers.clear();
        let OriginKind::Node(node) = frame.pending.kind() else { return };
        let mut arguments = [0; ARGUMENTS];
        for (argument, &bits) in arguments.iter_mut().zip(slots.iter().skip(1)) {
            *argument = bits;
        }
        let has_receiver = !matches!(call.kind, CallKind::Static | CallKind::Dynamic);
        let receiver = frame.given.first().filter(|given| has_receiver && given.slot == 0).map(|given| given.object);
        let receiver = receiver.unwrap_or(ObjectId(0));
        for given in &frame.given {
            let part = if has_receiver && given.slot == 0 { Part::Receiver } else { Part::Argument };
            let is_made = call.kind == CallKind::Constructor && part == Part::Receiver;
            let kind = if is_made { Kind::of(&call.owner) } else { self.library.keeper(given.object) };
            if kind.is_some() {
                frame.keepers.push(KeeperCall { keeper: given.object, part, call: node, receiver, arguments });
            }
        }
        let view = self.library.part_of_view(receiver).filter(|_| call.kind != CallKind::Constructor);
        let shown = view.and_then(|part| shown_keeper(&self.library, part, &self.heap.viewed(receiver)));
        if let Some((keeper, part)) = shown {
            frame.keepers.push(KeeperCall { keeper, part, call: node, receiver, arguments });
        }
        // Iterators over lists are followed.
        let is_followed =
            frame.given.first().is_some_and(|given| self.library.keeper(given.object) == Some(Kind::Iterator));
        for &keeper in frame.written.iter().filter(|_| !is_followed) {
            let is_noted = frame.given.iter().any(|given| given.object == keeper)
                || shown.is_some_and(|(shown, _)| shown == keeper);
            if !is_noted && self.library.keeper(keeper).is_some() {
                frame.keepers.push(KeeperCall { keeper, part: Part::Viewed, call: node, receiver, arguments });
            }
        }
    }

    /// The call is over.
    pub(crate) fn note_keepers(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            self.graph.keepers.append(&mut frame.keepers);
        }
    }

    /// A call-back has returned an object to the call of unrecorded code that is under way.
    pub(crate) fn note_given_back(&mut self, object: ObjectId) {
        let call = self.frames.last().map(|below| below.pending.kind());
        if let Some(OriginKind::Node(call)) = call
            && self.library.keeper(object).is_some()
        {
            let (receiver, arguments) = (ObjectId(0), [0; ARGUMENTS]);
            self.graph.keepers.push(KeeperCall { keeper: object, part: Part::GivenBack, call, receiver, arguments });
        }
    }
}

/// The keeper that an object shows as it is, or is an entry of; `viewed` are the object and what it is a view of, the
/// nearest first.
fn shown_keeper(library: &Library<'_>, part: Part, viewed: &[ObjectId]) -> Option<(ObjectId, Part)> {
    for &object in viewed.iter().skip(1) {
        match library.keeper(object) {
            Some(Kind::Map) => return Some((object, part)),
            Some(Kind::List | Kind::Deque) => return (part == Part::Shown).then_some((object, part)),
            // An entry was given out by an iterator over a set.
            _ if part == Part::Entry || library.part_of_view(object) == Some(Part::Shown) => {}
            _ => return None,
        }
    }
    None
}

/// A [`KeeperCall`] that is over, in words that hold in every stretch.
#[derive(Debug)]
pub(super) struct Done<'c> {
    pub(super) call: &'c Call,
    pub(super) executed: Executed,
    pub(super) part: Part,
    pub(super) result: u64,
    pub(super) has_thrown: bool,
    pub(super) receiver: ObjectId,
    node: Node,
    arguments: [u64; ARGUMENTS],
}

impl<'c> Done<'c> {
    pub(super) fn new(
        program: &'c Program,
        stretch: &Stretch<'_>,
        at: Position,
        noted: &KeeperCall,
    ) -> Option<Done<'c>> {
        let &node = stretch.node(noted.call)?;
        let code = program.code(stretch.frame(node.frame)?.method).ok()?;
        let call = code.call_at(node.pc())?;
        let mut arguments = noted.arguments;
        let mut slot: usize = 0;
        for &kind in &call.arguments {
            if let Some(bits) = slot.checked_sub(1).and_then(|slot| arguments.get_mut(slot))
                && kind == LogKind::Reference
            {
                *bits = stretch.identity(*bits);
            }
            slot += usize::from(kind.slots());
        }
        let is_reference = call.result == LogKind::Reference;
        Some(Done {
            call,
            executed: Executed { at, node: noted.call },
            part: noted.part,
            result: if is_reference { stretch.identity(node.bits) } else { node.bits },
            has_thrown: node.about == About::THREW,
            receiver: stretch.known(noted.receiver),
            node,
            arguments,
        })
    }

    pub(super) fn name(&self) -> &'c str {
        &self.call.name
    }

    /// The types of the arguments: `ILjava/lang/Object;`.
    pub(super) fn parameters(&self) -> &'c str {
        let inner = self.call.descriptor.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        inner.map_or("", |(parameters, _)| parameters)
    }

    /// The object in a slot of the arguments; `null` is 0.
    pub(super) fn object(&self, slot: usize) -> ObjectId {
        ObjectId(self.slot(slot) as u32)
    }

    pub(super) fn index(&self, slot: usize) -> Result<usize, Unfollowed> {
        usize::try_from(self.slot(slot) as i32).map_err(|_| Unfollowed)
    }

    fn slot(&self, slot: usize) -> u64 {
        slot.checked_sub(1).and_then(|slot| self.arguments.get(slot)).copied().unwrap_or_default()
    }

    /// The instruction that stands for what is put in: the passing of the argument, of which the call has a node of its
    /// own; `null` has none.
    pub(super) fn passing(&self, stretch: &Stretch<'_>, slot: usize) -> Executed {
        let first = self.executed.node.0 + 1;
        let is_own = |node: &Node| {
            let place = (node.step, node.pc(), node.frame);
            place == (self.node.step, self.node.pc(), self.node.frame) && node.argument().is_some()
        };
        let own = (first..).map(NodeId).map_while(|id| Some((id, stretch.node(id).filter(|node| is_own(node))?)));
        let found = own.filter(|(_, node)| node.argument() == Some(slot as u16)).map(|(id, _)| id).next();
        found.map_or(self.executed, |node| Executed { node, ..self.executed })
    }
}
