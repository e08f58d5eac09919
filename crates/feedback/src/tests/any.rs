//! Graphs and answers of any kind.

use crate::{Answer, EffectId, Graph, GraphBuilder, Input, Line, LineId, Stale, StepId, Way};
use proptest::prelude::*;

/// A step: its line, the calls and loops around it, and how many effects it has.
type AnyStep = (u32, u32, u32);

/// Where an effect has something from, and how.
type AnyInput = (u32, Way);

const LINES: u32 = 12;

fn ways() -> impl Strategy<Value = Way> {
    prop::sample::select(vec![Way::Value, Way::Value, Way::Address, Way::Control, Way::Omission])
}

/// Steps of a dozen lines with up to two effects each. One input in a hundred comes from any effect, so that there are circles.
pub(crate) fn graphs() -> impl Strategy<Value = Graph> {
    let steps = prop::collection::vec((0..LINES, 1..5u32, 0..3u32), 3..80);
    let inputs = prop::collection::vec(prop::collection::vec((any::<u32>(), ways()), 0..4), 160);
    (steps, inputs).prop_map(|(steps, inputs)| graph(&steps, &inputs))
}

fn graph(steps: &[AnyStep], inputs: &[Vec<AnyInput>]) -> Graph {
    let mut builder = GraphBuilder::default();
    for line in 0..LINES {
        builder.add_line(Line { work: line % 4, is_test: line == 0 });
    }
    let mut effects = Vec::new();
    let mut last = None;
    for &(line, level, count) in steps {
        let step = builder.add_step(LineId(line), level);
        effects.extend((0..count).map(|_| builder.add_effect(step)));
        last = Some(step);
    }
    let all = effects.len() as u32;
    for (number, (&effect, inputs)) in (0..).zip(effects.iter().zip(inputs)) {
        let from =
            |choice: u32| if choice.is_multiple_of(100) { choice / 100 % all } else { choice % u32::max(number, 1) };
        let inputs = inputs.iter().map(|&(choice, way)| Input { way, from: EffectId(from(choice)) });
        builder.set_inputs(effect, if number == 0 { Vec::new() } else { inputs.collect() });
    }
    builder.finish(last.unwrap_or(StepId(0)))
}

/// Some answer about a step, by a number.
pub(crate) fn answer(graph: &Graph, step: StepId, choice: u32) -> Answer {
    let given: Vec<EffectId> = graph.inputs_of(step).map(|input| input.from).collect();
    let (one, others) = given.split_at(given.len().min(choice as usize / 8 % 3));
    match choice % 8 {
        0..=2 => Answer::Correct,
        3 => Answer::Unclear,
        4 => Answer::WrongPath,
        5 => Answer::WrongSomehow {
            right: others.to_vec(),
            stale: one.iter().map(|&effect| Stale { written: Some(effect), not_written: Vec::new() }).collect(),
        },
        6 => Answer::WrongResult,
        _ => Answer::WrongValues { wrong: one.to_vec(), stale: Vec::new(), right: others.to_vec() },
    }
}
