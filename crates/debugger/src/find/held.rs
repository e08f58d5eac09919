//! What objects held while lines ran with them of which no way is known to the failure: such a line should perhaps have
//! written it.

use super::chronicle::Chronicle;
use super::explore::Explorer;
use crate::session::SessionError;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use whydunit_feedback::{EffectId, Way};
use whydunit_slices::{Description, Place};
use whydunit_trace::{ObjectId, ThreadId};

/// Uses that one step should perhaps have given another value, the first ones after it.
const MOST_USES: usize = 8;

/// Steps that should perhaps have written something, of all lines.
const MOST_STEPS: usize = 256;

/// A value of an object, from where it was made to where it was used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    thread: ThreadId,
    since: u64,
    until: u64,
    user: EffectId,
}

pub(super) type HeldByObject = FxHashMap<ObjectId, Vec<Held>>;

impl Explorer<'_, '_> {
    /// By the objects that held them, and those by whose fields these were found; the first used first.
    pub(super) fn held(&self) -> HeldByObject {
        let mut held = HeldByObject::default();
        for user in (0..self.seen.executed.len() as u32).map(EffectId) {
            let Some((used_by, description)) = self.known(user) else { continue };
            let (thread, until) = (used_by.thread(), description.node.step);
            let effect = self.seen.builder.effect(user);
            let found_by = effect.inputs.iter().filter(|input| input.way == Way::Address).map(|input| input.from);
            let holders = std::iter::once(user).chain(found_by).filter_map(|at| self.known(at));
            let objects: FxHashSet<ObjectId> = holders.filter_map(|(_, at)| object_of(&at)).collect();
            for input in effect.inputs.iter().filter(|input| input.way == Way::Value) {
                let made = self.known(input.from).filter(|(maker, _)| maker.thread() == thread);
                let since = made.map_or(0, |(_, made)| made.node.step);
                for &object in &objects {
                    held.entry(object).or_default().push(Held { thread, since, until, user });
                }
            }
        }
        held.values_mut().for_each(|uses| uses.sort_by_key(|held| held.until));
        held
    }

    /// Steps of lines of which nothing else is known should perhaps have written what was used later.
    pub(super) fn add_bystanders(&mut self, held: &HeldByObject, chronicle: &Chronicle) -> Result<(), SessionError> {
        let last_use = |object| held.get(object).and_then(|uses| uses.last()).map(|last| last.until);
        let mut around: Vec<_> = chronicle.around_objects.iter().collect();
        // Those that were used last are nearest to the failure.
        around.sort_unstable_by_key(|((object, line), _)| (Reverse(last_use(object)), *object, *line));
        let mut steps = 0;
        for ((object, line), visits) in around {
            let Some(uses) = held.get(object) else { continue };
            for visit in visits.visits() {
                let later = uses.iter().skip_while(|held| held.until < visit.step);
                let between = later.filter(|held| held.thread == visit.thread && held.since < visit.step);
                let users: Vec<EffectId> = between.map(|held| held.user).take(MOST_USES).collect();
                if users.is_empty() {
                    continue;
                }
                if steps == MOST_STEPS {
                    return Ok(());
                }
                let id = self.step(visit.thread, visit.step, *line)?;
                self.set_standing(id, visit.standing);
                steps += 1;
                for from in self.effects_of(visit.thread, visit.step, *line)? {
                    users.iter().for_each(|&user| self.seen.builder.add_omission(user, from));
                }
            }
        }
        Ok(())
    }
}

fn object_of(description: &Description) -> Option<ObjectId> {
    match description.place? {
        Place::Field(object, _) | Place::Element(object, ..) | Place::Content(object) | Place::Item(object, ..) => {
            Some(object)
        }
        Place::Entry(object, ..) => Some(object),
        Place::Static(_) | Place::Captured(_) => None,
    }
}
