//! What is in the objects that a step reads, as far as it led to the failure: a reference can be right and what it leads to
//! wrong.

use crate::causes::{Causes, Ingredient};
use crate::session::SessionError;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use whydunit_feedback::{EffectId, Graph, GraphBuilder, Stale, StepId, Way};
use whydunit_replay::Value;
use whydunit_replay::program::{MethodCode, Op};
use whydunit_slices::{Description, Executed, Place, Role};
use whydunit_trace::ObjectId;

/// Parts of one object that are told, those that were written last.
const MOST_OF_ONE: usize = 4;

/// Of all objects of a step.
const MOST: usize = 10;

/// How many references are followed from what the step reads.
const DEEPEST: u32 = 2;

/// Every write of the graph to a part of an object.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    by_object: FxHashMap<ObjectId, Vec<Written>>,
    /// Fields that the graph has read and that nobody has written by then.
    unwritten: FxHashMap<ObjectId, Vec<Unwritten>>,
    /// By effect: what could have given its value another one, wherever it is used.
    could_have_changed: FxHashMap<EffectId, Vec<EffectId>>,
}

/// A part of an object that a step reads, as if it were read, too.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) holder: ObjectId,
    pub(super) place: Place,
    pub(super) read: Ingredient,
    /// Who has written it, or should perhaps have.
    pub(super) stale: Stale,
}

#[derive(Clone, Copy, Debug)]
struct Written {
    step: StepId,
    place: Place,
    executed: Executed,
    effect: EffectId,
}

#[derive(Clone, Copy, Debug)]
struct Unwritten {
    place: Place,
    reader: (Executed, EffectId),
    maker: (Executed, EffectId),
}

/// The start of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    pub(super) moment: u64,
    /// The first of the graph that the step has executed.
    pub(super) first: Option<Executed>,
}

impl Before {
    /// A step that has called this one may have written before or after the call.
    fn is_after(self, graph: &Graph, written: &Written) -> bool {
        let is_before_call = || {
            let is_of_thread = |first: &Executed| first.thread() == written.executed.thread();
            self.first.filter(is_of_thread).is_some_and(|first| written.executed < first)
        };
        let step = graph.step(written.step);
        step.until < self.moment || step.moment < self.moment && is_before_call()
    }
}

impl Parts {
    pub(super) fn add(
        &mut self,
        code: &MethodCode,
        description: &Description,
        step: StepId,
        executed: Executed,
        effect: EffectId,
    ) {
        if let Some(place) = description.place
            && let Some(object) = changed(code, description, place)
        {
            self.by_object.entry(object).or_default().push(Written { step, place, executed, effect });
        }
    }

    /// What the parts of an object were before a step, the last ones first.
    fn of(&self, graph: &Graph, object: ObjectId, before: Before) -> Vec<Written> {
        let all = self.by_object.get(&object).into_iter().flatten();
        let mut earlier: Vec<Written> = all.filter(|written| before.is_after(graph, written)).copied().collect();
        earlier.sort_unstable_by_key(|written| std::cmp::Reverse((graph.step(written.step).moment, written.effect)));
        let mut seen: FxHashSet<Place> = FxHashSet::default();
        // Each call may have changed a part of what is in an object of the library.
        earlier.retain(|written| matches!(written.place, Place::Content(_)) || seen.insert(written.place));
        earlier.truncate(MOST_OF_ONE);
        earlier
    }

    /// An executed instruction has read a field that nobody has written since its object was made.
    pub(super) fn add_unwritten(
        &mut self,
        object: ObjectId,
        place: Place,
        reader: (Executed, EffectId),
        maker: (Executed, EffectId),
    ) {
        self.unwritten.entry(object).or_default().push(Unwritten { place, reader, maker });
    }

    /// When all is known that could have given values others.
    pub(super) fn add_omissions(&mut self, graph: &GraphBuilder) {
        for user in (0..graph.effects() as u32).map(EffectId) {
            let of_way = |way: Way| graph.effect(user).inputs.iter().filter(move |input| input.way == way);
            for value in of_way(Way::Value) {
                let omissions = of_way(Way::Omission).map(|input| input.from);
                self.could_have_changed.entry(value.from).or_default().extend(omissions);
            }
        }
        self.could_have_changed.retain(|_, omissions| {
            omissions.sort_unstable();
            omissions.dedup();
            !omissions.is_empty()
        });
    }

    /// What nobody has written when a step starts, by those that read it later. As long as constructors run, it may still come.
    fn unwritten_in(&self, graph: &Graph, object: ObjectId, before: Before) -> Vec<Unwritten> {
        let moment = |effect: EffectId| graph.step(graph.effect(effect).step).moment;
        let is_made = |one: &Unwritten| {
            moment(one.maker.1) < before.moment
                && omissions_of(graph, one.reader.1).all(|one| is_before(graph, one, before))
        };
        let is_then = |one: &&Unwritten| before.moment <= moment(one.reader.1) && is_made(one);
        let mut seen = FxHashSet::default();
        let all = self.unwritten.get(&object).into_iter().flatten();
        all.filter(is_then).filter(|one| seen.insert(one.place)).take(MOST_OF_ONE).copied().collect()
    }

    /// What has made a value, and what could have changed it before a step.
    fn stale(&self, graph: &Graph, written: EffectId, before: Before) -> Stale {
        let later = self.could_have_changed.get(&written).into_iter().flatten();
        let writer = graph.step(graph.effect(written).step).moment;
        let is_since = |effect: &EffectId| graph.step(graph.effect(*effect).step).moment >= writer;
        let earlier = later.copied().filter(|&effect| is_before(graph, effect, before)).filter(is_since);
        Stale { written: Some(written), not_written: earlier.collect() }
    }

    /// The parts of what is read.
    pub(super) fn behind(
        &self,
        causes: &Causes<'_>,
        graph: &Graph,
        own: &[Ingredient],
        before: Before,
    ) -> Result<Vec<Part>, SessionError> {
        let object = |value: Option<Value>| match value {
            Some(Value::Ref(object)) => Some(object),
            _ => None,
        };
        let known: FxHashSet<Executed> =
            own.iter().filter_map(|one| one.source.as_ref().ok()).map(|cause| cause.executed()).collect();
        let mut open: VecDeque<(ObjectId, u32)> =
            own.iter().filter_map(|one| object(one.value)).map(|object| (object, 1)).collect();
        let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
        let mut parts = Vec::new();
        while let Some((holder, depth)) = open.pop_front() {
            if !seen.insert(holder) {
                continue;
            }
            for found in self.unwritten_in(graph, holder, before) {
                let (read, maker) = (causes.cause(found.reader.0)?, causes.cause(found.maker.0)?);
                let is_told = own.iter().any(|one| one.name == read.what);
                if !is_told && parts.len() < MOST {
                    let read = Ingredient::new(read.what, read.value, Role::Value, read.pc, Ok(maker));
                    let stale = Stale { written: None, not_written: omissions_of(graph, found.reader.1).collect() };
                    parts.push(Part { holder, place: found.place, read, stale });
                }
            }
            for written in self.of(graph, holder, before) {
                let cause = causes.cause(written.executed)?;
                if depth < DEEPEST {
                    open.extend(object(cause.value).map(|held| (held, depth + 1)));
                }
                // Several calls of a step that change the same look the same.
                let is_like = |one: &Ingredient| {
                    one.name == cause.what && one.source.as_ref().is_ok_and(|source| source.place == cause.place)
                };
                let is_told = own.iter().chain(parts.iter().map(|part: &Part| &part.read)).any(is_like);
                if !known.contains(&written.executed) && !is_told && parts.len() < MOST {
                    let stale = self.stale(graph, written.effect, before);
                    parts.push(Part { holder, place: written.place, read: as_read(cause), stale });
                }
            }
        }
        Ok(parts)
    }
}

fn is_before(graph: &Graph, effect: EffectId, before: Before) -> bool {
    graph.step(graph.effect(effect).step).moment < before.moment
}

/// What should perhaps have written what an effect reads.
fn omissions_of(graph: &Graph, reader: EffectId) -> impl Iterator<Item = EffectId> + '_ {
    let inputs = graph.effect(reader).inputs.iter().filter(|input| input.way == Way::Omission);
    inputs.map(|input| input.from)
}

fn as_read(cause: crate::causes::Cause) -> Ingredient {
    Ingredient::new(cause.what.clone(), cause.value, Role::Value, cause.pc, Ok(cause))
}

/// The object that an executed instruction has changed.
pub(super) fn changed(code: &MethodCode, description: &Description, place: Place) -> Option<ObjectId> {
    let is_put = description.node.argument().is_some() && description.callee.is_none();
    match (code.ops.get(description.node.pc() as usize)?, place) {
        (Op::PutField { .. }, Place::Field(object, _)) | (Op::ArrayStore(_), Place::Element(object, _)) => Some(object),
        (Op::Invoke(_), Place::Content(object) | Place::Item(object, _) | Place::Entry(object, ..)) if is_put => {
            Some(object)
        }
        _ => None,
    }
}
