//! What users see of an error where the graph has no way to: they look at objects, too, and at what a step has called.

use crate::graph::{Graph, StepId};

/// How often a step that runs after something went wrong shows it, by the calls and loops around the step: those with few
/// of them handle the objects that matter. `cargo xtask feedback --fit` counts them.
const AFTER: [f64; 4] = [0.55, 0.3, 0.22, 0.2];

/// The same of a step that has called what went wrong.
const ABOVE: f64 = 0.6;

/// How likely something wrong is seen in a step if a wrong line first ran at some moment.
pub(crate) fn sight(graph: &Graph, step: StepId, onset: u64) -> f64 {
    let step = graph.step(step);
    if onset < step.moment {
        AFTER[(step.level.max(1) as usize - 1).min(AFTER.len() - 1)]
    } else if onset <= step.until {
        ABOVE
    } else {
        0.0
    }
}
