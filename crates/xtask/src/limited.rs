//! Commands that may use only so much CPU time, so that it does not matter what else the machine does.

use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Ends a command that has used up its CPU time, and tells behind its messages how much it has used.
const SCRIPT: &str = r#"limit=$1; shift; TIMEFORMAT='cpu %U %S'; time prlimit --cpu="$limit" "$@""#;

/// `program` with a limit in seconds for each process that it starts. Arguments are to be added.
pub(crate) fn limited(program: impl AsRef<OsStr>, limit: Duration) -> Command {
    let mut command = Command::new("bash");
    command.args(["-c", SCRIPT, "limited", &limit.as_secs().max(1).to_string()]).arg(program);
    command.stdin(Stdio::null());
    command
}

/// What a limited command printed, and the CPU time that it and all that it started took.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) output: Output,
    pub(crate) cpu: Duration,
}

/// `None` when the time did not suffice.
pub(crate) fn finish(mut command: Command) -> Result<Option<Finished>> {
    let output = command.output().context("cannot run bash")?;
    let messages = String::from_utf8_lossy(&output.stderr);
    let Some(cpu) = messages.lines().rev().find_map(cpu_time) else {
        bail!("{command:?} does not tell its time:\n{messages}");
    };
    Ok(if is_out_of_time(&output) { None } else { Some(Finished { output, cpu }) })
}

/// The shell tells the number of the signal that ended a command: `SIGXCPU`, or `SIGKILL` a second later.
fn is_out_of_time(output: &Output) -> bool {
    matches!(output.status.code(), Some(152 | 137))
}

fn cpu_time(line: &str) -> Option<Duration> {
    let (user, system) = line.strip_prefix("cpu ")?.split_once(' ')?;
    Some(Duration::from_secs_f64(user.parse::<f64>().ok()? + system.parse::<f64>().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_tells_its_time_and_its_end() {
        let mut quick = limited("sh", Duration::from_secs(5));
        quick.args(["-c", "echo out; echo cpu err >&2; exit 3"]);
        let finished = finish(quick).expect("it runs").expect("in time");
        assert_eq!((&*finished.output.stdout, finished.output.status.code()), (&b"out\n"[..], Some(3)));
        assert!(finished.cpu < Duration::from_secs(5));
    }

    #[test]
    fn a_command_without_end_is_ended() {
        let mut endless = limited("sh", Duration::from_secs(1));
        endless.args(["-c", "while :; do :; done"]);
        assert!(finish(endless).expect("it runs").is_none());
    }
}
