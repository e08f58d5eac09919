//! A loop that makes one variable of another and back again:
//!
//! ```text
//! line 0        run();
//! line 1        x = 0;
//! line 2        while (…) {
//! line 3            a = f(x);
//! line 9            …            only in the odd iteration
//! line 4            x = g(a);
//!               }
//! line 5        check(x);
//! ```

use crate::{
    Answer, CodeLine, Course, EffectId, Graph, GraphBuilder, Input, Line, LineId, StepId, VariableId, Visit, Way,
};

pub(super) const ITERATIONS: u32 = 8;

/// Goes another way than the others.
pub(super) const ODD: u32 = 2;

const HEAD: u64 = 2;

pub(super) const CALL: StepId = StepId(0);
pub(super) const INIT: StepId = StepId(1);
pub(super) const END: StepId = StepId(2 + 3 * ITERATIONS);

/// Each step has one effect, of the same number.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) graph: Graph,
}

pub(super) fn head(iteration: u32) -> StepId {
    StepId(3 * iteration - 1)
}

pub(super) fn a(iteration: u32) -> StepId {
    StepId(3 * iteration)
}

pub(super) fn x(iteration: u32) -> StepId {
    if iteration == 0 { INIT } else { StepId(3 * iteration + 1) }
}

pub(super) fn effect(step: StepId) -> EffectId {
    EffectId(step.0)
}

pub(super) fn wrong(step: StepId) -> Answer {
    Answer::WrongValues { wrong: vec![effect(step)], stale: Vec::new(), right: Vec::new() }
}

impl Program {
    pub(super) fn new() -> Program {
        let mut builder = GraphBuilder::default();
        let lines: Vec<LineId> = (0..6).map(|_| builder.add_line(Line { work: 1, is_test: false })).collect();
        let mut add = |line: usize, level: u32, inputs: &[(Way, StepId)]| {
            let step = builder.add_step(lines[line], level);
            let made = builder.add_effect(step);
            let input = |&(way, from): &(Way, StepId)| Input { way, from: effect(from) };
            builder.set_inputs(made, inputs.iter().map(input).collect());
        };
        add(0, 1, &[]);
        add(1, 2, &[(Way::Control, CALL)]);
        for iteration in 1..=ITERATIONS {
            let decider = if iteration == 1 { CALL } else { head(iteration - 1) };
            add(2, 2, &[(Way::Control, decider)]);
            add(3, 3, &[(Way::Value, x(iteration - 1)), (Way::Control, head(iteration))]);
            add(4, 3, &[(Way::Value, a(iteration)), (Way::Control, head(iteration))]);
        }
        add(5, 2, &[(Way::Value, x(ITERATIONS)), (Way::Control, CALL)]);
        Program { graph: builder.finish(END) }
    }

    fn line(&self, step: StepId) -> u64 {
        u64::from(self.graph.step(step).line.0)
    }
}

impl Course for Program {
    fn time(&self, step: StepId) -> u64 {
        u64::from(step.0)
    }

    fn level(&self, step: StepId) -> u32 {
        self.graph.step(step).level
    }

    fn parent(&self, step: StepId) -> Option<StepId> {
        match self.level(step) {
            1 => None,
            2 => Some(CALL),
            _ => Some(head(1)),
        }
    }

    fn path(&self, from: StepId, to: StepId) -> Option<Vec<Visit>> {
        let mut visits = Vec::new();
        for step in (from.0..=to.0).map(StepId) {
            let line = self.line(step);
            visits.push(Visit { line: CodeLine(line), is_head: line == HEAD });
            if step == a(ODD) && step != to {
                visits.push(Visit { line: CodeLine(9), is_head: false });
            }
        }
        Some(visits)
    }

    fn variable(&self, effect: EffectId) -> VariableId {
        match self.line(self.graph.effect(effect).step) {
            1 | 4 => VariableId(4),
            line => VariableId(line),
        }
    }
}
