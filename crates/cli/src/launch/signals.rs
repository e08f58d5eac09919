//! Hands signals on to the command.
//!
//! What the terminal sends (Ctrl-C) reaches the command by itself, because it is in our process group; such
//! signals only must not end us before the command. What a process sends to us alone is sent on.

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::origin::WithOrigin;
use signal_hook::low_level::siginfo::Origin;
use std::fs;
use std::io;
use std::process::{Child, ExitStatus};
use std::thread;

const RELAYED: [i32; 6] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2];

/// Signals caught but not yet handed on.
#[derive(Debug)]
pub(super) struct Relay {
    signals: SignalsInfo<WithOrigin>,
}

impl Relay {
    /// To be called before the command starts, so that no signal is lost.
    pub(super) fn install() -> io::Result<Relay> {
        let ignored = ignored_signals();
        // A signal that we were started to ignore, as under `nohup`, is ignored by the command too.
        let caught = RELAYED.iter().filter(|&&signal| ignored & (1 << (signal - 1)) == 0);
        Ok(Relay { signals: SignalsInfo::new(caught)? })
    }

    pub(super) fn relay_until_end(mut self, child: &mut Child) -> io::Result<ExitStatus> {
        let handle = self.signals.handle();
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let relay = thread::spawn(move || {
            for origin in self.signals.forever() {
                send_on(&origin, pid);
            }
        });
        let status = child.wait();
        handle.close();
        // The thread only loops over signals and cannot panic.
        let _ = relay.join();
        status
    }
}

fn send_on(origin: &Origin, pid: Option<Pid>) {
    let from_terminal = origin.process.is_none();
    if let (false, Some(pid), Some(signal)) = (from_terminal, pid, Signal::from_named_raw(origin.signal)) {
        // It fails when the command has just ended.
        let _ = kill_process(pid, signal);
    }
}

/// A mask of the signals that this process ignores.
fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
