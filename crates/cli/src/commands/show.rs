//! `whydunit show`: one step.

pub(super) mod json;
pub(super) mod printer;

use crate::commands::asked_place::AskedPlace;
use crate::commands::questions::{self, OpenRun, no_such_step};
use crate::commands::run_argument::RunOption;
use crate::context::{Context, Outcome};
use crate::error::Result;
use printer::Printer;
use std::io::{self, Write};
use whydunit_debugger::{Effort, Moments, ObjectId, ObjectView, Session, StepView, Value, Variable};

/// Show one step: the source, what was read and written, the stack and the variables
///
/// A step is one visit to one source line; steps are numbered from 1 over the whole run, and `whydunit tree` shows the
/// numbers. Variables and objects are shown as they were at the start of the step. Fields are known as far as recorded
/// code has read or written them; `?` stands for what nobody recorded.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  whydunit show 4711
  whydunit show Cart.java:31           the last visit to a line
  whydunit show 4711 --depth 2
  whydunit show 4711 --object '<ArrayList:1>'
  whydunit show 4711 --json

Exit code: 0 the step was shown, 2 there is no such step or object.")]
pub(crate) struct Show {
    /// The number of the step, or FILE:LINE for the last visit to a line
    #[arg(value_name = "STEP|FILE:LINE")]
    step: AskedPlace,

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
const FAR: usize = 50_000;
pub(super) const NEAR: usize = 100;

/// Instructions of a segment, as a rule.
const SEGMENT: u64 = 80_000;

/// Objects that are opened at most.
const MOST_OBJECTS: usize = 50;

impl Show {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        let open = OpenRun::find(context, &self.run.run)?;
        let step = self.step.number(&open.session, open.moments(context)?)?;
        self.objects.show(context, &open, step)
    }
}

impl WantedObjects {
    pub(super) fn show(&self, context: &Context, open: &OpenRun, number: u64) -> Result<Outcome> {
        let session = &open.session;
        let moments = open.moments(context)?;
        let Some(step) = session.step(moments, number, Effort::FULL)? else {
            return Err(no_such_step(number, moments.all_steps()).into());
        };
        let objects = self.objects(session, moments, &step)?;
        if context.json {
            context.print_json(&json::answer(session, moments, &step, &objects))?;
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
                next.extend(view.parts.iter().filter_map(|part| reference(part.held.known()?.value)));
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
