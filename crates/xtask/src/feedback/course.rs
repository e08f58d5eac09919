//! What the states of a search ask of a run, as far as a case has it: the ways through loops are not in it, so that no
//! iteration is passed over for going the way of a sound one.

use whydunit_feedback::{Course, EffectId, Graph, StepId, VariableId, Visit};

pub(super) struct CaseCourse {
    /// By step: when it ran, and how many calls and loops are around it.
    steps: Vec<(u64, u32)>,
    parents: Vec<Option<StepId>>,
}

impl CaseCourse {
    pub(super) fn new(graph: &Graph) -> CaseCourse {
        let steps: Vec<(u64, u32)> =
            graph.steps().map(|step| (graph.step(step).moment, graph.step(step).level)).collect();
        let mut in_order: Vec<StepId> = graph.steps().collect();
        in_order.sort_by_key(|step| steps[step.0 as usize]);
        let mut parents = vec![None; steps.len()];
        // The steps that those behind may be inside of, each deeper than the one before.
        let mut around: Vec<StepId> = Vec::new();
        for step in in_order {
            let level = steps[step.0 as usize].1;
            while around.last().is_some_and(|last| steps[last.0 as usize].1 >= level) {
                around.pop();
            }
            parents[step.0 as usize] = around.last().copied();
            around.push(step);
        }
        CaseCourse { steps, parents }
    }
}

impl Course for CaseCourse {
    fn time(&self, step: StepId) -> u64 {
        self.steps[step.0 as usize].0
    }

    fn level(&self, step: StepId) -> u32 {
        self.steps[step.0 as usize].1
    }

    fn parent(&self, step: StepId) -> Option<StepId> {
        self.parents[step.0 as usize]
    }

    fn path(&self, _from: StepId, _to: StepId) -> Option<Vec<Visit>> {
        None
    }

    fn variable(&self, effect: EffectId) -> VariableId {
        VariableId(u64::from(effect.0))
    }
}
