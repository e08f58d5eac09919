//! Questions and answers, up to the first wrong step.

use super::answers::{Said, Sayings};
use super::kept::{Judgement, Kept, inferred};
use super::telling::Teller;
use crate::context::Outcome;
use crate::error::Result;
use std::collections::BTreeSet;
use whydunit_debugger::{Asked, AskedStep, Finder, Reply, UnknownName};

pub(super) struct Dialogue<'s> {
    pub(super) teller: Teller<'s>,
    pub(super) finder: Finder<'s>,
    pub(super) sayings: Sayings,
    pub(super) kept: Kept,
    /// Among the steps of all threads.
    pub(super) start: u64,
    /// Answers of an earlier search in this run, which count when their steps are asked about.
    pub(super) recalled: Vec<Judgement>,
    /// Answers of another run.
    pub(super) like: Vec<Judgement>,
    /// All that counts, one for each answer of the search.
    pub(super) judgements: Vec<Judgement>,
    /// Steps for which no other may answer.
    pub(super) disputed: BTreeSet<u64>,
}

impl Dialogue<'_> {
    pub(super) fn hold(mut self) -> Result<Outcome> {
        loop {
            let ending = match self.finder.next()? {
                Asked::Step(asked) => {
                    if self.judge(&asked)? {
                        continue;
                    }
                    return Ok(Outcome::Negative);
                }
                Asked::Found(found) => {
                    self.teller.found(&found, &self.judgements)?;
                    return Ok(Outcome::Done);
                }
                Asked::Missing(missing) => {
                    self.teller.missing(&missing, &self.judgements)?;
                    Outcome::Done
                }
                Asked::Beyond => {
                    self.teller.beyond(&self.judgements)?;
                    Outcome::Negative
                }
            };
            // One can take back an answer that was mistaken.
            match self.sayings.next(0, self.judgements.len())? {
                Said::Undo(position) => self.undo(position)?,
                Said::Answers => self.teller.answers(&self.judgements)?,
                _ => return Ok(ending),
            }
        }
    }

    /// Whether the search goes on.
    fn judge(&mut self, asked: &AskedStep) -> Result<bool> {
        let step = self.teller.number(&asked.step.place)?;
        if let Some(known) = self.known(asked, step) {
            let judgement = Judgement::new(self.teller.session, asked, step, &known.reply, known.is_inferred);
            let told = judgement.clone();
            if self.take(asked, &known.reply, judgement)?.is_none() {
                self.teller.known(&told, self.judgements.len())?;
                return Ok(true);
            }
        }
        let number = self.judgements.iter().filter(|judgement| !judgement.is_inferred).count() + 1;
        self.teller.question(asked, number)?;
        loop {
            match self.sayings.next(asked.reads.len(), self.judgements.len())? {
                Said::Reply(reply) => {
                    let judgement = Judgement::new(self.teller.session, asked, step, &reply, false);
                    match self.take(asked, &reply, judgement)? {
                        None => return Ok(true),
                        Some(unknown) => self.sayings.refuse(unknown)?,
                    }
                }
                Said::Look(at) => match self.finder.look(asked, &at)? {
                    Ok(object) => self.teller.look(&at, &object)?,
                    Err(unknown) => self.sayings.refuse(unknown)?,
                },
                Said::Undo(position) => {
                    self.undo(position)?;
                    return Ok(true);
                }
                Said::Answers => self.teller.answers(&self.judgements)?,
                Said::Missing => match asked.missing {
                    Some(gap) => {
                        self.teller.missing(&self.finder.missing(gap)?, &self.judgements)?;
                        return Ok(false);
                    }
                    None => self.teller.nothing_missing(),
                },
                Said::Quit => {
                    self.teller.left(&self.judgements)?;
                    return Ok(false);
                }
            }
        }
    }

    /// What does not have to be asked: it was said before, of this step or of one that is like it.
    fn known(&mut self, asked: &AskedStep, step: u64) -> Option<KnownReply> {
        if let Some(position) = self.recalled.iter().position(|one| one.step == step) {
            let recalled = self.recalled.remove(position);
            return recalled.reply().map(|reply| KnownReply { reply, is_inferred: recalled.is_inferred });
        }
        if self.disputed.contains(&step) {
            return None;
        }
        let this = Judgement::new(self.teller.session, asked, step, &Reply::Unclear, false);
        let here = inferred(&self.judgements, &this).filter(|reply| *reply != Reply::WrongResult);
        let reply = here.or_else(|| inferred(&self.like, &this))?;
        Some(KnownReply { reply, is_inferred: true })
    }

    /// What is wrong about the answer, if it points at nothing.
    fn take(&mut self, asked: &AskedStep, reply: &Reply, judgement: Judgement) -> Result<Option<UnknownName>> {
        let contradiction = match self.finder.reply(asked, reply)? {
            Ok(contradiction) => contradiction,
            Err(unknown) => return Ok(Some(unknown)),
        };
        self.judgements.push(judgement);
        self.kept.write(self.start, &self.judgements);
        if let Some(new) = contradiction.filter(|one| one.second + 1 == self.judgements.len()) {
            self.teller.contradiction(&new, &self.judgements)?;
        }
        Ok(None)
    }

    fn undo(&mut self, position: Option<usize>) -> Result<()> {
        let last_said = self.judgements.iter().rposition(|judgement| !judgement.is_inferred);
        let position = position.or(last_said).unwrap_or_default();
        self.disputed.extend(self.judgements.get(position).filter(|one| one.is_inferred).map(|one| one.step));
        self.judgements.truncate(position);
        self.finder.back_to(position)?;
        self.recalled.clear();
        self.kept.write(self.start, &self.judgements);
        Ok(())
    }
}

struct KnownReply {
    reply: Reply,
    is_inferred: bool,
}
