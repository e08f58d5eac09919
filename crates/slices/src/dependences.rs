//! The dependences of a run, recorded stretch by stretch when they are asked for.

use crate::begun::Begun;
use crate::cuts::Cuts;
use crate::elsewhere::Moment;
use crate::graph::{About, FrameInfo, Input, Node, NodeId, Origin, Place, Role};
use crate::recent::Recent;
use crate::rivals::Rivals;
use crate::stretch::{Flows, Stretch};
use crate::waited::Wait;
use crate::wants::{Answer, AskedOfSegments, Unknown, Want};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use whydunit_replay::index::{FieldKey, GlobalOrder, Parts, ThreadIndex};
use whydunit_replay::objects::ObjectTable;
use whydunit_replay::program::MethodIndex;
use whydunit_replay::{Program, ReplayError};
use whydunit_trace::{ClassId, ObjectId, ThreadId};

#[derive(Debug)]
pub struct Dependences<'s> {
    pub(crate) program: &'s Program,
    pub(crate) objects: &'s ObjectTable,
    pub(crate) flows: &'s Flows,
    pub(crate) threads: BTreeMap<ThreadId, &'s ThreadIndex>,
    pub(crate) order: GlobalOrder<'s>,
    recent: RefCell<Recent<'s>>,
    pub(crate) cuts: RefCell<Cuts<'s>>,
    effort: RefCell<Effort>,
    /// What was found out of objects that came from unrecorded code.
    pub(crate) handed: RefCell<FxHashMap<(ObjectId, Moment), Option<Executed>>>,
    /// What was found out of what unrecorded code ran in threads of its own.
    pub(crate) begun: RefCell<FxHashMap<(Begun, Moment), Option<Executed>>>,
    /// By call of a collection or map: who has put what it has found where it has found it.
    pub(crate) kept: RefCell<FxHashMap<Executed, Vec<Executed>>>,
    /// What was asked for last: of one instruction it is asked for several times.
    last_inputs: RefCell<Option<(Executed, Inputs)>>,
    /// By reader and object: what has made it.
    pub(crate) makers: RefCell<FxHashMap<(Executed, ObjectId), Option<Executed>>>,
    /// By number of the field.
    pub(crate) field_keys: RefCell<FxHashMap<u32, Option<FieldKey>>>,
    /// By class: whether its objects can be copied.
    pub(crate) cloneable: RefCell<FxHashMap<ClassId, bool>>,
    pub(crate) rivals: RefCell<FxHashMap<Position, Rc<Rivals>>>,
    /// By stretch: the number of its last step among those of all threads.
    pub(crate) last_numbers: RefCell<FxHashMap<Position, u64>>,
    /// Whether rivals of a stretch may have written a place.
    pub(crate) contested: RefCell<FxHashMap<(Position, Place), bool>>,
    /// By thread and place: a stretch, and the last one before it whose rivals may have written the place.
    pub(crate) contests: RefCell<FxHashMap<(ThreadId, Place), Contest>>,
    pub(crate) asked_of_segments: RefCell<AskedOfSegments>,
    /// By stretch and object: what this may have its items from there.
    pub(crate) sources: RefCell<Sources>,
    /// By sequence number that a thread has taken.
    pub(crate) waits: RefCell<FxHashMap<(ThreadId, u64), Wait>>,
}

/// Objects that others may have their items from, by the stretch that knows it and the other.
type Sources = FxHashMap<(Position, ObjectId), Box<[ObjectId]>>;

/// A stretch, and the last one before it of some kind.
type Contest = (usize, Option<usize>);

/// A stretch: a segment of the index of a thread, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Position {
    pub(crate) thread: ThreadId,
    pub(crate) segment: usize,
    /// Counted from 1; 0 for the whole segment.
    part: u32,
}

impl Position {
    pub(crate) fn whole(thread: ThreadId, segment: usize) -> Position {
        Position { thread, segment, part: 0 }
    }

    /// Another segment of the thread.
    pub(crate) fn of_segment(self, segment: usize) -> Position {
        Position { segment, part: 0, ..self }
    }

    /// Another part of the segment.
    pub(crate) fn of_part(self, part: usize) -> Position {
        Position { part: part as u32 + 1, ..self }
    }

    /// Which part it is, if it is not the whole segment.
    pub(crate) fn part(self) -> Option<usize> {
        (self.part as usize).checked_sub(1)
    }

    pub(crate) fn next(self) -> Position {
        match self.part() {
            Some(part) => self.of_part(part + 1),
            None => self.of_segment(self.segment + 1),
        }
    }

    /// The stretch before it; before the first part of a segment comes another segment.
    pub(crate) fn before(self) -> Option<Position> {
        match self.part().and_then(|part| part.checked_sub(1)) {
            Some(part) => Some(self.of_part(part)),
            None => self.segment.checked_sub(1).map(|segment| self.of_segment(segment)),
        }
    }

    pub(crate) fn is_part_of_same(self, other: Position) -> bool {
        let parts = self.part.min(other.part) > 0;
        parts && (self.thread, self.segment) == (other.thread, other.segment)
    }
}

/// What was looked at so far.
#[derive(Debug, Default)]
struct Effort {
    instructions: u64,
    /// The stretches that were looked at last, the latest first.
    last: VecDeque<Position>,
}

/// Stretches between which one can go back and forth without effort.
const MOST_AT_HAND: usize = 8;

impl Effort {
    fn add(&mut self, at: Position, instructions: impl FnOnce() -> u64) {
        if let Some(position) = self.last.iter().position(|&known| known == at) {
            self.last.remove(position);
            self.last.push_front(at);
            return;
        }
        self.instructions += instructions();
        self.last.truncate(MOST_AT_HAND - 1);
        self.last.push_front(at);
    }
}

/// An executed instruction that made, moved or decided something. Those of a thread are in the order of execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Executed {
    pub(crate) at: Position,
    pub(crate) node: NodeId,
}

impl Executed {
    pub fn thread(self) -> ThreadId {
        self.at.thread
    }
}

/// What an instruction got its values from.
type Inputs = Vec<(Role, Found)>;

/// What is behind a value or a decision.
pub type Found = Result<Executed, Unknown>;

/// What there is to tell of an executed instruction.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    pub node: Node,
    pub frame: FrameInfo,
    /// What it read from or wrote to the heap.
    pub place: Option<Place>,
    /// The recorded method that it calls, or passes an argument to.
    pub callee: Option<MethodIndex>,
    /// It ended with an exception: it has no value.
    pub has_thrown: bool,
}

impl<'s> Dependences<'s> {
    pub fn new(
        program: &'s Program,
        objects: &'s ObjectTable,
        flows: &'s Flows,
        threads: impl IntoIterator<Item = &'s ThreadIndex>,
    ) -> Dependences<'s> {
        let threads: BTreeMap<ThreadId, &ThreadIndex> =
            threads.into_iter().map(|index| (index.thread(), index)).collect();
        let order = GlobalOrder::new(threads.values().copied());
        Dependences {
            program,
            objects,
            flows,
            threads,
            order,
            recent: RefCell::new(Recent::new(flows)),
            cuts: RefCell::default(),
            effort: RefCell::default(),
            kept: RefCell::default(),
            handed: RefCell::default(),
            begun: RefCell::default(),
            last_inputs: RefCell::default(),
            makers: RefCell::default(),
            field_keys: RefCell::default(),
            cloneable: RefCell::default(),
            rivals: RefCell::default(),
            last_numbers: RefCell::default(),
            contested: RefCell::default(),
            contests: RefCell::default(),
            asked_of_segments: RefCell::default(),
            sources: RefCell::default(),
            waits: RefCell::default(),
        }
    }

    pub(crate) fn index(&self, thread: ThreadId) -> Result<&'s ThreadIndex, ReplayError> {
        let unknown = || ReplayError::from(std::io::Error::from(std::io::ErrorKind::NotFound));
        self.threads.get(&thread).copied().ok_or_else(unknown)
    }

    /// Instructions of all stretches that were looked at, each as often as others were looked at in between: what the
    /// answers so far have taken, however many stretches are kept or recorded at once.
    pub fn effort(&self) -> u64 {
        self.effort.borrow().instructions
    }

    pub(crate) fn stretch(&self, at: Position) -> Result<Rc<Stretch<'s>>, ReplayError> {
        let index = self.index(at.thread)?;
        let cut = match at.part() {
            Some(part) => Some((part, self.parts_of(at)?)),
            None => None,
        };
        self.effort.borrow_mut().add(at, || match &cut {
            Some((part, parts)) => parts.instructions_of(*part),
            None => index.instructions_of(at.segment),
        });
        let mut recent = self.recent.borrow_mut();
        match (recent.get(at), cut) {
            (Some(stretch), _) => Ok(stretch),
            (None, Some((part, parts))) => recent.record_part(self.program, self.objects, at, &parts, part),
            (None, None) => recent.record(self.program, self.objects, index, at.segment),
        }
    }

    /// The parts of the segment that a stretch belongs to, if it can be cut.
    pub(crate) fn cut(&self, at: Position) -> Result<Option<Rc<Parts<'s>>>, ReplayError> {
        self.cuts.borrow_mut().get(self.program, self.objects, self.index(at.thread)?, at.segment)
    }

    /// The same of a stretch that is a part.
    pub(crate) fn parts_of(&self, at: Position) -> Result<Rc<Parts<'s>>, ReplayError> {
        let missing = || ReplayError::from(std::io::Error::from(std::io::ErrorKind::NotFound));
        self.cut(at)?.ok_or_else(missing)
    }

    /// The instructions of a step, in the order of execution.
    pub fn of_step(&self, thread: ThreadId, step: u64) -> Result<Vec<Executed>, ReplayError> {
        let index = self.index(thread)?;
        let mut found = Vec::new();
        // A step that calls others may go on in later stretches.
        for segment in index.segment_before(step)..index.checkpoints() {
            let at = Position::whole(thread, segment);
            let stretch = self.stretch(at)?;
            found.extend(stretch.of_step(step).iter().map(|&node| Executed { at, node }));
            if !stretch.is_in_step(step) {
                break;
            }
        }
        Ok(found)
    }

    pub fn describe(&self, executed: Executed) -> Result<Option<Description>, ReplayError> {
        let stretch = self.stretch(executed.at)?;
        let Some(node) = stretch.node(executed.node).copied() else { return Ok(None) };
        let (place, callee) = (stretch.place(&node), stretch.callee(&node));
        let has_thrown = node.about == About::THREW;
        Ok(stretch.frame(node.frame).map(|&frame| Description { node, frame, place, callee, has_thrown }))
    }

    /// The object that a reference in the bits of an instruction means.
    pub fn identity(&self, executed: Executed, reference: u64) -> Result<u64, ReplayError> {
        Ok(self.stretch(executed.at)?.identity(reference))
    }

    /// What an instruction got its values from.
    pub fn inputs(&self, executed: Executed) -> Result<Vec<(Role, Found)>, ReplayError> {
        if let Some((_, known)) = self.last_inputs.borrow().as_ref().filter(|(known, _)| *known == executed) {
            return Ok(known.clone());
        }
        let stretch = self.stretch(executed.at)?;
        let mut inputs = self.all_behind(executed, stretch.inputs(executed.node))?;
        let elements: Vec<Input> = stretch.elements_read().of(executed.node).collect();
        let mut seen: FxHashSet<(Role, Found)> = FxHashSet::default();
        inputs.extend(self.all_behind(executed, &elements)?.into_iter().filter(|source| seen.insert(*source)));
        let mut inputs = self.with_keeper(executed, inputs)?;
        inputs.extend(self.failed_task(executed)?.map(|thrown| (Role::Value, Ok(thrown))));
        *self.last_inputs.borrow_mut() = Some((executed, inputs.clone()));
        Ok(inputs)
    }

    /// The parts of an instruction that went on in later stretches, the last one first.
    pub fn parts(&self, executed: Executed) -> Result<Vec<Executed>, ReplayError> {
        let mut parts = vec![executed];
        let mut last = executed;
        while let Some(origin) = self.stretch(last.at)?.part_before(last.node)
            && let Ok(before) = self.find(last.at, origin)?
            && before < last
        {
            parts.push(before);
            last = before;
        }
        Ok(parts)
    }

    /// What decided that an instruction ran: a branch, the call of its method, or what threw the exception that its
    /// handler caught.
    pub fn decision(&self, executed: Executed) -> Result<Found, ReplayError> {
        let control = self.stretch(executed.at)?.node(executed.node).map(|node| node.control);
        control.map_or(Ok(Err(Unknown::Nothing)), |control| self.source(executed, control))
    }

    /// What is behind an origin of an instruction, in whatever thread.
    pub(crate) fn source(&self, executed: Executed, origin: Origin) -> Result<Found, ReplayError> {
        let own = self.find(executed.at, origin)?;
        self.in_all_threads(executed, origin, own)
    }

    /// The call by which the frame of an instruction was entered.
    pub fn call_of(&self, executed: Executed) -> Result<Found, ReplayError> {
        let stretch = self.stretch(executed.at)?;
        let frame = stretch.node(executed.node).and_then(|node| stretch.frame(node.frame));
        frame.map_or(Ok(Err(Unknown::Nothing)), |frame| self.find(executed.at, frame.call))
    }

    /// What is behind an origin, as far as its thread knows.
    pub(crate) fn find(&self, at: Position, origin: Origin) -> Result<Found, ReplayError> {
        match self.stretch(at)?.meaning(origin) {
            Answer::Node(node) => Ok(Ok(Executed { at, node })),
            Answer::Unknown(unknown) => Ok(Err(unknown)),
            Answer::Before(wants) => self.find_first(at, &wants),
        }
    }

    /// The first of some wants that has an answer before a stretch.
    pub(crate) fn find_first(&self, at: Position, wants: &[Want]) -> Result<Found, ReplayError> {
        let mut found = Err(Unknown::Nothing);
        for &want in wants {
            found = self.find_before(at, want)?;
            if found.is_ok() {
                break;
            }
        }
        Ok(found)
    }

    /// Looks for the answer to a want in the stretches of the thread before this one.
    fn find_before(&self, mut before: Position, mut want: Want) -> Result<Found, ReplayError> {
        while let Some(at) = self.last_answering(want, before)? {
            match self.stretch(at)?.answer(want) {
                Answer::Node(node) => return Ok(Ok(Executed { at, node })),
                Answer::Unknown(unknown) => return Ok(Err(unknown)),
                Answer::Before(next) => match next[..] {
                    [next] => want = next,
                    _ => return self.find_first(at, &next),
                },
            }
            before = at;
        }
        Ok(Err(want.unanswered()))
    }
}
