//! What a step has called.

use crate::dependences::{Dependences, Executed};
use crate::graph::NodeId;
use whydunit_replay::ReplayError;
use whydunit_replay::program::MethodIndex;

/// Stretches that are looked through. Hardly any call that is asked for takes longer.
const MOST_STRETCHES: usize = 24;

impl Dependences<'_> {
    /// The steps of some methods that the step of an instruction calls after it, in their order.
    pub fn steps_called(
        &self,
        executed: Executed,
        is_asked: &dyn Fn(MethodIndex) -> bool,
    ) -> Result<Vec<(u64, MethodIndex)>, ReplayError> {
        let Some(caller) = self.describe(executed)? else { return Ok(Vec::new()) };
        let end = self.index(executed.thread())?.checkpoints();
        let mut called = Vec::new();
        let mut first = executed.node;
        'stretches: for segment in (executed.at.segment..end).take(MOST_STRETCHES) {
            let stretch = self.stretch(executed.at.of_segment(segment))?;
            for (_, node) in stretch.nodes().filter(|(id, _)| *id >= first) {
                let Some(frame) = stretch.frame(node.frame) else { continue };
                if frame.depth > caller.frame.depth {
                    let step = (node.step, frame.method);
                    if is_asked(frame.method) && called.last() != Some(&step) {
                        called.push(step);
                    }
                } else if node.step != caller.node.step {
                    break 'stretches;
                }
            }
            if !stretch.is_in_step(caller.node.step) {
                break;
            }
            first = NodeId(0);
        }
        called.sort_unstable();
        called.dedup();
        Ok(called)
    }
}
