//! What users point at: a part of an object that a step reads or makes.

use super::finder::{AskedStep, Finder};
use super::inside::When;
use crate::contents::ObjectView;
use crate::names::UnknownName;
use crate::session::SessionError;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use whydunit_replay::Value;
use whydunit_replay::index::Spot;
use whydunit_trace::ObjectId;

/// `2.lines[3].price`: a way into the second value that a step reads; `a.price` into the first that it makes, `cart.price`
/// into a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inside {
    pub of: Whole,
    pub path: Vec<Member>,
    pub when: When,
}

/// Counted from 0, as the step lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whole {
    Read(usize),
    Made(usize),
    /// Of the frame of the step.
    Variable(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Member {
    Field(String),
    Element(i32),
}

/// What one of the things is called that a step makes.
pub fn letter_of(made: usize) -> Option<char> {
    ('a'..='z').nth(made)
}

impl Inside {
    /// When the step is over.
    #[must_use]
    pub fn after(self) -> Inside {
        Inside { when: When::After, ..self }
    }
}

impl FromStr for Inside {
    type Err = ();

    fn from_str(text: &str) -> Result<Inside, ()> {
        let end = text.find(['.', '[']).unwrap_or(text.len());
        let (of, mut rest) = text.split_at(end);
        let made = || (0..26).find(|&made| letter_of(made).is_some_and(|letter| of == letter.to_string()));
        let of = match (of.parse::<usize>(), made()) {
            (Ok(number), _) => Whole::Read(number.checked_sub(1).ok_or(())?),
            (Err(_), Some(made)) => Whole::Made(made),
            (Err(_), None) if of.chars().all(|one| one.is_alphanumeric() || "_$".contains(one)) && !of.is_empty() => {
                Whole::Variable(of.to_owned())
            }
            (Err(_), None) => return Err(()),
        };
        let when = if matches!(of, Whole::Made(_)) { When::After } else { When::Before };
        let mut path = Vec::new();
        while !rest.is_empty() {
            if let Some(behind) = rest.strip_prefix('[') {
                let (index, behind) = behind.split_once(']').ok_or(())?;
                path.push(Member::Element(index.parse().map_err(drop)?));
                rest = behind;
            } else {
                let behind = rest.strip_prefix('.').ok_or(())?;
                let end = behind.find(['.', '[']).unwrap_or(behind.len());
                let (name, behind) = behind.split_at(end);
                if name.is_empty() {
                    return Err(());
                }
                path.push(Member::Field(name.to_owned()));
                rest = behind;
            }
        }
        Ok(Inside { of, path, when })
    }
}

impl Display for Inside {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.of {
            Whole::Read(number) => write!(f, "{}", number + 1)?,
            Whole::Made(number) => write!(f, "{}", letter_of(*number).unwrap_or('?'))?,
            Whole::Variable(name) => f.write_str(name)?,
        }
        self.path.iter().try_for_each(|member| match member {
            Member::Field(_) => write!(f, ".{member}"),
            Member::Element(_) => write!(f, "{member}"),
        })
    }
}

/// As an opened object names its parts.
impl Display for Member {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Member::Field(name) => f.write_str(name),
            Member::Element(index) => write!(f, "[{index}]"),
        }
    }
}

/// Something in an object, found by its name.
struct Looked {
    spot: Spot,
    value: Option<Value>,
}

impl Finder<'_> {
    /// What is in an object that a step reads or makes: at its start, or at its end.
    pub fn look(&self, asked: &AskedStep, at: &Inside) -> Result<Result<ObjectView, UnknownName>, SessionError> {
        let object = match self.walk(asked, at)? {
            Ok((_, Some(Looked { value: Some(Value::Ref(object)), .. })) | (object, None)) => object,
            Ok(_) => return Ok(Err(no_object(at))),
            Err(unknown) => return Ok(Err(unknown)),
        };
        self.open(asked.question.step, at.when, object).map(Ok)
    }

    /// The place that is meant.
    pub(super) fn spot(&self, asked: &AskedStep, at: &Inside) -> Result<Result<Spot, UnknownName>, SessionError> {
        Ok(match self.walk(asked, at)? {
            Ok((_, Some(looked))) => Ok(looked.spot),
            Ok((_, None)) => Err(no_object(at)),
            Err(unknown) => Err(unknown),
        })
    }

    /// The object that a way starts from, and what it ends at.
    fn walk(
        &self,
        asked: &AskedStep,
        at: &Inside,
    ) -> Result<Result<(ObjectId, Option<Looked>), UnknownName>, SessionError> {
        let value = match &at.of {
            Whole::Read(number) => asked.reads.get(*number).and_then(|read| read.value),
            Whole::Made(number) => asked.step.effects.get(*number).and_then(|made| made.value),
            Whole::Variable(name) => {
                let locals = self.locals(asked.question.step)?;
                let Some(local) = locals.iter().find(|local| local.name.as_deref() == Some(name)) else {
                    let known = locals.into_iter().filter_map(|local| local.name).map(|name| name.to_string());
                    return Ok(Err(UnknownName::nearest(format!("there is no variable `{name}`"), name, known)));
                };
                Some(local.value)
            }
        };
        let Some(Value::Ref(root)) = value else { return Ok(Err(no_object(at))) };
        let (mut object, mut last) = (root, None);
        for member in &at.path {
            if let Some(Looked { value, .. }) = last.take() {
                let Some(Value::Ref(behind)) = value else { return Ok(Err(no_object(at))) };
                object = behind;
            }
            let view = self.open(asked.question.step, at.when, object)?;
            let name = member.to_string();
            if let Member::Element(index) = *member
                && view.length.is_some_and(|length| index >= 0 && (index as u32) < length)
                && view.parts.iter().all(|part| part.name != name)
            {
                last = Some(Looked { spot: Spot::Element(object, index), value: None });
                continue;
            }
            let Some(part) = view.parts.iter().find(|part| part.name == name) else {
                let problem = format!("{} has no `{name}`", self.causes.session().words(Value::Ref(object)));
                return Ok(Err(UnknownName::nearest(problem, &name, view.parts.into_iter().map(|part| part.name))));
            };
            last = Some(Looked { spot: part.spot.clone(), value: part.held.known().map(|known| known.value) });
        }
        Ok(Ok((root, last)))
    }
}

fn no_object(at: &Inside) -> UnknownName {
    UnknownName { problem: format!("there is no object at `{at}`"), nearest: Vec::new() }
}
