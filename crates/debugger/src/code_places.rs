//! The code that a question is about, to leave out what the index knows not to have run it.

use crate::events::{EventFilter, FieldFilter, LineFilter};
use crate::session::Session;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use whydunit_replay::index::Summary;
use whydunit_replay::program::{MethodIndex, Op};

/// Methods, or lines of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct CodePlaces {
    methods: Vec<MethodIndex>,
    lines: Vec<(MethodIndex, u16)>,
}

impl CodePlaces {
    /// `false`: nothing of it ran in the segment.
    pub(crate) fn has_run(&self, summary: &Summary) -> bool {
        self.methods.iter().any(|&method| summary.has_run(method))
            || self.lines.iter().any(|&(method, line)| summary.has_run_line(method, line))
    }
}

impl Session {
    /// The code that can have the events of a filter; `None` for all.
    pub(crate) fn code_of(&self, filter: &EventFilter) -> Option<CodePlaces> {
        self.code_places(filter.methods.as_ref(), filter.line.as_ref(), filter.field.as_ref())
    }

    /// `None`: anything.
    pub(crate) fn code_places(
        &self,
        methods: Option<&FxHashSet<MethodIndex>>,
        line: Option<&LineFilter>,
        field: Option<&FieldFilter>,
    ) -> Option<CodePlaces> {
        if line.is_none() && field.is_none() {
            let methods = methods?.iter().copied().collect();
            return Some(CodePlaces { methods, lines: Vec::new() });
        }
        let is_in_file = |method: MethodIndex| match line.and_then(|line| line.file.as_deref()) {
            Some(file) => self.source_file(method) == Some(file),
            None => true,
        };
        let matters =
            |method: &MethodIndex| methods.is_none_or(|methods| methods.contains(method)) && is_in_file(*method);
        let mut known: FxHashMap<u32, bool> = FxHashMap::default();
        let mut is_asked = |op: &Op, asked: &FieldFilter| match *op {
            Op::GetField { field, .. }
            | Op::PutField { field, .. }
            | Op::GetStatic { field, .. }
            | Op::PutStatic { field, .. } => *known
                .entry(field)
                .or_insert_with(|| self.program().field(field).is_some_and(|field| asked.is_field(&field))),
            _ => false,
        };
        let mut lines = BTreeSet::new();
        for method in self.program().methods().filter(matters) {
            let Some(code) = self.code(method) else { continue };
            for (op, &own) in code.ops.iter().zip(&code.lines) {
                if line.is_none_or(|line| line.line == u32::from(own)) && field.is_none_or(|field| is_asked(op, field))
                {
                    lines.insert((method.0, own));
                }
            }
        }
        let lines = lines.into_iter().map(|(method, line)| (MethodIndex(method), line)).collect();
        Some(CodePlaces { methods: Vec::new(), lines })
    }
}
