//! What nobody recorded has written is as it came: with the object that it is a part of.

use crate::dependences::{Dependences, Executed, Found};
use crate::graph::{Place, Role};
use crate::wants::Unknown;
use rustc_hash::FxHashSet;
use whydunit_replay::ReplayError;
use whydunit_trace::ObjectId;

impl Dependences<'_> {
    /// What is behind a value that an instruction has read, when `found` is who wrote it: an element or a field that no
    /// recorded code has written comes from what made its object, `new` or a call of unrecorded code.
    pub(crate) fn written_or_made(&self, reader: Executed, found: Found) -> Result<Found, ReplayError> {
        let Err(Unknown::NotWritten(Place::Element(object, _) | Place::Field(object, _))) = found else {
            return Ok(found);
        };
        Ok(self.maker(reader, object)?.map_or(found, Ok))
    }

    /// Follows the object that an instruction has read from to where recorded code has it from.
    fn maker(&self, reader: Executed, object: ObjectId) -> Result<Option<Executed>, ReplayError> {
        let mut seen: FxHashSet<Executed> = FxHashSet::default();
        let mut maker = None;
        let mut next = self.bringer(reader, object, Role::Address)?;
        while let Some(executed) = next.filter(|&executed| seen.insert(executed)) {
            maker = Some(executed);
            next = self.bringer(executed, object, Role::Value)?;
        }
        Ok(maker)
    }

    /// The input of an instruction that is this object.
    fn bringer(&self, executed: Executed, object: ObjectId, role: Role) -> Result<Option<Executed>, ReplayError> {
        let inputs = self.stretch(executed.at)?.inputs(executed.node).to_vec();
        for input in inputs.into_iter().filter(|input| input.role == role) {
            if let Ok(source) = self.source(executed, input.origin)?
                && let Some(found) = self.describe(source)?
                && !found.has_thrown
                && self.identity(source, found.node.bits)? == u64::from(object.0)
            {
                return Ok(Some(source));
            }
        }
        Ok(None)
    }
}
