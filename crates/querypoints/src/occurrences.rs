//! What is found in a run where a Java condition holds.

use crate::chain::{QueryError, Wants};
use crate::condition::{NotKnown, holds};
use crate::scope::SightScope;
use crate::syntax::Expression;
use std::ops::ControlFlow;
use whydunit_debugger::{Event, Moments, Occurrence, Question, Session, SessionError, UnknownName};

/// Occurrences whose states are held at the same time: few at first, since few may be wanted.
const FIRST_BATCH: usize = 16;
const LARGEST_BATCH: usize = 1024;

/// The occurrences of which it is not known whether the condition holds, and why not for the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotDecided {
    pub count: u64,
    pub why: Option<String>,
}

/// Shows occurrences at which a condition holds to `visit` until that breaks: in the order of the run, or against it.
/// `progress` is told the instructions that were looked at since it was last called.
pub fn occurrences_if(
    session: &Session,
    moments: &Moments,
    question: &Question,
    condition: &Expression,
    is_backwards: bool,
    progress: &dyn Fn(u64),
    visit: &mut dyn FnMut(Occurrence) -> ControlFlow<()>,
) -> Result<NotDecided, QueryError> {
    let mut sieve =
        Sieve { session, moments, condition, wants: Wants::of_condition(condition), tally: Tally::default() };
    let mut waiting: Vec<Occurrence> = Vec::new();
    let mut batch = FIRST_BATCH;
    let mut failed = None;
    session.occurrences(moments, question, usize::MAX, is_backwards, progress, &mut |one| {
        waiting.push(one);
        if waiting.len() < batch {
            return ControlFlow::Continue(());
        }
        batch = (batch * 2).min(LARGEST_BATCH);
        sieve.pass(std::mem::take(&mut waiting), visit).unwrap_or_else(|error| {
            failed = Some(error);
            ControlFlow::Break(())
        })
    })?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    // Nothing waits when `visit` has broken.
    let _ = sieve.pass(waiting, visit)?;
    sieve.tally.result(condition)
}

struct Sieve<'s> {
    session: &'s Session,
    moments: &'s Moments,
    condition: &'s Expression,
    wants: Wants,
    tally: Tally,
}

#[derive(Default)]
struct Tally {
    evaluated: u64,
    nameless: u64,
    unknown_name: Option<(String, Vec<String>)>,
    not_decided: NotDecided,
}

impl Sieve<'_> {
    fn pass(
        &mut self,
        waiting: Vec<Occurrence>,
        visit: &mut dyn FnMut(Occurrence) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, SessionError> {
        let events: Vec<&Event> = waiting.iter().map(|one| &one.event).collect();
        let sights = self.session.sights(self.moments, &events, self.wants.frames, &self.wants.noted)?;
        for (one, sight) in waiting.into_iter().zip(sights) {
            self.tally.evaluated += 1;
            let Some(sight) = sight else {
                self.tally.undecided("the state there is not known".to_owned());
                continue;
            };
            match holds(self.condition, &SightScope::new(self.session, self.moments, &sight)) {
                Ok(false) => {}
                Ok(true) => {
                    if visit(one).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Err(NotKnown::Session(error)) => return Err(error),
                Err(NotKnown::NoSuchName { name, known }) => {
                    self.tally.nameless += 1;
                    let why = format!("there is no `{name}` there");
                    let (_, all) = self.tally.unknown_name.get_or_insert((name, Vec::new()));
                    all.extend(known);
                    self.tally.undecided(why);
                }
                Err(why) => self.tally.undecided(why.to_string()),
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

impl Tally {
    fn undecided(&mut self, why: String) {
        self.not_decided.count += 1;
        self.not_decided.why.get_or_insert(why);
    }

    /// A name that is unknown everywhere is a mistake.
    fn result(self, condition: &Expression) -> Result<NotDecided, QueryError> {
        match self.unknown_name {
            Some((name, known)) if self.nameless == self.evaluated => {
                let problem = format!("there is no `{name}` where `{condition}` is asked for");
                let UnknownName { problem, nearest } = UnknownName::nearest(problem, &name, known);
                Err(QueryError::UnknownName { problem, nearest })
            }
            _ => Ok(self.not_decided),
        }
    }
}
