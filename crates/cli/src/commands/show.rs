//! `whydunit show`: one step.

mod json;

use crate::commands::questions::{self, OpenRun, no_such_step};
use crate::commands::run_argument::RunOption;
use crate::context::{Context, FAINT, GOOD, HEADING, Outcome, WARNING};
use crate::error::Result;
use crate::text;
use std::io::{self, Write};
use whydunit_debugger::{
    Effect, EffectKind, Evidence, Moments, Next, ObjectId, ObjectView, Session, StepView, Value, Variable,
};

/// Show one step: the source, what was read and written, the stack and the variables
///
/// A step is one visit to one source line; steps are numbered from 1 over the whole run, and `whydunit tree` shows the
/// numbers. Variables and objects are shown as they were at the start of the step. Fields are known as far as recorded
/// code has read or written them; `?` stands for what nobody recorded.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  whydunit show 4711
  whydunit show 4711 --depth 2
  whydunit show 4711 --object '<ArrayList:1>'
  whydunit show 4711 --json

Exit code: 0 the step was shown, 2 there is no such step or object.")]
pub(crate) struct Show {
    /// The number of the step
    step: u64,

    #[command(flatten)]
    objects: WantedObjects,

    #[command(flatten)]
    run: RunOption,
}

#[derive(Debug, Default, clap::Args)]
pub(super) struct WantedObjects {
    /// Open this object, written as it is shown: `<Cart:1>`; may be repeated
    #[arg(long, value_name = "OBJECT")]
    pub(super) object: Vec<String>,

    /// Open the objects of all variables, and those in them, to this depth; 0 opens none [default: `this` only]
    #[arg(long, value_name = "N")]
    pub(super) depth: Option<u32>,
}

/// Segments of the index to look back: for what was asked for, and for `this`, which must be quick.
const FAR: usize = 2000;
const NEAR: usize = 4;

/// Instructions of a segment, as a rule.
const SEGMENT: u64 = 2_000_000;

/// Objects that are opened at most.
const MOST_OBJECTS: usize = 50;

impl Show {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        let open = OpenRun::find(context, &self.run.run)?;
        self.objects.show(context, &open, self.step)
    }
}

impl WantedObjects {
    pub(super) fn show(&self, context: &Context, open: &OpenRun, number: u64) -> Result<Outcome> {
        let session = &open.session;
        let moments = open.moments(context)?;
        let Some(step) = session.step(moments, number)? else {
            return Err(no_such_step(number, moments.all_steps()).into());
        };
        let objects = self.objects(session, moments, &step)?;
        if context.json {
            context.print_json(&json::answer(session, &step, &objects))?;
            return Ok(Outcome::Done);
        }
        let mut printer = Printer { out: io::BufWriter::new(context.stdout()), session };
        let is_near = self.object.is_empty() && self.depth.is_none() && self.is_long(moments);
        printer.print(&step, &objects, moments, is_near)?;
        printer.out.flush()?;
        Ok(Outcome::Done)
    }

    /// Whether there is anything further back than was looked at.
    fn is_long(&self, moments: &Moments) -> bool {
        moments.instructions() > NEAR as u64 * SEGMENT
    }

    /// The objects to open.
    fn objects(&self, session: &Session, moments: &Moments, step: &StepView) -> Result<Vec<ObjectView>> {
        let mut opened: Vec<ObjectView> = Vec::new();
        for asked in &self.object {
            let seen = values_of(step).find(|&object| session.words(Value::Ref(object)) == *asked);
            let object = match seen {
                Some(object) => object,
                None => session.find_object(asked).map_err(questions::explain)?,
            };
            opened.push(session.object_at(moments, object, step.number, FAR)?);
        }
        let (depth, most, is_wanted): (u32, usize, fn(&Variable) -> bool) = match self.depth {
            Some(depth) => (depth, FAR, |_| true),
            None if self.object.is_empty() => (1, NEAR, |variable| variable.name.as_deref() == Some("this")),
            None => (0, NEAR, |_| false),
        };
        let mut level: Vec<ObjectId> =
            step.variables.iter().filter(|variable| is_wanted(variable)).filter_map(|v| reference(v.value)).collect();
        for _ in 0..depth {
            let mut next = Vec::new();
            for object in level {
                if opened.len() >= MOST_OBJECTS || opened.iter().any(|known| known.object == object) {
                    continue;
                }
                let view = session.object_at(moments, object, step.number, most)?;
                next.extend(view.parts.iter().filter_map(|part| reference(part.held?.value)));
                opened.push(view);
            }
            level = next;
        }
        // What has no parts that could be known is said only if it was asked for.
        let asked = self.object.len();
        let mut position = 0;
        opened.retain(|object| {
            position += 1;
            position <= asked || !object.parts.is_empty()
        });
        Ok(opened)
    }
}

/// The objects that a step has to do with.
fn values_of(step: &StepView) -> impl Iterator<Item = ObjectId> {
    let effects = step.effects.iter().flat_map(|effect| [effect.old, effect.value]).flatten();
    step.variables.iter().map(|variable| variable.value).chain(effects).filter_map(reference)
}

fn reference(value: Value) -> Option<ObjectId> {
    match value {
        Value::Ref(object) => Some(object),
        _ => None,
    }
}

struct Printer<'s, W> {
    out: W,
    session: &'s Session,
}

impl<W: Write> Printer<'_, W> {
    fn print(&mut self, step: &StepView, objects: &[ObjectView], moments: &Moments, is_near: bool) -> io::Result<()> {
        let (number, all) = (text::grouped(step.number), text::grouped(moments.all_steps()));
        let thread = self.session.thread_name(step.thread).map_or_else(|| step.thread.to_string(), str::to_owned);
        let out = &mut self.out;
        writeln!(
            out,
            "{HEADING}{}{HEADING:#}  {FAINT}step {number} of {all}, thread {thread}{FAINT:#}",
            step.place.short
        )?;
        self.source(step)?;
        self.effects(step)?;
        self.next(step)?;
        self.stack(step)?;
        self.variables(step)?;
        for object in objects {
            self.object(object, is_near)?;
        }
        Ok(())
    }

    fn heading(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "\n{HEADING}{text}{HEADING:#}")
    }

    fn source(&mut self, step: &StepView) -> io::Result<()> {
        let out = &mut self.out;
        writeln!(out)?;
        let Some(lines) = &step.source else {
            let file = step.place.file.as_deref().unwrap_or("its source file");
            return match step.place.line {
                Some(line) => writeln!(out, "  {FAINT}there is no source: line {line} of {file}{FAINT:#}"),
                None => writeln!(out, "  {FAINT}the class file has no line numbers{FAINT:#}"),
            };
        };
        let width = lines.last().map_or(0, |line| line.number.to_string().len());
        for line in lines {
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
                self.effect(effect)?;
            }
        }
        if step.is_cut {
            writeln!(self.out, "  {FAINT}… and more{FAINT:#}")?;
        }
        Ok(())
    }

    fn effect(&mut self, effect: &Effect) -> io::Result<()> {
        let words = |value: Option<Value>| value.map(|value| self.session.words(value)).unwrap_or_default();
        let (old, value) = (effect.old.map(|old| words(Some(old))), words(effect.value));
        let out = &mut self.out;
        match effect.kind {
            EffectKind::Written => {
                write!(out, "  {}", effect.text)?;
                match &old {
                    Some(old) => write!(out, ": {old} → {GOOD}{value}{GOOD:#}")?,
                    None => write!(out, " = {GOOD}{value}{GOOD:#}")?,
                }
                if let Some(step) = effect.old_step {
                    write!(out, "  {FAINT}written before at step {step}{FAINT:#}")?;
                }
                writeln!(out)
            }
            EffectKind::Read => writeln!(out, "  {} = {value}", effect.text),
            EffectKind::Called => {
                write!(out, "  {}", effect.text)?;
                if let Some(step) = effect.call_step {
                    write!(out, "  {FAINT}from step {step}{FAINT:#}")?;
                }
                writeln!(out)
            }
            EffectKind::Did => writeln!(out, "  {}", effect.text),
        }
    }

    fn next(&mut self, step: &StepView) -> io::Result<()> {
        self.heading("then")?;
        let session = self.session;
        let out = &mut self.out;
        let place = |place: &Option<whydunit_debugger::Place>| match place {
            Some(place) => format!(" to {}", place.short),
            None => String::new(),
        };
        match &step.next {
            Next::Step { number, line } => {
                let line = line.map_or_else(|| "on".to_owned(), |line| format!("to line {line}"));
                let number = number.map(|number| format!("step {number}")).unwrap_or_default();
                writeln!(out, "  {line}  {FAINT}{number}{FAINT:#}")
            }
            Next::Returned { value: Some(value), to } => {
                writeln!(out, "  returns {}{}", session.words(*value), place(to))
            }
            Next::Returned { value: None, to } => writeln!(out, "  returns{}", place(to)),
            Next::Threw { exception, to } => {
                writeln!(out, "  {WARNING}throws {}{WARNING:#}{}", session.words(*exception), place(to))
            }
            Next::Unknown => writeln!(out, "  {FAINT}not known: the step was not seen to end{FAINT:#}"),
        }
    }

    fn stack(&mut self, step: &StepView) -> io::Result<()> {
        /// Frames at the top and at the bottom of a deep stack.
        const TOP: usize = 20;
        const BOTTOM: usize = 5;
        self.heading("stack")?;
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

    fn variables(&mut self, step: &StepView) -> io::Result<()> {
        let mut shown = step.variables.iter().filter(|variable| is_shown(step, variable)).peekable();
        if shown.peek().is_none() {
            return Ok(());
        }
        self.heading("variables")?;
        for variable in shown {
            let name = variable_name(variable);
            writeln!(self.out, "  {name} = {}", self.session.words(variable.value))?;
        }
        Ok(())
    }

    fn object(&mut self, object: &ObjectView, is_near: bool) -> io::Result<()> {
        let name = self.session.words(Value::Ref(object.object));
        let length = object.length.map(|length| format!(", length {length}")).unwrap_or_default();
        self.heading(&format!("{name}{length}"))?;
        if object.parts.is_empty() {
            return writeln!(self.out, "  {FAINT}its class was not recorded: nothing is known of its fields{FAINT:#}");
        }
        for part in &object.parts {
            match part.held {
                Some(known) => {
                    let how = match known.from {
                        Evidence::Written => "written at",
                        Evidence::Read => "read at",
                        Evidence::ReadLater => "read later, at",
                    };
                    let value = self.session.words(known.value);
                    writeln!(self.out, "  {} = {value}  {FAINT}{how} step {}{FAINT:#}", part.name, known.step)?;
                }
                None => writeln!(self.out, "  {} = {FAINT}?{FAINT:#}", part.name)?,
            }
        }
        if is_near && object.parts.iter().any(|part| part.held.is_none()) {
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

/// Compilers have locals of their own, without a name.
fn is_shown(step: &StepView, variable: &Variable) -> bool {
    let is_named = |variable: &Variable| variable.name.as_deref().is_some_and(|name| name != "this");
    variable.name.is_some() || !step.variables.iter().any(is_named)
}

fn variable_name(variable: &Variable) -> String {
    variable.name.as_ref().map_or_else(|| format!("local{}", variable.slot), ToString::to_string)
}
