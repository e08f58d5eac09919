//! The alignment against its definition, applied to complete lists of events: an event is what it is by its statement, by
//! the event that it depends on, and by how many such there were before. Of a method that has different code in the two
//! runs, the instructions that both have are taken for those of the left, and so is what they depend on.

use crate::generator::{self, Change};
use crate::support::{Recorded, Workplace};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use whydunit_alignment::{Filters, Mapping, Pair, Side};
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

/// What both runs have of a method.
struct Versions {
    mapping: Option<Mapping>,
    /// Of the left.
    flow: Flow,
}

impl Versions {
    fn all(left: &Recorded, right: &Recorded) -> HashMap<String, Versions> {
        let by_name = |recorded: &Recorded| -> HashMap<String, MethodIndex> {
            recorded.program.methods().map(|index| (recorded.program.method_name(index), index)).collect()
        };
        let others = by_name(right);
        let versions = by_name(left).into_iter().filter_map(|(name, index)| {
            let code =
                Pair { left: left.program.code(index).ok()?, right: right.program.code(*others.get(&name)?).ok()? };
            let mapping = Mapping::of(Pair { left: &left.program, right: &right.program }, code);
            Some((name, Versions { mapping, flow: Flow::expecting_no_throw(code.left) }))
        });
        versions.collect()
    }

    /// The instruction of the left, if both have it.
    fn common(&self, side: Side, pc: Pc) -> Option<Pc> {
        let partner = self.mapping.as_ref()?.partner(side, pc)?;
        Some(if side == Side::Left { pc } else { partner })
    }

    /// Branches that both have and that an instruction of the left depends on. One that only the left has stands for what
    /// it depends on itself.
    fn deciders(&self, pc: Pc) -> BTreeSet<Pc> {
        let (mut found, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![pc]);
        while let Some(next) = open.pop() {
            for decider in self.flow.deciders(next) {
                let Decider::Branch(branch) = *decider else { continue };
                if self.common(Side::Left, branch).is_some() {
                    found.insert(branch);
                } else if seen.insert(branch) {
                    open.push(branch);
                }
            }
        }
        found
    }
}

/// Lists all events of a thread.
struct Lister<'l> {
    recorded: &'l Recorded,
    side: Side,
    versions: &'l HashMap<String, Versions>,
    identities: &'l mut Identities,
    names: HashMap<MethodIndex, String>,
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
        let name = self.recorded.program.method_name(at.code.index);
        let entry = self.identity(format!("enter {name}"), call);
        self.frames.push(Frame { entry, last: entry, branches: HashMap::new() });
        self.names.insert(at.code.index, name);
    }

    fn instruction(&mut self, at: At<'_>) {
        let name = &self.names[&at.code.index];
        let versions = self.versions.get(name);
        let Some((versions, pc)) = versions.and_then(|known| Some((known, known.common(self.side, at.pc)?))) else {
            let alone = self.identity(format!("{name} {} only {:?}", at.pc, self.side), 0);
            self.frames[at.depth as usize].last = alone;
            return;
        };
        let frame = &self.frames[at.depth as usize];
        let deciders = versions.deciders(pc);
        let latest = deciders.iter().filter_map(|branch| frame.branches.get(branch).copied());
        let decider = latest.max().map_or(frame.entry, |(_, identity)| identity);
        let is_start = versions.flow.is_block_start(pc);
        let identity = self.identity(format!("{name} {pc}"), decider);
        let frame = &mut self.frames[at.depth as usize];
        frame.last = identity;
        frame.branches.insert(pc, (at.number, identity));
        self.events.push((at.number, identity, is_start));
    }
}

fn events(
    recorded: &Recorded,
    side: Side,
    versions: &HashMap<String, Versions>,
    identities: &mut Identities,
) -> Vec<(u64, Identity, bool)> {
    let mut lister = Lister {
        recorded,
        side,
        versions,
        identities,
        names: HashMap::new(),
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
    let versions = Versions::all(left, right);
    let left = events(left, Side::Left, &versions, &mut identities);
    let right = events(right, Side::Right, &versions, &mut identities).into_iter();
    let right: HashMap<Identity, u64> = right.map(|(number, identity, _)| (identity, number)).collect();
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
        ("guarded", 1, 2),
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

/// Programs that are changed; `WHYDUNIT_ORACLE=FIRST..END` tries others.
fn seeds() -> Range<u64> {
    let Ok(text) = std::env::var("WHYDUNIT_ORACLE") else { return 1..3 };
    let ends = text.split_once("..").and_then(|(first, end)| Some(first.parse().ok()?..end.parse().ok()?));
    ends.expect("WHYDUNIT_ORACLE is FIRST..END")
}

#[test]
fn alignment_is_as_defined_in_changed_programs() {
    let (mut all, mut changed) = (0, 0);
    for seed in seeds() {
        let place = Workplace::new("Generated", &generator::program(seed));
        place.record("original", &["0"]);
        let original = place.open("original");
        for (number, change) in (0..).zip(Change::ALL.into_iter().cycle().take(14)) {
            let what = format!("program {seed}, change {number}: {change:?}");
            place.compile(&generator::changed(seed, change, number));
            let name = format!("changed{number}");
            place.record(&name, &["0"]);
            let other = place.open(&name);
            all += check(&what, &original, &other);
            all += check(&format!("{what}, the other way round"), &other, &original);
            let (report, _) = original.compare(&other, &Filters::default());
            assert!(report.changed.iter().all(|changed| changed.is_aligned), "{what}");
            changed += report.changed.len();
        }
    }
    assert!(all > 10_000 && changed > 5, "{all} events, {changed} changed methods");
}
