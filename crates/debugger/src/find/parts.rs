//! What is in the objects that a step reads, as far as it led to the failure: a reference can be right and what it leads to
//! wrong.

use crate::causes::{Causes, Ingredient};
use crate::session::SessionError;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use whydunit_feedback::{EffectId, Graph, StepId};
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
#[derive(Debug, Default)]
pub(super) struct Parts {
    by_object: FxHashMap<ObjectId, Vec<Written>>,
}

/// A part of an object that a step reads, as if it were read, too.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) holder: ObjectId,
    pub(super) read: Ingredient,
    /// What has written it.
    pub(super) source: EffectId,
}

#[derive(Clone, Copy, Debug)]
struct Written {
    step: StepId,
    place: Place,
    executed: Executed,
    effect: EffectId,
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

    /// The parts of what is read.
    pub(super) fn behind(
        &self,
        causes: &Causes<'_>,
        graph: &Graph,
        read: &[Ingredient],
        before: Before,
    ) -> Result<Vec<Part>, SessionError> {
        let object = |value: Option<Value>| match value {
            Some(Value::Ref(object)) => Some(object),
            _ => None,
        };
        let known: FxHashSet<Executed> =
            read.iter().filter_map(|one| one.source.as_ref().ok()).map(|cause| cause.executed()).collect();
        let mut open: VecDeque<(ObjectId, u32)> =
            read.iter().filter_map(|one| object(one.value)).map(|object| (object, 1)).collect();
        let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
        let mut parts = Vec::new();
        while let Some((holder, depth)) = open.pop_front() {
            if !seen.insert(holder) {
                continue;
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
                let is_told = read.iter().chain(parts.iter().map(|part: &Part| &part.read)).any(is_like);
                if !known.contains(&written.executed) && !is_told && parts.len() < MOST {
                    parts.push(Part { holder, read: as_read(cause), source: written.effect });
                }
            }
        }
        Ok(parts)
    }
}

fn as_read(cause: crate::causes::Cause) -> Ingredient {
    Ingredient::new(cause.what.clone(), cause.value, Role::Value, cause.pc, Ok(cause))
}

/// The object that an executed instruction has changed.
fn changed(code: &MethodCode, description: &Description, place: Place) -> Option<ObjectId> {
    let is_put = description.node.argument().is_some() && description.callee.is_none();
    match (code.ops.get(description.node.pc() as usize)?, place) {
        (Op::PutField { .. }, Place::Field(object, _)) | (Op::ArrayStore(_), Place::Element(object, _)) => Some(object),
        (Op::Invoke(_), Place::Content(object) | Place::Item(object, _) | Place::Entry(object, ..)) if is_put => {
            Some(object)
        }
        _ => None,
    }
}
