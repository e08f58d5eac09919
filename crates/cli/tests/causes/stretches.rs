//! However threads are cut into stretches, their dependences are the same.

use std::collections::BTreeSet;
use std::sync::Arc;
use whydunit_replay::index::ThreadIndex;
use whydunit_replay::{ObjectTable, Program};
use whydunit_slices::{Dependences, Executed, Flows, Found, Place, Role, SliceKind, SliceStep, Unknown};
use whydunit_testkit::{Jdk, record, whydunit_binary};
use whydunit_trace::ThreadId;
use whydunit_trace::reader::Recording;

/// Programs that between them have what is difficult: call-backs, initialisers, exceptions, constructors, collections,
/// threads.
const PROGRAMS: &[&str] = &[
    "Constructors",
    "ExceptionsInConstructors",
    "CallbackComparators",
    "StaticInitialisers",
    "Streams",
    "LambdaCaptures",
    "CapturedValues",
    "KeyedValues",
    "PositionedValues",
    "ChangedEntries",
    "PreventedWrites",
    "CopiedElements",
    "ViewedContents",
    "LateViews",
    "LargeArrays",
    "ArraysOfThreads",
    "CausesOfExceptions",
    "ExceptionsAcrossFrames",
    "LibraryExceptions",
    "ArrayTypes",
    "EnumCollections",
    "FinallyAndResources",
    "Switches",
    "Concurrency",
    "Synchronized",
    "OthersLeftOut",
    "OverwrittenByOthers",
];

/// So short that nearly every value comes from another stretch.
const SHORT: u64 = 61;

/// Of the longest thread.
const MOST_STRETCHES: u64 = 200;

/// More steps of a thread than this are sampled.
const MOST_STEPS: u64 = 400;

#[test]
fn short_stretches_and_a_single_one() {
    let mut compared = 0;
    let mut wrong = String::new();
    for name in PROGRAMS {
        let Some(program) = whydunit_testkit::Program::named(name).expect("readable programs") else { continue };
        let folder = tempfile::tempdir().expect("a folder");
        let jdk = Jdk::all().into_iter().next().expect("a JDK");
        let whydunit = whydunit_binary().expect("whydunit is built");
        record(&program, &jdk, &["--name", "run"], &whydunit, folder.path()).expect("it runs");
        let recording = Arc::new(Recording::open(&folder.path().join("run/trace.wdt")).expect("a recording"));
        let objects = ObjectTable::load(&recording).expect("objects");
        let program = Program::new(&recording);
        let flows = Flows::new(&program);
        let indexes = |name: &str, interval: u64| -> Vec<ThreadIndex> {
            let folder = folder.path().join(name);
            let index = |&thread: &ThreadId| {
                ThreadIndex::open_or_build(&folder, &program, &objects, thread, interval, &|_| ()).expect("an index")
            };
            recording.threads.keys().map(index).collect()
        };
        let whole = indexes("whole", u64::MAX);
        let longest = whole.iter().map(ThreadIndex::instructions).max().unwrap_or_default();
        let short = indexes("short", SHORT.max(longest / MOST_STRETCHES));
        let cut = Dependences::new(&program, &objects, &flows, &short);
        let uncut = Dependences::new(&program, &objects, &flows, &whole);
        for index in &whole {
            assert_eq!(index.checkpoints(), 1);
            let thread = index.thread();
            let stride = (index.steps() / MOST_STEPS).max(1);
            for step in (1..=index.steps()).step_by(stride as usize) {
                let (a, b) = (of_step(&program, &cut, thread, step), of_step(&program, &uncut, thread, step));
                check(&a, &b, &format!("{name}, {thread}, step {step}"));
                compared += a.len();
                if step % (stride * 16) == 1 {
                    for kind in [SliceKind::FULL, SliceKind::THIN] {
                        let (short, whole) = (slice(&cut, thread, step, kind), slice(&uncut, thread, step, kind));
                        let missing: Vec<_> = whole.difference(&short).collect();
                        if !missing.is_empty() {
                            wrong.push_str(&format!("{name}, {thread}, step {step}, {kind:?}: {missing:?}\n"));
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(compared > 5_000, "only {compared} instructions");
}

/// A call into unrecorded code that a stretch ends in may have more inputs: what call-backs of the other stretch gave
/// it is not told apart. Everything else is the same.
fn check(short: &[Behind], whole: &[Behind], place: &str) {
    let instructions = |behind: &[Behind]| behind.iter().map(|one| one.instruction).collect::<Vec<_>>();
    assert_eq!(instructions(short), instructions(whole), "{place}");
    let all = short;
    for (short, whole) in short.iter().zip(whole) {
        assert_eq!(short.decision, whole.decision, "{place}: {:?}", whole.instruction);
        if whole.is_call {
            // What it had before the stretch it has by way of itself.
            let has = |found: &Result<Name, Unknown>| of_call(all, short).any(|one| one.has(found));
            let missing: Vec<_> = whole.inputs.iter().filter(|(_, found)| found.is_ok() && !has(found)).collect();
            assert!(missing.is_empty(), "{place}: {:?} lacks {missing:?}\n{short:?}\n{whole:?}", whole.instruction);
        } else {
            assert_eq!(short.inputs, whole.inputs, "{place}: {:?}", whole.instruction);
        }
    }
}

/// The parts of the same call.
fn of_call<'b>(all: &'b [Behind], part: &Behind) -> impl Iterator<Item = &'b Behind> {
    let (thread, step, pc, _, frame) = part.instruction;
    all.iter().filter(move |one| {
        let (of_thread, of_step, at, _, of_frame) = one.instruction;
        (of_thread, of_step, at, of_frame) == (thread, step, pc, frame)
    })
}

/// An instruction in words that do not depend on stretches.
type Name = (ThreadId, u64, u32, Option<u16>, u64);

#[derive(Debug, PartialEq, Eq)]
struct Behind {
    instruction: Name,
    inputs: Vec<(Role, Result<Name, Unknown>)>,
    decision: Result<Name, Unknown>,
    is_call: bool,
}

impl Behind {
    fn has(&self, wanted: &Result<Name, Unknown>) -> bool {
        self.inputs.iter().any(|(_, found)| found == wanted)
    }
}

fn name(dependences: &Dependences<'_>, executed: Executed) -> Name {
    let found = dependences.describe(executed).expect("readable").expect("an instruction");
    (executed.thread(), found.node.step, found.node.pc(), found.node.argument(), found.frame.entered)
}

fn named(dependences: &Dependences<'_>, found: Found) -> Result<Name, Unknown> {
    found.map(|executed| name(dependences, executed))
}

fn is_call(program: &Program, dependences: &Dependences<'_>, executed: Executed) -> bool {
    let found = dependences.describe(executed).expect("readable").expect("an instruction");
    let code = program.code(found.frame.method).expect("code");
    found.callee.is_none() && code.call_at(found.node.pc()).is_some()
}

fn of_step(program: &Program, dependences: &Dependences<'_>, thread: ThreadId, step: u64) -> Vec<Behind> {
    let executed = dependences.of_step(thread, step).expect("readable");
    let behind = |&executed: &Executed| Behind {
        instruction: name(dependences, executed),
        inputs: dependences
            .inputs(executed)
            .expect("readable")
            .into_iter()
            .map(|(role, found)| (role, named(dependences, found)))
            .filter(|(_, found)| !matches!(found, Err(Unknown::Nothing | Unknown::NotWritten(Place::Item(..)))))
            .collect(),
        decision: named(dependences, dependences.decision(executed).expect("readable")),
        is_call: is_call(program, dependences, executed),
    };
    let mut found: Vec<Behind> = Vec::new();
    for behind in executed.iter().map(behind) {
        match found.iter_mut().find(|known| known.instruction == behind.instruction) {
            // What was interrupted stands in each stretch in which it is taken up.
            Some(known) => known.inputs.extend(behind.inputs),
            None => found.push(behind),
        }
    }
    found.sort_by_key(|one| one.instruction);
    found
}

/// Threads, steps and instructions.
fn slice(
    dependences: &Dependences<'_>,
    thread: ThreadId,
    step: u64,
    kind: SliceKind,
) -> BTreeSet<(ThreadId, u64, u32)> {
    let criterion = dependences.of_step(thread, step).expect("readable");
    let slice = dependences.slice(&criterion, kind, &mut || ()).expect("readable");
    let of_step = |((thread, step), found): ((ThreadId, u64), SliceStep)| {
        found.instructions.into_iter().map(move |pc| (thread, step, pc))
    };
    slice.steps.into_iter().flat_map(of_step).collect()
}
