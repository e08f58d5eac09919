//! What is found with the index is what a filter over all events finds.

use crate::answers::events_of;
use crate::support::{INTERVAL, PROGRAMS, Run};
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use whydunit_debugger::{EventFilter, HistoryFilter, Literal, ObjectId, Occurrence, Question, Session};
use whydunit_replay::Value;
use whydunit_replay::events::{Event, EventKind, Wanted};

/// Objects, values and methods of a program that are asked for.
const MOST: usize = 30;

fn objects_in(event: &Event) -> Vec<ObjectId> {
    let object = |value: Value| match value {
        Value::Ref(object) => Some(object),
        _ => None,
    };
    event.kind.values().filter_map(object).collect()
}

#[test]
fn segments_have_the_events_of_the_thread_and_their_summaries_know() {
    for name in PROGRAMS {
        let run = Run::record(name);
        for index in run.indexes() {
            let mut told = Vec::new();
            for segment in 0..index.checkpoints() {
                let first = told.len();
                let ended = index.events_in(&run.program, &run.objects, segment, &Wanted::default(), &mut |event| {
                    told.push(event.clone());
                    ControlFlow::Continue(())
                });
                assert!(ended.expect("events").is_continue());
                let summary = index.summary(segment).expect("a summary");
                let exceptions: BTreeSet<Option<u32>> =
                    summary.exceptions().map(|exception| exception.map(|object| object.0)).collect();
                for event in &told[first..] {
                    let at = format!("{name} {} segment {segment}: {event:?}", index.thread());
                    assert!(summary.has_run(event.method), "{at}");
                    assert!(summary.has_run_line(event.method, event.line.unwrap_or_default() as u16), "{at}");
                    if !matches!(event.kind, EventKind::Branch { .. }) {
                        for object in objects_in(event) {
                            assert!(index.may_meet(segment, object).expect("readable"), "{at}");
                        }
                    }
                    if let EventKind::Catch { exception: Value::Ref(exception) } = &event.kind {
                        assert!(exceptions.contains(&Some(exception.0)), "{at}");
                    }
                }
            }
            assert_eq!(told, events_of(&run, &index), "{name} {}", index.thread());
        }
    }
}

fn search(session: &Session, search: &Question, most: usize, is_backwards: bool) -> Vec<Occurrence> {
    let moments = session.index(&std::path::PathBuf::new(), &|_| ()).expect("the index is open");
    let mut all = Vec::new();
    let searched = session.occurrences(moments, search, most, is_backwards, &|_| (), &mut |found| {
        all.push(found);
        if all.len() == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    searched.expect("an answer");
    all
}

/// What is found does not depend on how the run is cut.
fn both(cut: &Session, whole: &Session, question: &Question, what: &str) -> Vec<Occurrence> {
    let found = search(cut, question, usize::MAX, false);
    assert_eq!(found, search(whole, question, usize::MAX, false), "{what}");
    let mut backwards = search(cut, question, usize::MAX, true);
    backwards.reverse();
    assert_eq!(found, backwards, "{what} from the end");
    let few = search(cut, question, 3, false);
    assert_eq!(few, found.iter().take(3).cloned().collect::<Vec<_>>(), "{what}, the first");
    let mut last = search(cut, question, 3, true);
    last.reverse();
    let expected: Vec<Occurrence> = found.iter().skip(found.len().saturating_sub(3)).cloned().collect();
    assert_eq!(last, expected, "{what}, the last");
    found
}

/// Events that are always told by a line of their own.
fn is_plain(event: &Event) -> bool {
    matches!(
        event.kind,
        EventKind::FieldRead { .. }
            | EventKind::FieldWritten { .. }
            | EventKind::ElementRead { .. }
            | EventKind::ElementWritten { .. }
            | EventKind::Enter { .. }
            | EventKind::Return { .. }
            | EventKind::Catch { .. }
    )
}

fn places(events: impl IntoIterator<Item = Event>) -> BTreeSet<(u32, u64, String)> {
    let place = |event: Event| (event.thread.0, event.number, format!("{:?}", event.kind));
    events.into_iter().filter(is_plain).map(place).collect()
}

#[test]
fn histories_and_searches_are_filters_over_all_events() {
    for name in PROGRAMS {
        let run = Run::record(name);
        let open = |folder: &str, interval: u64| {
            let session = Session::open(&run.trace()).expect("a session");
            session.index_every(&run.folder(folder), interval, &|_| ()).expect("an index");
            session
        };
        let (cut, whole) = (open("cut", INTERVAL), open("whole", 1 << 40));
        let mut events: Vec<Event> = Vec::new();
        let all = Session::open(&run.trace()).expect("a session");
        let shown = all.events(&EventFilter::default(), |view| {
            events.push(view.event.clone());
            ControlFlow::<()>::Continue(())
        });
        shown.expect("events");

        let mut objects: HashMap<u32, usize> = HashMap::new();
        for object in events.iter().filter(|event| is_plain(event)).flat_map(objects_in) {
            *objects.entry(object.0).or_default() += 1;
        }
        let mut objects: Vec<u32> = objects.into_keys().collect();
        objects.sort_unstable();
        for object in objects.into_iter().take(MOST).map(ObjectId) {
            let history = |session: &Session| {
                let moments = session.index(&std::path::PathBuf::new(), &|_| ()).expect("the index is open");
                let filter = HistoryFilter::default();
                session.history(moments, object, &filter, usize::MAX, &|_| ()).expect("a history")
            };
            let found = history(&cut);
            assert_eq!(found, history(&whole), "{name} {object:?}");
            let told = places(found.first.into_iter().map(|doing| doing.found.event));
            let expected = events.iter().filter(|event| event.kind.mentions(object)).cloned();
            assert_eq!(told, places(expected), "{name} {object:?}");
        }

        let mut values: Vec<i32> = Vec::new();
        for event in &events {
            if let EventKind::FieldRead { value: Value::Int(value), .. }
            | EventKind::FieldWritten { value: Value::Int(value), .. }
            | EventKind::ElementWritten { value: Value::Int(value), .. } = event.kind
                && !values.contains(&value)
            {
                values.push(value);
            }
        }
        for value in values.into_iter().take(MOST) {
            let question = Question { value: Some(Literal::Integer(i64::from(value))), ..Question::default() };
            let found = both(&cut, &whole, &question, &format!("{name} {value}"));
            let is_it = |event: &&Event| match &event.kind {
                EventKind::FieldRead { value: held, .. }
                | EventKind::FieldWritten { value: held, .. }
                | EventKind::ElementRead { value: held, .. }
                | EventKind::ElementWritten { value: held, .. } => cut.words(*held) == value.to_string(),
                _ => false,
            };
            let told: Vec<Event> = found.into_iter().map(|found| found.event).filter(|event| is_it(&event)).collect();
            assert_eq!(places(told), places(events.iter().filter(is_it).cloned()), "{name} {value}");
        }

        let mut asked = BTreeSet::new();
        for event in &events {
            if asked.insert(event.method.0) && asked.len() <= MOST {
                let methods = Some([event.method].into_iter().collect());
                let found = both(&cut, &whole, &Question { methods, ..Question::default() }, name);
                let is_entry =
                    |other: &&Event| other.method == event.method && matches!(other.kind, EventKind::Enter { .. });
                let expected = places(events.iter().filter(is_entry).cloned());
                assert_eq!(places(found.into_iter().map(|found| found.event)), expected, "{name}");
            }
        }
        for type_name in ["String", "Object", "int[]", "Integer"] {
            let question = Question { type_name: Some(type_name.to_owned()), ..Question::default() };
            both(&cut, &whole, &question, &format!("{name} {type_name}"));
        }
        let question = Question { exception: Some("Throwable".to_owned()), ..Question::default() };
        let found = both(&cut, &whole, &question, &format!("{name} exceptions"));
        let thrown = events.iter().filter(|event| matches!(event.kind, EventKind::Throw { exception: Some(_) }));
        assert_eq!(found.len(), thrown.count(), "{name}");
        for text in ["a", "1"] {
            both(&cut, &whole, &Question { text: Some(text.to_owned()), ..Question::default() }, name);
        }
    }
}

#[test]
fn events_of_methods_and_lines_are_the_same_with_and_without_an_index() {
    for name in PROGRAMS {
        let run = Run::record(name);
        let cut = Session::open(&run.trace()).expect("a session");
        cut.index_every(&run.folder("cut"), INTERVAL, &|_| ()).expect("an index");
        let whole = Session::open(&run.trace()).expect("a session");
        let shown = |session: &Session, filter: &EventFilter| {
            let mut events = Vec::new();
            let shown = session.events(filter, |view| {
                events.push(view.event.clone());
                ControlFlow::<()>::Continue(())
            });
            shown.expect("events");
            events
        };
        let mut methods = BTreeSet::new();
        for event in shown(&whole, &EventFilter::default()) {
            if methods.insert(event.method.0) && methods.len() <= MOST {
                for with_calls in [false, true] {
                    let methods = Some([event.method].into_iter().collect());
                    let filter = EventFilter { methods, with_calls, ..EventFilter::default() };
                    assert_eq!(shown(&cut, &filter), shown(&whole, &filter), "{name} {:?}", event.method);
                }
                if let Some(line) = event.line {
                    let line = whydunit_debugger::LineFilter { file: None, line };
                    let filter = EventFilter { line: Some(line), ..EventFilter::default() };
                    assert_eq!(shown(&cut, &filter), shown(&whole, &filter), "{name} {:?}", event.line);
                }
            }
        }
    }
}
