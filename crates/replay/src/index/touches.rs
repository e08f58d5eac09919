//! Calls of unrecorded code that may have written to arrays: to those that they were given, and to those that objects show
//! that they were given. While a call-back runs, such a call is not over: it may write again when it goes on.
//!
//! Whoever asks for one array of a segment asks for others soon, so that all of a segment are kept.

use super::presence::Presence;
use super::query::WriteKey;
use super::views::Views;
use super::{Hit, ThreadIndex};
use crate::error::ReplayError;
use crate::interpreter::{At, Entry, Observer, ThreadReplay};
use crate::objects::ObjectTable;
use crate::program::{Call, MethodIndex, Pc, Program};
use crate::steps::StepCounter;
use crate::unrecorded::{Owners, is_mover, shows_writable_array};
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;
use whydunit_trace::{LogKind, ObjectId};

/// By array, those of one in the order of the run.
#[derive(Debug)]
pub(super) struct Touches {
    all: Box<[Touch]>,
}

#[derive(Clone, Debug)]
struct Touch {
    part: Part,
    call: CallPlace,
    latest: u64,
    /// The instruction after which the unrecorded code ran: the call, or the end of a call-back.
    number: u64,
}

#[derive(Clone, Debug)]
struct Part {
    array: ObjectId,
    elements: Range<i32>,
}

#[derive(Clone, Copy, Debug)]
struct CallPlace {
    method: MethodIndex,
    pc: Pc,
    depth: u32,
    step: u64,
}

impl Touches {
    fn of(&self, array: ObjectId) -> &[Touch] {
        let first = self.all.partition_point(|touch| touch.part.array < array);
        let behind = self.all.partition_point(|touch| touch.part.array <= array);
        &self.all[first..behind]
    }
}

impl ThreadIndex {
    /// The last time in some steps that unrecorded code may have written an element of an array, or any of them, of those
    /// that are accepted. The hit is the call; its number is that of the instruction after which the code ran.
    pub fn last_touch(
        &self,
        program: &Program,
        objects: &ObjectTable,
        (array, element): (ObjectId, Option<i32>),
        steps: RangeInclusive<u64>,
        accept: &dyn Fn(&Hit) -> bool,
    ) -> Result<Option<Hit>, ReplayError> {
        let mut segments = self.segments_of(&steps);
        while let Some(segment) = self.last_write_in(&segments, &WriteKey::touched(array))? {
            let touches = self.touches.get(segment, || self.touches_in(program, objects, segment))?;
            let is_asked = |touch: &&Touch| {
                let is_element = element.is_none_or(|element| touch.part.elements.contains(&element));
                is_element && steps.contains(&touch.latest)
            };
            let asked = touches.of(array).iter().rev().filter(is_asked);
            if let Some(hit) = asked.map(|touch| self.hit_of(program, touch)).find(accept) {
                return Ok(Some(hit));
            }
            segments.end = segment;
        }
        Ok(None)
    }

    /// All times that unrecorded code may have written elements of an array, with which ones, in the order of the run.
    pub fn touches_of(
        &self,
        program: &Program,
        objects: &ObjectTable,
        array: ObjectId,
    ) -> Result<Vec<(Range<i32>, Hit)>, ReplayError> {
        let mut found = Vec::new();
        let mut segments = 0..self.checkpoints();
        while let Some(segment) = self.last_write_in(&segments, &WriteKey::touched(array))? {
            let touches = self.touches.get(segment, || self.touches_in(program, objects, segment))?;
            let of_array = touches.of(array).iter().rev();
            found.extend(of_array.map(|touch| (touch.part.elements.clone(), self.hit_of(program, touch))));
            segments.end = segment;
        }
        found.reverse();
        Ok(found)
    }

    fn hit_of(&self, program: &Program, touch: &Touch) -> Hit {
        let &CallPlace { method, pc, depth, step } = &touch.call;
        let line = program.code(method).ok().and_then(|code| code.line(pc));
        let (thread, latest, number) = (self.thread, touch.latest, touch.number);
        Hit { thread, step, latest, number, method, pc, line, depth, value: None, object: None, element: None }
    }

    fn touches_in(&self, program: &Program, objects: &ObjectTable, segment: usize) -> Result<Touches, ReplayError> {
        let checkpoint = self.checkpoint(segment)?;
        let mut replay = ThreadReplay::from_snapshot(program, objects, self.thread, &checkpoint.replay)?;
        let owners = self.owners(program);
        let mut views = Views::new(program, objects, Arc::clone(&owners));
        views.add_older(self.older_views(segment)?);
        let mut watcher = Watcher {
            program,
            objects,
            owners,
            views,
            steps: checkpoint.steps,
            under_way: Vec::new(),
            all: Vec::new(),
        };
        watcher.take_up(&replay);
        match replay.run(&mut watcher, self.end_of(segment)) {
            // The index ends where the replay does, for whatever reason.
            Ok(_) | Err(ReplayError::Divergence(_)) => {}
            Err(error) => return Err(error),
        }
        watcher.all.sort_by_key(|touch| touch.part.array);
        Ok(Touches { all: watcher.all.into() })
    }

    fn owners(&self, program: &Program) -> Arc<Owners> {
        Arc::clone(self.owners.get_or_init(|| Arc::new(Owners::new(program))))
    }
}

/// A call of unrecorded code that is not over.
struct UnderWay {
    place: CallPlace,
    /// What it may write to.
    parts: Vec<Part>,
    /// It may write to what call-backs give it.
    takes_results: bool,
}

struct Watcher<'p> {
    program: &'p Program,
    objects: &'p ObjectTable,
    owners: Arc<Owners>,
    views: Views<'p>,
    steps: StepCounter,
    /// The lowest frame first.
    under_way: Vec<UnderWay>,
    all: Vec<Touch>,
}

impl Watcher<'_> {
    /// The calls that are under way at the start.
    fn take_up(&mut self, replay: &ThreadReplay<'_>) {
        let frames = replay.frames();
        for (depth, frame) in (0..).zip(frames) {
            let is_under_way = match frames.get(depth as usize + 1) {
                Some(above) => above.entry == Entry::CallBack,
                None => replay.is_resuming(),
            };
            if let Some(call) = frame.code.call_at(frame.pc).filter(|_| is_under_way) {
                let slots = replay.slots(frame);
                let first = slots.len().saturating_sub(usize::from(call.argument_slots));
                let arguments = slots.get(first..).unwrap_or_default();
                self.start((frame.code.index, frame.pc), depth, call, arguments);
            }
        }
    }

    /// Calls of the frame at this depth are over, and those of the ones above.
    fn forget_from(&mut self, depth: u32) {
        self.under_way.truncate(self.under_way.partition_point(|call| call.place.depth < depth));
    }

    fn start(&mut self, (method, pc): (MethodIndex, Pc), depth: u32, call: &Call, arguments: &[u64]) {
        self.forget_from(depth);
        let place = CallPlace { method, pc, depth, step: self.steps.current(depth) };
        let parts = self.parts(call, arguments);
        let takes_results = self.owners.method(call).writes_to_results();
        self.under_way.push(UnderWay { place, parts, takes_results });
    }

    /// What a call may write to.
    fn parts(&mut self, call: &Call, arguments: &[u64]) -> Vec<Part> {
        let owners = Arc::clone(&self.owners);
        let method = owners.method(call);
        let mut parts = Vec::new();
        let mut slot = 0;
        for (position, &kind) in call.arguments.iter().enumerate() {
            let bits = arguments.get(slot).copied().unwrap_or_default();
            slot += usize::from(kind.slots());
            if kind != LogKind::Reference || bits == 0 || !method.changes(position) {
                continue;
            }
            let object = ObjectId(bits as u32);
            if method.writes_to_array(position) && self.is_array(object) {
                parts.push(Part { array: object, elements: method.elements_written(call, position, arguments) });
            }
            if !is_mover(&method) {
                let shown = self.views.shown_by(object);
                let written = shown.into_iter().filter(|&(view, shown)| self.writes_through(view, shown));
                parts.extend(written.map(|(_, array)| Part { array, elements: 0..i32::MAX }));
            }
        }
        parts
    }

    fn is_array(&self, object: ObjectId) -> bool {
        self.class_name(object).is_none_or(|name| name.starts_with('['))
    }

    fn writes_through(&self, view: ObjectId, shown: ObjectId) -> bool {
        self.is_array(shown) && self.class_name(view).is_none_or(shows_writable_array)
    }

    fn class_name(&self, object: ObjectId) -> Option<&str> {
        let class = self.objects.class(object).ok().flatten()?;
        self.program.classes().get(class).map(|class| &*class.name)
    }

    fn touch(&mut self, number: u64) {
        let latest = self.steps.steps();
        let Some(UnderWay { place, parts, .. }) = self.under_way.last() else { return };
        let call = *place;
        self.all.extend(parts.iter().map(|part| Touch { part: part.clone(), call, latest, number }));
    }

    /// A frame ends. If it is that of a call-back, the unrecorded code goes on with what it is given.
    fn leave(&mut self, at: At<'_>, result: Option<ObjectId>) {
        self.forget_from(at.depth);
        let is_caller = |call: &&mut UnderWay| call.place.depth + 1 == at.depth;
        let is_array = result.is_some_and(|result| self.is_array(result));
        let Some(call) = self.under_way.last_mut().filter(is_caller) else { return };
        if let Some(array) = result.filter(|_| is_array && call.takes_results) {
            call.parts.push(Part { array, elements: 0..i32::MAX });
        }
        self.touch(at.number);
    }
}

impl Observer for Watcher<'_> {
    fn instruction(&mut self, at: At<'_>) {
        self.steps.instruction(at);
    }

    fn entered(&mut self, at: At<'_>, _arguments: &[u64], entry: Entry) {
        self.steps.entered(at.depth);
        if entry == Entry::Direct {
            self.forget_from(at.depth.saturating_sub(1));
        }
    }

    fn caught(&mut self, at: At<'_>, _exception: u64) {
        self.forget_from(at.depth);
    }

    fn calling(&mut self, at: At<'_>, call: &Call, arguments: &[u64]) {
        self.start((at.code.index, at.pc), at.depth, call, arguments);
        self.touch(at.number);
        self.views.start(at, call, arguments, 0);
    }

    fn called(&mut self, at: At<'_>, call: &Call, bits: u64) {
        self.forget_from(at.depth);
        if call.result == LogKind::Reference && bits != 0 {
            self.views.finish(at, ObjectId(bits as u32), 0);
        }
    }

    fn returned(&mut self, at: At<'_>, kind: LogKind, bits: u64) {
        self.leave(at, Some(ObjectId(bits as u32)).filter(|_| kind == LogKind::Reference && bits != 0));
    }

    fn unwound(&mut self, at: At<'_>, _exception: u64) {
        self.leave(at, None);
    }

    fn identified(&mut self, temporary: u64, object: u64) {
        self.views.identify(temporary, ObjectId(object as u32));
    }
}
