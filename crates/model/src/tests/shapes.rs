//! Code that no compiler of Java makes.

use crate::edges::Edges;
use crate::{Decider, Flow};
use whydunit_replay::program::Pc;

fn flow(successors: impl ExactSizeIterator<Item = Vec<Pc>>) -> Flow {
    Flow::of_edges(Edges::new(successors, &[]))
}

/// As in coroutines of Kotlin, which go on in the middle of a loop.
#[test]
fn a_loop_that_is_entered_in_two_places() {
    let flow = flow([vec![1, 3], vec![2], vec![3, 5], vec![4], vec![2], vec![]].into_iter());
    let [only] = flow.loops() else { panic!("{:?}", flow.loops()) };
    assert_eq!((only.header, &*only.body, &*only.back_edges), (2, &[2, 3, 4][..], &[4][..]));
    assert_eq!(flow.deciders(3), [Decider::Branch(0), Decider::Branch(2)]);
}

/// Larger than methods can be, and too deep for recursion.
#[test]
fn a_long_chain_of_conditions() {
    let length = 100_000;
    let flow = flow((0..length).map(|pc| if pc % 3 == 1 { vec![pc + 1, pc + 2] } else { vec![pc + 1] }));
    assert_eq!(flow.branches().len(), 33_333);
    assert!((0..length).filter(|pc| pc % 3 == 2).all(|pc| flow.deciders(pc) == [Decider::Branch(pc - 1)]));
    assert_eq!(flow.immediate_postdominator(1), Some(3));
}

#[test]
fn no_code() {
    let flow = flow([].into_iter());
    assert!(flow.deciders(0).is_empty() && flow.successors(0).is_empty());
    assert!(flow.innermost_loop(0).is_none() && !flow.is_reachable_from(0, 0));
}
