//! What can be asked at a step.

use super::language::PromptCommand;
use super::walker::Walker;
use crate::commands::asked_place::AskedPlace;
use crate::commands::query::{self, json::collected_json, misread};
use crate::commands::questions::{self, explain};
use crate::commands::show::{self, WantedObjects, json as step_json, printer::Printer};
use crate::commands::why::AskedWhy;
use crate::context::{FAINT, GOOD, Outcome};
use crate::error::{Result, UserError};
use serde_json::json;
use std::io::{BufWriter, Write};
use whydunit_debugger::{Moment, UnknownName, Value};
use whydunit_querypoints::condition::{Datum, NotKnown, evaluate};
use whydunit_querypoints::syntax::{Expression, parse_condition};
use whydunit_querypoints::{Collected, SightScope};

/// Steps that an answer names, of which it is said how to follow them.
const LEADS: usize = 3;

impl Walker<'_> {
    pub(super) fn ask(&mut self, command: PromptCommand) -> Result<Outcome> {
        let (context, open, step) = (self.context, self.open, self.at());
        match command {
            PromptCommand::Show { object, depth } => {
                let object = object.into_iter().map(|name| self.object_called(name)).collect();
                WantedObjects { object, depth }.show(context, open, step)
            }
            PromptCommand::Print { expression } => self.print(&expression),
            PromptCommand::Variables => self.part("variables", |printer, walker| printer.variables(&walker.view)),
            PromptCommand::Stack => self.part("stack", |printer, walker| printer.stack(&walker.view)),
            PromptCommand::Why { variable, chain, slice, thin } => {
                let step = Some(AskedPlace::Step(step));
                self.why(AskedWhy { step, variable, chain, slice, thin, ..AskedWhy::default() })
            }
            PromptCommand::Control { chain } => {
                let step = Some(AskedPlace::Step(step));
                self.why(AskedWhy { step, control: true, chain, ..AskedWhy::default() })
            }
            PromptCommand::Not(wanted) => self.not(&wanted.place),
            PromptCommand::History(asked) => asked.answer(context, open),
            PromptCommand::Search(asked) => asked.answer(context, open),
            PromptCommand::Query(asked) => asked.answer(context, open, &asked.chain()?),
            PromptCommand::Tree(asked) => asked.around(step).answer(context, open),
            PromptCommand::Threads => self.threads(),
            _ => Ok(Outcome::Done),
        }
    }

    /// A variable may stand for the object that it holds.
    fn object_called(&self, name: String) -> String {
        let variable = self.view.variables.iter().find(|variable| variable.name.as_deref() == Some(&*name));
        match variable.map(|variable| variable.value) {
            Some(value @ Value::Ref(_)) => self.session.words(value),
            _ => name,
        }
    }

    /// One part of what is known of the step.
    fn part(
        &self,
        name: &str,
        print: impl Fn(&mut Printer<'_, BufWriter<crate::context::AnswerStream>>, &Walker<'_>) -> std::io::Result<()>,
    ) -> Result<Outcome> {
        if self.context.json {
            let all = step_json::answer(self.session, self.moments, &self.view, &[]);
            self.context.print_json(&all[name])?;
            return Ok(Outcome::Done);
        }
        let mut printer = Printer { out: BufWriter::new(self.context.stdout()), session: self.session };
        print(&mut printer, self)?;
        printer.out.flush()?;
        Ok(Outcome::Done)
    }

    fn print(&self, text: &str) -> Result<Outcome> {
        let expression = parse_condition(text).map_err(|error| misread("the expression", text, &error))?;
        let value = self.value_of(&expression)?;
        let object = match value {
            Ok(Datum::Value(Value::Ref(object))) => {
                Some(self.session.object_at(self.moments, object, self.at(), show::NEAR)?)
            }
            _ => None,
        };
        let object = object.filter(|object| !object.parts.is_empty());
        let is_known = value.is_ok();
        if self.context.json {
            let mut answer = collected_json(self.session, &Collected { expression: text.to_owned(), value });
            answer["parts"] = json!(object.map(|object| step_json::object_json(self.session, &object)["parts"].take()));
            self.context.print_json(&answer)?;
        } else {
            let mut printer = Printer { out: BufWriter::new(self.context.stdout()), session: self.session };
            match &value {
                Ok(datum) => {
                    writeln!(printer.out, "{expression} = {GOOD}{}{GOOD:#}", query::words(self.session, datum))?;
                }
                Err(why) => writeln!(printer.out, "{expression} = ?  {FAINT}{why}{FAINT:#}")?,
            }
            if let Some(object) = &object {
                printer.parts(object)?;
            }
            printer.out.flush()?;
        }
        Ok(if is_known { Outcome::Done } else { Outcome::Negative })
    }

    /// The value of an expression, or why it is not known.
    fn value_of(&self, expression: &Expression) -> Result<std::result::Result<Datum, String>> {
        if let Expression::Name(name) = expression
            && let Some(variable) = self.view.variables.iter().find(|variable| variable.name.as_deref() == Some(name))
        {
            return Ok(Ok(Datum::Value(variable.value)));
        }
        let moment = self.moment()?;
        let sight = match moment {
            Some(moment) => self.session.sight(self.moments, moment, usize::MAX)?,
            None => None,
        };
        let Some(sight) = sight else { return Ok(Err("the state at this step is not known".to_owned())) };
        match evaluate(expression, &SightScope::new(self.session, self.moments, &sight)) {
            Ok(datum) => Ok(Ok(datum)),
            Err(NotKnown::Session(error)) => Err(error.into()),
            Err(NotKnown::NoSuchName { name, known }) => {
                let problem = format!("there is no `{name}` at this step");
                let error = explain(UnknownName::nearest(problem, &name, known));
                Err(if error.hint.is_none() { error.hint("`variables` lists those that have a value") } else { error }
                    .into())
            }
            Err(why) => Ok(Err(why.to_string())),
        }
    }

    fn moment(&self) -> Result<Option<Moment>> {
        let Some((thread, step)) = self.moments.local_step(self.at())? else { return Ok(None) };
        Ok(self.session.start_of(self.moments, thread, step)?)
    }

    fn why(&mut self, asked: AskedWhy) -> Result<Outcome> {
        let answer = asked.answer(self.context, self.open)?;
        self.leads.clear();
        for (thread, step) in answer.leads {
            let number = self.moments.global_step(thread, step)?;
            self.leads.extend(number.filter(|number| *number != self.at() && !self.leads.contains(number)));
        }
        if !self.context.json && !self.leads.is_empty() {
            let more = self.leads.iter().zip(1..).skip(1).take(LEADS - 1);
            let more: String = more.map(|(step, number)| format!(", `follow {number}` to {step}")).collect();
            writeln!(self.context.stdout(), "{FAINT}`follow` goes to step {}{more}{FAINT:#}", self.leads[0])?;
        }
        Ok(answer.outcome)
    }

    fn not(&mut self, asked: &str) -> Result<Outcome> {
        let is_line = asked.chars().all(|c| c.is_ascii_digit());
        let place = match &self.view.place.file {
            Some(file) if is_line => format!("{file}:{asked}"),
            _ => asked.to_owned(),
        };
        let line = self.session.find_code_line(&place).map_err(explain)?;
        let is_on_stack = self.view.stack.iter().any(|frame| line.methods.contains(&frame.place.method));
        let step = is_on_stack.then(|| AskedPlace::Step(self.at()));
        self.why(AskedWhy { step, not: Some(place), ..AskedWhy::default() })
    }

    fn threads(&self) -> Result<Outcome> {
        let mut threads = Vec::new();
        for &thread in self.session.recording().threads.keys() {
            let name = questions::thread_name(self.session, thread);
            let step = match thread == self.view.thread {
                true => Some(self.at()),
                false => self.session.step_meanwhile(self.moments, thread, self.at())?,
            };
            threads.push((thread, name, self.moments.steps(thread), step));
        }
        if threads.is_empty() {
            return Err(UserError::new("the run has no threads").into());
        }
        if self.context.json {
            let json = threads.iter().map(|(thread, name, steps, step)| {
                let is_here = *thread == self.view.thread;
                json!({ "thread": thread.0, "name": name, "steps": steps, "step": step, "here": is_here })
            });
            self.context.print_json(&json.collect::<Vec<_>>())?;
            return Ok(Outcome::Done);
        }
        let mut out = self.context.stdout();
        let width = threads.iter().map(|(_, name, ..)| name.chars().count()).max().unwrap_or_default();
        for (thread, name, steps, step) in &threads {
            let mark = if *thread == self.view.thread { '→' } else { ' ' };
            let step = step.map(|step| format!(", in step {step}")).unwrap_or_default();
            writeln!(out, "{mark} {:<4} {name:<width$}  {FAINT}{steps} steps{step}{FAINT:#}", thread.to_string())?;
        }
        Ok(Outcome::Done)
    }
}
