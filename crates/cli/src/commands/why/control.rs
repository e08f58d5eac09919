//! What decided that a step ran.

use super::Teller;
use super::json::{JsonAnswer, JsonTelling};
use super::leads::Answer;
use crate::context::FAINT;
use crate::error::Result;
use std::io::Write;
use whydunit_debugger::{Cause, Unknown};

/// Iterations of loops that are passed over, at most.
const MOST_DECISIONS: usize = 20_000;

/// Decisions of the same condition one after the other, as in the iterations of a loop.
struct Group {
    latest: std::result::Result<Cause, Unknown>,
    /// The earliest of the others.
    earliest: Option<Cause>,
    others: usize,
}

impl Teller<'_> {
    pub(super) fn control(&self, step: u64, chain: u32) -> Result<Answer> {
        let Some(causes) = self.causes.of_step(step)? else { return self.nothing() };
        let groups = self.deciders(causes.decided_by, chain.max(1) as usize)?;
        let deciders: Vec<Cause> = groups.iter().filter_map(|group| group.latest.clone().ok()).collect();
        if self.context.json {
            let telling = JsonTelling::new(self.session, self.moments, &self.causes);
            let answers: Result<Vec<_>> = deciders.iter().map(|cause| Ok(telling.answer(cause, 1)?)).collect();
            self.context.print_json(&JsonAnswer::new("control", answers?))?;
            return Ok(Answer::about(&deciders));
        }
        self.place(&causes.place, "")?;
        for Group { latest, earliest, others } in &groups {
            self.decided_by(latest)?;
            if let Some(earliest) = earliest {
                let number = self.number(&earliest.place)?;
                let times = if *others == 1 { "once".to_owned() } else { format!("{others} times") };
                let mut out = self.context.stdout();
                writeln!(out, "  {FAINT}… and before that {times} by the same line, back to step{FAINT:#} {number}")?;
            }
        }
        Ok(Answer::about(&deciders))
    }

    fn deciders(&self, first: std::result::Result<Cause, Unknown>, most: usize) -> Result<Vec<Group>> {
        let mut groups: Vec<Group> = Vec::new();
        let mut next = first;
        for _ in 0..MOST_DECISIONS {
            let is_same = match (groups.last().map(|group| &group.latest), &next) {
                (Some(Ok(known)), Ok(next)) => {
                    let place = |cause: &Cause| (cause.place.method, cause.place.line, cause.kind);
                    place(known) == place(next)
                }
                _ => false,
            };
            let cause = next.clone().ok();
            if !is_same && groups.len() == most {
                break;
            }
            match groups.last_mut().filter(|_| is_same) {
                Some(group) => {
                    group.earliest.clone_from(&cause);
                    group.others += 1;
                }
                None => groups.push(Group { latest: next, earliest: None, others: 0 }),
            }
            match cause {
                Some(cause) if most > 1 => next = self.causes.decision(&cause)?,
                _ => break,
            }
        }
        Ok(groups)
    }
}
