//! Where something is written, executed, entered and left.

use crate::support::{PROGRAMS, Run, samples};
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use whydunit_replay::Value;
use whydunit_replay::events::{Event, EventKind, Wanted, for_each_event};
use whydunit_replay::index::{Hit, Query, ThreadIndex, Walk, WalkEnd};

/// Questions of each kind that are asked of a thread.
const MOST: usize = 25;

pub(crate) fn events_of(run: &Run, index: &ThreadIndex) -> Vec<Event> {
    let mut events = Vec::new();
    let all = Wanted::default();
    let ended = for_each_event(&run.program, &run.objects, index.thread(), None, &all, &mut |event| {
        events.push(event.clone());
        ControlFlow::Continue(())
    });
    ended.expect("events");
    events
}

fn query_of(event: &Event) -> Option<(&'static str, Query)> {
    Some(match &event.kind {
        EventKind::Enter { .. } => ("entry", Query::Entry(event.method)),
        EventKind::Step => ("line", Query::Line { methods: vec![event.method], line: event.line? as u16 }),
        EventKind::LocalWritten(variable) => ("local", Query::Local { method: event.method, slot: variable.slot }),
        EventKind::FieldWritten { object: Some(Value::Ref(object)), field, .. } => {
            ("object", Query::ObjectField { object: *object, field: field.clone() })
        }
        EventKind::FieldWritten { object: None, field, .. } => ("static", Query::Field(field.clone())),
        EventKind::ElementWritten { array: Value::Ref(array), index, .. } => {
            ("element", Query::Element { array: *array, index: *index })
        }
        _ => return None,
    })
}

#[test]
fn hits_are_where_the_events_are() {
    let mut kinds = BTreeSet::new();
    for name in PROGRAMS {
        let run = Run::record(name);
        for index in run.indexes() {
            let mut expected: HashMap<String, (&str, Query, Vec<u64>)> = HashMap::new();
            for event in events_of(&run, &index) {
                if let Some((kind, query)) = query_of(&event) {
                    let entry = expected.entry(format!("{query:?}")).or_insert((kind, query, Vec::new()));
                    entry.2.push(event.number);
                }
            }
            let mut asked: HashMap<&str, usize> = HashMap::new();
            let mut sorted: Vec<_> = expected.into_values().collect();
            sorted.sort_by_key(|(_, _, numbers)| numbers.first().copied());
            for (kind, query, numbers) in sorted {
                let asked = asked.entry(kind).or_default();
                *asked += 1;
                if *asked <= MOST {
                    check(name, &run, &index, &query, &numbers);
                }
                kinds.insert(kind);
            }
        }
    }
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["element", "entry", "line", "local", "object", "static"]);
}

fn check(name: &str, run: &Run, index: &ThreadIndex, query: &Query, numbers: &[u64]) {
    let mut hits: Vec<Hit> = Vec::new();
    let visited = index.for_each_hit(&run.program, &run.objects, query, &mut |hit| {
        hits.push(hit);
        ControlFlow::Continue(())
    });
    visited.expect("hits");
    let found: Vec<u64> = hits.iter().map(|hit| hit.number).collect();
    assert_eq!(found, numbers, "{name} {} {query:?}", index.thread());
    for step in samples(index.steps()).take(3) {
        let before = index.last_before(&run.program, &run.objects, query, step).expect("an answer");
        assert_eq!(before.as_ref(), hits.iter().rfind(|hit| hit.latest < step), "{name} {query:?} before {step}");
        let after = index.first_after(&run.program, &run.objects, query, step).expect("an answer");
        assert_eq!(after.as_ref(), hits.iter().find(|hit| hit.latest >= step), "{name} {query:?} after {step}");
    }
}

#[test]
fn events_from_checkpoints_are_events_from_the_start() {
    for name in PROGRAMS {
        let run = Run::record(name);
        for index in run.indexes() {
            for step in samples(index.steps()).take(20) {
                let wanted = Wanted { steps: step..=step + 20, ..Wanted::default() };
                let events = |start| {
                    let mut events = Vec::new();
                    for_each_event(&run.program, &run.objects, index.thread(), start, &wanted, &mut |event| {
                        events.push(event.clone());
                        ControlFlow::Continue(())
                    })
                    .expect("events");
                    events
                };
                let checkpoint = index.checkpoint_before(step).expect("a checkpoint");
                assert_eq!(events(Some(checkpoint)), events(None), "{name} {} step {step}", index.thread());
            }
        }
    }
}

#[test]
fn a_walk_tells_what_the_events_do() {
    for name in PROGRAMS {
        let run = Run::record(name);
        for index in run.indexes() {
            let events = events_of(&run, &index);
            for deepest in [0, 1, 2, 5] {
                let walk = Walk { from: 0, deepest, lowest: None, budget: u64::MAX, marks: &|_| None };
                let mut told = Vec::new();
                let end = index.walk(&run.program, &run.objects, &walk, &mut |event| {
                    told.push((event.number, event.step, event.depth, std::mem::discriminant(&event.kind)));
                    ControlFlow::Continue(())
                });
                assert_eq!(end.expect("a walk"), WalkEnd::Ended, "{name}");
                let is_end = |event: &&Event| {
                    let kind = &event.kind;
                    matches!(kind, EventKind::Enter { .. } | EventKind::Return { .. } | EventKind::Unwind { .. })
                };
                let is_told = |event: &&Event| event.depth <= deepest || event.depth == deepest + 1 && is_end(event);
                let expected: Vec<_> = events
                    .iter()
                    .filter(is_told)
                    .map(|event| (event.number, event.step, event.depth, std::mem::discriminant(&event.kind)))
                    .collect();
                assert_eq!(told, expected, "{name} {} to depth {deepest}", index.thread());
            }
        }
    }
}

#[test]
fn calls_end_where_the_events_say() {
    for name in PROGRAMS {
        let run = Run::record(name);
        for index in run.indexes() {
            let events = events_of(&run, &index);
            for step in samples(index.steps()).take(15) {
                let state = index.state_at(&run.program, &run.objects, step).expect("a state").expect("a step");
                for (depth, frame) in (0..).zip(&state.frames) {
                    let later = || events.iter().filter(|event| event.number > state.number);
                    let is_end = |event: &&Event| {
                        let leaves = matches!(event.kind, EventKind::Return { .. } | EventKind::Unwind { .. });
                        leaves && event.depth <= depth
                    };
                    let expected = later().find(is_end).map(|event| event.number);
                    let end = index.end_of_call(&run.program, &run.objects, step, depth).expect("an answer");
                    assert_eq!(end.map(|end| end.number), expected, "{name} step {step} depth {depth}");

                    let is_call = |event: &&Event| matches!(event.kind, EventKind::Enter { .. });
                    let until = expected.unwrap_or(u64::MAX);
                    let within = later().filter(is_call).filter(|event| event.number <= until);
                    let children: Vec<u64> =
                        within.filter(|event| event.depth == depth + 1).map(|event| event.step).take(20).collect();
                    let calls = index.calls_from(&run.program, &run.objects, step, depth, 20).expect("an answer");
                    assert_eq!(calls.iter().map(|call| call.step).collect::<Vec<_>>(), children, "{name} step {step}");

                    let is_entry = |event: &&Event| is_call(event) && event.step == frame.entered;
                    let entry = events.iter().find(is_entry).map(|event| (event.method, event.depth));
                    assert_eq!(entry, Some((frame.method, depth)), "{name} step {step}");
                }
            }
        }
    }
}
