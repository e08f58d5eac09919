//! Who walks: where, where before, and what to do next.

use super::brief;
use super::language::{PromptCommand, Times, WantedPlace};
use crate::commands::questions::{self, OpenRun, no_such_step};
use crate::commands::show::json as step_json;
use crate::context::{Context, FAINT, Outcome};
use crate::error::{CommandError, Result, UserError};
use serde_json::json;
use std::io::{BufWriter, Write};
use whydunit_debugger::{Arrival, Direction, Effort, Moments, Motion, Session, StepView};

/// Places of the trail that are shown.
const SHOWN: usize = 20;

pub(super) struct Walker<'w> {
    pub(super) context: &'w Context,
    pub(super) open: &'w OpenRun,
    pub(super) session: &'w Session,
    pub(super) moments: &'w Moments,
    pub(super) view: StepView,
    /// Where it was before, the last one at the end.
    trail: Vec<Visited>,
    /// The steps that the last answer named.
    pub(super) leads: Vec<u64>,
}

struct Visited {
    step: u64,
    place: String,
}

impl<'w> Walker<'w> {
    pub(super) fn new(context: &'w Context, open: &'w OpenRun, start: u64) -> Result<Walker<'w>> {
        let moments = open.moments(context)?;
        let session = &open.session;
        let view =
            session.step(moments, start, Effort::QUICK)?.ok_or_else(|| no_such_step(start, moments.all_steps()))?;
        Ok(Walker { context, open, session, moments, view, trail: Vec::new(), leads: Vec::new() })
    }

    pub(super) fn at(&self) -> u64 {
        self.view.number
    }

    pub(super) fn view(&self) -> &StepView {
        &self.view
    }

    pub(super) fn execute(&mut self, command: PromptCommand) -> Result<Outcome> {
        use PromptCommand as Command;
        match command {
            Command::Step(times) => self.go(Motion::Into, times),
            Command::Next(times) => self.go(Motion::Over, times),
            Command::Out(times) => self.go(Motion::Out, times),
            Command::Back(times) => self.go(Motion::Back, times),
            Command::Prev(times) => self.go(Motion::BackOver, times),
            Command::Caller(times) => self.go(Motion::Caller, times),
            Command::Goto { step } => self.move_to(step.number(self.session, self.moments)?),
            Command::To { place, back: false } => self.to(&place, Direction::Forwards),
            Command::To { place, back: true } | Command::BackTo(place) => self.to(&place, Direction::Backwards),
            Command::Thread { thread } => self.thread(&thread),
            Command::Follow { number } => self.follow(number),
            Command::Undo(times) => self.undo(times),
            Command::Trail => self.show_trail(),
            other => self.ask(other),
        }
    }

    /// Tells where it is.
    pub(super) fn look(&self) -> Result<Outcome> {
        if self.context.json {
            self.context.print_json(&step_json::answer(self.session, self.moments, &self.view, &[]))?;
        } else {
            let mut out = BufWriter::new(self.context.stdout());
            brief::write(&mut out, self.session, self.moments, &self.view)?;
            out.flush()?;
        }
        Ok(Outcome::Done)
    }

    pub(super) fn move_to(&mut self, step: u64) -> Result<Outcome> {
        self.arrive(step)?;
        self.look()
    }

    /// Goes there and leaves a mark on the trail.
    fn arrive(&mut self, step: u64) -> Result<()> {
        let before = Visited { step: self.view.number, place: self.view.place.short.clone() };
        self.enter(step)?;
        if before.step != step {
            self.trail.push(before);
        }
        Ok(())
    }

    fn enter(&mut self, step: u64) -> Result<()> {
        let found = self.session.step(self.moments, step, Effort::QUICK)?;
        self.view = found.ok_or_else(|| no_such_step(step, self.moments.all_steps()))?;
        self.leads.clear();
        Ok(())
    }

    fn go(&mut self, motion: Motion, times: Times) -> Result<Outcome> {
        let mut at = self.at();
        for _ in 0..times.times {
            match self.session.go(self.moments, at, motion)? {
                Arrival::At(step) => at = step,
                // As far as it goes.
                _ if at != self.at() => break,
                nowhere => return Err(self.nowhere(nowhere)),
            }
        }
        self.move_to(at)
    }

    fn nowhere(&self, arrival: Arrival) -> CommandError {
        let thread = questions::thread_name(self.session, self.view.thread);
        let error = match arrival {
            Arrival::Start => UserError::new(format!("thread {thread} has no step before this one")),
            Arrival::NoCaller => {
                UserError::new("no recorded code made this call").hint("`back` goes to what ran before")
            }
            _ => UserError::new(format!("thread {thread} has no step after this one")),
        };
        if error.hint.is_none() && self.session.recording().threads.len() > 1 {
            return error.hint("`threads` lists the others").into();
        }
        error.into()
    }

    fn to(&mut self, wanted: &WantedPlace, direction: Direction) -> Result<Outcome> {
        let asked = &wanted.place;
        let target = self.session.find_target(asked, self.view.place.file.as_deref()).map_err(questions::explain)?;
        if let Some(step) = self.session.go_to(self.moments, self.at(), &target, direction)? {
            return self.move_to(step);
        }
        let (when, other) = match direction {
            Direction::Forwards => ("after", Direction::Backwards),
            Direction::Backwards => ("before", Direction::Forwards),
        };
        let error = UserError::new(format!("`{asked}` does not run {when} this step"));
        Err(match (self.session.go_to(self.moments, self.at(), &target, other)?, other) {
            (Some(step), Direction::Backwards) => error.hint(format!("it ran before, the last time in step {step}")),
            (Some(step), Direction::Forwards) => error.hint(format!("it runs later, the next time in step {step}")),
            (None, _) => error.hint(format!("`not {asked}` tells why")),
        }
        .into())
    }

    fn thread(&mut self, asked: &str) -> Result<Outcome> {
        let found = self.session.find_threads(asked).map_err(questions::explain)?;
        for thread in found {
            if let Some(step) = self.session.step_meanwhile(self.moments, thread, self.at())? {
                return self.move_to(step);
            }
        }
        Err(UserError::new(format!("thread {asked} has no steps")).hint("`threads` lists all").into())
    }

    fn follow(&mut self, number: usize) -> Result<Outcome> {
        let count = self.leads.len();
        match number.checked_sub(1).and_then(|at| self.leads.get(at)) {
            Some(&step) => self.move_to(step),
            None if count == 0 => Err(UserError::new("there is no answer to follow")
                .hint("`why VARIABLE` and `control` name steps, which `follow` goes to")
                .into()),
            None => Err(UserError::new(format!("the last answer names {count} steps, not {number}")).into()),
        }
    }

    fn undo(&mut self, times: Times) -> Result<Outcome> {
        let mut last = None;
        for _ in 0..times.times {
            last = self.trail.pop().or(last);
        }
        let Some(visited) = last else {
            return Err(UserError::new("this is where you started").into());
        };
        self.enter(visited.step)?;
        self.look()
    }

    fn show_trail(&self) -> Result<Outcome> {
        let here = Visited { step: self.at(), place: self.view.place.short.clone() };
        let all: Vec<&Visited> = self.trail.iter().chain([&here]).collect();
        if self.context.json {
            let visited = |visited: &&Visited| json!({ "step": visited.step, "name": visited.place });
            self.context.print_json(&all.iter().map(visited).collect::<Vec<_>>())?;
            return Ok(Outcome::Done);
        }
        let mut out = self.context.stdout();
        let left_out = all.len().saturating_sub(SHOWN);
        if left_out > 0 {
            writeln!(out, "  {FAINT}… {left_out} more{FAINT:#}")?;
        }
        let width = all.iter().map(|visited| visited.step.to_string().len()).max().unwrap_or_default();
        for (position, Visited { step, place }) in all.iter().enumerate().skip(left_out) {
            let mark = if position + 1 == all.len() { '→' } else { ' ' };
            writeln!(out, "{mark} {FAINT}{step:>width$}{FAINT:#}  {place}")?;
        }
        Ok(Outcome::Done)
    }
}
