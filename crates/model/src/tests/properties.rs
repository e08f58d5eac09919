//! Flows of whatever code there is, compared with the [`Oracle`].

use super::decoded;
use super::oracle::Oracle;
use crate::edges::Edges;
use crate::{Flow, Loop};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::PathBuf;
use whydunit_replay::program::{Handler, Pc};
use whydunit_testkit::{Jdk, Program, compile};

/// The oracle takes the square of it.
const LONGEST: usize = 1000;

#[test]
fn methods_of_test_programs() {
    let jdk = Jdk::all().pop().expect("a JDK");
    let programs = Program::all().expect("test programs");
    let compiled = programs.iter().filter(|program| program.runs_on(&jdk)).map(|program| compile(program, &jdk));
    let folders: BTreeSet<PathBuf> = compiled.map(|compiled| compiled.expect("it compiles").classes).collect();
    let (mut checked, mut throwing) = (0, 0);
    for folder in folders {
        let program = decoded::decode(&folder);
        for (name, code) in decoded::methods(&program).filter(|(_, code)| code.ops.len() <= LONGEST) {
            let edges = Edges::of(code);
            check(&name, &edges);
            check_that_all_loops_are_natural(&name, &edges);
            let without_throws = Edges::expecting_no_throw(code);
            if !without_throws.unexpected_exits.is_empty() {
                check(&name, &without_throws);
                throwing += 1;
            }
            checked += 1;
        }
    }
    assert!(checked > 1000 && throwing > 20, "{checked} methods, of which {throwing} throw, are not all");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_edges(edges in any_code()) {
        check("made up", &edges);
    }
}

/// An instruction goes on to the next or to some places, or ends the method.
fn any_code() -> impl Strategy<Value = Edges> {
    (1..16u32).prop_flat_map(|length| {
        let jumps = prop::collection::vec(0..length, 0..3);
        let successors = prop::collection::vec((any::<bool>(), jumps), length as usize);
        let handlers = prop::collection::vec((0..length, 0..length, 0..length), 0..3);
        let unexpected = prop::collection::vec(any::<bool>(), length as usize);
        (successors, handlers, unexpected).prop_map(|(successors, handlers, unexpected)| {
            let successors = successors.into_iter().enumerate().map(|(pc, (goes_on, mut targets))| {
                targets.extend(Some(pc as Pc + 1).filter(|_| goes_on));
                targets
            });
            let handler = |(start, end, target)| Handler { start, end, target, first: 0, catches_all: false };
            let edges = Edges::new(successors, &handlers.into_iter().map(handler).collect::<Vec<_>>());
            let is_exit = |pc: &Pc| edges.successors.row(*pc as usize).is_empty() && unexpected[*pc as usize];
            Edges { unexpected_exits: (0..unexpected.len() as Pc).filter(is_exit).collect(), ..edges }
        })
    })
}

fn check(name: &str, edges: &Edges) {
    let flow = Flow::of_edges(edges.clone());
    let oracle = Oracle::new(edges);
    let length = edges.successors.len() as Pc;
    for pc in 0..length {
        if oracle.is_reachable(pc) {
            assert_eq!(flow.deciders(pc), oracle.deciders(pc), "deciders of {pc} in {name}");
            let postdominator = oracle.immediate_postdominator(pc);
            assert_eq!(flow.immediate_postdominator(pc), postdominator, "postdominator of {pc} in {name}");
        } else {
            assert_eq!(flow.deciders(pc), [], "deciders of {pc} in {name}");
        }
        assert_eq!(flow.branch_number(pc).is_some(), flow.is_branch(pc), "branch {pc} in {name}");
        if !flow.is_block_start(pc) {
            assert_eq!(flow.deciders(pc), flow.deciders(pc - 1), "block of {pc} in {name}");
        }
    }
    for from in (0..length).step_by(1 + length as usize / 20) {
        let reached = oracle.reached_from(from);
        for to in (0..length).step_by(1 + length as usize / 20) {
            assert_eq!(flow.is_reachable_from(from, to), reached[to as usize], "{from} to {to} in {name}");
        }
    }
    check_loops(name, &flow, &oracle);
}

fn check_loops(name: &str, flow: &Flow, oracle: &Oracle) {
    let back_edges: BTreeSet<(Pc, Pc)> = oracle.back_edges().into_iter().collect();
    for &(header, source) in &back_edges {
        let of_header = flow.loops().iter().find(|each| each.header == header);
        let has_source = of_header.is_some_and(|each| each.back_edges.contains(&source));
        assert!(has_source, "{source} goes back to {header} in {name}");
    }
    for (number, each) in flow.loops().iter().enumerate() {
        let header = each.header;
        if each.back_edges.iter().all(|&source| back_edges.contains(&(header, source))) {
            assert_eq!(*each.body, oracle.natural_loop(header, &each.back_edges), "loop {header} of {name}");
        }
        assert!(each.body.is_sorted() && has(each, header), "body of loop {header} of {name}");
        for &source in &each.back_edges {
            assert!(has(each, source) && flow.successors(source).contains(&header), "back edges of {header} in {name}");
        }
        let around = flow.loops().iter().enumerate().filter(|&(other, outer)| other != number && has(outer, header));
        let innermost = around.clone().min_by_key(|(_, outer)| outer.body.len()).map(|(other, _)| other);
        assert_eq!(each.parent.map(|id| id.0 as usize), innermost, "around {header} in {name}");
        for (other, outer) in around {
            let is_inside = each.body.iter().all(|&pc| has(outer, pc));
            assert!(other < number && is_inside, "loops {} and {header} in {name}", outer.header);
        }
        for &pc in &each.body {
            let innermost = flow.innermost_loop(pc).map(|id| id.0 as usize).expect("at least this loop");
            let is_inside = innermost == number || has(each, flow.loops()[innermost].header) && innermost > number;
            assert!(is_inside, "innermost loop of {pc} in {name}");
        }
    }
}

fn has(each: &Loop, pc: Pc) -> bool {
    each.body.binary_search(&pc).is_ok()
}

/// Compilers of structured languages make no others.
fn check_that_all_loops_are_natural(name: &str, edges: &Edges) {
    let flow = Flow::of_edges(edges.clone());
    let found = flow.loops().iter().flat_map(|each| each.back_edges.iter().map(|&source| (each.header, source)));
    let natural: BTreeSet<_> = Oracle::new(edges).back_edges().into_iter().collect();
    assert_eq!(found.collect::<BTreeSet<_>>(), natural, "loops of {name}");
}
