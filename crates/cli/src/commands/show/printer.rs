//! A step in words.

use crate::commands::questions::thread_name;
use crate::context::{FAINT, GOOD, HEADING, WARNING};
use crate::text;
use std::io::{self, Write};
use whydunit_debugger::{
    Effect, EffectKind, Evidence, Known, Moments, Next, ObjectView, Place, PossibleChange, Session, SourceLine,
    StepView, Told, Value, Variable,
};

pub(in crate::commands) struct Printer<'s, W> {
    pub(in crate::commands) out: W,
    pub(in crate::commands) session: &'s Session,
}

impl<W: Write> Printer<'_, W> {
    pub(in crate::commands) fn print(
        &mut self,
        step: &StepView,
        objects: &[ObjectView],
        moments: &Moments,
        is_near: bool,
    ) -> io::Result<()> {
        self.title(step, moments)?;
        writeln!(self.out)?;
        self.source(step, u32::MAX)?;
        self.effects(step)?;
        self.heading("then")?;
        writeln!(self.out, "  {}", next_words(self.session, &step.next))?;
        self.heading("stack")?;
        self.stack(step)?;
        if step.variables.iter().any(|variable| is_shown(step, variable)) {
            self.heading("variables")?;
            self.variables(step)?;
        }
        for object in objects {
            self.object(object, is_near)?;
        }
        Ok(())
    }

    /// `Cart.add:13  step 63 of 210, thread main`
    pub(in crate::commands) fn title(&mut self, step: &StepView, moments: &Moments) -> io::Result<()> {
        let (number, all) = (step.number, moments.all_steps());
        let thread = thread_name(self.session, step.thread);
        writeln!(
            self.out,
            "{HEADING}{}{HEADING:#}  {FAINT}step {number} of {all}, thread {thread}{FAINT:#}",
            step.place.short
        )
    }

    fn heading(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "\n{HEADING}{text}{HEADING:#}")
    }

    /// With so many lines around the one that runs.
    pub(in crate::commands) fn source(&mut self, step: &StepView, around: u32) -> io::Result<()> {
        let out = &mut self.out;
        let Some(lines) = &step.source else {
            let file = step.place.file.as_deref().unwrap_or("its source file");
            return match step.place.line {
                Some(line) => writeln!(out, "  {FAINT}there is no source: line {line} of {file}{FAINT:#}"),
                None => writeln!(out, "  {FAINT}the class file has no line numbers{FAINT:#}"),
            };
        };
        let current = step.place.line.unwrap_or_default();
        let is_near = |line: &&SourceLine| line.number.abs_diff(current) <= around;
        let width = lines.iter().rev().find(is_near).map_or(0, |line| line.number.to_string().len());
        for line in lines.iter().filter(is_near) {
            let text = text::without_tabs(&line.text);
            if line.is_current {
                writeln!(out, "{GOOD}→{GOOD:#} {HEADING}{:>width$}  {text}{HEADING:#}", line.number)?;
            } else {
                writeln!(out, "  {FAINT}{:>width$}{FAINT:#}  {text}", line.number)?;
            }
        }
        Ok(())
    }

    fn effects(&mut self, step: &StepView) -> io::Result<()> {
        let lists = [
            ("written", EffectKind::Written),
            ("called", EffectKind::Called),
            ("read", EffectKind::Read),
            ("done", EffectKind::Did),
        ];
        for (heading, kind) in lists {
            let mut effects = step.effects.iter().filter(|effect| effect.kind == kind).peekable();
            if effects.peek().is_none() {
                continue;
            }
            self.heading(heading)?;
            for effect in effects {
                writeln!(self.out, "  {}", effect_words(self.session, effect))?;
            }
        }
        if step.is_cut {
            writeln!(self.out, "  {FAINT}… and more{FAINT:#}")?;
        }
        Ok(())
    }

    pub(in crate::commands) fn stack(&mut self, step: &StepView) -> io::Result<()> {
        /// Frames at the top and at the bottom of a deep stack.
        const TOP: usize = 20;
        const BOTTOM: usize = 5;
        let width = step.stack.iter().filter_map(|frame| frame.step).map(|step| step.to_string().len()).max();
        let width = width.unwrap_or_default();
        let count = step.stack.len();
        for (position, frame) in step.stack.iter().enumerate() {
            if count > TOP + BOTTOM + 1 && (TOP..count - BOTTOM).contains(&position) {
                if position == TOP {
                    writeln!(self.out, "  {FAINT}… {} more{FAINT:#}", text::grouped((count - BOTTOM - TOP) as u64))?;
                }
                continue;
            }
            let number = frame.step.map(|step| step.to_string()).unwrap_or_default();
            write!(self.out, "  {FAINT}{number:>width$}{FAINT:#}  {}", frame.place.short)?;
            if frame.is_call_back && position + 1 < count {
                write!(self.out, "  {FAINT}called by unrecorded code{FAINT:#}")?;
            }
            writeln!(self.out)?;
        }
        Ok(())
    }

    pub(in crate::commands) fn variables(&mut self, step: &StepView) -> io::Result<()> {
        for variable in step.variables.iter().filter(|variable| is_shown(step, variable)) {
            writeln!(self.out, "  {} = {}", variable_name(variable), self.session.words(variable.value))?;
        }
        Ok(())
    }

    pub(in crate::commands) fn parts(&mut self, object: &ObjectView) -> io::Result<()> {
        for part in &object.parts {
            match &part.held {
                Told::Held(known) => {
                    let (value, how) = (self.session.words(known.value), how_known(known));
                    writeln!(self.out, "  {} = {value}  {FAINT}{how}{FAINT:#}", part.name)?;
                }
                Told::Nothing => writeln!(self.out, "  {} = {FAINT}?{FAINT:#}", part.name)?,
                Told::MayHaveChanged(PossibleChange { call, step, .. }) => {
                    let why = format!("maybe changed by unrecorded code, {call} at step {step}");
                    writeln!(self.out, "  {} = {FAINT}?  {why}{FAINT:#}", part.name)?;
                }
                Told::Between { before, later } => {
                    let known = [before, later].map(|known| {
                        let value = self.session.words(known.value);
                        format!("{value} {}", how_known(known))
                    });
                    let why = format!("{}; changed by unrecorded code in between", known.join(", "));
                    writeln!(self.out, "  {} = {FAINT}?  {why}{FAINT:#}", part.name)?;
                }
            }
        }
        Ok(())
    }

    pub(in crate::commands) fn object(&mut self, object: &ObjectView, is_near: bool) -> io::Result<()> {
        let name = self.session.words(Value::Ref(object.object));
        let length = object.length.map(|length| format!(", length {length}")).unwrap_or_default();
        self.heading(&format!("{name}{length}"))?;
        if object.parts.is_empty() {
            return writeln!(self.out, "  {FAINT}recorded classes declare no fields of it{FAINT:#}");
        }
        self.parts(object)?;
        if is_near && object.parts.iter().any(|part| part.held == Told::Nothing) {
            let hint = format!("? was not met near this step; `--object '{name}'` looks further back");
            writeln!(self.out, "  {FAINT}{hint}{FAINT:#}")?;
        }
        if let Some(length) = object.length
            && (object.parts.len() as u32) < length
        {
            writeln!(self.out, "  {FAINT}… {} more{FAINT:#}", length - object.parts.len() as u32)?;
        }
        Ok(())
    }
}

/// `written at step 5`
fn how_known(known: &Known) -> String {
    let how = match known.from {
        Evidence::Written => "written at",
        Evidence::Read => "read at",
        Evidence::ReadLater => "read later, at",
    };
    format!("{how} step {}", known.step)
}

/// What happened, on one line.
pub(in crate::commands) fn effect_words(session: &Session, effect: &Effect) -> String {
    let value = effect.value.map(|value| session.words(value)).unwrap_or_default();
    let text = &effect.text;
    match effect.kind {
        EffectKind::Written => {
            let written = match effect.old {
                Some(old) => format!("{text}: {} → {GOOD}{value}{GOOD:#}", session.words(old)),
                None => format!("{text} = {GOOD}{value}{GOOD:#}"),
            };
            match effect.old_step {
                Some(step) => format!("{written}  {FAINT}written before at step {step}{FAINT:#}"),
                None => written,
            }
        }
        EffectKind::Read => format!("{text} = {value}"),
        EffectKind::Called => match effect.call_step {
            Some(step) => format!("{text}  {FAINT}from step {step}{FAINT:#}"),
            None => text.clone(),
        },
        EffectKind::Did => text.clone(),
    }
}

/// Where control goes.
pub(in crate::commands) fn next_words(session: &Session, next: &Next) -> String {
    let place = |place: &Option<Place>| place.as_ref().map(|place| format!(" to {}", place.short)).unwrap_or_default();
    match next {
        Next::Step { number, line } => {
            let line = line.map_or_else(|| "on".to_owned(), |line| format!("to line {line}"));
            let number = number.map(|number| format!("step {number}")).unwrap_or_default();
            format!("{line}  {FAINT}{number}{FAINT:#}")
        }
        Next::Returned { value: Some(value), to } => format!("returns {}{}", session.words(*value), place(to)),
        Next::Returned { value: None, to } => format!("returns{}", place(to)),
        Next::Threw { exception, to } => {
            format!("{WARNING}throws {}{WARNING:#}{}", session.words(*exception), place(to))
        }
        Next::Unknown => format!("{FAINT}not known: the step was not seen to end{FAINT:#}"),
    }
}

/// Compilers have locals of their own, without a name.
fn is_shown(step: &StepView, variable: &Variable) -> bool {
    let is_named = |variable: &Variable| variable.name.as_deref().is_some_and(|name| name != "this");
    variable.name.is_some() || !step.variables.iter().any(is_named)
}

pub(in crate::commands) fn variable_name(variable: &Variable) -> String {
    variable.name.as_ref().map_or_else(|| format!("local{}", variable.slot), ToString::to_string)
}
