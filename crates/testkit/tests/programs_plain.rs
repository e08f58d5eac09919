//! Every test program compiles and runs without recording, and prints the same in each run.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use whydunit_testkit::{Jdk, Program, compile, run_plain};

/// Starts quicker than the default and behaves the same.
const QUICK: &[&str] = &["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

#[test]
fn programs_are_deterministic() {
    let jdks = Jdk::all();
    assert!(!jdks.is_empty(), "no JDK found: set JAVA_HOME");
    let programs = Program::all().unwrap();
    let runs: Vec<(&Jdk, &Program)> = jdks
        .iter()
        .flat_map(|jdk| programs.iter().filter(|program| program.runs_on(jdk)).map(move |program| (jdk, program)))
        .collect();
    // Before the threads start, since programs share the compiler's run.
    for (jdk, program) in &runs {
        compile(program, jdk).unwrap();
    }
    let stdouts = Mutex::new(BTreeMap::new());
    let failures = Mutex::new(Vec::new());
    for_each_in_parallel(&runs, |(jdk, program)| match check(jdk, program) {
        Ok(stdout) => {
            stdouts.lock().unwrap().insert((jdk.version, program.name.clone()), stdout);
        }
        Err(problem) => failures.lock().unwrap().push(format!("{} on JDK {}: {problem}", program.name, jdk.version)),
    });
    let mut failures = failures.into_inner().unwrap();
    failures.extend(differences_between_releases(&runs, &stdouts.into_inner().unwrap()));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn check(jdk: &Jdk, program: &Program) -> Result<String, String> {
    let first = run_plain(program, jdk, QUICK).map_err(|error| error.to_string())?;
    let second = run_plain(program, jdk, QUICK).map_err(|error| error.to_string())?;
    if first.code != Some(program.header.exit) {
        return Err(format!("exit code {:?}, stderr:\n{}", first.code, first.stderr));
    }
    if first.stdout.is_empty() {
        return Err("printed nothing".to_owned());
    }
    if (&first.stdout, first.code) != (&second.stdout, second.code) {
        return Err(format!("first run:\n{}\nsecond run:\n{}", first.stdout, second.stdout));
    }
    Ok(first.stdout)
}

/// A program does not depend on the release that it was compiled for.
fn differences_between_releases(runs: &[(&Jdk, &Program)], stdouts: &BTreeMap<(u32, String), String>) -> Vec<String> {
    let stdout = |jdk: &Jdk, name: &str| stdouts.get(&(jdk.version, name.to_owned()));
    runs.iter()
        .filter_map(|(jdk, program)| {
            let newest = stdout(jdk, program.topic())?;
            let this = stdout(jdk, &program.name)?;
            (newest != this)
                .then(|| format!("{} on JDK {} prints:\n{this}\nand not:\n{newest}", program.name, jdk.version))
        })
        .collect()
}

fn for_each_in_parallel<T: Sync>(items: &[T], action: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    action(item);
                }
            });
        }
    });
}
