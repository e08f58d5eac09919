use super::program::{END, ITERATIONS, ODD, Program, a, effect, head, wrong, x};
use crate::states::patterns::PathKey;
use crate::{Answer, BugKind, CodeLine, Search, StepId, Verdict, Visit};

fn key(lines: &[u64], heads: &[u64]) -> PathKey {
    let visit = |&line: &u64| Visit { line: CodeLine(line), is_head: heads.contains(&line) };
    PathKey::of(&lines.iter().map(visit).collect::<Vec<_>>())
}

/// The path of the paper's Figure 6: an open bracket, three other signs, a closing bracket.
#[test]
fn repeated_iterations_count_once() {
    let visited = [15, 16, 5, 6, 7, 5, 6, 8, 5, 6, 8, 5, 6, 8, 5, 6, 8, 9, 11];
    assert_eq!(key(&visited, &[5]), key(&[15, 16, 5, 6, 7, 5, 6, 8, 5, 6, 8, 9, 11], &[]));
}

/// As the code of `for` is executed: the step to the next iteration and the condition are two visits to one line.
#[test]
fn visits_to_the_head_of_a_loop() {
    let visited = [1, 5, 6, 5, 5, 6, 5, 5, 6, 5, 5, 7];
    assert_eq!(key(&visited, &[5]), key(&[1, 5, 6, 5, 7], &[]));
}

#[test]
fn iterations_in_iterations() {
    let visited = [1, 2, 3, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3, 2, 3, 2, 3, 2, 1, 4];
    assert_eq!(key(&visited, &[1, 2]), key(&[1, 2, 3, 2, 1, 4], &[]));
    assert_ne!(key(&[1, 2, 1, 3], &[1]), key(&[1, 2, 1, 2], &[1]));
}

fn found(culprit: StepId, before: &[(StepId, Answer)]) -> Option<BugKind> {
    let program = Program::new();
    let mut search = Search::new(program.graph.clone());
    for (step, answer) in before {
        search.answer(*step, answer.clone());
    }
    search.answer(culprit, Answer::WrongResult);
    match search.next(&program).verdict {
        Verdict::Found(finding) => finding.kind,
        other => panic!("{other:?}"),
    }
}

#[test]
fn no_sound_iteration_went_that_way() {
    assert_eq!(found(a(ODD), &[]), Some(BugKind::BranchMistake));
}

#[test]
fn sound_iterations_went_the_same_way() {
    assert_eq!(found(a(6), &[]), Some(BugKind::MissingCornerCase));
}

#[test]
fn nothing_is_known_to_be_sound() {
    assert_eq!(found(a(1), &[(END, wrong(x(ITERATIONS)))]), None);
    let sound = [(x(5), Answer::WrongValues { wrong: vec![effect(a(5))], stale: Vec::new(), right: Vec::new() })];
    assert_eq!(found(a(1), &sound), None, "what it was given may be of this very iteration");
    let sound = [(a(5), wrong(x(4)))];
    assert_eq!(found(a(1), &sound), Some(BugKind::MissingCornerCase));
}

#[test]
fn what_takes_nothing_begins_wrong() {
    assert_eq!(found(x(0), &[]), Some(BugKind::WrongInitialisation));
}

#[test]
fn what_a_branch_has_chosen_is_no_beginning() {
    assert_eq!(found(head(3), &[]), None);
}
