//! A user who knows which effects are wrong.

use super::next;
use crate::{Answer, EffectId, Graph, GraphBuilder, Input, Line, Search, StepId, Verdict, Way};
use proptest::prelude::*;

/// A graph, the wrong line, and which effects are wrong because of it.
#[derive(Debug)]
struct Case {
    graph: Graph,
    culprit: StepId,
    is_wrong: Vec<bool>,
}

fn cases() -> impl Strategy<Value = Case> {
    (3..60usize).prop_flat_map(|length| {
        let inputs = prop::collection::vec(prop::collection::vec((any::<u32>(), any::<bool>()), 1..4), length);
        (inputs, any::<u32>()).prop_map(|(inputs, culprit)| case(&inputs, culprit))
    })
}

fn case(all: &[Vec<(u32, bool)>], culprit: u32) -> Case {
    let mut builder = GraphBuilder::default();
    let mut sources: Vec<Vec<u32>> = Vec::new();
    for (number, inputs) in (0..).zip(all) {
        let line = builder.add_line(Line { work: 1, is_test: false });
        let step = builder.add_step(line, 1);
        let effect = builder.add_effect(step);
        let near = |choice: u32| number - 1 - choice % number.min(5);
        let inputs: Vec<(Way, u32)> = match number {
            0 => Vec::new(),
            _ => inputs
                .iter()
                .map(|&(choice, is_far)| (Way::Value, if is_far { choice % number } else { near(choice) }))
                .collect(),
        };
        sources.push(inputs.iter().map(|(_, from)| *from).collect());
        builder.set_inputs(effect, inputs.iter().map(|&(way, from)| Input { way, from: EffectId(from) }).collect());
    }
    let last = all.len() as u32 - 1;
    // Whatever has led to the failure may be what is wrong.
    let mut behind = vec![last];
    let mut position = 0;
    while let Some(&next) = behind.get(position) {
        position += 1;
        for &from in &sources[next as usize] {
            if !behind.contains(&from) {
                behind.push(from);
            }
        }
    }
    let culprit = StepId(behind[1 + culprit as usize % (behind.len() - 1)]);
    let mut is_wrong = vec![false; all.len()];
    is_wrong[culprit.0 as usize] = true;
    for number in culprit.0 as usize + 1..all.len() {
        is_wrong[number] = sources[number].iter().any(|&from| is_wrong[from as usize]);
    }
    Case { graph: builder.finish(StepId(last)), culprit, is_wrong }
}

impl Case {
    fn answer(&self, step: StepId) -> Answer {
        let sources = self.graph.inputs_of(step).map(|input| input.from);
        let (wrong, right): (Vec<EffectId>, Vec<EffectId>) = sources.partition(|from| self.is_wrong[from.0 as usize]);
        if !wrong.is_empty() {
            Answer::WrongValues { wrong, stale: Vec::new(), right }
        } else if self.is_wrong[step.0 as usize] {
            Answer::WrongResult
        } else {
            Answer::Correct
        }
    }
}

proptest! {
    #[test]
    fn a_user_who_is_always_right_finds_it(case in cases()) {
        let mut search = Search::new(case.graph.clone());
        for _ in case.graph.steps() {
            match next(&search) {
                Verdict::Ask(question) => {
                    prop_assert_eq!(search.answer(question.step, case.answer(question.step)), None);
                }
                Verdict::Found(finding) => {
                    prop_assert_eq!(finding.step, case.culprit);
                    return Ok(());
                }
                other => prop_assert!(false, "{other:?}"),
            }
        }
        prop_assert!(matches!(next(&search), Verdict::Found(_)));
    }
}

/// In a chain, the answers grow with the logarithm of its length.
#[test]
fn a_long_chain_takes_few_answers() {
    let chain: Vec<Vec<(u32, bool)>> = (0..1000).map(|_| vec![(0, false)]).collect();
    for culprit in [1, 10, 300, 900] {
        let case = case(&chain, culprit);
        let mut search = Search::new(case.graph.clone());
        while let Verdict::Ask(question) = next(&search) {
            search.answer(question.step, case.answer(question.step));
        }
        assert!(search.answers().len() <= 14, "{} answers for {culprit}", search.answers().len());
    }
}
