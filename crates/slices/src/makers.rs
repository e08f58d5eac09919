//! What nobody recorded has written is as it came: with the object that it is a part of.

use crate::dependences::{Dependences, Executed, Found};
use crate::graph::{Place, Role};
use crate::recorder::is_temporary;
use crate::shelves::is_getter;
use crate::wants::{Answer, Unknown, Want};
use rustc_hash::FxHashSet;
use whydunit_replay::ReplayError;
use whydunit_replay::program::{Call, Op};
use whydunit_replay::unrecorded::Method;
use whydunit_trace::{LogKind, ObjectId};

/// The object that a place comes with, when nobody has written it.
pub(crate) fn made_with_its_object(place: Place) -> Option<ObjectId> {
    match place {
        Place::Element(object, _) | Place::Field(object, _) | Place::Content(object) => Some(object),
        Place::Static(_) | Place::Item(..) | Place::Entry(..) | Place::Captured(_) => None,
    }
}

/// Objects of which it is remembered who has made them.
const MOST_MAKERS: usize = 1 << 12;

impl<'s> Dependences<'s> {
    /// What is behind a value that an instruction has read, when `found` is who wrote it: an element, a field or
    /// contents that no recorded code has written come from what made their object, `new` or a call of unrecorded code.
    pub(crate) fn written_or_made(&self, reader: Executed, found: Found) -> Result<Found, ReplayError> {
        let Err(Unknown::NotWritten(place)) = found else { return Ok(found) };
        let Some(object) = made_with_its_object(place) else { return Ok(found) };
        match self.maker(reader, object)? {
            Some(maker) => self.as_made(reader, place, maker),
            None => Ok(found),
        }
    }

    /// The same of a place when it is known what made its object.
    pub(crate) fn as_made(&self, reader: Executed, place: Place, maker: Executed) -> Result<Found, ReplayError> {
        let comes_from_it = match place {
            Place::Content(_) => self.has_filled(maker)?,
            _ => !self.is_never_new(reader, place, maker)?,
        };
        Ok(match place {
            _ if !comes_from_it => Err(Unknown::NotWritten(place)),
            Place::Element(array, _) => Ok(self.put_before(reader, array, maker)?.unwrap_or(maker)),
            _ => Ok(maker),
        })
    }

    /// Whether what was read cannot be as `new` has left it: somebody has written it who was not recorded.
    fn is_never_new(&self, reader: Executed, place: Place, maker: Executed) -> Result<bool, ReplayError> {
        let stretch = self.stretch(reader.at)?;
        let held = stretch.node(reader.node).and_then(|node| stretch.held(self.program, node));
        if held.is_none_or(|held| held.bits == 0) {
            return Ok(false);
        }
        // Of an array of arrays, `new` fills the outer ones.
        let is_new = matches!(self.op_of(maker)?, Some(Op::New(_) | Op::NewArray(_))) && !self.has_filled(maker)?;
        Ok(is_new || matches!(place, Place::Field(..)) && self.has_only_given_out(maker)?)
    }

    /// Who has put what is read from an array into something that the array was made of by a call: `getSuppressed`,
    /// `toArray`.
    fn put_before(&self, reader: Executed, array: ObjectId, maker: Executed) -> Result<Option<Executed>, ReplayError> {
        let stretch = self.stretch(reader.at)?;
        let is_reference = stretch.node(reader.node).and_then(|node| stretch.held(self.program, node));
        let Some(held) = is_reference.filter(|held| held.kind == LogKind::Reference && held.bits != 0) else {
            return Ok(None);
        };
        if !self.is_call(maker)? {
            return Ok(None);
        }
        let item = ObjectId(stretch.identity(held.bits) as u32);
        let found = match self.stretch(maker.at)?.answer(Want::Written(Place::Item(array, item))) {
            Answer::Node(node) => Ok(Executed { node, ..maker }),
            Answer::Before(wants) => self.find_first(maker.at, &wants)?,
            Answer::Unknown(unknown) => Err(unknown),
        };
        Ok(found.ok().filter(|put| *put < maker))
    }

    /// What the exception that an instruction throws was given when it was made, in that order.
    pub fn given_to_thrown(&self, thrown: Executed, exception: ObjectId) -> Result<Vec<ObjectId>, ReplayError> {
        let mut found = Vec::new();
        let Some(maker) = self.maker_behind(thrown, exception)? else { return Ok(found) };
        for given in self.given_for(maker, exception)? {
            let node = self.describe(given)?.map(|found| found.node.bits).unwrap_or_default();
            found.push(ObjectId(self.identity(given, node)? as u32));
        }
        Ok(found)
    }

    /// Whether what an instruction has made was not empty: a call has given it out, or it is the exception that came of it.
    fn has_filled(&self, maker: Executed) -> Result<bool, ReplayError> {
        let Some(found) = self.describe(maker)? else { return Ok(false) };
        Ok(self.is_call(maker)? || found.has_thrown && self.op_of(maker)? != Some(Op::Throw))
    }

    /// Whether a call has given out what was put in, and does not know the fields that recorded classes have.
    fn has_only_given_out(&self, maker: Executed) -> Result<bool, ReplayError> {
        Ok(self.call_made(maker)?.is_some_and(|call| is_getter(&Method::new(call, &call.owner))))
    }

    /// The call that an instruction is, or passes an argument to.
    pub(crate) fn call_made(&self, executed: Executed) -> Result<Option<&'s Call>, ReplayError> {
        let Some(found) = self.describe(executed)? else { return Ok(None) };
        let code = self.program.code(found.frame.method).ok();
        Ok(code.and_then(|code| code.call_at(found.node.pc())))
    }

    pub(crate) fn op_of(&self, executed: Executed) -> Result<Option<Op>, ReplayError> {
        let Some(found) = self.describe(executed)? else { return Ok(None) };
        let code = self.program.code(found.frame.method).ok();
        Ok(code.and_then(|code| code.ops.get(found.node.pc() as usize).copied()))
    }

    pub(crate) fn is_call(&self, executed: Executed) -> Result<bool, ReplayError> {
        let Some(found) = self.describe(executed)? else { return Ok(false) };
        Ok(found.node.argument().is_none() && self.call_made(executed)?.is_some())
    }

    /// Follows the object that an instruction has read from to where recorded code has it from.
    pub(crate) fn maker(&self, reader: Executed, object: ObjectId) -> Result<Option<Executed>, ReplayError> {
        if let Some(&known) = self.makers.borrow().get(&(reader, object)) {
            return Ok(known);
        }
        let maker = self.maker_from(self.bringer(reader, object, Role::Address)?, object)?;
        let mut makers = self.makers.borrow_mut();
        if makers.len() >= MOST_MAKERS {
            makers.clear();
        }
        makers.insert((reader, object), maker);
        Ok(maker)
    }

    /// The same of an object that an instruction has passed on.
    pub(crate) fn maker_behind(&self, passing: Executed, object: ObjectId) -> Result<Option<Executed>, ReplayError> {
        self.maker_from(self.bringer(passing, object, Role::Value)?, object)
    }

    fn maker_from(&self, mut next: Option<Executed>, object: ObjectId) -> Result<Option<Executed>, ReplayError> {
        let mut seen: FxHashSet<Executed> = FxHashSet::default();
        let mut maker = None;
        while let Some(executed) = next.filter(|&executed| seen.insert(executed)) {
            maker = Some(executed);
            // What unrecorded code has given out may have been in it before, or not.
            next = if self.has_filled(executed)? { None } else { self.bringer(executed, object, Role::Value)? };
        }
        Ok(maker)
    }

    /// The input of an instruction that is this object. Of one that is still being made no more is known than that it
    /// has no id yet, and of one that was thrown not even that.
    fn bringer(&self, executed: Executed, object: ObjectId, role: Role) -> Result<Option<Executed>, ReplayError> {
        let inputs = self.stretch(executed.at)?.inputs(executed.node).to_vec();
        for input in inputs.into_iter().filter(|input| input.role == role) {
            if let Ok(source) = self.source(executed, input.origin)?
                && let Some(found) = self.describe(source)?
            {
                let brought = ObjectId(self.identity(source, found.node.bits)? as u32);
                if found.has_thrown || brought == object || is_temporary(brought) {
                    return Ok(Some(source));
                }
                // `is ? one : other` makes no value of its own.
                let is_choice = matches!(self.op_of(source)?, Some(Op::Goto(_) | Op::Load(_) | Op::CheckCast(_)));
                if is_choice && self.bringer(source, object, Role::Value)?.is_some() {
                    return Ok(Some(source));
                }
            }
        }
        Ok(None)
    }
}
