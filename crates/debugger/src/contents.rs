//! Objects at a step: the fields and elements that recorded code has met.

use crate::held::{Around, Met, Time, Told};
use crate::names::UnknownName;
use crate::numbers::StepNumbers;
use crate::session::{Session, SessionError};
use crate::state::Moments;
use whydunit_classfile::access;
use whydunit_replay::index::{Evidence, Held, HeldAround, Part, Rank, Spot, Until};
use whydunit_replay::naming::simple_name;
use whydunit_replay::program::Field;
use whydunit_replay::{ReplayError, Value};
use whydunit_trace::{ObjectId, ThreadId};

/// Elements of an array that are looked for.
const MOST_ELEMENTS: u32 = 32;

/// An object, opened.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectView {
    pub object: ObjectId,
    /// Of an array.
    pub length: Option<u32>,
    pub parts: Vec<PartView>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PartView {
    /// `quantity`, `[3]`
    pub name: String,
    /// The class that declares the field, `shop.Cart`.
    pub owner: Option<String>,
    pub spot: Spot,
    pub held: Told,
}

/// A value, and the step that tells it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    pub value: Value,
    pub step: u64,
    pub from: Evidence,
}

/// When a part of an object was met around a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PartMet {
    pub(crate) before: Option<Met>,
    pub(crate) later: Option<Met>,
    is_quiet_before: bool,
    is_quiet_until: bool,
}

impl Session {
    /// An object at the start of a step of all threads. Writes are looked for in the last `most` segments of the index
    /// only.
    pub fn object_at(
        &self,
        moments: &Moments,
        object: ObjectId,
        number: u64,
        most: usize,
    ) -> Result<ObjectView, SessionError> {
        let (length, parts) = self.parts_of(object);
        let numbers = StepNumbers::new(moments);
        let own = moments.local_step(number)?;
        let rank = match own {
            Some((thread, step)) => numbers.rank_of_start(thread, step).map_err(ReplayError::from)?,
            None => None,
        };
        let rank = rank.unwrap_or(Rank { steps: number, sequence: u64::MAX });
        let met = self.met_parts(moments, object, &parts, (rank, own), most)?;
        let mut views = Vec::with_capacity(parts.len());
        for (part, met) in parts.into_iter().zip(met) {
            let spot = match &part {
                Part::Field(field) => Spot::Field(object, field.clone()),
                Part::Element(index) => Spot::Element(object, *index),
            };
            let held = self.around_step(moments, &spot, rank, met)?.told();
            let (name, owner) = match part {
                Part::Field(field) => (field.name.to_string(), Some(field.owner.replace('/', "."))),
                Part::Element(index) => (format!("[{index}]"), None),
            };
            views.push(PartView { name, owner, spot, held });
        }
        Ok(ObjectView { object, length, parts: views })
    }

    fn around_step(&self, moments: &Moments, spot: &Spot, order: Rank, met: PartMet) -> Result<Around, SessionError> {
        let moment = Time { order, instruction: None };
        let around = self.settled(moments, spot, moment, met.before, met.later)?;
        Ok(Around { is_quiet_before: met.is_quiet_before, is_quiet_until: met.is_quiet_until, ..around })
    }

    /// When parts of an object were met last before a place in the order of all threads, and first from it on. Of the
    /// thread that is there, before the start of its step.
    pub(crate) fn met_parts(
        &self,
        moments: &Moments,
        object: ObjectId,
        parts: &[Part],
        (rank, own): (Rank, Option<(ThreadId, u64)>),
        most: usize,
    ) -> Result<Vec<PartMet>, SessionError> {
        let mut numbers = StepNumbers::new(moments);
        let mut met: Vec<PartMet> = vec![PartMet::default(); parts.len()];
        for index in moments.indexes() {
            let thread = index.thread();
            let until = match own {
                Some((own, step)) if own == thread => Until::step(step),
                _ => numbers.until(thread, rank).map_err(ReplayError::from)?,
            };
            let held = index.contents_at(self.program(), self.objects(), object, parts, until, most)?;
            for (met, around) in met.iter_mut().zip(held) {
                let HeldAround { before, later, is_quiet_before, is_quiet_until } = around;
                if let Some(before) = before {
                    let before = met_at(&mut numbers, thread, before)?;
                    if met.before.is_none_or(|known| known.at.order < before.at.order) {
                        (met.before, met.is_quiet_before) = (Some(before), is_quiet_before);
                    }
                }
                if let Some(later) = later {
                    let later = met_at(&mut numbers, thread, later)?;
                    if met.later.is_none_or(|known| known.at.order > later.at.order) {
                        (met.later, met.is_quiet_until) = (Some(later), is_quiet_until);
                    }
                }
            }
        }
        Ok(met)
    }

    /// The fields of an object that recorded classes declare, or the first elements of an array.
    fn parts_of(&self, object: ObjectId) -> (Option<u32>, Vec<Part>) {
        let program = self.program();
        let class = self.objects().class(object).ok().flatten().and_then(|class| program.classes().get(class));
        let Some(class) = class else { return (None, Vec::new()) };
        if class.name.starts_with('[') {
            let length = self.array_length(object).unwrap_or_default();
            return (Some(length), (0..length.min(MOST_ELEMENTS)).map(|i| Part::Element(i as i32)).collect());
        }
        let mut parts = Vec::new();
        let mut next = program.definitions().find(|(_, d)| d.name == class.name).map(|(index, _)| index);
        while let Some(index) = next {
            let (Some(definition), Some(summary)) = (program.definition(index), program.summary(index)) else { break };
            let own = summary.fields.iter().filter(|field| field.access & access::STATIC == 0).map(|field| {
                let owner = definition.name.as_str().into();
                Part::Field(Field { owner, name: field.name.clone(), descriptor: field.descriptor.clone() })
            });
            parts.splice(0..0, own);
            next = summary.superclass.as_deref().and_then(|name| program.find_definition(index, name));
        }
        (None, parts)
    }

    /// An object by the name it is shown by, `<ArrayList:1>`.
    pub fn find_object(&self, asked: &str) -> Result<ObjectId, UnknownName> {
        let problem = |problem: String| UnknownName { problem, nearest: Vec::new() };
        let inside = asked.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or(asked);
        let parts = inside.rsplit_once(':').and_then(|(name, number)| Some((name, number.parse::<u32>().ok()?)));
        let Some((name, number)) = parts else {
            return Err(problem(format!("`{asked}` is not an object: write it as it is shown, `<ArrayList:1>`")));
        };
        let classes = self.program().classes();
        let is_named = |class| classes.get(class).is_some_and(|class| simple_name(&class.name) == name);
        match self.objects().find(number, is_named) {
            Ok(Some(object)) => Ok(object),
            Ok(None) => {
                let is_known = classes.iter().any(|class| simple_name(&class.name) == name);
                if is_known {
                    let count = self.objects().count_of(is_named).unwrap_or_default();
                    let nearest = if count == 0 { Vec::new() } else { vec![format!("<{name}:{count}>")] };
                    let there = match count {
                        0 => "none of this type were met".to_owned(),
                        1 => "there is one of this type".to_owned(),
                        count => format!("there are {count} of this type"),
                    };
                    let problem = format!("there is no object `<{name}:{number}>` in the run: {there}");
                    return Err(UnknownName { problem, nearest });
                }
                let known = classes.iter().map(|class| simple_name(&class.name));
                Err(UnknownName::new(format!("no recorded object is of a type called `{name}`"), name, known))
            }
            Err(error) => Err(problem(format!("the recording's objects cannot be read: {error}"))),
        }
    }
}

fn met_at(numbers: &mut StepNumbers<'_>, thread: ThreadId, held: Held) -> Result<Met, SessionError> {
    let Held { value, step, latest, number, from } = held;
    let step = numbers.number(thread, step).map_err(ReplayError::from)?.unwrap_or_default();
    let order = numbers.rank(thread, latest, number).map_err(ReplayError::from)?.unwrap_or_default();
    Ok(Met { known: Known { value, step, from }, at: Time::of_access(thread, number, order) })
}
