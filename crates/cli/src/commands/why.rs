//! `whydunit why`: where a value came from.

mod chain;
mod change;
mod control;
mod exception;
mod json;
mod leads;
mod not;
mod rows;
mod slice;

use crate::commands::asked_place::AskedPlace;
use crate::commands::questions::OpenRun;
use crate::commands::run_argument::RunOption;
use crate::context::{Context, Outcome, WARNING};
use crate::error::{Result, UserError};
use chain::Extent;
use change::Known;
use json::{JsonAnswer, JsonStep, JsonTelling};
use leads::Answer;
use std::io::Write;
use whydunit_debugger::{Behind, Causes, Ingredient, Moments, Role, Session, SliceKind, StepCauses, ThreadId};

/// Say where a value came from: the step that made it, and what it was made of
///
/// Without a variable: everything that the step reads and where that comes from, and what decided that the step ran.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  whydunit why                         the exception that ended the program, and why it came
  whydunit why 4711                    all that step 4711 reads, and what decided that it ran
  whydunit why 4711 total              the step that gave `total` its value
  whydunit why 4711 total --chain 5    the same, five steps further back
  whydunit why 4711 total --objects    the same, with which objects and elements were meant
  whydunit why 4711 total --slice      every line that had a part in it
  whydunit why 4711 'price()'          the step that made the result of a call
  whydunit why 4711 --control          the branch that decided that the step ran
  whydunit why Cart.java:31 total      the last visit to a line; if an exception came of it, where that was thrown
  whydunit why --exception 2           the second one of several exceptions, such as of failed tests
  whydunit why --not Cart.java:31      why that line did not run at all
  whydunit why 4711 --not Cart.java:31 why it did not run in the call that step 4711 belongs to

Exit code: 0 there is an answer, 1 nothing is known, 2 there is no such step or variable.")]
pub(crate) struct Why {
    #[command(flatten)]
    asked: AskedWhy,

    #[command(flatten)]
    run: RunOption,
}

#[derive(Debug, clap::Args)]
pub(super) struct AskedWhy {
    /// The step, as `tree` and `dump` number them, or FILE:LINE for the last visit to a line; without one, the last
    /// exception that left recorded code
    #[arg(value_name = "STEP|FILE:LINE")]
    pub(super) step: Option<AskedPlace>,

    /// A variable, field, element or result that the step reads or writes: `total`, `this.price`, `price()`
    pub(super) variable: Option<String>,

    /// Follow the values this many steps back
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) chain: u32,

    /// Tell and follow also which objects and elements were meant: `product` of `product.cents`
    #[arg(long, conflicts_with_all = ["slice", "control", "not", "exception"])]
    pub(super) objects: bool,

    /// Values that a chain shows at most
    #[arg(long, value_name = "N", default_value_t = chain::LIMIT)]
    pub(super) limit: usize,

    /// Every line that had a part in the value, or could have changed it: the relevant slice
    #[arg(long, requires = "step")]
    pub(super) slice: bool,

    /// A slice of what happened only: without what could have changed the value had a branch gone the other way or a
    /// write gone elsewhere
    #[arg(long, requires = "slice")]
    pub(super) actual: bool,

    /// A slice of values only: without what decided that steps ran, and which object was meant
    #[arg(long, requires = "slice", conflicts_with = "actual")]
    pub(super) thin: bool,

    /// With a slice: steps after which it is cut off, the last ones of the run first
    #[arg(long, value_name = "N", requires = "slice", default_value_t = MOST_STEPS)]
    pub(super) most_steps: u64,

    /// With a slice: each place that no recorded code has written, not only how many there are
    #[arg(long, requires = "slice")]
    pub(super) all: bool,

    /// What decided that the step ran, and what decided that, up to `--chain`
    #[arg(long, requires = "step", conflicts_with_all = ["slice", "variable"])]
    pub(super) control: bool,

    /// Why a line did not run: in the call of the step, or at all
    #[arg(long, value_name = "FILE:LINE", conflicts_with_all = ["slice", "variable", "control"])]
    pub(super) not: Option<String>,

    /// The last exception that left recorded code, the Nth of those, the one that left a method (a failed test), the last
    /// one of a type, or `<IllegalStateException:1>`
    #[arg(
        long,
        value_name = "N|METHOD|TYPE",
        num_args = 0..=1,
        default_missing_value = "",
        conflicts_with_all = ["step", "slice", "variable", "control", "not"]
    )]
    pub(super) exception: Option<String>,
}

/// Steps of a slice: more than anyone reads, and found in some seconds.
const MOST_STEPS: u64 = 500_000;

impl Default for AskedWhy {
    fn default() -> AskedWhy {
        AskedWhy {
            step: None,
            variable: None,
            chain: 1,
            objects: false,
            limit: chain::LIMIT,
            slice: false,
            actual: false,
            thin: false,
            most_steps: MOST_STEPS,
            all: false,
            control: false,
            not: None,
            exception: None,
        }
    }
}

impl Why {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        Ok(self.asked.answer(context, &OpenRun::find(context, &self.run.run)?)?.outcome)
    }
}

impl AskedWhy {
    pub(super) fn answer(&self, context: &Context, open: &OpenRun) -> Result<Answer> {
        let session = &open.session;
        let moments = open.moments(context)?;
        if let (Some(asked), Some(variable)) = (&self.step, &self.variable) {
            let (teller, step, known) = Teller::of_variable(context, session, moments, asked, variable)?;
            let teller = teller.telling_objects(self.objects);
            let contents = teller.contents_beside(step, &known)?;
            let answer = match self.slice_kind() {
                Some(kind) => teller.slice_of(step, known, kind, self.extent()),
                None => teller.variable(known, (self.chain, self.limit)),
            }?;
            if let Some(contents) = contents.filter(|_| !context.json) {
                let number = moments.global_step(teller.causes.thread(), step)?.unwrap_or(step);
                let command = context.question(&format!("why {number} '{contents}'"));
                context.note(&format!("this is which object it is; what is in it: `{command}`"));
            }
            return Ok(answer);
        }
        let step = self.step.as_ref().map(|asked| asked.find(session, moments)).transpose()?;
        if let Some(line) = &self.not {
            return not::Teller { context, session, moments }.tell(line, step);
        }
        let (Some((thread, step)), None) = (step, &self.exception) else {
            let asked = self.exception.as_deref().unwrap_or_default();
            return exception::tell(context, session, moments, asked, (self.chain, self.limit));
        };
        let teller = Teller::new(context, session, moments, thread)?.telling_objects(self.objects);
        if let Some(kind) = self.slice_kind() {
            return teller.slice(step, kind, self.extent());
        }
        if self.control {
            return teller.control(step, self.chain);
        }
        let is_line = self.step.as_ref().is_some_and(AskedPlace::is_line);
        let thrown = if is_line { session.exception_in(moments, thread, step)? } else { None };
        match thrown {
            Some((place, value)) => {
                exception::tell_of(context, session, moments, place, value, (self.chain, self.limit))
            }
            None => teller.step(step, (self.chain, self.limit)),
        }
    }

    fn slice_kind(&self) -> Option<SliceKind> {
        self.slice.then_some(match (self.thin, self.actual) {
            (true, _) => SliceKind::THIN,
            (false, true) => SliceKind::ACTUAL,
            (false, false) => SliceKind::FULL,
        })
    }

    fn extent(&self) -> slice::Extent {
        slice::Extent { most_steps: self.most_steps, all: self.all }
    }
}

struct Teller<'s> {
    context: &'s Context,
    session: &'s Session,
    moments: &'s Moments,
    causes: Causes<'s>,
    /// Whether it is told, too, which objects are meant.
    objects: bool,
}

impl<'s> Teller<'s> {
    fn new(context: &'s Context, session: &'s Session, moments: &'s Moments, thread: ThreadId) -> Result<Teller<'s>> {
        let unknown = || UserError::new("nothing is known of this thread");
        let causes = session.causes(moments, thread).ok_or_else(unknown)?.telling_putters();
        Ok(Teller { context, session, moments, causes, objects: false })
    }

    fn telling_objects(self, objects: bool) -> Teller<'s> {
        Teller { causes: self.causes.telling_objects(objects), objects, ..self }
    }

    fn step(&self, step: u64, (chain, limit): (u32, usize)) -> Result<Answer> {
        let Some(causes) = self.causes.of_step(step)? else { return self.nothing() };
        if self.context.json {
            let telling = JsonTelling::new(self.session, self.moments, &self.causes);
            let json = JsonStep::new(&telling, &causes, Extent::steps(chain.saturating_sub(1)))?;
            self.context.print_json(&JsonAnswer::new("step", vec![json]))?;
        } else {
            self.place(&causes.place, "")?;
            self.threw(&causes)?;
            self.chain(&self.told(causes.ingredients.clone()), Extent::steps(chain.saturating_sub(1)), limit)?;
            self.decided_by(&causes.decided_by)?;
        }
        Ok(Answer::about_step(&causes))
    }

    fn variable(&self, known: Known, (chain, limit): (u32, usize)) -> Result<Answer> {
        let (found, notes) = match known {
            Ok(found) => found,
            Err(missing) => {
                self.context.note(&missing);
                return Ok(Answer::without(Outcome::Negative));
            }
        };
        let Behind { causes, unwritten } = &found;
        let mut named = Vec::new();
        for cause in causes {
            let made_of = self.told(self.causes.ingredients(cause)?);
            named.push(cause.place);
            named.extend(made_of.iter().filter_map(|ingredient| Some(ingredient.source.as_ref().ok()?.place)));
            if !self.context.json {
                self.place(&cause.place, &self.words(cause))?;
                self.chain(&made_of, Extent::steps(chain.saturating_sub(1)), limit)?;
            }
        }
        if self.context.json {
            let telling = JsonTelling::new(self.session, self.moments, &self.causes);
            let mut answers = Vec::new();
            for cause in causes {
                answers.push(telling.answer(cause, chain)?);
            }
            for ingredient in unwritten {
                answers.push(telling.unwritten(ingredient)?);
            }
            self.context.print_json(&JsonAnswer::new("variable", answers).with_notes(&notes))?;
        } else {
            for ingredient in unwritten {
                self.ingredient(ingredient, 1)?;
            }
            for note in &notes {
                self.context.note(note);
            }
        }
        named.extend(unwritten.iter().filter_map(|ingredient| Some(ingredient.source.as_ref().ok()?.place)));
        let is_known = !causes.is_empty() || unwritten.iter().any(|ingredient| ingredient.value.is_some());
        if is_known { Ok(Answer::naming(named)) } else { Ok(Answer::without(Outcome::Negative)) }
    }

    fn told(&self, mut made_of: Vec<Ingredient>) -> Vec<Ingredient> {
        made_of.retain(|ingredient| self.objects || is_value(ingredient) || ingredient.is_position);
        made_of
    }

    fn threw(&self, causes: &StepCauses) -> Result<()> {
        if let Some(threw) = &causes.threw {
            let exception = threw.exception.map(|value| format!(" {}", self.session.words(value))).unwrap_or_default();
            writeln!(self.context.stdout(), "  {WARNING}threw{exception}{WARNING:#}")?;
        }
        Ok(())
    }

    fn nothing(&self) -> Result<Answer> {
        self.context.note("nothing is known of this step");
        Ok(Answer::without(Outcome::Negative))
    }
}

/// Which object is meant is seldom the question.
fn is_value(ingredient: &Ingredient) -> bool {
    ingredient.role == Role::Value
}
