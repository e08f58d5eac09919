//! Programs that are run with changes, and recorded without.

use super::source::Source;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;
use whydunit_replay::index::ThreadIndex;
use whydunit_replay::interpreter::{At, Entry, FieldAccess, Observer, ThreadReplay};
use whydunit_replay::steps::StepCounter;
use whydunit_replay::{ObjectTable, Program};
use whydunit_slices::{Dependences, Executed, Flows, Place, SliceKind, SliceStep};
use whydunit_testkit::{Jdk, whydunit_binary};
use whydunit_trace::ThreadId;
use whydunit_trace::reader::Recording;

const CHANGE: &str = include_str!("Change.java");

/// Kinds of changes in `Change.java`.
const KINDS: usize = 4;

/// Instructions of a stretch.
const SHORT: u64 = 997;

/// What is known of one program.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) executed: BTreeSet<u32>,
    pub(crate) slice: BTreeSet<u32>,
    /// Without what could have happened.
    pub(crate) actual: BTreeSet<u32>,
    /// Lines with a change that leads to another result, and one such result.
    pub(crate) mattering: BTreeMap<u32, String>,
    pub(crate) result: String,
    /// That were tried.
    pub(crate) changes: usize,
    changeable: BTreeSet<u32>,
    pub(crate) listing: String,
}

impl Finding {
    /// Lines that were executed and in which something can be changed.
    pub(crate) fn changeable(&self) -> impl Iterator<Item = u32> {
        self.changeable.intersection(&self.executed).copied()
    }

    /// Lines that matter and are not in the slice. A `break` behind a condition may have no instruction that runs: the
    /// condition leads to where it would have led.
    pub(crate) fn missing(&self) -> impl Iterator<Item = u32> {
        let is_missing = |line: &u32| !self.slice.contains(line) && self.executed.contains(line);
        self.mattering.keys().copied().filter(is_missing)
    }
}

/// How a result is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// By the instruction that writes it, which is the last of the program.
    Write,
    /// By a read behind the program.
    Read,
}

/// Programs that have been run.
pub(crate) struct Experiment {
    folder: TempDir,
    programs: Vec<Finding>,
}

impl Experiment {
    /// `Err`: one of them does not compile, or has no result.
    pub(crate) fn new(sources: &[Source]) -> Result<Experiment, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let jdk = Jdk::all().into_iter().next().expect("a JDK");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
        let mut arguments = Vec::new();
        let mut main = String::from("public class Plain { public static void main(String[] arguments) {\n");
        let mut programs = Vec::new();
        for (number, source) in sources.iter().enumerate() {
            let (plain, changing) = (format!("Plain{number}"), format!("Changing{number}"));
            let (text, changed) = (source.plain(&plain), source.changing(&changing));
            write(&format!("{plain}.java"), &text.text);
            write(&format!("{changing}.java"), &changed.text);
            let _ = writeln!(main, "{plain}.run();\nSystem.out.println({plain}.result);");
            arguments.extend([changing, changed.changes.len().to_string()]);
            programs.push(Finding {
                executed: BTreeSet::new(),
                slice: BTreeSet::new(),
                actual: BTreeSet::new(),
                mattering: BTreeMap::new(),
                result: String::new(),
                changes: changed.changes.len() * KINDS,
                changeable: changed.changes.into_iter().collect(),
                listing: listing(&text.text),
            });
        }
        write("Plain.java", &(main + "} }"));
        write("Change.java", CHANGE);
        run(
            Command::new(jdk.javac())
                .args(["-g", "-nowarn", "Plain.java", "Change.java"])
                .args((0..sources.len()).map(|number| format!("Changing{number}.java"))),
            folder.path(),
        )?;
        let mut java = Command::new(jdk.java());
        let changed =
            run(java.args(["-XX:-OmitStackTraceInFastThrow", "-cp", ".", "Change"]).args(&arguments), folder.path())?;
        let store = folder.path().join("store");
        let mut record = Command::new(whydunit_binary().expect("whydunit is built"));
        record
            .arg("--store")
            .arg(&store)
            .args(["record", "--name", "run", "--"])
            .arg(jdk.java())
            .args(["-cp", ".", "Plain"]);
        let results = run(&mut record, folder.path())?;
        note_changes(&mut programs, sources, &changed);
        for (program, result) in programs.iter().zip(results.lines()) {
            assert_eq!(program.result, result, "both texts mean the same");
        }
        Ok(Experiment { folder, programs })
    }

    /// With the slices.
    pub(crate) fn findings(mut self, asked: Asked) -> Vec<Finding> {
        let recording =
            Arc::new(Recording::open(&self.folder.path().join("store/run/trace.wdt")).expect("a recording"));
        let objects = ObjectTable::load(&recording).expect("objects");
        let program = Program::new(&recording);
        let flows = Flows::new(&program);
        let thread = ThreadId(1);
        let mut replay = ThreadReplay::new(&program, &objects, thread).expect("a thread");
        let mut watcher = Watcher {
            program: &program,
            form: asked,
            steps: StepCounter::default(),
            asked: Vec::new(),
            lines: BTreeMap::new(),
        };
        replay.run(&mut watcher, u64::MAX).expect("a replay");
        let folder = self.folder.path().join("index");
        let index = ThreadIndex::open_or_build(&folder, &program, &objects, thread, SHORT, &|_| ()).expect("an index");
        let dependences = Dependences::new(&program, &objects, &flows, std::slice::from_ref(&index));
        for (&(step, field), finding) in watcher.asked.iter().zip(&mut self.programs) {
            let is_asked = |executed: &Executed| {
                let found = dependences.describe(*executed).expect("readable");
                found.is_some_and(|found| found.place == Some(Place::Static(field)))
            };
            let criterion: Vec<Executed> =
                dependences.of_step(thread, step).expect("readable").into_iter().filter(is_asked).collect();
            assert!(!criterion.is_empty());
            let owner = program.field(field).expect("a field").owner;
            let lines = |kind: SliceKind| {
                let slice = match asked {
                    Asked::Write => dependences.slice(&criterion, kind, &mut || ()),
                    Asked::Read => {
                        let sources = |&read: &Executed| dependences.inputs(read).expect("readable").into_iter();
                        let written: Vec<Executed> =
                            criterion.iter().flat_map(sources).filter_map(|(_, found)| found.ok()).collect();
                        dependences.slice_until(&written, &criterion, kind, &mut |_| ControlFlow::Continue(()))
                    }
                };
                let slice = slice.expect("readable");
                slice.steps.values().flat_map(|step| lines_in(&program, step, &owner)).collect()
            };
            finding.slice = lines(SliceKind::FULL);
            finding.actual = lines(SliceKind::ACTUAL);
            finding.executed = watcher.lines.remove(&*owner).unwrap_or_default();
        }
        self.programs
    }
}

/// The lines of a step, if it is in this class or one inside it.
fn lines_in(program: &Program, step: &SliceStep, class: &str) -> Vec<u32> {
    let code = program.code(step.method).expect("code");
    let own = &program.definition(code.definition).expect("a class").name;
    if own.split('$').next() != Some(class) {
        return Vec::new();
    }
    step.instructions.iter().filter_map(|&pc| code.line(pc)).collect()
}

fn note_changes(programs: &mut [Finding], sources: &[Source], output: &str) {
    let mut number = None;
    let mut lines = Vec::new();
    for line in output.lines() {
        let (word, rest) = line.split_once(' ').expect("two words");
        if word == "result" {
            let next = number.map_or(0, |number| number + 1);
            number = Some(next);
            programs[next].result = rest.to_owned();
            lines = sources[next].changing("C").changes;
        } else {
            let (change, result) = rest.split_once(' ').expect("two words");
            let line = lines[change.parse::<usize>().expect("a number")];
            let program = &mut programs[number.expect("a result comes first")];
            program.mattering.insert(line, result.to_owned());
        }
    }
}

/// What a command writes; `Err`: its complaints.
fn run(command: &mut Command, folder: &Path) -> Result<String, String> {
    for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"] {
        command.env_remove(variable);
    }
    let output = command.current_dir(folder).output().expect("it starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

fn listing(text: &str) -> String {
    text.lines().enumerate().fold(String::new(), |mut all, (number, line)| {
        let _ = writeln!(all, "{:>4}  {line}", number + 1);
        all
    })
}

/// Sees which lines run, and the writes or reads that are asked for.
struct Watcher<'p> {
    program: &'p Program,
    form: Asked,
    steps: StepCounter,
    /// Step and field.
    asked: Vec<(u64, u32)>,
    /// By outermost class.
    lines: BTreeMap<String, BTreeSet<u32>>,
}

impl Watcher<'_> {
    fn note(&mut self, at: At<'_>, access: FieldAccess) {
        let is_asked = self.program.field(access.field).is_some_and(|field| &*field.name == "result");
        if access.is_static && is_asked {
            self.asked.push((self.steps.current(at.depth), access.field));
        }
    }
}

impl Observer for Watcher<'_> {
    fn entered(&mut self, at: At<'_>, _arguments: &[u64], _entry: Entry) {
        self.steps.entered(at.depth);
    }

    fn instruction(&mut self, at: At<'_>) {
        if self.steps.instruction(at)
            && let Some(line) = at.line()
        {
            let class = &self.program.definition(at.code.definition).expect("a class").name;
            let class = class.split('$').next().unwrap_or_default();
            if !self.lines.contains_key(class) {
                self.lines.insert(class.to_owned(), BTreeSet::new());
            }
            self.lines.get_mut(class).into_iter().for_each(|lines| {
                lines.insert(line);
            });
        }
    }

    fn field_written(&mut self, at: At<'_>, access: FieldAccess) {
        if self.form == Asked::Write {
            self.note(at, access);
        }
    }

    fn field_read(&mut self, at: At<'_>, access: FieldAccess) {
        if self.form == Asked::Read {
            self.note(at, access);
        }
    }
}
