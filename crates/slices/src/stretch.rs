//! The dependences of a stretch of a thread: from one checkpoint of its index to the next.

use crate::arrays::ElementsRead;
use crate::decided::{Decided, decision};
use crate::functions::{OfClass, References};
use crate::graph::{CutShort, FrameId, FrameInfo, Input, Need, Node, NodeId, Origin, OriginKind, Place, Role};
use crate::heap::{Change, Heap, Put, WrittenPart};
use crate::keepers::KeeperCall;
use crate::library::Library;
use crate::live_frames::{LiveFrame, LiveFrames, Started};
use crate::potential::MayWrite;
use crate::recorder::Recorder;
use crate::shape::Shape;
use crate::timeline::Timeline;
use crate::wants::FrameKey;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::sync::{Mutex, OnceLock};
use whydunit_model::Flow;
use whydunit_replay::index::{Parts, ThreadIndex};
use whydunit_replay::interpreter::{At, Entry, ThreadReplay};
use whydunit_replay::objects::ObjectTable;
use whydunit_replay::program::{DefinitionIndex, MethodCode, MethodIndex, Pc};
use whydunit_replay::steps::StepCounter;
use whydunit_replay::unrecorded::Owners;
use whydunit_replay::{Program, ReplayError};
use whydunit_trace::ObjectId;

/// Rooms that are kept. As many stretches are recorded on the way to most answers.
const MOST_ROOMS: usize = 4;

/// What questions about a run share: the control flow of the methods that were needed so far, and room for stretches.
#[derive(Debug)]
pub struct Flows {
    by_method: Box<[OnceLock<Shape>]>,
    may_write: OnceLock<MayWrite>,
    owners: OnceLock<Owners>,
    /// By definition.
    functions: Box<[OnceLock<OfClass>]>,
    references: OnceLock<References>,
    rooms: Mutex<Vec<Room>>,
}

impl Flows {
    pub fn new(program: &Program) -> Flows {
        let by_method = program.methods().map(|_| OnceLock::new()).collect();
        let functions = program.definitions().map(|_| OnceLock::new()).collect();
        Flows {
            by_method,
            may_write: OnceLock::new(),
            owners: OnceLock::new(),
            functions,
            references: OnceLock::new(),
            rooms: Mutex::default(),
        }
    }

    /// The room of a stretch that is not needed any more, or a new one.
    pub(crate) fn take_room(&self) -> Room {
        self.rooms.lock().ok().and_then(|mut rooms| rooms.pop()).unwrap_or_default()
    }

    pub(crate) fn leave_room(&self, room: Room) {
        if let Ok(mut rooms) = self.rooms.lock()
            && rooms.len() < MOST_ROOMS
        {
            rooms.push(room);
        }
    }

    /// What the methods of the program may write; the first call finds out.
    pub(crate) fn may_write(&self, program: &Program) -> &MayWrite {
        self.may_write.get_or_init(|| MayWrite::new(program, self))
    }

    pub(crate) fn owners(&self, program: &Program) -> &Owners {
        self.owners.get_or_init(|| Owners::new(program))
    }

    pub(crate) fn functions(&self, program: &Program, definition: DefinitionIndex) -> Option<&OfClass> {
        let known = self.functions.get(definition.0 as usize)?;
        Some(known.get_or_init(|| OfClass::find(program, definition).unwrap_or_default()))
    }

    pub(crate) fn references(&self, program: &Program) -> &References {
        self.references.get_or_init(|| self.find_references(program))
    }

    pub fn of(&self, code: &MethodCode) -> &Flow {
        &self.shape(code).flow
    }

    pub(crate) fn shape(&self, code: &MethodCode) -> &Shape {
        self.by_method[code.index.0 as usize].get_or_init(|| Shape::of(code))
    }
}

/// What the instructions of a stretch depend on.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) frames: Vec<FrameInfo>,
    /// The first so many frames are there when the stretch starts.
    older_frames: usize,
    /// What instructions read or wrote.
    pub(crate) places: Vec<Place>,
    /// Calls and the unrecorded objects that they read, with who has changed these last; in the order of the calls.
    pub(crate) contents: Vec<(NodeId, ObjectId, Origin)>,
    pub(crate) elements_read: ElementsRead,
    /// Contents and items that calls of unrecorded code have looked for, and what they have from there.
    pub(crate) looked: Vec<(NodeId, Origin, Place)>,
    /// In the order of the thread.
    pub(crate) meetings: Vec<Meeting>,
    /// By call and what it has by a key: what it has if nobody has put it there under that key.
    pub(crate) by_identity: FxHashMap<(NodeId, Origin), Vec<Origin>>,
    /// Calls of collections and maps that are followed, in the order in which they were over.
    pub(crate) keepers: Vec<KeeperCall>,
    /// Frames that an exception has kept from going on, in the order of execution.
    pub(crate) cut_short: Vec<CutShort>,
    needs: Vec<Need>,
    known_needs: FxHashMap<Need, Origin>,
}

/// A sequence number that the thread has taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    pub(crate) sequence: u64,
    /// Instructions before it.
    pub(crate) before: u32,
    /// The one under way, or just over.
    pub(crate) under_way: Option<NodeId>,
}

impl Graph {
    /// An empty one in the room of another.
    fn emptied(self) -> Graph {
        let Graph { mut nodes, mut inputs, mut frames, mut places, .. } = self;
        nodes.clear();
        inputs.clear();
        frames.clear();
        places.clear();
        Graph { nodes, inputs, frames, places, ..Graph::default() }
    }

    pub(crate) fn need(&mut self, need: Need) -> Origin {
        let next = Origin::before(self.needs.len());
        let origin = *self.known_needs.entry(need).or_insert(next);
        if origin == next {
            self.needs.push(need);
        }
        origin
    }

    /// An input that is known only after the instruction has started.
    pub(crate) fn add_input(&mut self, node: NodeId, origin: Origin, role: Role) {
        let end = self.inputs.len() as u32;
        let Some(node) = self.nodes.get_mut(node.0 as usize) else { return };
        // The inputs of a node are together; call-backs may have added others behind them.
        if node.first_input + node.inputs != end {
            let own = node.first_input as usize..(node.first_input + node.inputs) as usize;
            node.first_input = end;
            self.inputs.extend_from_within(own);
        }
        node.inputs += 1;
        self.inputs.push(Input { origin, role });
    }

    /// The unrecorded objects that a call reads, and who has changed them last.
    pub(crate) fn contents_of(&self, call: NodeId) -> &[(NodeId, ObjectId, Origin)] {
        let first = self.contents.partition_point(|(known, ..)| *known < call);
        let behind = self.contents.partition_point(|(known, ..)| *known <= call);
        &self.contents[first..behind]
    }

    /// Another node of a call, the last one so far, reads the same contents.
    pub(crate) fn share_contents(&mut self, call: NodeId, other: NodeId) {
        for (_, object, origin) in self.contents_of(call).to_vec() {
            self.looked.push((other, origin, Place::Content(object)));
            self.contents.push((other, object, origin));
        }
    }

    pub(crate) fn inputs_of(&self, node: NodeId) -> &[Input] {
        let Some(node) = self.nodes.get(node.0 as usize) else { return &[] };
        self.inputs.get(node.first_input as usize..(node.first_input + node.inputs) as usize).unwrap_or_default()
    }
}

/// Room for a stretch, from one that is not needed any more: a stretch takes some megabytes, and getting these anew takes
/// as long as filling them.
#[derive(Debug, Default)]
pub(crate) struct Room {
    graph: Graph,
    heap: Heap,
}

/// A stretch and the machine at its end.
#[derive(Debug)]
pub(crate) struct Stretch<'p> {
    graph: Graph,
    slots: Vec<Origin>,
    frames: LiveFrames<'p>,
    decisions: Vec<Origin>,
    heap: Heap,
    steps: StepCounter,
    /// The last sequence number before the stretch.
    sequence: u64,
    timeline: OnceCell<Timeline>,
    /// The instructions by their steps, each with the others of its step in the order of execution.
    by_step: OnceCell<Box<[NodeId]>>,
    /// By item: who has put it somewhere.
    puts: OnceCell<FxHashMap<ObjectId, Vec<Put>>>,
    /// The frames that have none below them, in the order in which they were entered.
    lowest: OnceCell<Box<[FrameId]>>,
}

/// From where a stretch goes, and how far.
struct Extent {
    steps: StepCounter,
    /// The last sequence number before it.
    sequence: u64,
    /// Views that are older and come up in it, each with what it shows.
    older_views: Vec<(ObjectId, ObjectId)>,
    /// Instructions of the thread before its end.
    end: u64,
}

impl<'p> Stretch<'p> {
    /// Replays a segment of a thread.
    pub(crate) fn record(
        program: &'p Program,
        objects: &'p ObjectTable,
        flows: &'p Flows,
        index: &ThreadIndex,
        segment: usize,
    ) -> Result<Stretch<'p>, ReplayError> {
        let checkpoint = index.checkpoint(segment)?;
        let mut replay = ThreadReplay::from_snapshot(program, objects, index.thread(), &checkpoint.replay)?;
        let extent = Extent {
            steps: checkpoint.steps,
            sequence: index.sequences_of(segment)?.start,
            older_views: index.older_views(segment)?,
            end: index.end_of(segment),
        };
        let identified = |references: &FxHashSet<u64>| index.identified_behind(segment, references);
        Stretch::record_extent(program, objects, flows, &mut replay, extent, identified)
    }

    /// Replays a part of a segment.
    pub(crate) fn record_part(
        program: &'p Program,
        objects: &'p ObjectTable,
        flows: &'p Flows,
        parts: &Parts<'p>,
        part: usize,
    ) -> Result<Stretch<'p>, ReplayError> {
        let extent = Extent {
            steps: parts.counter_of(part)?.clone(),
            sequence: parts.sequence_before(part)?,
            older_views: Vec::new(),
            end: parts.end_of(part),
        };
        let identified = |references: &FxHashSet<u64>| parts.identified_behind(part, references);
        Stretch::record_extent(program, objects, flows, &mut *parts.replay_of(part)?, extent, identified)
    }

    /// `identified` tells what temporary references at the end turn out to be.
    fn record_extent(
        program: &'p Program,
        objects: &'p ObjectTable,
        flows: &'p Flows,
        replay: &mut ThreadReplay<'p>,
        extent: Extent,
        identified: impl FnOnce(&FxHashSet<u64>) -> Vec<(u64, ObjectId)>,
    ) -> Result<Stretch<'p>, ReplayError> {
        let Extent { steps, sequence, older_views, end } = extent;
        let room = flows.take_room();
        let mut recorder = Recorder {
            program,
            flows,
            library: Library::new(program, objects, flows.owners(program)),
            graph: room.graph,
            steps,
            slots: Vec::new(),
            frames: LiveFrames::default(),
            decisions: Vec::new(),
            heap: room.heap,
        };
        for (view, shown) in older_views {
            recorder.heap.link(view, shown);
            recorder.heap.view(view, shown);
        }
        recorder.start(replay);
        // The end of an index is where the replay ended, for whatever reason.
        match replay.run(&mut recorder, end) {
            Ok(_) | Err(ReplayError::Divergence(_)) => {}
            Err(error) => return Err(error),
        }
        let steps = recorder.steps.clone();
        recorder.keep_passed();
        for (temporary, object) in identified(&replay.unidentified()) {
            recorder.heap.identify(ObjectId(temporary as u32), object);
        }
        let Recorder { graph, slots, frames, decisions, heap, .. } = recorder;
        Ok(Stretch {
            graph,
            slots,
            frames,
            decisions,
            heap,
            steps,
            sequence,
            timeline: OnceCell::new(),
            by_step: OnceCell::new(),
            puts: OnceCell::new(),
            lowest: OnceCell::new(),
        })
    }

    /// Leaves its room to the next one.
    pub(crate) fn into_room(self) -> Room {
        Room { graph: self.graph.emptied(), heap: self.heap.emptied() }
    }

    pub(crate) fn node(&self, node: NodeId) -> Option<&Node> {
        self.graph.nodes.get(node.0 as usize)
    }

    pub(crate) fn len(&self) -> usize {
        self.graph.nodes.len()
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        (0..).map(NodeId).zip(&self.graph.nodes)
    }

    /// The instructions of a step, in the order of execution.
    pub(crate) fn of_step(&self, step: u64) -> &[NodeId] {
        let step_of = |id: &NodeId| self.node(*id).map_or(u64::MAX, |node| node.step);
        let by_step = self.by_step.get_or_init(|| {
            let mut ids: Box<[NodeId]> = (0..self.len() as u32).map(NodeId).collect();
            ids.sort_by_key(step_of);
            ids
        });
        let first = by_step.partition_point(|id| step_of(id) < step);
        let behind = by_step.partition_point(|id| step_of(id) <= step);
        &by_step[first..behind]
    }

    /// The place that an instruction read or wrote, if it did.
    pub(crate) fn place(&self, node: &Node) -> Option<Place> {
        let place = *self.graph.places.get(node.about.as_place()?)?;
        Some(self.heap.known(place))
    }

    pub(crate) fn timeline(&self, program: &Program) -> &Timeline {
        self.timeline.get_or_init(|| Timeline::new(program, self))
    }

    /// The thread's last sequence number when so many instructions of the stretch were run.
    pub(crate) fn sequence_after(&self, instructions: u32) -> u64 {
        let known = self.graph.meetings.partition_point(|meeting| meeting.before <= instructions);
        let last = known.checked_sub(1).and_then(|last| self.graph.meetings.get(last));
        last.map_or(self.sequence, |meeting| meeting.sequence)
    }

    /// The first meeting that has a sequence number or a later one.
    pub(crate) fn meeting_since(&self, sequence: u64) -> Option<&Meeting> {
        let first = self.graph.meetings.partition_point(|meeting| meeting.sequence < sequence);
        self.graph.meetings.get(first)
    }

    /// The instruction that was under way, or just over, when the thread took a sequence number.
    pub(crate) fn under_way_at(&self, sequence: u64) -> Option<NodeId> {
        let found = self.graph.meetings.binary_search_by_key(&sequence, |meeting| meeting.sequence).ok()?;
        self.graph.meetings.get(found)?.under_way
    }

    /// The first step of the lowest frame below an instruction.
    pub(crate) fn lowest_entered(&self, node: NodeId) -> u64 {
        let lowest = self.lowest.get_or_init(|| {
            let frames = (0..).map(FrameId).zip(&self.graph.frames);
            frames.filter(|(_, frame)| frame.depth == 0).map(|(id, _)| id).collect()
        });
        let Some(node) = self.node(node) else { return 0 };
        let entered = lowest.partition_point(|&frame| frame <= node.frame);
        let own = entered.checked_sub(1).and_then(|last| self.frame(lowest[last]));
        own.map_or(0, |frame| frame.entered)
    }

    /// What unrecorded code has changed.
    pub(crate) fn changes(&self) -> impl Iterator<Item = Change> {
        self.heap.changes()
    }

    /// Who has put an item somewhere, in the order of execution.
    pub(crate) fn puts_of(&self, item: ObjectId) -> &[Put] {
        let by_item = self.puts.get_or_init(|| {
            let mut by_item: FxHashMap<ObjectId, Vec<Put>> = FxHashMap::default();
            self.heap.puts().for_each(|put| by_item.entry(put.item).or_default().push(put));
            by_item
        });
        by_item.get(&item).map(Vec::as_slice).unwrap_or_default()
    }

    /// An object and those that it may have its items from.
    pub(crate) fn sources(&self, shelf: ObjectId) -> impl Iterator<Item = ObjectId> {
        self.heap.sources(shelf).into_iter().map(|source| self.heap.identity(source))
    }

    /// Parts of arrays that unrecorded code has written.
    pub(crate) fn written_parts(&self) -> impl Iterator<Item = WrittenPart> {
        self.heap.written_parts()
    }

    /// What calls of unrecorded code have looked for.
    pub(crate) fn looked(&self) -> Vec<(NodeId, Origin, Place)> {
        let known = |&(node, origin, place): &(NodeId, Origin, Place)| (node, origin, self.heap.known(place));
        self.graph.looked.iter().map(known).collect()
    }

    /// Calls of collections and maps, in the order in which they were over.
    pub(crate) fn keepers(&self) -> impl Iterator<Item = KeeperCall> {
        self.graph.keepers.iter().map(|&call| call.of(self.heap.identity(call.keeper)))
    }

    /// The lowest frame of the thread that was entered in a step.
    pub(crate) fn lowest_frame(&self, entered: u64) -> Option<&FrameInfo> {
        self.graph.frames.iter().find(|frame| (frame.depth, frame.entered) == (0, entered))
    }

    /// What has thrown the exception by which the lowest frame of the thread was left that was entered in a step.
    pub(crate) fn left_by(&self, entered: u64) -> Option<NodeId> {
        let is_lowest = |frame: &FrameInfo| (frame.depth, frame.entered) == (0, entered);
        let mut left = self.graph.cut_short.iter().filter(|cut| cut.handler.is_none());
        left.find(|cut| self.frame(cut.frame).is_some_and(is_lowest)).map(|cut| cut.thrown)
    }

    /// Frames that an exception has kept from going on after this instruction and before the next.
    pub(crate) fn cut_short_after(&self, node: NodeId) -> &[CutShort] {
        let cut_short = &self.graph.cut_short;
        let first = cut_short.partition_point(|cut| cut.after < node);
        let behind = cut_short.partition_point(|cut| cut.after <= node);
        &cut_short[first..behind]
    }

    pub(crate) fn known_place(&self, place: Place) -> Place {
        self.heap.known(place)
    }

    /// The object that may have been known by a temporary reference.
    pub(crate) fn known(&self, object: ObjectId) -> ObjectId {
        self.heap.identity(object)
    }

    /// The recorded method that an instruction calls, if it does.
    pub(crate) fn callee(&self, node: &Node) -> Option<MethodIndex> {
        node.about.as_callee().and_then(|frame| self.frame(frame)).map(|frame| frame.method)
    }

    /// The object that a temporary reference turned out to be.
    pub(crate) fn identity(&self, bits: u64) -> u64 {
        u64::from(self.heap.identity(ObjectId(bits as u32)).0)
    }

    pub(crate) fn inputs(&self, node: NodeId) -> &[Input] {
        self.graph.inputs_of(node)
    }

    /// The part of an instruction before the stretch, if it was under way when the stretch started.
    pub(crate) fn part_before(&self, node: NodeId) -> Option<Origin> {
        let frame = self.node(node)?.frame;
        let is_part = |origin: &Origin| match origin.kind() {
            OriginKind::Before(need) => self.need(need) == Some(Need::Pending(frame)),
            OriginKind::Node(_) | OriginKind::None => false,
        };
        self.inputs(node).iter().map(|input| input.origin).find(is_part)
    }

    pub(crate) fn elements_read(&self) -> &ElementsRead {
        &self.graph.elements_read
    }

    /// The unrecorded objects that a call reads, and who has changed them last.
    pub(crate) fn contents_read(&self, node: NodeId) -> impl Iterator<Item = (ObjectId, Origin)> {
        self.graph.contents_of(node).iter().map(|&(_, object, origin)| (self.heap.identity(object), origin))
    }

    pub(crate) fn frame(&self, frame: FrameId) -> Option<&FrameInfo> {
        self.graph.frames.get(frame.0 as usize)
    }

    pub(crate) fn need(&self, position: usize) -> Option<Need> {
        self.graph.needs.get(position).copied()
    }

    /// Whether a frame is in a step of this number at the end.
    pub(crate) fn is_in_step(&self, step: u64) -> bool {
        (0..).zip(self.frames.iter()).any(|(depth, _)| self.steps.current(depth) == step)
    }

    /// The frame at this depth at the end of the stretch, if it is the one that was entered with this step.
    fn last_frame(&self, depth: u32, entered: u64) -> Option<&LiveFrame<'p>> {
        let frame = self.frames.get(depth as usize)?;
        self.frame(frame.id).filter(|info| info.entered == entered).map(|_| frame)
    }

    /// Who made what a slot holds at the end.
    pub(crate) fn last_slot(&self, depth: u32, entered: u64, slot: u16) -> Option<Origin> {
        let frame = self.last_frame(depth, entered)?;
        self.slots.get(frame.base + usize::from(slot)).copied()
    }

    /// The instruction of a frame that is under way at the end.
    pub(crate) fn last_pending(&self, depth: u32, entered: u64) -> Option<Origin> {
        self.last_frame(depth, entered).map(|frame| frame.pending)
    }

    /// What made a frame run that is there at the end.
    pub(crate) fn last_caller(&self, depth: u32, entered: u64) -> Option<Origin> {
        let frame = self.last_frame(depth, entered)?;
        self.frame(frame.id).map(|info| info.call)
    }

    /// A frame that is there at the end.
    pub(crate) fn last_frame_id(&self, frame: FrameKey) -> Option<FrameId> {
        self.last_frame(frame.depth, frame.entered).map(|frame| frame.id)
    }

    /// Whether a frame was there when the stretch started.
    pub(crate) fn is_older(&self, frame: FrameId) -> bool {
        (frame.0 as usize) < self.graph.older_frames
    }

    /// What has decided that a frame comes to an instruction after the end. `Err`: something before the stretch.
    pub(crate) fn last_decision(&self, depth: u32, entered: u64, pc: Pc) -> Option<Result<Origin, Need>> {
        let frame = self.last_frame(depth, entered)?;
        let entry = self.frame(frame.id)?.call;
        Some(match decision(frame, &self.decisions, pc) {
            Decided::By(origin) => Ok(origin),
            Decided::ByEntry => Ok(entry),
            Decided::Unknown if frame.is_older => Err(Need::Decision { frame: frame.id, pc }),
            Decided::Unknown => Ok(entry),
        })
    }

    /// Who has put something into an object. `Err`: where to ask before the stretch.
    pub(crate) fn last_held(&self, place: Place) -> Result<Origin, Vec<Place>> {
        self.heap.held(place)
    }

    /// Who may have put something into a map that was asked for by its key, when nobody has put it under that.
    pub(crate) fn by_identity(&self, reader: NodeId, by_key: Origin) -> Vec<Origin> {
        self.graph.by_identity.get(&(reader, by_key)).cloned().unwrap_or_default()
    }

    /// Where a value may have been put under its key before the stretch or in another way, both are among these.
    pub(crate) fn possible_inputs(&self, node: NodeId) -> impl Iterator<Item = Input> {
        let also = move |input: &Input| match input.origin.kind() {
            OriginKind::Before(_) if !self.graph.by_identity.is_empty() => self.by_identity(node, input.origin),
            _ => Vec::new(),
        };
        self.all_inputs(node).flat_map(move |input| {
            let others = also(&input).into_iter().map(move |origin| Input { origin, ..input });
            std::iter::once(input).chain(others)
        })
    }

    /// Who wrote a place last in the stretch.
    pub(crate) fn last_written(&self, place: Place) -> Option<Origin> {
        self.heap.get(place)
    }
}

impl<'p> Recorder<'p> {
    /// The frames that are there when the stretch starts.
    fn start(&mut self, replay: &ThreadReplay<'p>) {
        let mut call = None;
        let mut top = 0;
        for (depth, frame) in (0u32..).zip(replay.frames()) {
            let id = FrameId(depth);
            let is_topmost = depth as usize + 1 == replay.frames().len();
            let entered = match self.steps.first(depth) {
                0 => self.steps.steps() + 1,
                first => first,
            };
            let call_origin = match call {
                Some(below) => self.graph.need(Need::Pending(below)),
                None => self.graph.need(Need::Caller(id)),
            };
            let arguments = usize::from(frame.code.argument_slots);
            let base = if frame.entry == Entry::Direct { usize::saturating_sub(top, arguments) } else { top };
            let shape = self.flows.shape(frame.code);
            let first_decision = self.decisions.len();
            self.decisions.resize(first_decision + shape.flow.branches().len(), Origin::NONE);
            self.graph.frames.push(FrameInfo { method: frame.code.index, depth, entered, call: call_origin });
            let in_use = frame.code.types.before(frame.pc).len();
            self.slots.resize(self.slots.len().max(base + usize::from(frame.code.slots)), Origin::NONE);
            for slot in 0..in_use as u16 {
                let origin = self.graph.need(Need::Slot { frame: id, slot });
                self.slots[base + usize::from(slot)] = origin;
            }
            let is_under_way = !is_topmost || replay.is_resuming();
            let pending = if is_under_way { self.graph.need(Need::Pending(id)) } else { Origin::NONE };
            let control = self.graph.need(Need::Decision { frame: id, pc: frame.pc });
            let pc = is_under_way.then_some(frame.pc);
            let live = self.frames.push(Started { id, shape, method: frame.code.index, base, first_decision });
            live.resume(pc, pending, control, frame.entry);
            let is_direct_call =
                replay.frames().get(depth as usize + 1).is_some_and(|above| above.entry == Entry::Direct);
            if is_under_way && !is_direct_call {
                let at = At { code: frame.code, pc: frame.pc, number: replay.number(), depth };
                self.take_up(at, replay.slots(frame), pending);
            }
            call = Some(id);
            top = base + in_use;
        }
        self.graph.older_frames = self.graph.frames.len();
    }
}

impl Recorder<'_> {
    /// An instruction that was interrupted before the stretch: it goes on in it, and gets the rest of its inputs here.
    fn take_up(&mut self, at: At<'_>, slots: &[u64], before: Origin) {
        self.begin(at);
        let Some(call) = at.code.call_at(at.pc) else { return };
        let first = slots.len().saturating_sub(usize::from(call.argument_slots));
        self.take_arguments(call, slots.get(first..).unwrap_or_default());
        // What call-backs before the stretch gave it.
        if let Some(frame) = self.frames.last_mut() {
            frame.passed.push(before);
        }
    }

    /// What call-backs have given so far to calls that are still under way.
    fn keep_passed(&mut self) {
        for depth in 0..self.frames.len() {
            let (pending, passed) = match self.frames.get_mut(depth) {
                Some(frame) => (frame.pending, std::mem::take(&mut frame.passed)),
                None => continue,
            };
            if let OriginKind::Node(node) = pending.kind() {
                passed.into_iter().for_each(|origin| self.add_input(node, origin, Role::Value));
            }
        }
    }
}
