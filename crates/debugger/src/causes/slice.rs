//! Slices as lines of source.

use super::{Cause, Causes};
use crate::session::SessionError;
use std::collections::{BTreeMap, BTreeSet};
use whydunit_replay::naming::simple_name;
use whydunit_replay::program::MethodIndex;
use whydunit_slices::{Changeable, SliceKind, SliceStep, Unknown};
use whydunit_trace::ThreadId;

/// Everything that some causes depend on.
#[derive(Clone, Debug)]
pub struct SliceView {
    pub thread: ThreadId,
    /// Steps of the thread.
    pub steps: BTreeSet<u64>,
    /// By method and line.
    pub lines: Vec<SliceLine>,
    pub unknown: BTreeSet<Unknown>,
}

/// A line that belongs to a slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceLine {
    pub method: MethodIndex,
    pub line: Option<u32>,
    /// Steps of the slice in it: how many, the first and the last.
    pub count: u64,
    pub first: u64,
    pub last: u64,
    /// What they could have changed and did not: by another way at a branch, or by a write that went elsewhere.
    pub could_have_changed: BTreeSet<String>,
}

impl Causes<'_> {
    pub fn slice(
        &self,
        causes: &[Cause],
        kind: SliceKind,
        progress: &mut dyn FnMut(),
    ) -> Result<SliceView, SessionError> {
        let criterion: Vec<_> = causes.iter().map(|cause| cause.executed).collect();
        let slice = self.dependences.slice(&criterion, kind, progress)?;
        let mut lines: BTreeMap<(MethodIndex, Option<u32>), SliceLine> = BTreeMap::new();
        for (&number, step) in &slice.steps {
            let line = step.instructions.first().and_then(|&pc| self.line_of(step.method, pc));
            let entry = lines.entry((step.method, line)).or_insert(SliceLine {
                method: step.method,
                line,
                count: 0,
                first: number,
                last: number,
                could_have_changed: BTreeSet::new(),
            });
            entry.count += 1;
            entry.last = number;
            let changeable = step.could_have_changed.iter().map(|&one| self.changeable_name(step, one));
            entry.could_have_changed.extend(changeable);
        }
        Ok(SliceView {
            thread: self.thread,
            steps: slice.steps.keys().copied().collect(),
            lines: lines.into_values().collect(),
            unknown: slice.unknown,
        })
    }

    /// `total`, `Cart.count`.
    fn changeable_name(&self, step: &SliceStep, changeable: Changeable) -> String {
        let program = self.session.program();
        match changeable {
            Changeable::Local(slot) => {
                let code = program.code(step.method).ok();
                let address =
                    code.zip(step.instructions.first()).and_then(|(code, &pc)| code.addresses.get(pc as usize));
                let known = code.zip(address).and_then(|(code, &address)| code.variable_at(slot, address));
                known.map_or_else(|| format!("local{slot}"), |variable| variable.name.to_string())
            }
            Changeable::Field(number) => match program.field(number) {
                Some(field) => format!("{}.{}", simple_name(&field.owner), field.name),
                None => "?".to_owned(),
            },
            Changeable::Element => "an element".to_owned(),
            Changeable::Content => "contents".to_owned(),
        }
    }
}
