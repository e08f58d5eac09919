//! Calls of unrecorded code at the bottom of a thread, and what ran in them, against a replay of every instruction.

use crate::support::{PROGRAMS, Run};
use std::collections::BTreeSet;
use std::ops::{ControlFlow, RangeInclusive};
use whydunit_replay::index::{LowestCall, LowestEnd};
use whydunit_replay::interpreter::{At, Entry, Observer, TEMPORARY, ThreadReplay};
use whydunit_replay::program::MethodIndex;
use whydunit_replay::steps::StepCounter;
use whydunit_trace::{LogKind, ObjectId};

/// Of methods, in class files.
const STATIC: u16 = 0x0008;

#[derive(Debug, PartialEq)]
struct Expected {
    method: MethodIndex,
    receiver: Option<ObjectId>,
    steps: RangeInclusive<u64>,
    end: LowestEnd,
    lines: BTreeSet<(MethodIndex, u16)>,
    initialising: BTreeSet<(MethodIndex, u16)>,
}

fn identified(reference: u64) -> Option<ObjectId> {
    (reference & TEMPORARY == 0).then_some(ObjectId(reference as u32))
}

#[derive(Default)]
struct Everything {
    steps: StepCounter,
    calls: Vec<Expected>,
    frames: Vec<bool>,
}

impl Everything {
    fn left(&mut self, at: At<'_>, end: LowestEnd) {
        if let Some(call) = self.calls.last_mut().filter(|_| at.depth == 0) {
            (call.end, call.steps) = (end, *call.steps.start()..=self.steps.steps());
        }
    }
}

impl Observer for Everything {
    fn instruction(&mut self, at: At<'_>) {
        self.steps.instruction(at);
        let line = at.code.lines.get(at.pc as usize).copied().unwrap_or_default();
        let call = self.calls.last_mut().expect("a call");
        call.lines.insert((at.code.index, line));
        if self.frames[..=at.depth as usize].contains(&true) {
            call.initialising.insert((at.code.index, line));
        }
    }

    fn entered(&mut self, at: At<'_>, arguments: &[u64], _entry: Entry) {
        self.steps.entered(at.depth);
        self.frames.truncate(at.depth as usize);
        self.frames.push(&*at.code.name == "<clinit>");
        if at.depth == 0 {
            let (method, first) = (at.code.index, self.steps.steps() + 1);
            let is_static = at.code.access & STATIC != 0;
            self.calls.push(Expected {
                method,
                receiver: if is_static { None } else { identified(arguments[0]) },
                steps: first..=first,
                end: LowestEnd::Open,
                lines: BTreeSet::new(),
                initialising: BTreeSet::new(),
            });
        }
    }

    fn returned(&mut self, at: At<'_>, _kind: LogKind, _bits: u64) {
        self.left(at, LowestEnd::Returned);
    }

    fn unwound(&mut self, at: At<'_>, exception: u64) {
        self.left(at, LowestEnd::Thrown(identified(exception)));
    }
}

#[test]
fn lowest_calls_have_the_lines_that_ran_in_them() {
    let mut ends = Vec::new();
    for name in PROGRAMS.iter().chain(&["FailedTasks"]) {
        let run = Run::record(name);
        for index in run.indexes() {
            let mut oracle = Everything::default();
            let mut replay = ThreadReplay::new(&run.program, &run.objects, index.thread()).expect("a replay");
            replay.run(&mut oracle, u64::MAX).expect("a whole replay");
            if let Some(open) = oracle.calls.last_mut().filter(|call| call.end == LowestEnd::Open) {
                open.steps = *open.steps.start()..=index.steps();
            }
            let mut found = Vec::new();
            let told = index.for_each_lowest_call(&run.program, &run.objects, &mut |call| {
                let LowestCall { method, receiver, steps, end, lines, initialising } = call;
                found.push(Expected {
                    method,
                    receiver,
                    steps,
                    end,
                    lines: lines.into_iter().collect(),
                    initialising: initialising.into_iter().collect(),
                });
                ControlFlow::Continue(())
            });
            told.expect("an index");
            assert_eq!(found, oracle.calls, "{name} {}", index.thread());
            ends.extend(found.iter().map(|call| call.end));
            let mut first = None;
            let told = index.for_each_lowest_call(&run.program, &run.objects, &mut |call| {
                assert!(first.replace(call.steps).is_none(), "it goes on");
                ControlFlow::Break(())
            });
            told.expect("an index");
            assert_eq!(first, found.first().map(|call| call.steps.clone()));
        }
    }
    assert!(ends.contains(&LowestEnd::Returned) && ends.iter().any(|end| matches!(end, LowestEnd::Thrown(Some(_)))));
}
