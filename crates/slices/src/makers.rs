//! What nobody recorded has written is as it came: with the object that it is a part of.

use crate::dependences::{Dependences, Executed, Found};
use crate::graph::{Place, Role};
use crate::recorder::is_temporary;
use crate::wants::Unknown;
use rustc_hash::FxHashSet;
use whydunit_replay::ReplayError;
use whydunit_trace::ObjectId;

impl Dependences<'_> {
    /// What is behind a value that an instruction has read, when `found` is who wrote it: an element, a field or
    /// contents that no recorded code has written come from what made their object, `new` or a call of unrecorded code.
    pub(crate) fn written_or_made(&self, reader: Executed, found: Found) -> Result<Found, ReplayError> {
        let Err(Unknown::NotWritten(place)) = found else { return Ok(found) };
        Ok(match place {
            Place::Element(object, _) | Place::Field(object, _) => self.maker(reader, object)?.map_or(found, Ok),
            Place::Content(object) => {
                let maker = self.maker(reader, object)?;
                let is_call = maker.map_or(Ok(false), |maker| self.is_call(maker))?;
                maker.filter(|_| is_call).map_or(found, Ok)
            }
            Place::Static(_) | Place::Item(..) | Place::Entry(..) | Place::Captured(_) => found,
        })
    }

    pub(crate) fn is_call(&self, executed: Executed) -> Result<bool, ReplayError> {
        let Some(found) = self.describe(executed)? else { return Ok(false) };
        let code = self.program.code(found.frame.method).ok();
        Ok(found.node.argument().is_none() && code.is_some_and(|code| code.call_at(found.node.pc()).is_some()))
    }

    /// Follows the object that an instruction has read from to where recorded code has it from.
    fn maker(&self, reader: Executed, object: ObjectId) -> Result<Option<Executed>, ReplayError> {
        let mut seen: FxHashSet<Executed> = FxHashSet::default();
        let mut maker = None;
        let mut next = self.bringer(reader, object, Role::Address)?;
        while let Some(executed) = next.filter(|&executed| seen.insert(executed)) {
            maker = Some(executed);
            // What unrecorded code has given out may have been in it before, or not.
            next = if self.is_call(executed)? { None } else { self.bringer(executed, object, Role::Value)? };
        }
        Ok(maker)
    }

    /// The input of an instruction that is this object. Of one that is still being made no more is known than that it
    /// has no id yet.
    fn bringer(&self, executed: Executed, object: ObjectId, role: Role) -> Result<Option<Executed>, ReplayError> {
        let inputs = self.stretch(executed.at)?.inputs(executed.node).to_vec();
        for input in inputs.into_iter().filter(|input| input.role == role) {
            if let Ok(source) = self.source(executed, input.origin)?
                && let Some(found) = self.describe(source)?
                && !found.has_thrown
            {
                let brought = ObjectId(self.identity(source, found.node.bits)? as u32);
                if brought == object || is_temporary(brought) {
                    return Ok(Some(source));
                }
            }
        }
        Ok(None)
    }
}
