//! Slices as lines of source.

use super::{Cause, Causes};
use crate::session::SessionError;
use std::collections::{BTreeMap, BTreeSet};
use whydunit_replay::program::MethodIndex;
use whydunit_slices::{SliceKind, Unknown};
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
            });
            entry.count += 1;
            entry.last = number;
        }
        Ok(SliceView {
            thread: self.thread,
            steps: slice.steps.keys().copied().collect(),
            lines: lines.into_values().collect(),
            unknown: slice.unknown,
        })
    }
}
