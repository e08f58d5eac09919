use super::program::{CALL, END, ITERATIONS, ODD, Program, a, effect, head, wrong, x};
use crate::Event::{ClearIndication, CorrectStep, OverSkip, PatternMatched, PatternNotMatched, WrongStep};
use crate::State::{BinarySearch, InspectDetails, PartialClear, SimpleInference, Skip, Unclear};
use crate::{Answer, Event, Gap, Policy, Search, Standing, State, StepId, Stride, Verdict};

const LAST: u32 = ITERATIONS;

/// Up to where the first iterations are passed over.
fn to_the_skip() -> Vec<(StepId, Answer)> {
    vec![(END, wrong(x(LAST))), (x(LAST), wrong(a(LAST))), (a(LAST), wrong(x(LAST - 1)))]
}

fn over_skipped() -> Vec<(StepId, Answer)> {
    [to_the_skip(), vec![(x(ODD), Answer::Correct)]].concat()
}

fn details() -> Vec<(StepId, Answer)> {
    vec![(END, wrong(x(LAST))), (x(LAST), wrong(a(LAST))), (a(LAST), Answer::Correct)]
}

/// Each answer is about what the method has asked about; the last one leads from one state to another, and to a
/// question.
#[track_caller]
fn check(answers: &[(StepId, Answer)], expected: (State, Event, State), next: Option<StepId>) {
    let program = Program::new();
    for (position, (step, _)) in answers.iter().enumerate() {
        let before = Standing::new(&program.graph, &program, &answers[..position], Stride::Writer);
        assert_eq!(before.next, Some(*step), "question {position}: {before:?}");
    }
    let standing = Standing::new(&program.graph, &program, answers, Stride::Writer);
    let last = standing.transitions.last().expect("an answer");
    assert_eq!((last.from, last.event, last.to), expected);
    assert_eq!((standing.state, standing.next), (expected.2, next));
}

#[track_caller]
fn check_after(
    before: Vec<(StepId, Answer)>,
    last: (StepId, Answer),
    expected: (State, Event, State),
    next: Option<StepId>,
) {
    check(&[before, vec![last]].concat(), expected, next);
}

#[test]
fn the_search_starts_where_the_failure_is_seen() {
    let program = Program::new();
    let standing = Standing::new(&program.graph, &program, &[], Stride::Writer);
    assert_eq!((standing.state, standing.next), (SimpleInference, Some(END)));
}

#[test]
fn a_wrong_value_leads_to_what_made_it() {
    check(&[(END, wrong(x(LAST)))], (SimpleInference, WrongStep, SimpleInference), Some(x(LAST)));
}

#[test]
fn a_wrong_path_leads_to_what_decided() {
    check_after(
        vec![(END, wrong(x(LAST)))],
        (x(LAST), Answer::WrongPath),
        (SimpleInference, WrongStep, SimpleInference),
        Some(head(LAST)),
    );
}

#[test]
fn of_several_wrong_values_the_first_one_leads_on() {
    let both = Answer::WrongValues { wrong: vec![effect(x(LAST)), effect(x(3))], stale: Vec::new(), right: Vec::new() };
    check(&[(END, both)], (SimpleInference, WrongStep, SimpleInference), Some(x(3)));
}

#[test]
fn iterations_like_a_sound_one_are_passed_over() {
    check(&to_the_skip(), (SimpleInference, PatternMatched, Skip), Some(x(ODD)));
    let program = Program::new();
    let standing = Standing::new(&program.graph, &program, &to_the_skip(), Stride::Writer);
    let skipped = (ODD + 1..LAST).rev().flat_map(|iteration| [x(iteration), a(iteration)]);
    assert_eq!(standing.skipped, skipped.collect::<Vec<_>>());
}

#[test]
fn what_was_passed_over_was_sound() {
    check_after(to_the_skip(), (x(ODD), wrong(a(ODD))), (Skip, PatternNotMatched, SimpleInference), Some(a(ODD)));
}

#[test]
fn what_was_passed_over_should_not_have_run() {
    check_after(
        to_the_skip(),
        (x(ODD), Answer::WrongPath),
        (Skip, PatternNotMatched, SimpleInference),
        Some(head(ODD)),
    );
}

#[test]
fn too_many_were_passed_over() {
    check_after(to_the_skip(), (x(ODD), Answer::Correct), (Skip, OverSkip, BinarySearch), Some(x(5)));
}

#[test]
fn the_later_half() {
    check_after(over_skipped(), (x(5), Answer::Correct), (BinarySearch, PatternMatched, BinarySearch), Some(a(7)));
}

#[test]
fn the_earlier_half() {
    check_after(over_skipped(), (x(5), wrong(a(5))), (BinarySearch, PatternMatched, BinarySearch), Some(a(4)));
}

#[test]
fn another_way_out_of_the_halves() {
    check_after(
        over_skipped(),
        (x(5), Answer::WrongPath),
        (BinarySearch, PatternNotMatched, SimpleInference),
        Some(head(5)),
    );
}

#[test]
fn when_both_halves_are_known_what_lies_between_is_inspected() {
    let between = [over_skipped(), vec![(x(5), Answer::Correct), (a(7), wrong(x(6)))]].concat();
    check(&between, (BinarySearch, PatternMatched, BinarySearch), Some(x(6)));
    let program = Program::new();
    check_after(
        between.clone(),
        (x(6), Answer::Correct),
        (BinarySearch, PatternMatched, InspectDetails),
        Some(head(7)),
    );
    let answers = [between, vec![(x(6), Answer::Correct)]].concat();
    let standing = Standing::new(&program.graph, &program, &answers, Stride::Writer);
    assert_eq!(standing.gap, Some(Gap { made: x(6), used: a(7) }));
}

#[test]
fn a_right_dominator_of_a_wrong_step() {
    let answers = [(END, wrong(x(LAST))), (x(LAST), wrong(a(LAST)))];
    check_after(answers.to_vec(), (a(LAST), Answer::Correct), (SimpleInference, CorrectStep, InspectDetails), None);
}

/// The value of a step in the first iteration, used at the end.
fn far() -> Vec<(StepId, Answer)> {
    let both = Answer::WrongValues { wrong: vec![effect(x(LAST)), effect(x(1))], stale: Vec::new(), right: Vec::new() };
    vec![(END, both), (x(1), Answer::Correct)]
}

#[test]
fn details_are_inspected_one_after_the_other() {
    check(&far(), (SimpleInference, CorrectStep, InspectDetails), Some(head(2)));
    check_after(far(), (head(2), Answer::Correct), (InspectDetails, CorrectStep, InspectDetails), Some(a(2)));
}

#[test]
fn a_wrong_detail() {
    check_after(far(), (head(2), Answer::WrongPath), (InspectDetails, WrongStep, SimpleInference), Some(head(1)));
}

#[test]
fn nothing_between_is_wrong() {
    let mut search = Search::new(Program::new().graph).with_policy(Policy::Paper);
    details().into_iter().for_each(|(step, answer)| {
        search.answer(step, answer);
    });
    let verdict = search.next(&Program::new()).verdict;
    assert_eq!(verdict, Verdict::Missing(Gap { made: a(LAST), used: x(LAST) }));
}

#[test]
fn unclear_in_each_clear_state() {
    let starts = [
        (vec![(END, wrong(x(LAST)))], SimpleInference, x(LAST)),
        (to_the_skip(), Skip, x(ODD)),
        (over_skipped(), BinarySearch, x(5)),
    ];
    for (before, state, step) in starts {
        check_after(before, (step, Answer::Unclear), (state, Event::Unclear, Unclear), Some(head(1)));
    }
    // What started the loop is right.
    let details = [far(), vec![(head(2), Answer::Correct)]].concat();
    check_after(details, (a(2), Answer::Unclear), (InspectDetails, Event::Unclear, Unclear), Some(head(1)));
}

/// `x` of the last iteration is unclear, what started the loop is asked about.
fn unclear() -> Vec<(StepId, Answer)> {
    vec![(END, wrong(x(LAST))), (x(LAST), Answer::Unclear)]
}

#[test]
fn unclear_again_leads_further_out() {
    check_after(unclear(), (head(1), Answer::Unclear), (Unclear, Event::Unclear, Unclear), Some(CALL));
}

#[test]
fn something_more_abstract_is_wrong() {
    check_after(unclear(), (head(1), Answer::WrongPath), (Unclear, ClearIndication, SimpleInference), Some(CALL));
}

#[test]
fn something_more_abstract_is_right() {
    // Between the start of the loop and the unclear step, the heads of the iterations are more abstract.
    check_after(unclear(), (head(1), Answer::Correct), (Unclear, CorrectStep, PartialClear), Some(head(5)));
}

fn partly_clear() -> Vec<(StepId, Answer)> {
    [unclear(), vec![(head(1), Answer::Correct)]].concat()
}

#[test]
fn on_the_way_back() {
    check_after(partly_clear(), (head(5), Answer::Correct), (PartialClear, CorrectStep, PartialClear), Some(head(7)));
}

#[test]
fn unclear_on_the_way_back() {
    check_after(partly_clear(), (head(5), Answer::Unclear), (PartialClear, Event::Unclear, Unclear), Some(CALL));
}

#[test]
fn wrong_on_the_way_back() {
    check_after(
        partly_clear(),
        (head(5), Answer::WrongPath),
        (PartialClear, ClearIndication, SimpleInference),
        Some(head(4)),
    );
}

fn back_at_the_unclear_step() -> Vec<(StepId, Answer)> {
    let heads = [5, 7, 8].map(|iteration| (head(iteration), Answer::Correct));
    [partly_clear(), heads.to_vec()].concat()
}

#[test]
fn what_was_unclear_is_asked_about_again() {
    check(&back_at_the_unclear_step(), (PartialClear, CorrectStep, PartialClear), Some(x(LAST)));
    check_after(
        back_at_the_unclear_step(),
        (x(LAST), wrong(a(LAST))),
        (PartialClear, ClearIndication, SimpleInference),
        Some(a(LAST)),
    );
}

#[test]
fn what_was_unclear_is_right_and_the_state_before_goes_on() {
    check_after(
        back_at_the_unclear_step(),
        (x(LAST), Answer::Correct),
        (PartialClear, ClearIndication, InspectDetails),
        None,
    );
    let back = vec![(x(ODD), Answer::Unclear), (head(1), Answer::Correct), (head(2), Answer::Correct)];
    let answers = [to_the_skip(), back, vec![(x(ODD), Answer::Correct)]].concat();
    check(&answers, (PartialClear, ClearIndication, BinarySearch), Some(x(5)));
}

/// The same answers to steps that are chosen otherwise: what the method does not expect does not confuse it.
#[test]
fn answers_that_were_not_asked_for() {
    let program = Program::new();
    let answers = [(x(5), Answer::Correct), (END, wrong(x(LAST))), (a(7), wrong(x(6)))];
    let standing = Standing::new(&program.graph, &program, &answers, Stride::Writer);
    assert_eq!((standing.state, standing.next), (SimpleInference, Some(x(6))));
    let to: Vec<State> = standing.transitions.iter().map(|transition| transition.to).collect();
    assert_eq!(to, [SimpleInference; 3]);
}
