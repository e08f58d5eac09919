//! Slices are the same where only parts of segments are recorded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use whydunit_replay::index::ThreadIndex;
use whydunit_replay::{ObjectTable, Program};
use whydunit_slices::{Dependences, Flows, SliceKind};
use whydunit_testkit::{Jdk, record, whydunit_binary};
use whydunit_trace::ThreadId;
use whydunit_trace::reader::Recording;

const SEGMENTS: u64 = 40;

/// That are asked about.
const STEPS: u64 = 150;

/// By step.
type Instructions = BTreeMap<(ThreadId, u64), BTreeSet<u32>>;

#[test]
fn parts_of_segments_and_the_whole_run() {
    let program = whydunit_testkit::Program::named("SpreadValues").expect("readable programs").expect("the program");
    let folder = tempfile::tempdir().expect("a folder");
    let jdk = Jdk::all().into_iter().next().expect("a JDK");
    let whydunit = whydunit_binary().expect("whydunit is built");
    record(&program, &jdk, &["--name", "run"], &whydunit, folder.path()).expect("it runs");
    let recording = Arc::new(Recording::open(&folder.path().join("run/trace.wdt")).expect("a recording"));
    let objects = ObjectTable::load(&recording).expect("objects");
    let program = Program::new(&recording);
    let flows = Flows::new(&program);
    let &thread = recording.threads.keys().next().expect("a thread");
    let index = |interval: u64| {
        let folder = folder.path().join(interval.to_string());
        ThreadIndex::open_or_build(&folder, &program, &objects, thread, interval, &|_| ()).expect("an index")
    };
    let whole = index(u64::MAX);
    let short = index(whole.instructions() / SEGMENTS);
    let uncut = Dependences::new(&program, &objects, &flows, [&whole]);
    let (mut compared, mut spread) = (0, 0);
    for step in (1..=whole.steps()).rev().step_by((whole.steps() / STEPS) as usize) {
        for kind in [SliceKind::FULL, SliceKind::ACTUAL, SliceKind::THIN] {
            let cut = Dependences::new(&program, &objects, &flows, [&short]);
            let (found, expected) = (slice(&cut, thread, step, kind), slice(&uncut, thread, step, kind));
            assert_eq!(found, expected, "step {step}, {kind:?}");
            compared += expected.len();
            let segments: BTreeSet<usize> = expected.keys().map(|(_, step)| short.segment_before(*step)).collect();
            let is_little = cut.effort() < whole.instructions() / 2;
            spread += usize::from(is_little && segments.len() as u64 > SEGMENTS * 3 / 4);
        }
    }
    assert!(compared > 1_000, "only {compared} steps");
    assert!(spread > 10, "parts were recorded for {spread} slices only");
}

fn slice(dependences: &Dependences<'_>, thread: ThreadId, step: u64, kind: SliceKind) -> Instructions {
    let criterion = dependences.of_step(thread, step).expect("readable");
    let slice = dependences.slice(&criterion, kind, &mut || ()).expect("readable");
    slice.steps.into_iter().map(|(step, found)| (step, found.instructions.into_iter().collect())).collect()
}
