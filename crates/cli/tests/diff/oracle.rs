//! The alignment against its definition, applied to complete lists of events: an event is what it is by its statement, by
//! the event that it depends on, and by how many such there were before.

use crate::generator;
use crate::support::{Recorded, Workplace};
use std::collections::{BTreeSet, HashMap};
use whydunit_alignment::{Filters, Pair};
use whydunit_model::{Decider, Flow};
use whydunit_replay::interpreter::{At, Entry, Observer, ThreadReplay, Unobserved};
use whydunit_replay::program::{MethodIndex, Pc};
use whydunit_trace::ThreadId;

/// Whatever makes two events the same one.
type Identity = u64;

#[derive(Default)]
struct Identities {
    known: HashMap<(String, Identity, u64), Identity>,
}

impl Identities {
    fn of(&mut self, statement: String, decider: Identity, occurrence: u64) -> Identity {
        let next = self.known.len() as Identity + 1;
        *self.known.entry((statement, decider, occurrence)).or_insert(next)
    }
}

/// Lists all events of a thread.
struct Lister<'l> {
    recorded: &'l Recorded,
    identities: &'l mut Identities,
    flows: HashMap<MethodIndex, Flow>,
    frames: Vec<Frame>,
    occurrences: HashMap<(String, Identity), u64>,
    /// By number of the instruction: what it is, and whether a block starts with it.
    events: Vec<(u64, Identity, bool)>,
}

struct Frame {
    entry: Identity,
    last: Identity,
    /// When each branch was last executed, and as what.
    branches: HashMap<Pc, (u64, Identity)>,
}

impl Lister<'_> {
    fn identity(&mut self, statement: String, decider: Identity) -> Identity {
        let occurrence = self.occurrences.entry((statement.clone(), decider)).or_default();
        *occurrence += 1;
        let occurrence = *occurrence;
        self.identities.of(statement, decider, occurrence)
    }
}

impl Observer for Lister<'_> {
    fn entered(&mut self, at: At<'_>, _arguments: &[u64], _entry: Entry) {
        self.frames.truncate(at.depth as usize);
        let call = self.frames.last().map_or(0, |frame| frame.last);
        let name = format!("enter {}", self.recorded.program.method_name(at.code.index));
        let entry = self.identity(name, call);
        self.frames.push(Frame { entry, last: entry, branches: HashMap::new() });
        self.flows.entry(at.code.index).or_insert_with(|| Flow::of(at.code));
    }

    fn instruction(&mut self, at: At<'_>) {
        let flow = &self.flows[&at.code.index];
        let frame = &self.frames[at.depth as usize];
        let latest = flow.deciders(at.pc).iter().filter_map(|decider| match decider {
            Decider::Entry => None,
            Decider::Branch(pc) => frame.branches.get(pc).copied(),
        });
        let decider = latest.max().map_or(frame.entry, |(_, identity)| identity);
        let (is_start, is_branch) = (flow.is_block_start(at.pc), flow.is_branch(at.pc));
        let statement = format!("{} {}", self.recorded.program.method_name(at.code.index), at.pc);
        let identity = self.identity(statement, decider);
        let frame = &mut self.frames[at.depth as usize];
        frame.last = identity;
        if is_branch {
            frame.branches.insert(at.pc, (at.number, identity));
        }
        self.events.push((at.number, identity, is_start));
    }
}

fn events(recorded: &Recorded, identities: &mut Identities) -> Vec<(u64, Identity, bool)> {
    let mut lister = Lister {
        recorded,
        identities,
        flows: HashMap::new(),
        frames: Vec::new(),
        occurrences: HashMap::new(),
        events: Vec::new(),
    };
    let mut replay = ThreadReplay::new(&recorded.program, &recorded.objects, ThreadId(1)).expect("a thread");
    replay.run(&mut lister, u64::MAX).expect("a replay");
    lister.events
}

/// What corresponds by definition, and the instructions of the left run that start blocks.
fn aligned(left: &Recorded, right: &Recorded) -> (BTreeSet<(u64, u64)>, BTreeSet<u64>) {
    let mut identities = Identities::default();
    let left = events(left, &mut identities);
    let right: HashMap<Identity, u64> =
        events(right, &mut identities).into_iter().map(|(number, identity, _)| (identity, number)).collect();
    let pairs = left.iter().filter_map(|(number, identity, _)| Some((*number, *right.get(identity)?)));
    let starts = left.iter().filter(|(_, _, is_start)| *is_start).map(|(number, _, _)| *number);
    (pairs.collect(), starts.collect())
}

/// Method, instruction and line of an instruction, for messages.
fn place_of(recorded: &Recorded, number: u64) -> String {
    let mut replay = ThreadReplay::new(&recorded.program, &recorded.objects, ThreadId(1)).expect("a thread");
    replay.run(&mut Unobserved, number - 1).expect("a replay");
    let frame = replay.frames().last().expect("a frame");
    let name = recorded.program.method_name(frame.code.index);
    format!("{name} pc {} line {:?}", frame.pc, frame.code.line(frame.pc))
}

fn check(what: &str, left: &Recorded, right: &Recorded) -> usize {
    let (expected, starts) = aligned(left, right);
    for control_only in [false, true] {
        let filters = Filters { control_only, ..Filters::default() };
        let (_, found) = left.compare(right, &filters);
        let found: BTreeSet<(u64, u64)> = found.into_iter().map(|Pair { left, right }| (left, right)).collect();
        let invented: Vec<_> = found.difference(&expected).take(5).collect();
        assert!(invented.is_empty(), "{what}: not aligned by definition: {invented:?}");
        let at_starts: BTreeSet<(u64, u64)> =
            expected.iter().copied().filter(|(left, _)| starts.contains(left)).collect();
        let missing: Vec<_> = at_starts.difference(&found).take(5).collect();
        let places: Vec<String> = missing.iter().map(|(number, _)| place_of(left, *number)).collect();
        assert!(missing.is_empty(), "{what}: aligned by definition: {missing:?} {places:#?}");
    }
    expected.len()
}

#[test]
fn alignment_is_as_defined_in_the_cases() {
    let place = crate::cases::workplace();
    for (case, left, right) in [
        ("ifs", 1, 2),
        ("loop", 2, 5),
        ("inside", 1, 2),
        ("leaving", 1, 2),
        ("both", 1, 7),
        ("choice", 1, 2),
        ("choice", 2, 3),
        ("targets", 1, 2),
        ("recursion", 3, 5),
        ("objects", 1, 2),
        ("mixed", 1, 2),
    ] {
        let runs = crate::cases::record(&place, case, left, right);
        let [left, right] = runs.each_ref().map(|name| place.open(name));
        assert!(check(case, &left, &right) > 20);
    }
}

#[test]
fn alignment_is_as_defined_in_generated_programs() {
    let (mut all, mut parts) = (0, 0);
    for seed in 1..=4 {
        let place = Workplace::new("Generated", &generator::program(seed));
        let runs: Vec<Recorded> = (0..3)
            .map(|number| {
                let name = format!("run{number}");
                place.record(&name, &[&number.to_string()]);
                place.open(&name)
            })
            .collect();
        for (number, right) in runs.iter().enumerate() {
            all += check(&format!("program {seed}, runs 0 and {number}"), &runs[0], right);
            let (report, _) = runs[0].compare(right, &Filters { control_only: true, ..Filters::default() });
            parts += report.groups.len();
        }
    }
    assert!(all > 10_000 && parts > 300, "{all} events, {parts} places");
}
