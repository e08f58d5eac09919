//! Variables whose value is needed and whose last write is further back.

use super::keys::{Bits, Key, KeySet};
use super::may_write::{MayWrite, Side};
use super::standing::Standing;
use super::windows::NeededElsewhere;
use crate::graph::NodeId;
use crate::wants::FrameKey;
use rustc_hash::FxHashMap;
use whydunit_trace::ObjectId;

/// Something that a branch may have left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    Local(FrameKey, u16),
    Heap(Key),
}

#[derive(Debug)]
pub(crate) struct Open {
    locals: FxHashMap<FrameKey, Vec<(u16, u32)>>,
    /// By key: how many places.
    counts: Vec<u32>,
    keys: Bits,
    /// By instruction: the last of the variables that it has written, as a position in [`Open::written`] counted from 1.
    until: Vec<u32>,
    /// With the next of the same instruction.
    written: Vec<(Variable, u32)>,
    /// By object: what nobody has written since it was made, as far as is known.
    until_new: FxHashMap<ObjectId, Vec<Variable>>,
    elsewhere: NeededElsewhere,
    /// The instruction that the sweep has come to.
    now: NodeId,
    /// How many keys are open.
    open_keys: usize,
}

impl Open {
    /// In a stretch of so many instructions, in which some places are open as a whole.
    pub(crate) fn new(
        may_write: &MayWrite,
        standing: &Standing,
        elsewhere: NeededElsewhere,
        instructions: usize,
    ) -> Open {
        let mut counts = standing.counts().to_vec();
        counts.resize(may_write.keys.len(), 0);
        let open_keys = counts.iter().filter(|count| **count > 0).count();
        Open {
            locals: FxHashMap::default(),
            counts,
            keys: standing.keys().cloned().unwrap_or_else(|| Bits::new(&may_write.keys)),
            until: vec![0; instructions],
            written: Vec::new(),
            until_new: FxHashMap::default(),
            elsewhere,
            now: NodeId(instructions as u32),
            open_keys,
        }
    }

    /// Open until the instruction that has written it.
    pub(crate) fn until(&mut self, variable: Variable, written_by: NodeId) {
        let Some(&last) = self.until.get(written_by.0 as usize) else { return };
        let mut next = last;
        while let Some(&(known, before)) = self.written_at(next) {
            if known == variable {
                return;
            }
            next = before;
        }
        self.written.push((variable, last));
        self.until[written_by.0 as usize] = self.written.len() as u32;
        self.open(variable);
    }

    fn written_at(&self, position: u32) -> Option<&(Variable, u32)> {
        self.written.get(position.checked_sub(1)? as usize)
    }

    /// Open until its object was made.
    pub(crate) fn until_new(&mut self, variable: Variable, object: ObjectId) {
        let closed = self.until_new.entry(object).or_default();
        if !closed.contains(&variable) {
            closed.push(variable);
            self.open(variable);
        }
    }

    pub(crate) fn open(&mut self, variable: Variable) {
        match variable {
            Variable::Local(frame, slot) => {
                let slots = self.locals.entry(frame).or_default();
                match slots.iter_mut().find(|(known, _)| *known == slot) {
                    Some((_, count)) => *count += 1,
                    None => slots.push((slot, 1)),
                }
            }
            Variable::Heap(key) => {
                if let Some(count) = self.counts.get_mut(key.0 as usize) {
                    *count += 1;
                    if *count == 1 {
                        self.keys.insert(key);
                        self.open_keys += 1;
                    }
                }
            }
        }
    }

    fn close(&mut self, variable: Variable) {
        match variable {
            Variable::Local(frame, slot) => {
                let Some(slots) = self.locals.get_mut(&frame) else { return };
                slots.iter_mut().filter(|(known, _)| *known == slot).for_each(|(_, count)| *count -= 1);
                slots.retain(|(_, count)| *count > 0);
                if slots.is_empty() {
                    self.locals.remove(&frame);
                }
            }
            Variable::Heap(key) => {
                let Some(count) = self.counts.get_mut(key.0 as usize).filter(|count| **count > 0) else { return };
                *count -= 1;
                if *count == 0 {
                    self.keys.remove(key);
                    self.open_keys -= 1;
                }
            }
        }
    }

    /// Whether nothing is.
    pub(crate) fn is_empty(&self) -> bool {
        self.locals.is_empty() && self.open_keys == 0
    }

    /// What other threads need.
    pub(crate) fn elsewhere(&self) -> &NeededElsewhere {
        &self.elsewhere
    }

    /// The sweep has come to an instruction.
    pub(crate) fn reach(&mut self, node: NodeId) {
        self.now = node;
        let mut next = self.until.get_mut(node.0 as usize).map(std::mem::take).unwrap_or_default();
        while let Some(&(variable, before)) = self.written_at(next) {
            self.close(variable);
            next = before;
        }
    }

    /// The sweep has come to where an object was made.
    pub(crate) fn reach_new(&mut self, object: ObjectId) {
        for variable in self.until_new.remove(&object).unwrap_or_default() {
            self.close(variable);
        }
    }

    /// What is open of what may be written on another way.
    pub(crate) fn common(&self, side: &Side, frame: FrameKey) -> Option<Variable> {
        let slots = self.locals.get(&frame).map(Vec::as_slice).unwrap_or_default();
        let local = slots.iter().find(|(slot, _)| side.locals.binary_search(slot).is_ok());
        let local = local.map(|&(slot, _)| Variable::Local(frame, slot));
        local.or_else(|| self.common_key(&side.keys))
    }

    pub(crate) fn common_key(&self, keys: &KeySet) -> Option<Variable> {
        let own = keys.first_common(&self.keys);
        let elsewhere = || self.elsewhere.at(self.now.0).find_map(|needed| keys.first_common(needed));
        own.or_else(elsewhere).map(Variable::Heap)
    }
}
