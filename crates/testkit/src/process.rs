//! Runs a command to its end with input, captured output and a time limit.

use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::{Error, Result};

/// A safety net for a program that hangs; no test depends on it.
pub const TIME_LIMIT: Duration = Duration::from_secs(60);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    pub stdout: String,
    pub stderr: String,
    /// `None` when a signal ended the process.
    pub code: Option<i32>,
}

pub(crate) fn run(command: Command, stdin: &str) -> Result<Output> {
    run_within(TIME_LIMIT, command, stdin)
}

fn run_within(limit: Duration, mut command: Command, stdin: &str) -> Result<Output> {
    let program = command.get_program().to_owned();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A group of its own, so that a process it started can be ended with it.
    command.process_group(0);
    let mut child = command.spawn().map_err(Error::io("run", &program))?;
    feed(&mut child, stdin.to_owned());
    let stdout = child.stdout.take().map(collect);
    let stderr = child.stderr.take().map(collect);
    let status = wait(&mut child, limit).map_err(Error::io("wait for", &program))?;
    if status.is_none() {
        end_group(&mut child);
    }
    let output = Output {
        stdout: stdout.map(text).unwrap_or_default(),
        stderr: stderr.map(text).unwrap_or_default(),
        code: status.and_then(|status| status.code()),
    };
    match status {
        Some(_) => Ok(output),
        None => Err(Error::TimedOut { command: format!("{command:?}"), output }),
    }
}

fn feed(child: &mut Child, input: String) {
    if let Some(mut stdin) = child.stdin.take() {
        // A program need not read its input: a broken pipe is no error.
        thread::spawn(move || stdin.write_all(input.as_bytes()));
    }
}

fn collect(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is still of use in a message.
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}

fn text(reader: JoinHandle<Vec<u8>>) -> String {
    String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()
}

/// `None` when the time limit is reached.
fn wait(child: &mut Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() > deadline {
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(3));
    }
}

fn end_group(child: &mut Child) {
    let group = format!("-{}", child.id());
    let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn output_code_and_input() {
        let output = run(shell("read line; echo \"got $line\"; echo problem >&2; exit 3"), "x\ny\n").unwrap();
        let expected = Output { stdout: "got x\n".into(), stderr: "problem\n".into(), code: Some(3) };
        assert_eq!(output, expected);
    }

    #[test]
    fn a_signal_gives_no_code() {
        assert_eq!(run(shell("kill -9 $$"), "").unwrap().code, None);
    }

    #[test]
    fn input_that_nobody_reads_does_not_block() {
        let input = "line\n".repeat(100_000);
        assert_eq!(run(shell("exit 0"), &input).unwrap().code, Some(0));
    }

    #[test]
    fn the_time_limit_ends_grandchildren_too() {
        let start = Instant::now();
        let result = run_within(Duration::from_millis(300), shell("echo started; sleep 50 & sleep 50"), "");
        assert!(matches!(result, Err(Error::TimedOut { output, .. }) if output.stdout == "started\n"));
        assert!(start.elapsed() < Duration::from_secs(40), "the output pipe was held open");
    }
}
