//! Collections and maps of the platform, element by element: which call has put there what another finds at a position
//! or under a key.
//!
//! A stretch does not know what was in a list before it, so all calls of the one list are looked at in their order from
//! where it was made. What they give back has to be what is there by their account; when it is not, or when somebody may
//! have changed the list in a way that is not followed, nothing is said, and items are told by their identity.

mod calls;
mod following;
mod history;
mod lists;
mod maps;

pub(crate) use calls::{KeeperCall, Kind, Part};

use crate::dependences::{Dependences, Executed, Found};
use crate::graph::{Origin, Role};
use whydunit_replay::ReplayError;
use whydunit_trace::ObjectId;

/// Something that is in a collection or map.
#[derive(Clone, Copy, Debug)]
struct Element {
    /// 0 is `null`.
    object: ObjectId,
    put: Executed,
}

impl Element {
    fn is_null(self) -> bool {
        self.object == ObjectId(0)
    }

    /// Who has put it there, if it is what was found there.
    fn seen_as(self, result: u64) -> Result<Executed, Unfollowed> {
        if u64::from(self.object.0) == result { Ok(self.put) } else { Err(Unfollowed) }
    }
}

/// The method of maps that is given what it gives back when nothing is under the key.
const GIVES_DEFAULT: &str = "getOrDefault";

/// It is not known any more what is where.
#[derive(Clone, Copy, Debug)]
struct Unfollowed;

impl Dependences<'_> {
    /// Whether it is known for what position or key a call of a collection or map has given something back.
    pub(crate) fn is_followed(&self, reader: Executed) -> Result<bool, ReplayError> {
        Ok(!self.kept_by(reader)?.is_empty())
    }

    /// The inputs of a call, when it is known who has put its result into the collection or map.
    pub(crate) fn with_keeper(
        &self,
        reader: Executed,
        inputs: Vec<(Role, Found)>,
    ) -> Result<Vec<(Role, Found)>, ReplayError> {
        let kept = self.kept_by(reader)?;
        if kept.is_empty() || kept.len() > 1 && self.is_made_by_callback(reader, &inputs)? {
            return Ok(inputs);
        }
        if self.gives_default(reader, &kept)? {
            let removed = kept.into_iter().filter(|&put| put < reader).map(|put| (Role::Value, Ok(put)));
            return Ok(inputs.into_iter().chain(removed).collect());
        }
        let has_item = self.describe(reader)?.is_some_and(|found| found.node.bits != 0);
        let stretch = self.stretch(reader.at)?;
        let contents: Vec<Origin> = stretch.contents_read(reader.node).map(|(_, origin)| origin).collect();
        let is_content = stretch.inputs(reader.node).iter().map(|input| contents.contains(&input.origin));
        // Without an item, nobody was looked for who has put it there: that there is none says the key.
        let others = inputs.into_iter().zip(is_content).filter(|((role, _), _)| !has_item || *role == Role::Address);
        let others = others.map(|((role, found), is_content)| {
            let is_key = !has_item && !is_content;
            (if is_key { role } else { Role::Address }, found)
        });
        Ok(others.chain(kept.into_iter().map(|put| (Role::Value, Ok(put)))).collect())
    }

    /// Whether a call gives back what it was given to give back when nothing is under a key.
    fn gives_default(&self, reader: Executed, kept: &[Executed]) -> Result<bool, ReplayError> {
        let is_own_argument = |put: &Executed| put.at == reader.at && *put >= reader;
        Ok(kept.iter().any(is_own_argument) && self.call_made(reader)?.is_some_and(|call| &*call.name == GIVES_DEFAULT))
    }

    /// What a recorded function has returned is made of what that says.
    fn is_made_by_callback(&self, call: Executed, inputs: &[(Role, Found)]) -> Result<bool, ReplayError> {
        for source in inputs.iter().filter_map(|(role, found)| found.ok().filter(|_| *role == Role::Value)) {
            if self.is_return_to(source, call)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_return_to(&self, source: Executed, call: Executed) -> Result<bool, ReplayError> {
        let (Some(source), Some(call)) = (self.describe(source)?, self.describe(call)?) else { return Ok(false) };
        Ok(source.frame.depth > call.frame.depth && source.frame.entered >= call.node.step)
    }
}
