//! Values that are handed on.

use crate::{EffectId, Graph, GraphBuilder, Input, Line, StepId, Way};

/// Each step has one effect of the same number, and its line is of its own unless `lines` says otherwise.
fn graph(lines: &[usize], moved: &[u32], inputs: &[&[(Way, u32)]]) -> Graph {
    let mut builder = GraphBuilder::default();
    let count = lines.iter().max().map_or(0, |most| most + 1);
    let ids: Vec<_> = (0..count).map(|_| builder.add_line(Line { work: 1, is_test: false })).collect();
    for (&line, inputs) in lines.iter().zip(inputs) {
        let step = builder.add_step(ids[line], 1);
        let effect = builder.add_effect(step);
        builder.set_inputs(effect, inputs.iter().map(|&(way, from)| Input { way, from: EffectId(from) }).collect());
    }
    moved.iter().for_each(|&effect| builder.set_moved(EffectId(effect)));
    builder.finish(StepId(lines.len() as u32 - 1))
}

const VALUE: Way = Way::Value;

#[track_caller]
fn check(graph: &Graph, value: u32, expected: u32) {
    assert_eq!(graph.origin(EffectId(value)), EffectId(expected));
}

#[test]
fn steps_that_only_hand_on_are_passed_over() {
    let graph = graph(&[0, 1, 2, 3], &[1, 2], &[&[], &[(VALUE, 0)], &[(VALUE, 1)], &[(VALUE, 2)]]);
    check(&graph, 2, 0);
    check(&graph, 3, 3);
}

#[test]
fn a_step_that_was_given_more_is_not() {
    let graph = graph(&[0, 1, 2], &[1, 2], &[&[], &[], &[(VALUE, 1), (Way::Address, 0)]]);
    check(&graph, 2, 2);
    check(&graph, 1, 1);
}

#[test]
fn repeated_code_is_not() {
    let graph = graph(&[0, 1, 1, 2], &[1, 2, 3], &[&[], &[(VALUE, 0)], &[(VALUE, 1)], &[(VALUE, 2)]]);
    check(&graph, 3, 2);
}

#[test]
fn what_decided_that_a_step_ran_is_not_given_to_it() {
    let graph = graph(&[0, 1, 2], &[2], &[&[], &[], &[(VALUE, 1), (Way::Control, 0)]]);
    check(&graph, 2, 1);
}
