//! Signals, exit codes and streams of the recorded command.

use crate::sandbox::Sandbox;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

#[test]
fn a_signal_that_ends_the_command_becomes_128_and_its_number() {
    let output = Sandbox::new().run(&["record", "--", "sh", "-c", "kill -9 $$"]);
    assert_eq!(output.status.code(), Some(137));
}

#[test]
fn a_signal_to_whydunit_reaches_the_command() {
    let script = "trap 'echo caught; exit 5' TERM; echo ready; while :; do sleep 0.05; done";
    let sandbox = Sandbox::new();
    let mut child = sandbox
        .command(&["record", "--", "sh", "-c", script])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("whydunit runs");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    out.read_line(&mut line).expect("a line");
    assert_eq!(line, "ready\n");
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a process");
    kill_process(pid, Signal::TERM).expect("sent");
    line.clear();
    out.read_to_string(&mut line).expect("the rest");
    assert_eq!(line, "caught\n");
    assert_eq!(child.wait().expect("ended").code(), Some(5));
}

#[test]
fn input_and_output_are_the_commands_own() {
    let sandbox = Sandbox::new();
    let mut child = sandbox
        .command(&["record", "cat"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("whydunit runs");
    child.stdin.take().expect("a pipe").write_all(b"a\0b").expect("written");
    let output = child.wait_with_output().expect("ended");
    assert_eq!(output.stdout, b"a\0b");
}
