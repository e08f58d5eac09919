//! Compares the facts of check mode with the replay.

use crate::interpreter::{At, Entry, Interruption, Observer, TEMPORARY, is_same};
use rustc_hash::FxHashMap;
use whydunit_trace::LogKind;
use whydunit_trace::stream::{StreamError, StreamReader};

/// An observer that reads the check stream of a thread.
#[derive(Debug)]
pub struct Checker {
    facts: StreamReader,
    compared: u64,
    /// Objects that the replay knows by a temporary reference only.
    bound: FxHashMap<u64, u64>,
    objection: Option<String>,
    is_over: bool,
}

impl Checker {
    pub fn new(facts: StreamReader) -> Checker {
        let is_over = facts.is_at_end();
        Checker { facts, compared: 0, bound: FxHashMap::default(), objection: None, is_over }
    }

    /// Facts compared so far.
    pub fn compared(&self) -> u64 {
        self.compared
    }

    /// What the last instruction was found to have done wrong.
    pub fn take_objection(&mut self) -> Option<String> {
        self.objection.take()
    }

    /// Whether the replay has come to all facts of the log.
    pub fn is_exhausted(&self) -> bool {
        self.is_over || self.facts.is_at_end()
    }

    fn read(&mut self, kind: LogKind) -> Result<u64, StreamError> {
        Ok(match kind {
            LogKind::Byte | LogKind::Nothing => u64::from(self.facts.u8()?),
            LogKind::Char | LogKind::Short => u64::from(self.facts.u16()?),
            LogKind::Int | LogKind::Float | LogKind::Reference => u64::from(self.facts.u32()?),
            LogKind::Long | LogKind::Double => self.facts.u64()?,
        })
    }

    fn compare(&mut self, what: &str, kind: LogKind, bits: u64) {
        if self.is_over || self.objection.is_some() {
            return;
        }
        let offset = self.facts.offset();
        match self.read(kind) {
            Ok(logged) => {
                self.compared += 1;
                let known = if kind == LogKind::Reference && bits & TEMPORARY != 0 {
                    *self.bound.entry(bits).or_insert(logged)
                } else {
                    bits
                };
                if !is_same(kind, known, logged) {
                    self.objection =
                        Some(format!("{what} is {known:#x}, but was {logged:#x} in the run (check offset {offset})"));
                }
            }
            Err(StreamError::End) => self.is_over = true,
            Err(error) => self.objection = Some(error.to_string()),
        }
    }
}

impl Observer for Checker {
    const CHECKS: bool = true;

    #[inline]
    fn fact(&mut self, _at: At<'_>, kind: LogKind, bits: u64) {
        self.compare("the value", kind, bits);
    }

    fn check_offset(&self) -> Option<u64> {
        Some(self.facts.offset())
    }

    #[inline]
    fn entered(&mut self, at: At<'_>, _arguments: &[u64], _entry: Entry) {
        self.compare("the entered method", LogKind::Int, u64::from(at.code.id.0));
    }

    fn identified(&mut self, temporary: u64, object: u64) {
        if let Some(known) = self.bound.remove(&temporary)
            && known != object
        {
            self.objection = Some(format!("the object is {object:#x}, but was {known:#x} in an earlier fact"));
        }
    }

    #[inline]
    fn interruption(&mut self, _at: At<'_>) -> Option<Interruption> {
        self.objection.take().map(Interruption::Divergence)
    }
}
