//! Programs that are killed, and recordings that cannot go on.

use crate::support::{Answer, Workplace, verified_runs};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// A safety net for a program that does not end; no test depends on it.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// A busy program that runs for ever, with its recorder.
struct Running {
    recorder: Child,
    /// The program's output after its first line.
    rest: Receiver<String>,
    jvm: Pid,
    has_ended: bool,
}

impl Running {
    fn start(place: &Workplace) -> Running {
        let mut command = place.recording(&["--check", "--name", "busy"], &["Busy", "-1"]);
        let mut recorder = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("whydunit starts");
        let mut output = BufReader::new(recorder.stdout.take().expect("a pipe"));
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        let jvm = line.trim().parse().ok().and_then(Pid::from_raw).expect("a process id");
        let (sender, rest) = mpsc::channel();
        thread::spawn(move || {
            let mut text = String::new();
            output.read_to_string(&mut text).expect("the rest of the output");
            // Nobody waits for it any more when a test has failed.
            let _ = sender.send(text);
        });
        Running { recorder, rest, jvm, has_ended: false }
    }

    fn recorder_pid(&self) -> Pid {
        i32::try_from(self.recorder.id()).ok().and_then(Pid::from_raw).expect("a process id")
    }

    /// Waits until nobody has the output open any more, which is when the JVM has ended.
    fn end(mut self, what: &str) -> ExitStatus {
        let rest = self.rest.recv_timeout(TIME_LIMIT).unwrap_or_else(|_| panic!("{what}: the program goes on"));
        self.has_ended = true;
        assert_eq!(rest, "", "{what}");
        self.recorder.wait().expect("an end")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.has_ended {
            let _ = kill_process(self.jvm, Signal::KILL);
            let _ = self.recorder.wait();
        }
    }
}

fn ending(place: &Workplace) -> String {
    let info = place.json(&["info", "busy", "--json"]);
    info["trace"]["ending"].as_str().expect("an ending").to_owned()
}

#[test]
fn a_killed_jvm_leaves_what_was_written() {
    for milliseconds in [20, 90, 250, 600, 1100] {
        let what = format!("killed after {milliseconds} ms");
        let place = Workplace::with_busy_program();
        let running = Running::start(&place);
        thread::sleep(Duration::from_millis(milliseconds));
        kill_process(running.jvm, Signal::KILL).expect("killed");
        assert_eq!(running.end(&what).code(), Some(137));
        let listed = place.run(&["runs"]);
        assert!(listed.stdout.contains("cut off"), "{what}: {listed:#?}");
        assert_eq!(ending(&place), "cut-off", "{what}");
        let runs = verified_runs(&place.store()).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(milliseconds < 500 || runs[0].facts_compared > 0, "{what}: nothing to read");
    }
}

#[test]
fn a_killed_recorder_leaves_the_run_to_the_next_command() {
    let place = Workplace::with_busy_program();
    let mut running = Running::start(&place);
    kill_process(running.recorder_pid(), Signal::KILL).expect("killed");
    running.recorder.wait().expect("an end");
    kill_process(running.jvm, Signal::TERM).expect("still runs");
    running.end("killed recorder");
    let runs = verified_runs(&place.store()).expect("no differences");
    assert_eq!(runs.len(), 1);
    assert_eq!(ending(&place), "complete");
}

/// Whether programs that are started from here ignore a signal, as those of a shell's background jobs do.
fn is_ignored(signal: Signal) -> bool {
    let status = fs::read_to_string("/proc/self/status").expect("the state of this process");
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("the ignored signals");
    let mask = u64::from_str_radix(ignored.trim(), 16).expect("a mask");
    mask >> (signal.as_raw() - 1) & 1 != 0
}

#[test]
fn signals_end_the_program_as_ever_and_the_recording_in_order() {
    let signals = [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129)];
    for (signal, code) in signals.into_iter().filter(|&(signal, _)| !is_ignored(signal)) {
        for (to_recorder, milliseconds) in [(false, 20), (true, 60), (false, 120), (false, 300)] {
            let what = format!("{signal:?} after {milliseconds} ms, to the recorder: {to_recorder}");
            let place = Workplace::with_busy_program();
            let running = Running::start(&place);
            thread::sleep(Duration::from_millis(milliseconds));
            kill_process(if to_recorder { running.recorder_pid() } else { running.jvm }, signal).expect("sent");
            assert_eq!(running.end(&what).code(), Some(code), "{what}");
            assert_eq!(ending(&place), "complete", "{what}");
            let runs = verified_runs(&place.store()).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(runs[0].facts_compared > 0, "{what}");
        }
    }
}

/// What the program prints after its process id.
fn result(stdout: &str) -> &str {
    stdout.split_once('\n').expect("two lines").1
}

fn plain_result(place: &Workplace, rounds: &str) -> String {
    let mut plain = Command::new(place.java());
    plain.args(["-cp", ".", "Busy", rounds]).current_dir(place.path());
    result(&Answer::of(plain).stdout).to_owned()
}

#[test]
fn a_full_disk_ends_the_recording_only() {
    const ROUNDS: &str = "3000";
    let place = Workplace::with_busy_program();
    let warm_up = Answer::of(place.recording(&["--name", "warm-up"], &["Busy", "1"]));
    assert_eq!(warm_up.code, Some(0), "{warm_up:#?}");

    let recording = place.recording(&["--check", "--name", "busy"], &["Busy", ROUNDS]);
    let mut limited = Command::new("sh");
    // Units of 512 bytes, or of 1024 in some shells. The agent itself was written by the warm-up.
    limited.args(["-c", "ulimit -f 1000; exec \"$@\"", "sh"]).arg(recording.get_program()).args(recording.get_args());
    limited.current_dir(place.path());
    let recorded = Answer::of(limited);
    assert_eq!(recorded.code, Some(0), "{recorded:#?}");
    assert_eq!(result(&recorded.stdout), plain_result(&place, ROUNDS));
    assert!(recorded.stderr.contains("write failed"), "{recorded:#?}");
    assert_eq!(ending(&place), "write-failed");
    verified_runs(&place.store()).expect("no differences");
}

#[test]
fn the_size_limit_ends_the_recording_only() {
    const ROUNDS: &str = "3000";
    let place = Workplace::with_busy_program();
    let options = ["--check", "--name", "busy", "--size-limit", "64K"];
    let recorded = Answer::of(place.recording(&options, &["Busy", ROUNDS]));
    assert_eq!(recorded.code, Some(0), "{recorded:#?}");
    assert_eq!(result(&recorded.stdout), plain_result(&place, ROUNDS));
    assert!(recorded.stderr.contains("size limit reached"), "{recorded:#?}");
    assert_eq!(ending(&place), "size-limit");
    let runs = verified_runs(&place.store()).expect("no differences");
    assert!(runs[0].facts_compared > 0);
}
