//! Every test program prints the same and exits the same when it is recorded, and its replay has no difference.

use crate::support::{for_each_in_parallel, verified_runs, whydunit};
use std::path::Path;
use whydunit_debugger::Session;
use whydunit_testkit::{Jdk, Program, Recorder, compile, run_plain};

/// The verifier of the JVM sees every rewritten class.
const VERIFY_ALL: &[&str] = &["-Xverify:all"];

/// Programs whose JVM starts others.
const RUNS_OF_SEVERAL_JVMS: &[(&str, usize)] = &[("ChangedClass", 2), ("ChildJvm", 2)];

/// Programs that show how the workings of the virtual machine meet the recorder.
const SENSITIVE: &[&str] = &["Concurrency", "FinalizersAndCleaners", "Identity", "StackOverflow", "VirtualThreads"];

/// Programs in which the call that logs a fact runs into the end of the stack.
const GUIDED_BY_FACTS: &[&str] = &["StackOverflow", "DeepRecursion", "VmErrors"];

/// Programs that use the collections.
const COLLECTING: &[&str] = &[
    "CallbackComparators",
    "CallbackHashing",
    "EnumCollections",
    "ExceptionsAcrossFrames",
    "OwnCollections",
    "ParallelWork",
    "Serialization",
    "Streams",
    "TwoLoaders",
    "WordCount",
];

const WITH_COLLECTIONS: &[&str] = &["--include", "java.util", "--include", "**"];

const JVM_VARIANTS: &[&[&str]] = &[
    &["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"],
    &["-XX:+UseParallelGC", "-Xint"],
    &["-XX:+UseZGC"],
    &["-Xcomp"],
];

/// Starts quicker than the default and behaves the same.
const QUICK: &[&str] = &["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

#[test]
fn on_the_oldest_jdk() {
    every_program_on(&jdks()[0]);
}

#[test]
fn on_every_newer_jdk() {
    jdks()[1..].iter().for_each(every_program_on);
}

#[test]
fn with_other_collectors_and_compilers() {
    let programs = programs();
    let sensitive = programs.iter().filter(|program| SENSITIVE.contains(&program.name.as_str()));
    let cases: Vec<Case> = jdks()
        .iter()
        .flat_map(|jdk| sensitive.clone().filter(|program| program.runs_on(jdk)).map(move |program| (jdk, program)))
        .flat_map(|(jdk, program)| {
            let case = move |&options: &&'static [&'static str]| Case {
                jdk: jdk.clone(),
                program: program.clone(),
                options,
                record_options: &[],
            };
            JVM_VARIANTS.iter().map(case)
        })
        .collect();
    check_all(&cases);
}

#[test]
fn with_the_collections_recorded() {
    let is_chosen = |name: &str| std::env::var_os("WHYDUNIT_PROGRAMS").is_some() || COLLECTING.contains(&name);
    let programs: Vec<Program> = programs().into_iter().filter(|program| is_chosen(&program.name)).collect();
    let cases: Vec<Case> = jdks()
        .iter()
        .flat_map(|jdk| programs.iter().filter(|program| program.runs_on(jdk)).map(move |program| (jdk, program)))
        .map(|(jdk, program)| Case {
            jdk: jdk.clone(),
            program: program.clone(),
            options: VERIFY_ALL,
            record_options: WITH_COLLECTIONS,
        })
        .collect();
    check_all(&cases);
}

/// A class that extends a recorded one is recorded all the same.
#[test]
fn with_subclasses_excluded() {
    const EXCLUDED: &[&[&str]] = &[
        &["--exclude", "ExcludedSubclasses$Lowest", "--exclude", "ExcludedSubclasses$Square"],
        &["--exclude", "ExcludedSubclasses$Lowest", "--exclude", "ExcludedSubclasses$Middle"],
        &["--exclude", "ExcludedSubclasses$Named", "--exclude", "ExcludedSubclasses$Square"],
    ];
    let program = Program::all().expect("the test programs").into_iter().find(|p| p.name == "ExcludedSubclasses");
    let program = program.expect("the program");
    let case = |(jdk, &record_options): (&Jdk, &&'static [&'static str])| Case {
        jdk: jdk.clone(),
        program: program.clone(),
        options: VERIFY_ALL,
        record_options,
    };
    let jdks = jdks();
    let cases: Vec<Case> = jdks.iter().flat_map(|jdk| EXCLUDED.iter().map(move |e| (jdk, e))).map(case).collect();
    check_all(&cases);
}

struct Case {
    jdk: Jdk,
    program: Program,
    options: &'static [&'static str],
    record_options: &'static [&'static str],
}

fn jdks() -> Vec<Jdk> {
    let jdks = Jdk::all();
    assert!(!jdks.is_empty(), "no JDK found: set JAVA_HOME");
    jdks
}

/// `WHYDUNIT_PROGRAMS=Identity,Streams` runs these only.
fn programs() -> Vec<Program> {
    let mut programs = Program::all().expect("the test programs");
    if let Ok(wanted) = std::env::var("WHYDUNIT_PROGRAMS") {
        programs.retain(|program| wanted.split(',').any(|name| name == program.name));
    }
    programs
}

fn every_program_on(jdk: &Jdk) {
    let programs = programs().into_iter().filter(|program| program.runs_on(jdk));
    let cases: Vec<Case> =
        programs.map(|program| Case { jdk: jdk.clone(), program, options: VERIFY_ALL, record_options: &[] }).collect();
    check_all(&cases);
}

fn check_all(cases: &[Case]) {
    for case in cases {
        // Before the threads start, since programs share the compiler's run.
        compile(&case.program, &case.jdk).expect("the program compiles");
    }
    let failures = for_each_in_parallel(cases, |case| {
        let problem = check(case).err()?;
        let options = case.options.join(" ");
        Some(format!("== {} on JDK {} with {options}: {problem}", case.program.name, case.jdk.version))
    });
    assert!(failures.is_empty(), "{} of {} failed\n{}", failures.len(), cases.len(), failures.join("\n"));
}

fn check(case: &Case) -> Result<(), String> {
    let Case { jdk, program, options, record_options } = case;
    let plain = run_plain(program, jdk, QUICK).map_err(|error| error.to_string())?;
    let store = tempfile::tempdir().map_err(|error| error.to_string())?;
    let recorder =
        Recorder { whydunit: whydunit(), store: store.path(), options: record_options, jvm_options: options };
    let recorded = recorder.record(program, jdk).map_err(|error| error.to_string())?;
    if plain.code != recorded.code {
        return Err(format!("exit code {:?}, plain {:?}\n{}", recorded.code, plain.code, recorded.stderr));
    }
    if plain.stdout != recorded.stdout {
        return Err(first_different_line(&plain.stdout, &recorded.stdout));
    }
    let runs = verified_runs(store.path())?;
    let topic = program.topic();
    let expected = RUNS_OF_SEVERAL_JVMS.iter().find(|(name, _)| *name == topic).map_or(1, |&(_, runs)| runs);
    if runs.len() != expected {
        return Err(format!("{} runs, not {expected}\n{}", runs.len(), recorded.stderr));
    }
    for run in &runs {
        if run.facts_compared == 0 {
            return Err(format!("run {} has no facts", run.id));
        }
        if !GUIDED_BY_FACTS.contains(&topic) {
            check_without_facts(&store.path().join(&run.id), run.bytecodes)?;
        }
    }
    Ok(())
}

/// A replay that does not look at the facts of check mode is as long, or it went another way.
fn check_without_facts(run: &Path, bytecodes: u64) -> Result<(), String> {
    let session = Session::open(&run.join("trace.wdt")).map_err(|error| error.to_string())?;
    let moments = session.index(&run.join("index"), &|_| {}).map_err(|error| error.to_string())?;
    if let Some(difference) = moments.differences().next() {
        return Err(format!("without the facts of check mode: {difference}"));
    }
    match moments.instructions() {
        same if same == bytecodes => Ok(()),
        other => Err(format!("{bytecodes} bytecodes, {other} without the facts of check mode")),
    }
}

fn first_different_line(plain: &str, recorded: &str) -> String {
    let lines = plain.lines().map(Some).chain(std::iter::repeat(None));
    let others = recorded.lines().map(Some).chain(std::iter::repeat(None));
    let (number, (plain, recorded)) =
        lines.zip(others).enumerate().find(|(_, (a, b))| a != b || a.is_none()).unwrap_or_default();
    format!("line {} of the output is {recorded:?}, plain {plain:?}", number + 1)
}
