//! What happened between two checkpoints, in short: enough to tell where a replay has nothing to find.

use super::bloom::Bloom;
use super::departures::Departures;
use super::query::{
    Query, caught_key, element_key, field_key, local_key, made_key, met_key, object_key, objects_given, occurs_key,
    ran_key, touched_key,
};
use super::runs::Runs;
use super::side_by_side::Keys;
use super::views::{Pair, Views};
use crate::interpreter::{At, ElementAccess, Entry, FieldAccess, Observer, TEMPORARY, ThreadReplay, When};
use crate::objects::ObjectTable;
use crate::program::{Call, MethodCode, MethodIndex, Op, Pc, Program};
use crate::steps::StepCounter;
use crate::unrecorded::{Owners, is_view};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use whydunit_trace::{LogKind, ObjectId};

/// All lists are sorted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Methods that were entered.
    methods: Vec<u32>,
    /// Methods and lines at which a step started.
    lines: Vec<(u32, u16)>,
    /// Methods and slots of locals that were written.
    locals: Vec<(u32, u16)>,
    /// Keys of fields that were written.
    fields: Vec<u64>,
    /// Something was thrown or caught.
    has_exceptions: bool,
    /// Elements of arrays were written.
    has_elements: bool,
    /// Methods and lines of which anything ran, 0 for methods without lines.
    ran: Vec<(u32, u16)>,
    /// Methods and lines of calls of unrecorded code that were under way at the start.
    under_way: Vec<(u32, u16)>,
    /// Keys of all objects that came up.
    #[serde(skip)]
    pub(super) objects: Bloom,
    /// Exceptions that were caught or left a method, 0 for those that the log does not tell.
    exceptions: Vec<u32>,
}

/// What was done to objects whose id came only later, so that it is not in the filters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Unidentified {
    /// Keys of their fields that were written, sorted.
    pub(super) fields: Vec<u64>,
    /// Unrecorded code has met some.
    pub(super) has_met: bool,
    /// There were some at the end.
    pub(super) is_any: bool,
    /// Those of earlier segments that have got their id in this one.
    pub(super) identified: Vec<Identified>,
}

/// An object that had no id yet at the end of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Identified {
    /// The temporary reference to it.
    pub(super) temporary: u64,
    pub(super) object: ObjectId,
    /// The first segment at whose end it was there.
    pub(super) since: u32,
}

/// A moment at which threads are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Meeting {
    pub(super) sequence: u64,
    pub(super) steps: u64,
    /// Never before an earlier meeting.
    pub(super) when: When,
}

impl Summary {
    /// `false`: nothing of it happened.
    pub fn may_contain(&self, query: &Query) -> bool {
        match query {
            Query::Entry(method) => self.methods.binary_search(&method.0).is_ok(),
            Query::Line { methods, line } => {
                methods.iter().any(|method| self.lines.binary_search(&(method.0, *line)).is_ok())
            }
            Query::Local { method, slot } => self.locals.binary_search(&(method.0, *slot)).is_ok(),
            Query::Field(field) => self.fields.binary_search(&field_key(field)).is_ok(),
            // The filters of the index know more.
            Query::ObjectField { .. } | Query::Element { .. } => true,
            Query::Elements(_) => self.has_elements,
            Query::Thrown | Query::Caught => self.has_exceptions,
        }
    }

    /// `false`: the object did not come up, unless its id came only later.
    pub fn may_have_object(&self, object: ObjectId) -> bool {
        self.objects.may_contain(occurs_key(object))
    }

    /// Whether anything of a method ran.
    pub fn has_run(&self, method: MethodIndex) -> bool {
        let first = self.ran.partition_point(|ran| *ran < (method.0, 0));
        self.ran.get(first).is_some_and(|ran| ran.0 == method.0)
    }

    /// Whether anything of a method's line ran; 0 stands for what has no line.
    pub fn has_run_line(&self, method: MethodIndex, line: u16) -> bool {
        self.ran.binary_search(&(method.0, line)).is_ok()
    }

    /// Methods and lines of which anything ran or was under way; 0 stands for what has no line.
    pub fn lines_run(&self) -> impl Iterator<Item = (MethodIndex, u16)> {
        self.ran.iter().chain(&self.under_way).map(|&(method, line)| (MethodIndex(method), line))
    }

    /// The exceptions that were caught or left a method; `None` for those that the log does not tell.
    pub fn exceptions(&self) -> impl Iterator<Item = Option<ObjectId>> {
        self.exceptions.iter().map(|&exception| (exception != 0).then_some(ObjectId(exception)))
    }
}

/// Objects that came up last, so that few are put into the filter again. A power of two.
const RECENT: usize = 1 << 10;

/// A power of two, too.
const MADE: usize = 1 << 12;

/// Counts steps and makes summaries.
#[derive(Debug)]
pub(super) struct Summariser<'p> {
    program: &'p Program,
    pub(super) steps: StepCounter,
    /// Numbers the segments, from 1, so that nothing has to be emptied between two.
    segment: u32,
    /// By method: the last segment that has it.
    methods_seen: Vec<u32>,
    /// By method, of those that ran.
    runs: Vec<Option<Runs>>,
    /// By field: its key and the last segment in which it was written.
    fields_seen: Vec<(u64, u32)>,
    methods: Vec<u32>,
    lines: Vec<(u32, u16)>,
    locals: Vec<(u32, u16)>,
    fields: Vec<u64>,
    /// Keys of the fields of objects, and of array elements, that were written, of objects that unrecorded code has
    /// met, of arrays that unrecorded code may have written to or that objects were put into, of objects that were made or got their id, of locals that were
    /// written, of lines that ran and of methods that caught something. Of an object that was made in the segment, most
    /// of what was done to it is not there: whoever looks for that looks for the making, too.
    places: Keys,
    /// Objects that were made last, so that little of what is done to them is put into the filter.
    made: Box<[u32; MADE]>,
    /// Temporary references and keys of their fields that were written.
    unidentified: Vec<(u64, u64)>,
    /// Temporary references that unrecorded code has met.
    met_unidentified: Vec<ObjectId>,
    /// Temporary references to objects that had no id at the end of the last segment, and since which one.
    waiting_since: FxHashMap<u64, u32>,
    identified: Vec<Identified>,
    has_exceptions: bool,
    has_elements: bool,
    ran: Vec<(u32, u16)>,
    under_way: Vec<(u32, u16)>,
    objects: Bloom,
    /// The highest object so far that a key was put in for, below `unordered`.
    newest: ObjectId,
    pub(super) unordered: ObjectId,
    recent: Box<[u32; RECENT]>,
    exceptions: Vec<u32>,
    /// Objects at hand when the segment started, and the depth of their frame.
    at_hand: Vec<(u32, u32)>,
    top_at_start: u32,
    /// Depths of the frames that unrecorded code called.
    call_backs: Vec<u32>,
    pub(super) departures: Departures,
    meetings: Vec<Meeting>,
    pub(super) last_sequence: u64,
    lowest: u32,
    views: Views<'p>,
    owners: Arc<Owners>,
    /// By call site: whether arrays may be written to.
    touching: Vec<Option<bool>>,
}

/// A summary and what is kept apart from it.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) summary: Summary,
    pub(super) places: Keys,
    /// What comes of objects whose id came only later.
    pub(super) unidentified: Unidentified,
    pub(super) meetings: Vec<Meeting>,
    /// The lowest depth of a frame that was entered or left; `u32::MAX` when none was.
    pub(super) lowest: u32,
    /// Views that were made before, and what they show.
    pub(super) older_views: Vec<Pair>,
    pub(super) newest: ObjectId,
}

impl<'p> Summariser<'p> {
    pub(super) fn new(program: &'p Program, objects: &'p ObjectTable) -> Summariser<'p> {
        let methods = program.methods().count();
        let owners = Arc::new(Owners::new(program));
        Summariser {
            program,
            steps: StepCounter::default(),
            segment: 1,
            methods_seen: vec![0; methods],
            runs: std::iter::repeat_with(|| None).take(methods).collect(),
            fields_seen: Vec::new(),
            methods: Vec::new(),
            lines: Vec::new(),
            locals: Vec::new(),
            fields: Vec::new(),
            places: Keys::default(),
            made: Box::new([0; MADE]),
            unidentified: Vec::new(),
            met_unidentified: Vec::new(),
            waiting_since: FxHashMap::default(),
            identified: Vec::new(),
            has_exceptions: false,
            has_elements: false,
            ran: Vec::new(),
            under_way: Vec::new(),
            objects: Bloom::new(),
            newest: ObjectId::NULL,
            unordered: objects.end_of_order(),
            recent: Box::new([0; RECENT]),
            exceptions: Vec::new(),
            at_hand: Vec::new(),
            top_at_start: 0,
            call_backs: Vec::new(),
            departures: Departures::default(),
            meetings: Vec::new(),
            last_sequence: 0,
            lowest: u32::MAX,
            views: Views::new(program, objects, Arc::clone(&owners)),
            owners,
            touching: Vec::new(),
        }
    }

    /// What came since this was last called. `replay` is where the segment ends.
    pub(super) fn take(&mut self, replay: &ThreadReplay<'_>) -> Segment {
        fn sorted<T: Ord>(list: &mut Vec<T>) -> Vec<T> {
            let mut list = std::mem::take(list);
            list.sort_unstable();
            list.dedup();
            list
        }
        // Frames that ran can do with their locals whatever they like.
        let lowest_run = self.top_at_start.min(self.lowest.saturating_sub(1));
        for (depth, object) in std::mem::take(&mut self.at_hand) {
            if depth >= lowest_run {
                self.occurs(u64::from(object));
            }
        }
        self.recent.fill(0);
        self.made.fill(0);
        let ended = self.segment - 1;
        self.segment += 1;
        let waiting = replay.unidentified();
        let is_waiting = |reference: u64| waiting.contains(&reference);
        let fields = self.unidentified.drain(..).filter(|&(reference, _)| is_waiting(reference));
        let mut fields_of_unidentified: Vec<u64> = fields.map(|(_, field)| field).collect();
        let has_met = self.met_unidentified.drain(..).any(|object| is_waiting(u64::from(object.0)));
        let unidentified = Unidentified {
            fields: sorted(&mut fields_of_unidentified),
            has_met,
            is_any: !waiting.is_empty(),
            identified: std::mem::take(&mut self.identified),
        };
        self.waiting_since.retain(|reference, _| is_waiting(*reference));
        for &reference in &waiting {
            self.waiting_since.entry(reference).or_insert(ended);
        }
        let summary = Summary {
            methods: sorted(&mut self.methods),
            lines: sorted(&mut self.lines),
            locals: sorted(&mut self.locals),
            fields: sorted(&mut self.fields),
            has_exceptions: std::mem::take(&mut self.has_exceptions),
            has_elements: std::mem::take(&mut self.has_elements),
            ran: sorted(&mut self.ran),
            under_way: sorted(&mut self.under_way),
            objects: self.objects.take_folded(),
            exceptions: sorted(&mut self.exceptions),
        };
        let lowest = std::mem::replace(&mut self.lowest, u32::MAX);
        Segment {
            summary,
            places: std::mem::take(&mut self.places),
            unidentified,
            meetings: std::mem::take(&mut self.meetings),
            lowest,
            older_views: self.views.take(),
            newest: self.newest,
        }
    }

    /// A segment starts.
    pub(super) fn start(&mut self, replay: &ThreadReplay<'_>) {
        self.note_calls_under_way(replay);
        self.at_hand.extend(references(replay));
        self.top_at_start = replay.frames().len().saturating_sub(1) as u32;
    }

    /// An object comes up: it is read, made or given. What is done with it afterwards adds nothing.
    #[inline(always)]
    fn occurs(&mut self, bits: u64) {
        let object = bits as u32;
        let recent = &mut self.recent[object as usize & (RECENT - 1)];
        if *recent != object {
            *recent = object;
            if bits & TEMPORARY == 0 {
                self.objects.insert(occurs_key(ObjectId(object)));
                self.note_newest(ObjectId(object));
            }
        }
    }

    #[inline]
    fn note_newest(&mut self, object: ObjectId) {
        if object > self.newest && object < self.unordered {
            self.newest = object;
        }
    }

    #[inline(always)]
    fn occurs_as(&mut self, kind: LogKind, bits: u64) {
        if kind == LogKind::Reference {
            self.occurs(bits);
        }
    }

    fn exception(&mut self, at: At<'_>, exception: u64) {
        self.occurs(exception);
        let place = (at.code.index.0, at.code.lines.get(at.pc as usize).copied().unwrap_or_default());
        if self.ran.last() != Some(&place) {
            self.ran.push(place);
            self.places.insert(ran_key(at.code.index, place.1));
        }
        let exception = if exception & TEMPORARY == 0 { exception as u32 } else { 0 };
        if self.exceptions.last() != Some(&exception) {
            self.exceptions.push(exception);
        }
    }

    /// Calls of unrecorded code that go on in the next segment belong to it, too.
    fn note_calls_under_way(&mut self, replay: &ThreadReplay<'_>) {
        let frames = replay.frames();
        for (depth, frame) in frames.iter().enumerate() {
            let is_under_way = match frames.get(depth + 1) {
                Some(above) => above.entry == Entry::CallBack,
                None => replay.is_resuming(),
            };
            if let Some(call) = frame.code.call_at(frame.pc).filter(|_| is_under_way) {
                let line = frame.code.lines.get(frame.pc as usize).copied().unwrap_or_default();
                self.under_way.push((frame.code.index.0, line));
                let slots = replay.slots(frame);
                let first = slots.len().saturating_sub(usize::from(call.argument_slots));
                self.note_given(call, slots.get(first..).unwrap_or_default());
            }
        }
    }

    /// Unrecorded code is given objects, and with them what they show.
    fn note_given(&mut self, call: &Call, arguments: &[u64]) {
        let may_touch = self.may_touch(call);
        for object in objects_given(call, arguments) {
            self.met(object);
            if may_touch {
                self.touched(object);
            }
            for shown in self.views.meet(object, self.segment) {
                self.met(shown);
                self.touched(shown);
            }
        }
    }

    /// Whether a call may write to an array that it is given, or make a view of it.
    fn may_touch(&mut self, call: &Call) -> bool {
        let site = call.site as usize;
        if site >= self.touching.len() {
            self.touching.resize(site + 1, None);
        }
        *self.touching[site].get_or_insert_with(|| {
            let method = self.owners.method(call);
            let writes = (0..call.arguments.len()).any(|position| method.writes_to_array(position));
            writes || is_view(&method) && !method.has_receiver
        })
    }

    /// Something that has to do with an object.
    #[inline]
    fn place_of(&mut self, object: ObjectId, key: u64) {
        self.places.insert(key);
        self.note_newest(object);
    }

    /// Unrecorded code may write to it if it is an array.
    fn touched(&mut self, object: ObjectId) {
        if u64::from(object.0) & TEMPORARY == 0 && !self.is_new(object) {
            self.place_of(object, touched_key(object));
        }
    }

    fn met(&mut self, object: ObjectId) {
        if u64::from(object.0) & TEMPORARY != 0 {
            self.met_unidentified.push(object);
        } else if !self.is_new(object) {
            self.place_of(object, met_key(object));
        }
    }

    /// An object is made, or gets its id.
    fn make(&mut self, object: ObjectId) {
        self.place_of(object, made_key(object));
        self.made[object.0 as usize & (MADE - 1)] = object.0;
    }

    /// Whether an object is known to have been made in this segment.
    #[inline]
    fn is_new(&self, object: ObjectId) -> bool {
        self.made[object.0 as usize & (MADE - 1)] == object.0
    }

    /// The key of a field that is written.
    #[inline]
    fn field(&mut self, number: u32) -> u64 {
        match self.fields_seen.get(number as usize) {
            Some(&(key, segment)) if segment == self.segment => key,
            _ => self.note_field(number),
        }
    }

    #[cold]
    fn note_field(&mut self, number: u32) -> u64 {
        let key = self.program.field(number).map_or(0, |field| field_key(&field));
        let index = number as usize;
        if index >= self.fields_seen.len() {
            self.fields_seen.resize(index + 1, (0, 0));
        }
        self.fields_seen[index] = (key, self.segment);
        self.fields.push(key);
        self.places.insert(key);
        key
    }
}

/// The references in all frames, with the depth of the frame.
fn references(replay: &ThreadReplay<'_>) -> impl Iterator<Item = (u32, u32)> {
    replay.frames().iter().zip(0..).flat_map(|(frame, depth)| {
        let is_reference = move |slot: usize| frame.code.types.is_reference(frame.pc, slot);
        let slots = replay.slots(frame).iter().enumerate().filter(move |(slot, _)| is_reference(*slot));
        slots.filter(|(_, bits)| **bits != 0).map(move |(_, bits)| (depth, *bits as u32))
    })
}

/// By what the method says that it returns.
fn may_return_array(code: &MethodCode) -> bool {
    let result = code.descriptor.rsplit(')').next().unwrap_or_default();
    result.starts_with('[') || result == "Ljava/lang/Object;"
}

/// The locals that instructions write.
pub(super) fn locals_written(code: &MethodCode, from: Pc, to: Pc) -> impl Iterator<Item = u16> {
    let ops = code.ops.get(from as usize..=to as usize).unwrap_or_default();
    ops.iter().filter_map(|op| match *op {
        Op::Store { local, .. } | Op::StoreWide { local, .. } | Op::Increment { local, .. } => Some(local),
        _ => None,
    })
}

impl Observer for Summariser<'_> {
    const EVERY_INSTRUCTION: bool = false;

    #[inline]
    fn ran(&mut self, code: &MethodCode, depth: u32, from: Pc, to: Pc) {
        let Some(runs) = self.runs.get_mut(code.index.0 as usize) else {
            return;
        };
        let runs = runs.get_or_insert_with(|| Runs::new(code));
        if let Some(run) = runs.lines(from, to)
            && self.steps.ran(&run, depth)
            && runs.is_first_start(run.first.pc, self.segment)
        {
            self.lines.push((code.index.0, run.first.line));
        }
        if runs.is_new(from, to, self.segment) {
            self.lines.extend(runs.line_changes(from, to).map(|line| (code.index.0, line)));
            for local in locals_written(code, from, to) {
                self.locals.push((code.index.0, local));
                self.places.insert(local_key(code.index, local));
            }
            let mut last = None;
            for &line in code.lines.get(from as usize..=to as usize).unwrap_or_default() {
                if last.replace(line) != Some(line) {
                    self.ran.push((code.index.0, line));
                    self.places.insert(ran_key(code.index, line));
                }
            }
        }
    }

    #[inline]
    fn entered(&mut self, at: At<'_>, arguments: &[u64], entry: Entry) {
        self.steps.entered(at.depth);
        self.lowest = self.lowest.min(at.depth);
        if let Some(last) = self.methods_seen.get_mut(at.code.index.0 as usize)
            && *last != self.segment
        {
            *last = self.segment;
            self.methods.push(at.code.index.0);
            let line = at.code.lines.first().copied().unwrap_or_default();
            self.ran.push((at.code.index.0, line));
            self.places.insert(ran_key(at.code.index, line));
        }
        if entry == Entry::CallBack {
            self.call_backs.push(at.depth);
            let own = arguments.get(..usize::from(at.code.argument_slots)).unwrap_or_default();
            for (slot, &bits) in own.iter().enumerate() {
                if at.code.types.is_reference(0, slot) {
                    self.occurs(bits);
                }
            }
        }
    }

    #[inline]
    fn returned(&mut self, at: At<'_>, kind: LogKind, bits: u64) {
        self.lowest = self.lowest.min(at.depth);
        if self.call_backs.last() == Some(&at.depth) {
            self.call_backs.pop();
            if kind == LogKind::Reference && bits != 0 {
                self.met(ObjectId(bits as u32));
                if may_return_array(at.code) {
                    self.touched(ObjectId(bits as u32));
                }
            }
        }
    }

    fn thrown(&mut self, _at: At<'_>) {
        self.has_exceptions = true;
    }

    fn unwound(&mut self, at: At<'_>, exception: u64) {
        self.lowest = self.lowest.min(at.depth);
        if self.call_backs.last() == Some(&at.depth) {
            self.call_backs.pop();
        }
        if at.depth == 0 {
            let left = self.steps.steps();
            let entered = Some(self.steps.first(0)).filter(|&first| first > 0).unwrap_or(left);
            self.departures.add(entered, left, exception, at.code.index);
        }
        self.exception(at, exception);
    }

    fn caught(&mut self, at: At<'_>, exception: u64) {
        self.has_exceptions = true;
        self.places.insert(caught_key(at.code.index));
        self.exception(at, exception);
    }

    #[inline]
    fn field_read(&mut self, _at: At<'_>, access: FieldAccess) {
        self.occurs_as(access.kind, access.bits);
    }

    #[inline]
    fn element_read(&mut self, _at: At<'_>, access: ElementAccess) {
        self.occurs_as(access.kind, access.bits);
    }

    fn constant(&mut self, _at: At<'_>, kind: LogKind, bits: u64) {
        self.occurs_as(kind, bits);
    }

    fn allocated(&mut self, _at: At<'_>, _class: &str, object: u64) {
        self.occurs(object);
        if object & TEMPORARY == 0 {
            self.make(ObjectId(object as u32));
        }
    }

    #[inline]
    fn field_written(&mut self, _at: At<'_>, access: FieldAccess) {
        let field = self.field(access.field);
        let object = ObjectId(access.object as u32);
        if access.object & TEMPORARY != 0 {
            self.unidentified.push((access.object, field));
        } else if !self.is_new(object) {
            self.place_of(object, object_key(object, field));
        }
    }

    #[inline]
    fn element_written(&mut self, _at: At<'_>, access: ElementAccess) {
        let array = ObjectId(access.array as u32);
        if !self.is_new(array) {
            self.place_of(array, element_key(array, access.index));
            if access.kind == LogKind::Reference {
                self.place_of(array, met_key(array));
            }
        }
        self.has_elements = true;
    }

    fn calling(&mut self, at: At<'_>, call: &Call, arguments: &[u64]) {
        self.note_given(call, arguments);
        self.views.start(at, call, arguments, self.segment);
    }

    fn called(&mut self, at: At<'_>, call: &Call, bits: u64) {
        if call.result == LogKind::Reference && bits != 0 {
            let object = ObjectId(bits as u32);
            self.views.finish(at, object, self.segment);
            if !self.is_new(object) {
                self.place_of(object, met_key(object));
            }
            self.occurs(bits);
        }
    }

    fn identified(&mut self, temporary: u64, object: u64) {
        self.occurs(object);
        self.make(ObjectId(object as u32));
        self.departures.identify(temporary, object);
        self.views.identify(temporary, ObjectId(object as u32));
        if let Some(since) = self.waiting_since.remove(&temporary) {
            self.identified.push(Identified { temporary, object: ObjectId(object as u32), since });
        }
        self.met_unidentified.retain(|met| u64::from(met.0) != temporary);
        self.unidentified.retain(|(reference, _)| *reference != temporary);
    }

    fn synchronised(&mut self, sequence: u64, when: When) {
        self.last_sequence = sequence;
        let when = self.meetings.last().map_or(when, |last| last.when.max(when));
        self.meetings.push(Meeting { sequence, steps: self.steps.steps(), when });
    }
}
