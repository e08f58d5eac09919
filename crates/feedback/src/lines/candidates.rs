//! Steps that may be asked about.

use super::choice::Chooser;
use super::influence::spread;
use super::sight::Sight;
use crate::graph::{StepId, Way};

/// Lines whose own steps may be asked about.
const SUSPECTS: usize = 25;

/// Steps that may be asked about because of what their answers would tell.
const WITNESSES: usize = 40;

impl Chooser<'_> {
    /// Steps of likely lines, and steps that the user can tell about and that much of what is likely leads to.
    pub(super) fn candidates(&self) -> Vec<StepId> {
        let mut steps: Vec<StepId> = Vec::new();
        for &line in self.leading.lines.iter().take(SUSPECTS) {
            let is_open = |&step: &StepId| self.graph.can_be_wrong(step) && !self.is_settled(step);
            let open = || self.graph.steps_of(line).iter().copied().filter(is_open);
            let nearest = open().min_by_key(|&step| (self.graph.step(step).distance, self.graph.step(step).level));
            let clearest = open().min_by(|&a, &b| self.doubt(a).total_cmp(&self.doubt(b)));
            steps.extend(nearest);
            steps.extend(clearest);
        }
        let mut by_step = vec![0.0; self.graph.steps().len()];
        let onsets = self.ground.onsets.steps().iter().zip(self.beliefs.weights());
        onsets.for_each(|(step, weight)| by_step[step.0 as usize] = *weight);
        let spread = spread(&self.ground.network, |step| by_step[step.0 as usize]);
        let mut witnesses: Vec<(f64, StepId)> = Vec::new();
        let until = self.until();
        let is_open = |&step: &StepId| self.graph.can_be_wrong(step) && !self.is_settled(step) && !self.is_known(step);
        for step in self.graph.steps().filter(is_open) {
            let clear = 1.0 - self.doubt(step);
            let inputs = self.graph.inputs_of(step).filter(|input| input.way != Way::Omission);
            let wrong = inputs.map(|input| spread[self.ground.network.place(input.from)]).fold(0.0, f64::max);
            // One line is wrong, not several: likelihoods add up.
            let wrong = (-(1.0 - wrong).ln()).min(1.0);
            let (before, inside) = self.seen(step, &until);
            let wrong = wrong.max(before);
            let right = (1.0 - wrong - inside).max(0.0);
            witnesses.push((clear * (1.0 - wrong * wrong - inside * inside - right * right), step));
        }
        if witnesses.len() > WITNESSES {
            witnesses.select_nth_unstable_by(WITNESSES, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            witnesses.truncate(WITNESSES);
        }
        steps.extend(witnesses.into_iter().map(|(_, step)| step));
        if steps.is_empty() {
            steps.extend(self.last_unclear());
        }
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    /// By how many onsets there were, in the order of the run: how likely something has gone wrong at one of them.
    fn until(&self) -> Vec<f64> {
        let mut sum = 0.0;
        let mut until = vec![sum];
        for &onset in &self.ground.times.in_order {
            sum += self.beliefs.weights()[onset as usize];
            until.push(sum);
        }
        until
    }

    /// How likely something wrong is seen in a step, on whatever way it came: before the step ran, and inside of it.
    fn seen(&self, step: StepId, until: &[f64]) -> (f64, f64) {
        let (before, end) = self.ground.times.span(step);
        let sight = Sight::of(self.graph, step);
        let inside = sight.inside(self.graph.step(step).moment);
        (until[before] * sight.before(0), (until[end] - until[before]) * inside)
    }
}
