//! What is in the objects that a step has to do with, also what the graph does not have: users look into objects, and point
//! at what is wrong there.

use super::explore::Origin;
use super::finder::Finder;
use super::parts::changed;
use super::pointing::letter_of;
use crate::causes::Ingredient;
use crate::contents::{ObjectView, PartView};
use crate::search::{Direction, Moment, SearchPlan, query_of};
use crate::session::SessionError;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use whydunit_feedback::{EffectId, Stale, StepId};
use whydunit_replay::Value;
use whydunit_replay::events::Variable;
use whydunit_replay::index::Spot;
use whydunit_slices::{Description, Executed, Place};
use whydunit_trace::ObjectId;

/// How many references are followed.
const DEEPEST: u32 = 3;

/// Objects that are opened.
const MOST_OBJECTS: usize = 32;

/// Segments of the index in which the last writes of an object are looked for.
const LOOKED_BACK: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum When {
    /// When the step starts.
    Before,
    /// When it is over, with all that it has called.
    After,
}

/// Something in an object.
#[derive(Clone, Debug, PartialEq)]
pub struct InsidePart {
    pub spot: Spot,
    pub value: Option<Value>,
}

/// Who has written something last.
enum LastWrite {
    Nobody,
    By(Executed),
    /// Somebody in a step of whose instructions none is known to have.
    Elsewhere,
}

impl Finder<'_> {
    /// What is in some objects and in those that they lead to, the nearest first.
    pub fn inside(
        &self,
        step: StepId,
        when: When,
        roots: impl IntoIterator<Item = ObjectId>,
    ) -> Result<Vec<InsidePart>, SessionError> {
        let mut open: VecDeque<(ObjectId, u32)> = roots.into_iter().map(|object| (object, 1)).collect();
        let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
        let mut found = Vec::new();
        while let Some((object, depth)) = open.pop_front() {
            if !seen.insert(object) || seen.len() > MOST_OBJECTS {
                continue;
            }
            for PartView { spot, held, .. } in self.open(step, when, object)?.parts {
                let value = held.known().map(|known| known.value);
                if let Some(Value::Ref(behind)) = value
                    && depth < DEEPEST
                {
                    open.push_back((behind, depth + 1));
                }
                found.push(InsidePart { spot, value });
            }
        }
        Ok(found)
    }

    /// What is in an object then.
    pub(super) fn open(&self, step: StepId, when: When, object: ObjectId) -> Result<ObjectView, SessionError> {
        let number = self.number(step, when)?.unwrap_or_else(|| self.moments.all_steps() + 1);
        self.causes.session().object_at(self.moments, object, number, LOOKED_BACK)
    }

    /// The variables of the frame of a step, when it starts.
    pub(super) fn locals(&self, step: StepId) -> Result<Vec<Variable>, SessionError> {
        let place = self.place(step);
        let state = self.causes.session().state(self.moments, place.thread, place.step)?;
        Ok(state.and_then(|mut state| state.frames.pop()).map(|frame| frame.locals).unwrap_or_default())
    }

    /// The objects that a user can name: the variables of the frame, and what the step reads and makes, as it is shown.
    pub fn in_sight(&self, step: StepId, when: When) -> Result<Vec<ObjectId>, SessionError> {
        let Some(causes) = self.step(step)? else { return Ok(Vec::new()) };
        let read = causes.ingredients.iter().filter(|read| self.is_shown(read)).filter_map(|read| read.value);
        let made = causes.effects.iter().enumerate().filter(|(number, _)| letter_of(*number).is_some());
        let made = made.filter(|_| when == When::After).filter_map(|(_, made)| made.value);
        let named = self.locals(step)?.into_iter().filter(|local| local.name.is_some());
        let objects = read.chain(made).chain(named.map(|local| local.value)).filter_map(|value| match value {
            Value::Ref(object) => Some(object),
            _ => None,
        });
        Ok(objects.collect())
    }

    /// Takes into the graph what has written these last, with what is behind it, so that answers can speak of it.
    pub fn point_at(&mut self, step: StepId, when: When, spots: &[Spot]) -> Result<Vec<Stale>, SessionError> {
        let mut origins = Vec::new();
        for spot in spots {
            let made = || match spot {
                Spot::Field(object, _) => {
                    let maker = self.causes.dependences().made(*object)?;
                    Ok(maker.map_or(Origin::Unknown, |maker| Origin::Made { object: *object, maker }))
                }
                Spot::Element(..) | Spot::Static(_) => Ok::<_, SessionError>(Origin::Unknown),
            };
            origins.push(match self.last_write(step, when, spot)? {
                LastWrite::By(writer) => Origin::Written(writer),
                LastWrite::Elsewhere => Origin::Unknown,
                LastWrite::Nobody => made()?,
            });
        }
        let mut stale = self.learn(&origins)?;
        if when == When::Before {
            let graph = &self.background.graph;
            let start = graph.step(step).moment;
            let is_earlier = |effect: &EffectId| graph.step(graph.effect(*effect).step).moment < start;
            stale.iter_mut().for_each(|one| one.not_written.retain(is_earlier));
        }
        Ok(stale)
    }

    /// What gave a value that a step reads; it is taken into the graph.
    pub fn source_of(&mut self, read: &Ingredient) -> Result<Option<EffectId>, SessionError> {
        if let Some(known) = self.background.source(read) {
            return Ok(Some(known));
        }
        let Ok(source) = &read.source else { return Ok(None) };
        let found = self.learn(&[Origin::Written(source.executed())])?;
        Ok(found.into_iter().find_map(|stale| stale.written))
    }

    /// The step of all threads that starts then.
    fn number(&self, step: StepId, when: When) -> Result<Option<u64>, SessionError> {
        let graph = &self.background.graph;
        Ok(match when {
            When::Before => Some(graph.step(step).moment),
            When::After => {
                let place = self.place(step);
                self.moments.global_step(place.thread, self.end(step).unwrap_or(place.step) + 1)?
            }
        })
    }

    fn last_write(&self, step: StepId, when: When, spot: &Spot) -> Result<LastWrite, SessionError> {
        let (session, moments) = (self.causes.session(), self.moments);
        let place = self.place(step);
        let behind = match when {
            When::Before => place.step,
            When::After => self.end(step).unwrap_or(place.step) + 1,
        };
        let before: Option<Moment> = session.start_of(moments, place.thread, behind)?;
        let plan = SearchPlan {
            queries: vec![query_of(spot)],
            direction: Direction::Backwards,
            after: None,
            // Behind the end of the thread nothing orders the others.
            thread: before.is_none().then_some(place.thread),
            before,
        };
        let Some(found) = session.search(moments, plan)?.next_found()? else { return Ok(LastWrite::Nobody) };
        let first = (when == When::Before).then(|| self.background.before(step).first).flatten();
        let is_earlier =
            |executed: &Executed| first.is_none_or(|first| first.thread() != executed.thread() || *executed < first);
        let dependences = self.causes.dependences();
        let mut last = LastWrite::Elsewhere;
        for executed in dependences.of_step(found.hit.thread, found.hit.step)? {
            let Some(description) = dependences.describe(executed)? else { continue };
            if description.node.pc() == found.hit.pc && is_earlier(&executed) && self.writes(&description, spot) {
                last = LastWrite::By(executed);
            }
        }
        Ok(last)
    }

    fn writes(&self, description: &Description, spot: &Spot) -> bool {
        let program = self.causes.session().program();
        let (Ok(code), Some(place)) = (program.code(description.frame.method), description.place) else { return false };
        let is_meant = match (place, spot) {
            (Place::Field(_, field), Spot::Field(_, named)) => {
                program.field(field).is_some_and(|field| field == *named)
            }
            (Place::Element(_, index), Spot::Element(_, named)) => index == *named,
            _ => false,
        };
        let object = match spot {
            Spot::Field(object, _) | Spot::Element(object, _) => Some(*object),
            Spot::Static(_) => None,
        };
        is_meant && changed(code, description, place) == object
    }
}
