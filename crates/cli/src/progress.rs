//! How far a long piece of work has come, on a terminal only.

use crate::context::{Context, FAINT};
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Shorter work goes without a word.
const PATIENCE: Duration = Duration::from_millis(500);
const BETWEEN: Duration = Duration::from_millis(100);

/// Rewrites one line of stderr, which is gone in the end.
pub(crate) struct Progress<'c> {
    context: &'c Context,
    what: &'static str,
    unit: Unit,
    state: Mutex<State>,
}

#[derive(Clone, Copy)]
enum Unit {
    Bytecodes,
    Steps,
}

struct State {
    count: u64,
    next: Instant,
    is_shown: bool,
}

impl<'c> Progress<'c> {
    /// Of work that replays.
    pub(crate) fn new(context: &'c Context, what: &'static str) -> Progress<'c> {
        Progress::of(context, what, Unit::Bytecodes)
    }

    /// Of work that finds steps.
    pub(crate) fn of_steps(context: &'c Context, what: &'static str) -> Progress<'c> {
        Progress::of(context, what, Unit::Steps)
    }

    fn of(context: &'c Context, what: &'static str, unit: Unit) -> Progress<'c> {
        let state = State { count: 0, next: Instant::now() + PATIENCE, is_shown: false };
        Progress { context, what, unit, state: Mutex::new(state) }
    }

    /// So many more instructions were replayed.
    pub(crate) fn add(&self, instructions: u64) {
        self.tell(|count| count + instructions);
    }

    /// So many steps were found.
    pub(crate) fn set(&self, steps: u64) {
        self.tell(|_| steps);
    }

    fn tell(&self, count: impl FnOnce(u64) -> u64) {
        let Ok(mut state) = self.state.lock() else { return };
        state.count = count(state.count);
        let now = Instant::now();
        if now >= state.next && io::stderr().is_terminal() {
            state.next = now + BETWEEN;
            state.is_shown = true;
            let done = match self.unit {
                Unit::Bytecodes => format!("{} million bytecodes", state.count / 1_000_000),
                Unit::Steps => format!("{} steps", state.count),
            };
            // Nobody is left to tell when stderr is closed.
            let _ = write!(self.context.stderr(), "\r{FAINT}{}: {done}{FAINT:#} ", self.what);
        }
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        if self.state.get_mut().is_ok_and(|state| state.is_shown) {
            let _ = write!(self.context.stderr(), "\r\x1b[K");
        }
    }
}
