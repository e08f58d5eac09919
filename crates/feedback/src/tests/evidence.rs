//! What an answer says of when something went wrong.

use crate::{Answer, EffectId, Graph, GraphBuilder, History, Input, Line, LineId, Search, Stale, StepId, Way};

const TEST: StepId = StepId(5);

/// A step that calls, from 1 to 3, with a line before it (0), two inside (2 and 3), one behind it (4), and the failure. All
/// are likely to be wrong, and nothing but the failure has used what the others made.
fn graph(histories: &[(u32, History)]) -> Graph {
    let mut builder = GraphBuilder::default();
    let effects: Vec<EffectId> = (0..6)
        .map(|number| {
            let line = builder.add_line(Line { work: 1, is_test: false });
            let step = builder.add_step(line, if matches!(number, 2 | 3) { 2 } else { 1 });
            builder.set_moments(step, number..=if number == 1 { 3 } else { number });
            builder.add_effect(step)
        })
        .collect();
    for (number, &effect) in effects.iter().enumerate() {
        let inputs: &[usize] = match number {
            5 => &[0, 1, 2, 3, 4],
            _ => &[],
        };
        builder.set_inputs(effect, inputs.iter().map(|&from| Input { way: Way::Value, from: effects[from] }).collect());
    }
    histories.iter().for_each(|&(line, history)| builder.set_history(LineId(line), history));
    builder.finish(TEST)
}

fn weight(search: &Search, line: u32) -> f64 {
    search.suspects().iter().find(|suspect| suspect.line == LineId(line)).map_or(0.0, |suspect| suspect.weight)
}

#[test]
fn a_wrong_value_was_wrong_before_the_step_that_was_given_it() {
    let mut search = Search::new(graph(&[]));
    search.answer(StepId(1), Answer::WrongValues { wrong: vec![EffectId(0)], stale: Vec::new(), right: Vec::new() });
    let inside = weight(&search, 2).max(weight(&search, 3));
    assert!(inside < 0.01 * weight(&search, 0), "{:?}", search.suspects());
}

#[test]
fn what_was_called_is_to_blame_for_a_wrong_result_of_right_values() {
    let mut search = Search::new(graph(&[]));
    search.answer(StepId(1), Answer::WrongSomehow { right: Vec::new(), stale: Vec::new() });
    let inside = weight(&search, 2).min(weight(&search, 3));
    assert!(5.0 * weight(&search, 0) < inside, "{:?}", search.suspects());
}

#[test]
fn what_the_user_points_at_in_a_result_is_to_blame() {
    let mut search = Search::new(graph(&[]));
    let stale = vec![Stale { written: Some(EffectId(3)), not_written: Vec::new() }];
    search.answer(StepId(1), Answer::WrongSomehow { right: Vec::new(), stale });
    assert!(weight(&search, 2) < 0.5 * weight(&search, 3), "{:?}", search.suspects());
}

#[test]
fn what_only_makes_the_exception_is_hardly_to_blame() {
    let of_exception = History { is_of_exception: true, ..History::default() };
    let search = Search::new(graph(&[(2, of_exception)]));
    assert!(weight(&search, 2) < 0.1 * weight(&search, 3), "{:?}", search.suspects());
}

#[test]
fn a_line_that_ran_at_other_times_too_may_have_been_wrong_before() {
    let known = History { visits: 1, ..History::default() };
    let more = History { visits: 2, ..History::default() };
    let left = |history| {
        let mut search = Search::new(graph(&[(4, history), (3, known)]));
        let before = weight(&search, 4) / weight(&search, 3);
        search.answer(StepId(2), Answer::WrongPath);
        weight(&search, 4) / weight(&search, 3) / before
    };
    assert!(left(more) > 5.0 * left(known), "{} {}", left(more), left(known));
}

/// What is said to have made a wrong value, again and again, was asked about itself: the user has seen its line.
#[test]
fn a_line_that_was_asked_about_is_not_suspected_for_what_others_show() {
    let mut builder = GraphBuilder::default();
    for number in 0..8 {
        let line = builder.add_line(Line { work: 1, is_test: false });
        let step = builder.add_step(line, 1);
        let effect = builder.add_effect(step);
        let inputs = if number > 4 { vec![Input { way: Way::Value, from: EffectId(4) }] } else { Vec::new() };
        builder.set_inputs(effect, inputs);
    }
    let mut search = Search::new(builder.finish(StepId(7)));
    search.answer(StepId(4), Answer::WrongValues { wrong: Vec::new(), stale: Vec::new(), right: Vec::new() });
    for user in 5..8 {
        search.answer(
            StepId(user),
            Answer::WrongValues { wrong: vec![EffectId(4)], stale: Vec::new(), right: Vec::new() },
        );
    }
    let others: f64 = (0..4).map(|line| weight(&search, line)).sum();
    assert!(weight(&search, 4) < others, "{:?}", search.suspects());
}
