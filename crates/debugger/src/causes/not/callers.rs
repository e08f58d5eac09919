//! Who would have called a method that was not entered.

use super::search::{Reason, Search};
use super::{CodeLine, NotRun, rank};
use crate::session::{Session, SessionError};
use crate::state::Moments;
use rustc_hash::FxHashSet;
use whydunit_replay::index::Hit;
use whydunit_replay::program::{Call, CallKind, DefinitionIndex, MethodIndex, Pc, Target};

/// A line that calls a method, or makes a function of it.
struct Caller {
    line: CodeLine,
    calls: Vec<Pc>,
    only_makes: bool,
}

impl Session {
    pub(super) fn why_not_entered(
        &self,
        moments: &Moments,
        line: &CodeLine,
        most: u32,
        seen: &mut FxHashSet<MethodIndex>,
    ) -> Result<NotRun, SessionError> {
        let Some(&method) = line.methods.first() else { return Ok(NotRun::NotYet { at: None, calling: None }) };
        let mut callers = Vec::new();
        let mut others = Vec::new();
        let all = self.lines_that_call(&line.methods);
        let left = if all.len() == 1 { most } else { most.saturating_sub(1) };
        for caller in all {
            if most == 0 || !caller.line.methods.iter().all(|method| seen.insert(*method)) {
                others.push(caller.line);
                continue;
            }
            let found = self.why_not_called(moments, &caller, left, seen)?;
            callers.push((caller.line, found));
        }
        callers.sort_by_key(|(_, found)| std::cmp::Reverse(rank(found)));
        Ok(NotRun::NotEntered { method, callers, others })
    }

    /// Why calls in a line did not run, or called something else.
    fn why_not_called(
        &self,
        moments: &Moments,
        caller: &Caller,
        most: u32,
        seen: &mut FxHashSet<MethodIndex>,
    ) -> Result<NotRun, SessionError> {
        let Caller { line, calls, only_makes } = caller;
        let Some(hit) = self.last_visit(moments, &line.methods, line.line)? else {
            return self.why_not_anywhere(moments, line, most, seen);
        };
        let Hit { thread, step, depth, method, .. } = hit;
        if let Some(instead) = self.called_in(moments, &hit, calls)? {
            return Ok(match only_makes {
                true => NotRun::OnlyMade { thread, step },
                false => NotRun::OtherCalled { thread, step, instead },
            });
        }
        let call = self.call_around(moments, thread, step, &|at, of| at == depth && of == method)?;
        let (Some(call), Some(causes), Ok(code)) = (call, self.causes(moments, thread), self.program().code(method))
        else {
            return Ok(NotRun::OtherCalled { thread, step, instead: None });
        };
        let (steps, flow) = (call.steps.clone(), self.flows().of(code));
        let search =
            Search { session: self, moments, call: &call, steps, causes: &causes, code, flow, tries: Vec::new() };
        match search.reason(calls.clone())? {
            Reason::Found(found) => Ok(found),
            Reason::OnTheWay | Reason::Nothing => self.how_call_ended(moments, &call),
        }
    }

    /// Whether one of some calls was made in a step, and the recorded method that it ran.
    fn called_in(
        &self,
        moments: &Moments,
        hit: &Hit,
        calls: &[Pc],
    ) -> Result<Option<Option<MethodIndex>>, SessionError> {
        let Some(causes) = self.causes(moments, hit.thread) else { return Ok(None) };
        let mut made = None;
        for executed in causes.dependences.of_step(hit.thread, hit.step)? {
            if let Some(found) = causes.dependences.describe(executed)?
                && calls.contains(&found.node.pc())
                && !found.has_thrown
            {
                made = Some(found.callee.or(made.flatten()));
            }
        }
        Ok(made)
    }

    /// The lines with calls that can run one of these methods, or that make a function of it.
    fn lines_that_call(&self, methods: &[MethodIndex]) -> Vec<Caller> {
        let mut callers: Vec<Caller> = Vec::new();
        for method in self.program().methods() {
            let Ok(code) = self.program().code(method) else { continue };
            for pc in 0..code.ops.len() as Pc {
                let Some(call) = code.call_at(pc) else { continue };
                let makes = methods.iter().any(|&callee| self.makes_function(code, pc, callee));
                let is_call = makes || methods.iter().any(|&callee| self.can_run(code.definition, call, callee));
                let Some(line) = code.line(pc).filter(|_| is_call) else { continue };
                let line = CodeLine { methods: vec![method], line };
                match callers.iter_mut().find(|known| known.line == line && known.only_makes == makes) {
                    Some(known) => known.calls.push(pc),
                    None => callers.push(Caller { line, calls: vec![pc], only_makes: makes }),
                }
            }
        }
        callers
    }

    fn makes_function(&self, code: &whydunit_replay::program::MethodCode, pc: Pc, callee: MethodIndex) -> bool {
        let Some((definition, member)) = self.program().method(callee) else { return false };
        let Some(definition) = self.program().definition(definition) else { return false };
        self.function_made(code, pc).is_some_and(|made| {
            *made.owner == *definition.name && made.name == member.name && made.descriptor == member.descriptor
        })
    }

    /// Whether a call can run a method, by the class that it names.
    fn can_run(&self, from: DefinitionIndex, call: &Call, callee: MethodIndex) -> bool {
        let Some((definition, member)) = self.program().method(callee) else { return false };
        if call.name != member.name || call.descriptor != member.descriptor {
            return false;
        }
        match call.kind {
            CallKind::Dynamic => false,
            CallKind::Virtual => {
                let named = self.program().find_definition(from, &call.owner);
                // An inherited method may be called by the name of the class that inherits it.
                self.has_supertype(definition, &call.owner)
                    || named
                        .zip(self.program().definition(definition))
                        .is_some_and(|(named, declaring)| self.has_supertype(named, &declaring.name))
            }
            _ => self.program().fixed_target(from, call) == Target::Recorded(callee),
        }
    }

    /// Whether a recorded class is, extends or implements a class.
    fn has_supertype(&self, definition: DefinitionIndex, name: &str) -> bool {
        let program = self.program();
        let mut open = vec![definition];
        let mut seen = FxHashSet::default();
        while let Some(next) = open.pop().filter(|next| seen.insert(*next)) {
            let (Some(record), Some(summary)) = (program.definition(next), program.summary(next)) else { continue };
            if record.name == name {
                return true;
            }
            for above in summary.superclass.iter().chain(&summary.interfaces) {
                if **above == *name {
                    return true;
                }
                match program.find_definition(next, above) {
                    Some(found) => open.push(found),
                    None => {
                        let class = program.classes().by_name(record.loader, above);
                        let above = class.map(|class| program.classes().supertypes(class.id)).unwrap_or_default();
                        if above.iter().any(|class| class.name == name) {
                            return true;
                        }
                    }
                }
            }
        }
        false
    }
}
