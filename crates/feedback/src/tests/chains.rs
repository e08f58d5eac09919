use super::next;
use crate::{Answer, EffectId, Graph, GraphBuilder, Input, Line, Reason, Search, StepId, Verdict, Way};

/// One effect for each step, one step for each line. Inputs are of effects before.
fn graph(steps: &[&[(Way, u32)]]) -> Graph {
    let mut builder = GraphBuilder::default();
    for inputs in steps {
        let line = builder.add_line(Line { work: 1, is_test: false });
        let step = builder.add_step(line, 1);
        let effect = builder.add_effect(step);
        builder.set_inputs(effect, inputs.iter().map(|&(way, from)| Input { way, from: EffectId(from) }).collect());
    }
    builder.finish(StepId(steps.len() as u32 - 1))
}

fn wrong(effect: u32) -> Answer {
    Answer::WrongValues { wrong: vec![EffectId(effect)], stale: Vec::new(), right: Vec::new() }
}

fn asked(search: &Search) -> (StepId, Reason) {
    match next(search) {
        Verdict::Ask(question) => (question.step, question.reason),
        other => panic!("{other:?}"),
    }
}

const CHAIN: &[&[(Way, u32)]] =
    &[&[], &[(Way::Value, 0)], &[(Way::Value, 1)], &[(Way::Value, 2)], &[(Way::Value, 3)], &[(Way::Value, 4)]];

#[test]
fn a_long_chain_is_divided_and_not_walked() {
    let inputs: Vec<Vec<(Way, u32)>> =
        (0..40u32).map(|n| n.checked_sub(1).map(|from| (Way::Value, from)).into_iter().collect()).collect();
    let mut search = Search::new(graph(&inputs.iter().map(Vec::as_slice).collect::<Vec<_>>()));
    let (first, reason) = asked(&search);
    assert!((25..38).contains(&first.0) && reason == Reason::Split, "{first:?} {reason:?}");
    search.answer(first, Answer::Correct);
    let (next, _) = asked(&search);
    assert!(next > first, "{next:?}");
}

#[test]
fn what_made_a_wrong_value_is_asked_about_as_that() {
    let mut search = Search::new(graph(CHAIN));
    search.answer(StepId(1), wrong(0));
    assert_eq!(asked(&search), (StepId(0), Reason::Source));
}

#[test]
fn nobody_is_led_to_what_the_compiler_has_made() {
    let mut builder = GraphBuilder::default();
    let mut line = |work| builder.add_line(Line { work, is_test: false });
    let (constant, table, read, failure) = (line(1), line(0), line(1), line(1));
    let steps: [(_, &[u32]); 5] = [(constant, &[]), (table, &[]), (table, &[0]), (read, &[2]), (failure, &[3])];
    for (line, inputs) in steps {
        let step = builder.add_step(line, 1);
        let effect = builder.add_effect(step);
        let inputs = inputs.iter().map(|&from| Input { way: Way::Value, from: EffectId(from) });
        builder.set_inputs(effect, inputs.collect());
    }
    let mut search = Search::new(builder.finish(StepId(4)));
    search.answer(StepId(3), wrong(2));
    assert_eq!(asked(&search).0, StepId(0));
}

#[test]
fn a_step_that_should_not_have_run_leads_to_what_decided() {
    let steps: &[&[(Way, u32)]] = &[&[], &[], &[(Way::Value, 0), (Way::Control, 1)], &[(Way::Value, 2)]];
    let mut search = Search::new(graph(steps));
    search.answer(StepId(2), Answer::WrongPath);
    assert_eq!(asked(&search), (StepId(1), Reason::Decision));
}

#[test]
fn a_result_that_is_wrong_is_the_end() {
    let mut search = Search::new(graph(CHAIN));
    search.answer(StepId(2), Answer::WrongResult);
    let Verdict::Found(finding) = next(&search) else { panic!("not found") };
    assert_eq!(finding.step, StepId(2));
    assert_eq!(finding.way, [2, 3, 4, 5].map(StepId));
}

#[test]
fn an_error_travels_by_values_if_it_can() {
    let steps: &[&[(Way, u32)]] = &[&[], &[(Way::Value, 0)], &[(Way::Value, 1)], &[(Way::Value, 2), (Way::Control, 0)]];
    let mut search = Search::new(graph(steps));
    assert_eq!(search.way_from(StepId(0)), [0, 1, 2, 3].map(StepId));
    search.answer(StepId(2), Answer::Correct);
    assert_eq!(search.way_from(StepId(0)), [0, 3].map(StepId));
}

#[test]
fn an_answer_that_is_taken_back_is_forgotten() {
    let mut search = Search::new(graph(CHAIN));
    let before = next(&search);
    search.answer(StepId(3), Answer::Correct);
    assert_ne!(next(&search), before);
    search.back_to(0);
    assert_eq!(next(&search), before);
}

#[test]
fn after_an_unclear_answer_something_else_is_asked() {
    let mut search = Search::new(graph(CHAIN));
    let (first, _) = asked(&search);
    search.answer(first, Answer::Unclear);
    assert_ne!(asked(&search).0, first);
}

#[test]
fn the_only_question_is_asked_again() {
    let mut search = Search::new(graph(&[&[]]));
    let (only, _) = asked(&search);
    search.answer(only, Answer::Unclear);
    assert_eq!(asked(&search).0, only);
}

#[test]
fn a_contradiction_is_told_with_both_answers() {
    let mut search = Search::new(graph(CHAIN));
    assert_eq!(search.answer(StepId(2), wrong(1)), None);
    let contradiction = search.answer(StepId(1), Answer::Correct).expect("a contradiction");
    assert_eq!((contradiction.first, contradiction.second, contradiction.about), (0, 1, EffectId(1)));
    assert!(matches!(next(&search), Verdict::Ask(_)), "one can go on");
}

/// The value is right where it was written, but something should have written it again.
#[test]
fn a_value_that_should_have_been_changed() {
    let steps: &[&[(Way, u32)]] =
        &[&[], &[(Way::Value, 0)], &[], &[(Way::Value, 1), (Way::Omission, 2)], &[(Way::Value, 3)]];
    let mut search = Search::new(graph(steps));
    assert_eq!(search.answer(StepId(3), wrong(1)), None);
    assert_eq!(search.answer(StepId(1), Answer::Correct), None, "that is no contradiction");
    assert_eq!(asked(&search).0, StepId(2));
}
