//! Objects at a step: the fields and elements that recorded code has met.

use crate::names::UnknownName;
use crate::numbers::StepNumbers;
use crate::session::{Session, SessionError};
use crate::state::Moments;
use whydunit_classfile::access;
use whydunit_replay::index::{Evidence, Held, Part};
use whydunit_replay::naming::simple_name;
use whydunit_replay::program::Field;
use whydunit_replay::{ReplayError, Value};
use whydunit_trace::ObjectId;

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
    /// `None` when nobody recorded it.
    pub held: Option<Known>,
}

/// A value, and the step that tells it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    pub value: Value,
    pub step: u64,
    pub from: Evidence,
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
        let known = self.known_parts(moments, object, &parts, number, most)?;
        let parts = parts.into_iter().zip(known).map(|(part, held)| match part {
            Part::Field(field) => {
                PartView { name: field.name.to_string(), owner: Some(field.owner.replace('/', ".")), held }
            }
            Part::Element(index) => PartView { name: format!("[{index}]"), owner: None, held },
        });
        Ok(ObjectView { object, length, parts: parts.collect() })
    }

    /// One field or element of an object at the start of a step of all threads.
    pub(crate) fn part_at(
        &self,
        moments: &Moments,
        object: ObjectId,
        part: Part,
        number: u64,
    ) -> Result<Option<Known>, SessionError> {
        Ok(self.known_parts(moments, object, &[part], number, usize::MAX)?.pop().flatten())
    }

    fn known_parts(
        &self,
        moments: &Moments,
        object: ObjectId,
        parts: &[Part],
        number: u64,
        most: usize,
    ) -> Result<Vec<Option<Known>>, SessionError> {
        let mut numbers = StepNumbers::new(moments);
        let mut known: Vec<Option<Known>> = vec![None; parts.len()];
        for index in moments.indexes() {
            let thread = index.thread();
            let step = numbers.first_step_from(thread, number).map_err(ReplayError::from)?;
            let held = index.contents_at(self.program(), self.objects(), object, parts, step, most)?;
            for (known, held) in known.iter_mut().zip(held) {
                let Some(Held { value, step, from }) = held else { continue };
                let step = numbers.number(thread, step).map_err(ReplayError::from)?.unwrap_or_default();
                let found = Known { value, step, from };
                if known.is_none_or(|known| is_nearer(&found, &known)) {
                    *known = Some(found);
                }
            }
        }
        Ok(known)
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

/// Whether one observation tells more of the moment than another: the last before it, else the first after it.
fn is_nearer(found: &Known, known: &Known) -> bool {
    match (found.from == Evidence::ReadLater, known.from == Evidence::ReadLater) {
        (false, false) => found.step > known.step,
        (true, true) => found.step < known.step,
        (found_later, _) => !found_later,
    }
}
