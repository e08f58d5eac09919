//! Names at a moment of the run.

use crate::condition::{Datum, NotKnown, Outcome, Scope, evaluate};
use crate::syntax::{EventPart, Expression};
use std::collections::BTreeMap;
use whydunit_debugger::{
    FoundField, FrameState, Moments, ObjectId, PossibleChange, Session, Shown, Sight, Spot, Told, Value,
};

/// What an event carries.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Carried {
    pub(crate) owner: Option<Value>,
    pub(crate) value: Option<Value>,
    pub(crate) index: Option<i32>,
    pub(crate) exception: Option<Value>,
}

/// A point that others may refer to.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) sight: Sight,
    pub(crate) carried: Carried,
}

/// The points that were found, by name.
pub(crate) type Points = BTreeMap<String, Known>;

/// A frame at a moment.
#[derive(Clone, Copy, Debug)]
pub struct SightScope<'s> {
    pub(crate) session: &'s Session,
    pub(crate) moments: &'s Moments,
    pub(crate) sight: &'s Sight,
    /// Position among the frames of the sight.
    frame: usize,
    carried: Carried,
    pub(crate) points: Option<&'s Points>,
}

/// Something that has a place of its own.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Target {
    Local { slot: u16 },
    Heap(Spot),
}

impl<'s> SightScope<'s> {
    /// The newest frame.
    pub fn new(session: &'s Session, moments: &'s Moments, sight: &'s Sight) -> SightScope<'s> {
        let frame = sight.state.frames.len().saturating_sub(1);
        SightScope { session, moments, sight, frame, carried: Carried::default(), points: None }
    }

    pub(crate) fn with(self, carried: Carried, points: &'s Points) -> SightScope<'s> {
        SightScope { carried, points: Some(points), ..self }
    }

    /// Another frame: 0 is the newest, -1 the oldest.
    pub(crate) fn in_frame(self, frame: i32) -> Result<SightScope<'s>, NotKnown> {
        let frames = self.sight.state.frames.len();
        let from_end = frame.unsigned_abs() as usize;
        let at = if frame < 0 { from_end.checked_sub(1) } else { frames.checked_sub(from_end + 1) };
        match at.filter(|&at| at < frames) {
            Some(frame) => Ok(SightScope { frame, ..self }),
            None => Err(NotKnown::Wrong(format!("there is no frame {frame}: the stack has {frames}"))),
        }
    }

    /// The scope that a reference `P(frame):…` is about.
    pub(crate) fn at_point(&self, point: Option<&str>, frame: i32) -> Result<SightScope<'s>, NotKnown> {
        let Some(name) = point else { return self.in_frame(frame) };
        let Some((points, known)) = self.points.and_then(|points| Some((points, points.get(name)?))) else {
            return Err(NotKnown::NotRecorded(format!("point {name}")));
        };
        SightScope::new(self.session, self.moments, &known.sight).with(known.carried, points).in_frame(frame)
    }

    pub(crate) fn frame_position(&self) -> usize {
        self.frame
    }

    fn frame(&self) -> Result<&'s FrameState, NotKnown> {
        self.sight.state.frames.get(self.frame).ok_or_else(|| NotKnown::Wrong("there is no frame".to_owned()))
    }

    fn this(&self) -> Result<Option<Value>, NotKnown> {
        let locals = &self.frame()?.locals;
        Ok(locals.iter().find(|local| local.name.as_deref() == Some("this")).map(|local| local.value))
    }

    /// What a name stands for.
    pub(crate) fn target(&self, name: &str) -> Result<Target, NotKnown> {
        let frame = self.frame()?;
        if let Some(local) = frame.locals.iter().find(|local| local.name.as_deref() == Some(name)) {
            return Ok(Target::Local { slot: local.slot });
        }
        // As they are shown when the class file has no names.
        let slot = name.strip_prefix("local").and_then(|slot| slot.parse::<u16>().ok());
        if let Some(local) = frame.locals.iter().find(|local| local.name.is_none() && Some(local.slot) == slot) {
            return Ok(Target::Local { slot: local.slot });
        }
        match (self.session.field_in_scope(frame.method, name), self.this()?) {
            (Some(FoundField { field, is_static: true }), _) => Ok(Target::Heap(Spot::Static(field))),
            (Some(FoundField { field, .. }), Some(Value::Ref(this))) => Ok(Target::Heap(Spot::Field(this, field))),
            (Some(_), Some(_)) => Err(NotKnown::NotRecorded(name.to_owned())),
            _ => {
                let locals = frame.locals.iter().filter_map(|local| local.name.as_deref().map(str::to_owned));
                let known = locals.chain(self.session.fields_in_scope(frame.method)).collect();
                Err(NotKnown::NoSuchName { name: name.to_owned(), known })
            }
        }
    }

    pub(crate) fn target_in(&self, object: ObjectId, name: &str) -> Result<Target, NotKnown> {
        match self.session.field_of_object(object, name) {
            Some(FoundField { field, is_static: true }) => Ok(Target::Heap(Spot::Static(field))),
            Some(FoundField { field, .. }) => Ok(Target::Heap(Spot::Field(object, field))),
            None => {
                let known = self.session.fields_of_object(object);
                if known.is_empty() {
                    return Err(NotKnown::NotRecorded(format!("the field {name} of a class that is not recorded")));
                }
                Err(NotKnown::NoSuchName { name: name.to_owned(), known })
            }
        }
    }

    fn held(&self, spot: &Spot, name: &str) -> Outcome {
        let what = match self.session.held(self.moments, self.sight, spot)? {
            Told::Held(held) => return Ok(Datum::Value(held.value)),
            Told::Nothing => name.to_owned(),
            Told::MayHaveChanged(PossibleChange { call, step, .. }) => {
                format!("{name}, which code that is not recorded may have changed ({call} in step {step}),")
            }
            Told::Between { before, later } => {
                let steps = format!("between step {} and step {}", before.step, later.step);
                format!("{name}, which code that is not recorded has changed {steps},")
            }
        };
        Err(NotKnown::NotRecorded(what))
    }
}

impl Scope for SightScope<'_> {
    fn name(&self, name: &str) -> Outcome {
        match self.target(name)? {
            Target::Local { slot } => {
                let local = self.frame()?.locals.iter().find(|local| local.slot == slot);
                local.map(|local| Datum::Value(local.value)).ok_or_else(|| NotKnown::NotRecorded(name.to_owned()))
            }
            Target::Heap(spot) => self.held(&spot, name),
        }
    }

    fn event(&self, part: EventPart) -> Outcome {
        let carried = match part {
            EventPart::Owner => self.carried.owner,
            EventPart::Value => self.carried.value,
            EventPart::Index => self.carried.index.map(Value::Int),
            EventPart::Exception => self.carried.exception,
        };
        carried.map(Datum::Value).ok_or_else(|| NotKnown::Wrong(format!("the event has no `.{}`", part.word())))
    }

    fn at(&self, point: Option<&str>, frame: i32, path: &Expression) -> Outcome {
        evaluate(path, &self.at_point(point, frame)?)
    }

    fn field(&self, object: ObjectId, name: &str) -> Outcome {
        match self.target_in(object, name)? {
            Target::Heap(spot) => self.held(&spot, name),
            Target::Local { .. } => Err(NotKnown::NotRecorded(name.to_owned())),
        }
    }

    fn static_field(&self, class: &str, name: &str) -> Option<Outcome> {
        let method = self.frame().ok()?.method;
        let found = self.session.static_field(method, class, name);
        if found.is_none() && !self.session.is_class(class) {
            return None;
        }
        Some(match found {
            Some(found) => self.held(&Spot::Static(found.field), name),
            None => Err(NotKnown::NoSuchName { name: name.to_owned(), known: Vec::new() }),
        })
    }

    fn element(&self, array: ObjectId, index: i32) -> Outcome {
        self.held(&Spot::Element(array, index), &format!("element {index}"))
    }

    fn length(&self, array: ObjectId) -> Option<u32> {
        self.session.length_of(array)
    }

    fn shown(&self, object: ObjectId) -> Shown {
        self.session.shown(object)
    }

    fn is_instance(&self, object: ObjectId, class: &str) -> Option<bool> {
        self.session.is_instance(object, class)
    }
}
