//! What a step's values were made of.

use super::names::Named;
use super::{Cause, CauseKind, Causes, Ingredient, StepPlace};
use crate::expression::is_conversion;
use crate::session::SessionError;
use std::collections::BTreeSet;
use whydunit_replay::program::{Op, Pc};
use whydunit_slices::{Executed, Found, Place, Role, Unknown};

/// Methods of the platform after which every element may be elsewhere.
const REARRANGING: [&str; 6] = ["sort", "parallelSort", "reverse", "shuffle", "rotate", "swap"];

/// How the walk through a step has come to an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    role: Role,
    /// It is the position or key of an element that is read.
    is_position: bool,
}

impl Way {
    const VALUE: Way = Way { role: Role::Value, is_position: false };

    /// What is needed only to know which object is meant does not make the value.
    fn and(self, role: Role, of_read: bool) -> Way {
        Way { role: self.role.max(role), is_position: self.is_position || of_read }
    }
}

/// What counts of an unrecorded call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// What it was given and what call-backs have returned to it; of a result that it was given, where it was given that.
    Results,
    /// What it was given when it started.
    Arguments,
}

impl Causes<'_> {
    /// Follows the inputs of some instructions of one step to what the step reads.
    pub(super) fn ingredients_of(&self, executed: &[Executed], calls: Of) -> Result<Vec<Ingredient>, SessionError> {
        let mut ingredients: Vec<Ingredient> = Vec::new();
        let Some(&first) = executed.first() else { return Ok(ingredients) };
        let own = self.named(first)?.place;
        let decided_before = self.dependences.decision(first)?.ok();
        let mut open: Vec<(Executed, Way)> = executed.iter().rev().map(|&one| (one, Way::VALUE)).collect();
        let mut seen: BTreeSet<(Executed, Way)> = BTreeSet::new();
        while let Some((next, way)) = open.pop() {
            // What says which object is meant may also make the value.
            if !seen.insert((next, way)) {
                continue;
            }
            let named = self.named(next)?;
            if !named.place.is_same_step(&own) {
                continue;
            }
            let pc = named.pc;
            let is_read = self.is_read(next, &named, calls)?;
            let mut inputs = self.inputs_by(next, &named, calls)?;
            if is_read {
                inputs.retain(|(role, _)| *role == Role::Address);
                if !self.tells_objects {
                    inputs = self.positions_and_keys(inputs, own)?;
                }
                add(&mut ingredients, self.ingredient(way, next, named, own, pc)?);
            } else if let Some(chooser) = self.chooser(next, &named, own, decided_before)? {
                open.push((chooser, way));
            }
            for (role, found) in inputs {
                let way = way.and(role, is_read);
                let ingredient = match found {
                    Ok(source) => {
                        let named = self.named(source)?;
                        if named.place.is_same_step(&own) {
                            let is_read = self.is_read(source, &named, calls)?;
                            open.push((source, way));
                            if !is_read {
                                continue;
                            }
                        }
                        let is_elsewhere = !named.place.is_same_step(&own);
                        let ingredient = self.ingredient(way, source, named, own, pc)?;
                        if is_elsewhere { self.with_others(ingredient, next)? } else { ingredient }
                    }
                    Err(Unknown::Nothing) => continue,
                    // A call that is given an object of which nothing is recorded.
                    Err(Unknown::NotWritten(
                        Place::Content(_) | Place::Item(..) | Place::Entry(..) | Place::Captured(_),
                    )) => continue,
                    Err(unknown) => self.unknown_ingredient(way.role, unknown, pc),
                };
                add(&mut ingredients, ingredient);
            }
        }
        Ok(ingredients)
    }

    /// Of what says which object or element is read: what people would call a value.
    fn positions_and_keys(
        &self,
        addresses: Vec<(Role, Found)>,
        own: StepPlace,
    ) -> Result<Vec<(Role, Found)>, SessionError> {
        let mut found = Vec::new();
        for (role, address) in addresses {
            let Ok(source) = address else { continue };
            let named = self.named(source)?;
            // An earlier call has changed what is read: its result is no position.
            let is_change = named.kind == CauseKind::Unrecorded && !named.place.is_same_step(&own);
            if !is_change && named.value.is_some_and(|value| self.session.is_plain(value)) {
                found.push((role, address));
            }
        }
        Ok(found)
    }

    /// What an instruction was made of; a call of unrecorded code that threw, of what it was given. Its call-backs ran
    /// when it had started: as a rule they tell what is wrong, and do not make it so; if it was given nothing, they did.
    pub(crate) fn inputs_of_failure(&self, executed: Executed) -> Result<Vec<(Role, Found)>, SessionError> {
        let named = self.named(executed)?;
        let is_by_call = named.has_thrown && named.kind == CauseKind::Unrecorded;
        let given = self.inputs_by(executed, &named, if is_by_call { Of::Arguments } else { Of::Results })?;
        if given.is_empty() { Ok(self.dependences.inputs(executed)?) } else { Ok(given) }
    }

    pub(super) fn inputs_by(
        &self,
        executed: Executed,
        named: &Named,
        calls: Of,
    ) -> Result<Vec<(Role, Found)>, SessionError> {
        let mut inputs = self.dependences.inputs(executed)?;
        match (calls, named.kind) {
            (Of::Arguments, CauseKind::Unrecorded) => {}
            // What a call gives to its call-backs it was not given.
            (Of::Arguments, CauseKind::Argument) if self.is_by_unrecorded(named, &inputs)? => return Ok(Vec::new()),
            _ => return Ok(inputs),
        }
        let all = inputs.len();
        let started = self.start_of(executed)?;
        inputs.retain(|(_, found)| !is_during(found, started));
        // What came out of a call-back is made of nothing else, as far as values go; the call has led there.
        if inputs.len() < all && inputs.iter().all(|(role, _)| *role == Role::Address) {
            inputs.iter_mut().for_each(|(role, _)| *role = Role::Value);
        }
        Ok(inputs)
    }

    /// Whether it is unrecorded code that gives a parameter its value.
    fn is_by_unrecorded(&self, argument: &Named, inputs: &[(Role, Found)]) -> Result<bool, SessionError> {
        for found in inputs.iter().filter(|(role, _)| *role == Role::Address).filter_map(|(_, found)| found.ok()) {
            let named = self.named(found)?;
            let is_same = named.place.is_same_step(&argument.place) && named.pc == argument.pc;
            if is_same && named.kind == CauseKind::Unrecorded {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What call-backs have returned to a call, in the order of execution.
    pub(super) fn returned_to(&self, call: Executed) -> Result<Vec<Ingredient>, SessionError> {
        let started = self.start_of(call)?;
        let own = self.named(call)?.place;
        let mut returned: Vec<Executed> = Vec::new();
        for part in self.dependences.parts(call)? {
            let inputs = self.dependences.inputs(part)?;
            returned
                .extend(inputs.into_iter().filter(|(_, found)| is_during(found, started)).flat_map(|(_, found)| found));
        }
        returned.sort_unstable();
        returned.dedup();
        let mut ingredients = Vec::new();
        for source in returned {
            let named = self.named(source)?;
            if named.kind == CauseKind::Return {
                let pc = named.pc;
                ingredients.push(self.ingredient(Way::VALUE, source, named, own, pc)?);
            }
        }
        Ok(ingredients)
    }

    fn start_of(&self, call: Executed) -> Result<Executed, SessionError> {
        Ok(self.dependences.parts(call)?.last().copied().unwrap_or(call))
    }

    /// The condition of the step that has chosen a value: `less = a < b`, `is ? one : other`; what decided that the
    /// whole expression ran has not.
    fn chooser(
        &self,
        executed: Executed,
        named: &Named,
        own: StepPlace,
        decided_before: Option<Executed>,
    ) -> Result<Option<Executed>, SessionError> {
        let is_choice = match named.kind {
            CauseKind::Constant | CauseKind::Branch => true,
            CauseKind::Computed => {
                let code = self.session.program().code(named.place.method).ok();
                let op = code.and_then(|code| code.ops.get(named.pc as usize));
                matches!(op, Some(Op::Goto(_) | Op::Load(_) | Op::LoadWide(_) | Op::CheckCast(_)))
            }
            _ => false,
        };
        let decision = if is_choice { self.dependences.decision(executed)?.ok() } else { None };
        let Some(decision) = decision.filter(|decision| Some(*decision) != decided_before) else { return Ok(None) };
        let decider = self.named(decision)?;
        let is_own = decider.kind == CauseKind::Branch && decider.place.is_same_step(&own);
        Ok(is_own.then_some(decision))
    }

    /// A value that comes into a step: from another step, or by a read in it.
    fn ingredient(
        &self,
        Way { role, is_position }: Way,
        source: Executed,
        named: Named,
        own: StepPlace,
        pc: Pc,
    ) -> Result<Ingredient, SessionError> {
        let (name, value) = (named.what.clone(), named.value);
        let is_local = matches!(named.kind, CauseKind::Variable | CauseKind::Argument);
        let slot = named.slot.filter(|_| is_local);
        if !named.place.is_same_step(&own) {
            let source = Ok(named.into_cause(source));
            return Ok(Ingredient { slot, is_position, ..Ingredient::new(name, value, role, pc, source) });
        }
        let behind = self.dependences.inputs(source)?;
        let written = behind.iter().filter(|(role, _)| *role == Role::Value).map(|(_, found)| *found).next_back();
        let written = written.unwrap_or(Err(Unknown::Nothing));
        let is_by_key = written.is_ok() && self.dependences.is_by_key(source)?;
        let rearranged_by = self.rearranger(&behind, written)?;
        let ingredient = Ingredient::new(name, value, role, pc, self.cause_of(written)?);
        self.with_others(Ingredient { is_by_key, is_position, rearranged_by, ..ingredient }, source)
    }

    /// An ingredient that an instruction has found in a collection, with all calls that may have put it there.
    fn with_others(&self, ingredient: Ingredient, reader: Executed) -> Result<Ingredient, SessionError> {
        let is_meant = self.tells_putters && ingredient.role == Role::Value && !ingredient.is_by_key;
        let Some(put) = ingredient.source.as_ref().ok().filter(|_| is_meant).map(|source| source.executed) else {
            return Ok(ingredient);
        };
        let putters = self.dependences.putters(reader, put)?;
        let mut others = Vec::new();
        for call in putters.calls.into_iter().filter(|call| *call != put) {
            others.push(self.cause(call)?);
        }
        Ok(Ingredient { others, has_more_others: putters.has_more, ..ingredient })
    }

    /// The last call since something was put somewhere that has given all that is there another order.
    fn rearranger(&self, behind: &[(Role, Found)], put: Found) -> Result<Option<Cause>, SessionError> {
        let Ok(put) = put else { return Ok(None) };
        let is_since = |found: &Executed| found.thread() == put.thread() && *found > put;
        let addresses = behind.iter().filter(|(role, _)| *role == Role::Address).filter_map(|(_, found)| found.ok());
        let mut last = None;
        for found in addresses.filter(is_since) {
            let named = self.named(found)?;
            let code = self.session.program().code(named.place.method).ok();
            let call = code.and_then(|code| code.call_at(named.pc));
            let is_meant = named.kind == CauseKind::Unrecorded
                && named.value.is_none()
                && call.is_some_and(|call| REARRANGING.contains(&&*call.name));
            if is_meant && last.is_none_or(|last| last < found) {
                last = Some(found);
            }
        }
        last.map(|found| self.cause(found)).transpose()
    }

    /// Its value comes as a whole from somewhere else than the step.
    fn is_read(&self, executed: Executed, named: &Named, calls: Of) -> Result<bool, SessionError> {
        Ok(match named.kind {
            _ if named.has_thrown => false,
            CauseKind::Read => true,
            CauseKind::Unrecorded => {
                let code = self.session.program().code(named.place.method).ok();
                let call = code.and_then(|code| code.call_at(named.pc));
                if call.is_some_and(is_conversion) {
                    return Ok(false);
                }
                let inputs = self.dependences.inputs(executed)?;
                let mut values = inputs.iter().filter(|(role, _)| *role == Role::Value);
                match (values.next(), values.next()) {
                    // It gives back what it was given; what it makes of it is another value.
                    (Some((_, Ok(source))), None) => {
                        let given = self.named(*source)?;
                        let is_same = named.value.is_some() && given.value == named.value;
                        is_same
                            && (calls == Of::Results
                                || !given.place.is_same_step(&named.place)
                                    && !is_during(&Ok(*source), self.start_of(executed)?))
                    }
                    // What unrecorded code gave before is given to it again.
                    (Some((_, Err(Unknown::Given(_) | Unknown::Outside | Unknown::Function(_)))), None) => false,
                    (Some((_, Err(_))), None) => true,
                    _ => false,
                }
            }
            _ => false,
        })
    }

    fn unknown_ingredient(&self, role: Role, unknown: Unknown, pc: Pc) -> Ingredient {
        let (name, source) = (self.unknown_name(unknown), Err(unknown));
        Ingredient::new(name, None, role, pc, source)
    }
}

/// Whether something came while a call was under way.
fn is_during(found: &Found, started: Executed) -> bool {
    found.is_ok_and(|source| source.thread() == started.thread() && source >= started)
}

/// What makes the value is not told again for saying which object is meant.
fn add(ingredients: &mut Vec<Ingredient>, ingredient: Ingredient) {
    let is_same = |known: &Ingredient| {
        (&known.name, &known.value, &known.source) == (&ingredient.name, &ingredient.value, &ingredient.source)
    };
    match ingredients.iter_mut().find(|known| is_same(known)) {
        Some(known) => known.role = known.role.min(ingredient.role),
        None => ingredients.push(ingredient),
    }
}
