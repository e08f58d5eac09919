//! Slices as lines of source.

use super::{Cause, Causes, StepPlace};
use crate::numbers::StepNumbers;
use crate::session::SessionError;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use whydunit_replay::ReplayError;
use whydunit_replay::naming::simple_name;
use whydunit_replay::program::{MethodIndex, Variable};
use whydunit_slices::{Changeable, Executed, Slice, SliceKind, SliceStep, Unknown};

/// Everything that some causes depend on.
#[derive(Clone, Debug)]
pub struct SliceView {
    /// Numbers among the steps of all threads.
    pub steps: BTreeSet<u64>,
    /// By method and line.
    pub lines: Vec<SliceLine>,
    pub unknown: BTreeSet<Unknown>,
    /// What comes before this step was not looked at.
    pub cut_before: Option<u64>,
    /// What other threads could have changed was not all looked at before that.
    pub lacks_others: bool,
    /// It ends there for want of room, not of patience: more would have to be looked for at once.
    pub cut_for_room: bool,
}

/// A line that belongs to a slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceLine {
    /// How many steps of the slice are in it.
    pub count: u64,
    /// The last of them.
    pub last: StepPlace,
    /// Its number among the steps of all threads.
    pub number: u64,
    /// What they could have changed and did not: by another way at a branch, or by a write that went elsewhere.
    pub could_have_changed: BTreeSet<String>,
}

impl Causes<'_> {
    /// `watch` is told of the steps that were found after each part of the run that was looked at, the latest first.
    pub fn slice(
        &self,
        causes: &[Cause],
        kind: SliceKind,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<SliceView, SessionError> {
        self.slice_until(causes, &[], kind, watch)
    }

    /// The slice of what gave a variable the value that it has in a step, with what could have changed it before.
    pub fn slice_before(
        &self,
        step: u64,
        causes: &[Cause],
        kind: SliceKind,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<SliceView, SessionError> {
        let users = self.dependences.of_step(self.thread, step)?;
        self.slice_until(causes, &users, kind, watch)
    }

    fn slice_until(
        &self,
        causes: &[Cause],
        users: &[Executed],
        kind: SliceKind,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<SliceView, SessionError> {
        let criterion: Vec<_> = causes.iter().map(|cause| cause.executed).collect();
        let slice = self.dependences.slice_until(&criterion, users, kind, watch)?;
        let mut numbers = StepNumbers::new(self.moments);
        let mut steps = BTreeSet::new();
        // A variable has one name at an instruction, and an instruction is in one line.
        let mut named = FxHashSet::default();
        let mut lines: BTreeMap<(MethodIndex, Option<u32>), SliceLine> = BTreeMap::new();
        for (&(thread, step), found) in &slice.steps {
            let number = numbers.number(thread, step).map_err(ReplayError::from)?.unwrap_or(step);
            steps.insert(number);
            let method = found.method;
            let line = found.instructions.first().and_then(|&pc| self.line_of(method, pc));
            let last = StepPlace { thread, step, method, line };
            let entry = lines.entry((method, line)).or_insert_with(|| SliceLine {
                count: 0,
                last,
                number,
                could_have_changed: BTreeSet::new(),
            });
            entry.count += 1;
            let first = found.instructions.first().copied();
            for &one in found.could_have_changed.iter().filter(|&&one| named.insert((method, first, one))) {
                entry.could_have_changed.extend(self.changeable_name(found, one));
            }
            if number > entry.number {
                (entry.last, entry.number) = (last, number);
            }
        }
        let mut lines: Vec<SliceLine> = lines.into_values().collect();
        lines.sort_by_cached_key(|line| self.outermost_class(line.last.method));
        let Slice { unknown, cut_before, lacks_others, cut_for_room, .. } = slice;
        Ok(SliceView { steps, lines, unknown, cut_before, lacks_others, cut_for_room })
    }

    /// Nested classes stand with the class that they are in.
    fn outermost_class(&self, method: MethodIndex) -> String {
        let program = self.session.program();
        let definition = program.method(method).and_then(|(definition, _)| program.definition(definition));
        let name = definition.map(|definition| definition.name.as_str()).unwrap_or_default();
        name.split('$').next().unwrap_or(name).to_owned()
    }

    /// `total`, `Cart.count`; `None` for what only the compiler knows.
    fn changeable_name(&self, step: &SliceStep, changeable: Changeable) -> Option<String> {
        let program = self.session.program();
        Some(match changeable {
            Changeable::Local(slot) => {
                let code = program.code(step.method).ok()?;
                if code.variables.is_empty() {
                    return Some(format!("local{slot}"));
                }
                let address = *code.addresses.get(*step.instructions.first()? as usize)?;
                // One that is not there yet may be made by what is behind.
                let is_later = |variable: &&Variable| variable.slot == slot && variable.start > address;
                let later = || code.variables.iter().filter(is_later).min_by_key(|variable| variable.start);
                code.variable_at(slot, address).or_else(later)?.name.to_string()
            }
            Changeable::Field(number) => match program.field(number) {
                Some(field) => format!("{}.{}", simple_name(&field.owner), field.name),
                None => "?".to_owned(),
            },
            Changeable::Element => "an element".to_owned(),
            Changeable::Content => "contents".to_owned(),
        })
    }
}
