//! `whydunit why`: where a value came from.

mod change;
mod json;
mod leads;
mod not;

use crate::commands::query::happened_words;
use crate::commands::questions::{self, OpenRun, explain};
use crate::commands::run_argument::RunOption;
use crate::context::{Context, FAINT, GOOD, HEADING, Outcome, WARNING};
use crate::error::Result;
use json::{JsonCause, JsonChange, JsonSlice, JsonStep};
use leads::Answer;
use std::io::Write;
use whydunit_debugger::{
    Cause, CauseKind, Causes, HeapPlace, Ingredient, Moments, Role, Session, Shown, SliceKind, SliceLine, SliceView,
    StepCauses, StepPlace, Unknown, UnknownName, Value,
};

/// Say where a value came from: the step that made it, and what it was made of
///
/// Without a variable: everything that the step reads and where that comes from, and what decided that the step ran.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  whydunit why 4711                    all that step 4711 reads, and what decided that it ran
  whydunit why 4711 total              the step that gave `total` its value
  whydunit why 4711 total --chain 5    the same, five steps further back
  whydunit why 4711 total --slice      every line that had a part in it
  whydunit why 4711 --control          the branch that decided that the step ran
  whydunit why --not Cart.java:31      why that line did not run at all
  whydunit why 4711 --not Cart.java:31 why it did not run in the call that step 4711 belongs to

Exit code: 0 there is an answer, 1 nothing is known, 2 there is no such step or variable.")]
pub(crate) struct Why {
    #[command(flatten)]
    asked: AskedWhy,

    #[command(flatten)]
    run: RunOption,
}

#[derive(Debug, Default, clap::Args)]
pub(super) struct AskedWhy {
    /// The step, as `tree` and `dump` number them
    #[arg(required_unless_present = "not")]
    pub(super) step: Option<u64>,

    /// A variable, field or element that the step reads or writes: `total`, `this.price`
    pub(super) variable: Option<String>,

    /// Follow the values this many steps back
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) chain: u32,

    /// Every line that had a part in the value, or could have changed it: the relevant slice
    #[arg(long)]
    pub(super) slice: bool,

    /// A slice of what happened only: without what could have changed the value had a branch gone the other way or a
    /// write gone elsewhere
    #[arg(long, requires = "slice")]
    pub(super) actual: bool,

    /// A slice of values only: without what decided that steps ran, and which object was meant
    #[arg(long, requires = "slice", conflicts_with = "actual")]
    pub(super) thin: bool,

    /// What decided that the step ran, and what decided that, up to `--chain`
    #[arg(long, conflicts_with_all = ["slice", "variable"])]
    pub(super) control: bool,

    /// Why a line did not run: in the call of the step, or at all
    #[arg(long, value_name = "FILE:LINE", conflicts_with_all = ["slice", "variable", "control"])]
    pub(super) not: Option<String>,
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
        let step = match self.step {
            Some(number) => {
                let unknown = || questions::no_such_step(number, moments.all_steps());
                Some(moments.local_step(number)?.ok_or_else(unknown)?)
            }
            None => None,
        };
        if let Some(line) = &self.not {
            return not::Teller { context, session, moments }.tell(line, step);
        }
        // Without a step there is a line.
        let Some((thread, step)) = step else { return Ok(Answer::without(Outcome::Negative)) };
        let Some(causes) = session.causes(moments, thread) else { return Ok(Answer::without(Outcome::Negative)) };
        let teller = Teller { context, session, moments, causes };
        if self.slice {
            let kind = match (self.thin, self.actual) {
                (true, _) => SliceKind::THIN,
                (false, true) => SliceKind::ACTUAL,
                (false, false) => SliceKind::FULL,
            };
            return teller.slice(step, self.variable.as_deref(), kind);
        }
        if self.control {
            return teller.control(step, self.chain);
        }
        match &self.variable {
            Some(variable) => teller.variable(step, variable, self.chain),
            None => teller.step(step),
        }
    }
}

struct Teller<'s> {
    context: &'s Context,
    session: &'s Session,
    moments: &'s Moments,
    causes: Causes<'s>,
}

impl Teller<'_> {
    fn step(&self, step: u64) -> Result<Answer> {
        let Some(causes) = self.causes.of_step(step)? else { return self.nothing() };
        if self.context.json {
            self.context.print_json(&JsonStep::new(self.session, self.moments, &causes)?)?;
        } else {
            self.place(&causes.place, "")?;
            self.reads(&causes)?;
            self.decided_by(&causes.decided_by)?;
        }
        Ok(Answer::about_step(&causes))
    }

    fn reads(&self, causes: &StepCauses) -> Result<()> {
        for ingredient in causes.ingredients.iter().filter(|ingredient| is_value(ingredient)) {
            self.ingredient(ingredient, 1)?;
        }
        Ok(())
    }

    fn variable(&self, step: u64, variable: &str, chain: u32) -> Result<Answer> {
        let found = match self.causes.of_variable(step, variable)? {
            Ok(found) => found,
            Err(unknown) => return self.change_before(step, variable, unknown),
        };
        let mut named = Vec::new();
        for cause in &found {
            let made_of: Vec<Ingredient> = self.causes.ingredients(cause)?.into_iter().filter(is_value).collect();
            named.push(cause.place);
            named.extend(made_of.iter().filter_map(|ingredient| Some(ingredient.source.as_ref().ok()?.place)));
            if !self.context.json {
                self.cause(cause, &made_of, 0, chain)?;
            }
        }
        if self.context.json {
            let causes: std::result::Result<Vec<JsonCause>, _> = found
                .iter()
                .map(|cause| JsonCause::new(self.session, self.moments, &self.causes, cause, chain))
                .collect();
            self.context.print_json(&causes?)?;
        }
        Ok(Answer::naming(named))
    }

    /// For what the step neither reads nor writes.
    fn change_before(&self, step: u64, variable: &str, unknown: UnknownName) -> Result<Answer> {
        let at = (self.causes.thread(), step);
        match change::last(self.session, self.moments, at, variable)? {
            None => Err(explain(unknown).into()),
            Some(Err(missing)) => {
                self.context.note(&missing.why);
                Ok(Answer::without(Outcome::Negative))
            }
            Some(Ok(found)) => {
                if self.context.json {
                    self.context.print_json(&[JsonChange::new(self.session, &found)])?;
                } else {
                    self.place(&found.place, &happened_words(self.session, &found.happened).unwrap_or_default())?;
                }
                for note in &found.notes {
                    self.context.note(note);
                }
                Ok(Answer::naming([found.place]))
            }
        }
    }

    /// A cause and, `chain` levels deep, what it was made of.
    fn cause(&self, cause: &Cause, made_of: &[Ingredient], indentation: usize, chain: u32) -> Result<()> {
        self.place(&cause.place, &self.words(cause))?;
        if chain == 0 {
            return Ok(());
        }
        for ingredient in made_of {
            self.ingredient(ingredient, indentation + 1)?;
            if let Ok(source) = &ingredient.source
                && chain > 1
            {
                let made_of: Vec<Ingredient> = self.causes.ingredients(source)?.into_iter().filter(is_value).collect();
                self.cause(source, &made_of, indentation + 1, chain - 1)?;
            }
        }
        Ok(())
    }

    fn control(&self, step: u64, chain: u32) -> Result<Answer> {
        let Some(causes) = self.causes.of_step(step)? else { return self.nothing() };
        let mut decided = vec![causes.decided_by];
        while let Some(Ok(cause)) = decided.last()
            && decided.len() < chain.max(1) as usize
        {
            decided.push(self.causes.decision(cause)?);
        }
        let deciders: Vec<Cause> = decided.iter().flatten().cloned().collect();
        if self.context.json {
            let json = |cause| JsonCause::new(self.session, self.moments, &self.causes, cause, 1);
            let deciders: std::result::Result<Vec<JsonCause>, _> = deciders.iter().map(json).collect();
            self.context.print_json(&deciders?)?;
        } else {
            self.place(&causes.place, "")?;
            for one in &decided {
                self.decided_by(one)?;
            }
        }
        Ok(Answer::about(&deciders))
    }

    fn decided_by(&self, decided: &std::result::Result<Cause, Unknown>) -> Result<()> {
        let mut out = self.context.stdout();
        match decided {
            Ok(cause) => {
                let number = self.number(&cause.place)?;
                let words = match cause.kind {
                    CauseKind::Branch => "decided by",
                    CauseKind::Call | CauseKind::Unrecorded => "called by",
                    _ => "because of",
                };
                writeln!(out, "  {WARNING}{words}{WARNING:#} step {number}  {}", self.source(&cause.place))?;
                for ingredient in self.causes.ingredients(cause)?.into_iter().filter(is_value) {
                    self.ingredient(&ingredient, 2)?;
                }
            }
            Err(Unknown::Outside | Unknown::Given(_)) => {
                writeln!(out, "  {WARNING}called by{WARNING:#} code that is not recorded")?
            }
            Err(_) => writeln!(out, "  {FAINT}what decided it is not known{FAINT:#}")?,
        }
        Ok(())
    }

    fn ingredient(&self, ingredient: &Ingredient, indentation: usize) -> Result<()> {
        let mut out = self.context.stdout();
        let value = ingredient.value.map(|value| format!(" = {}", self.session.words(value))).unwrap_or_default();
        write!(out, "{:width$}{GOOD}{}{value}{GOOD:#}", "", ingredient.name, width = 2 * indentation)?;
        match &ingredient.source {
            Ok(cause) => {
                let number = self.number(&cause.place)?;
                let words = if self.may_be_earlier(cause) { "last put there in step" } else { "from step" };
                writeln!(out, "  {FAINT}{words}{FAINT:#} {number}  {}", self.source(&cause.place))?;
            }
            Err(unknown) => writeln!(out, "  {FAINT}{}{FAINT:#}", not_known(*unknown))?,
        }
        Ok(())
    }

    /// Strings and boxed values are shared: one that was put somewhere twice is taken for what was put there last.
    fn may_be_earlier(&self, cause: &Cause) -> bool {
        let Some(Value::Ref(object)) = cause.value.filter(|_| cause.kind == CauseKind::Put) else { return false };
        matches!(self.session.shown(object), Shown::Boxed { .. } | Shown::Text { .. })
    }

    fn words(&self, cause: &Cause) -> String {
        match cause.value {
            Some(value) => format!("{} = {}", cause.what, self.session.words(value)),
            None => cause.what.clone(),
        }
    }

    fn place(&self, place: &StepPlace, words: &str) -> Result<()> {
        let mut out = self.context.stdout();
        let number = self.number(place)?;
        writeln!(out, "{HEADING}{number:>7}{HEADING:#}  {}  {GOOD}{words}{GOOD:#}", self.source(place))?;
        Ok(())
    }

    /// `Cart.total:31  total += line.cents();`
    fn source(&self, place: &StepPlace) -> String {
        let line = self.session.source_line_of(place).unwrap_or_default();
        format!("{FAINT}{}{FAINT:#}  {line}", self.session.name_of_place(place))
    }

    fn number(&self, place: &StepPlace) -> Result<u64> {
        Ok(self.moments.global_step(place.thread, place.step)?.unwrap_or(place.step))
    }

    fn nothing(&self) -> Result<Answer> {
        self.context.note("nothing is known of this step");
        Ok(Answer::without(Outcome::Negative))
    }

    fn slice(&self, step: u64, variable: Option<&str>, kind: SliceKind) -> Result<Answer> {
        let causes = match variable {
            Some(variable) => self.causes.of_variable(step, variable)?.map_err(explain)?,
            None => match self.causes.of_step(step)? {
                Some(causes) => causes.effects,
                None => return self.nothing(),
            },
        };
        let slice = self.causes.slice(&causes, kind, &mut || {})?;
        if self.context.json {
            self.context.print_json(&JsonSlice::new(self.session, self.moments, &slice)?)?;
        } else {
            self.lines(&slice)?;
        }
        Ok(Answer::without(Outcome::Done))
    }

    fn lines(&self, slice: &SliceView) -> Result<()> {
        let mut out = self.context.stdout();
        let mut method = None;
        for SliceLine { count, last, number: step, could_have_changed } in &slice.lines {
            if method.replace(last.method) != Some(last.method) {
                writeln!(out, "{HEADING}{}{HEADING:#}", self.session.method_name(last.method))?;
            }
            let number = last.line.map_or_else(|| "?".to_owned(), |line| line.to_string());
            let source = self.session.source_line_of(last).unwrap_or_default();
            let steps = match count {
                1 => format!("step {step}"),
                count => format!("{count} steps, the last {step}"),
            };
            write!(out, "  {FAINT}{number:>5}{FAINT:#}  {source}  {FAINT}{steps}{FAINT:#}")?;
            if !could_have_changed.is_empty() {
                let names: Vec<&str> = could_have_changed.iter().map(String::as_str).collect();
                write!(out, "  {WARNING}could have changed {}{WARNING:#}", names.join(", "))?;
            }
            writeln!(out)?;
        }
        for unknown in slice.unknown.iter().filter(|unknown| !is_inside_library(**unknown)) {
            writeln!(out, "  {FAINT}{}: {}{FAINT:#}", self.causes.name_of(*unknown), not_known(*unknown))?;
        }
        let (steps, lines) = (slice.steps.len(), slice.lines.len());
        self.context.note(&format!("{steps} steps in {lines} lines"));
        Ok(())
    }
}

/// Which object is meant is seldom the question.
fn is_value(ingredient: &Ingredient) -> bool {
    ingredient.role == Role::Value
}

/// What unrecorded code does inside its own objects is nobody's question.
fn is_inside_library(unknown: Unknown) -> bool {
    matches!(
        unknown,
        Unknown::NotWritten(HeapPlace::Content(_) | HeapPlace::Item(..)) | Unknown::Outside | Unknown::Given(_)
    )
}

fn not_known(unknown: Unknown) -> &'static str {
    match unknown {
        Unknown::Outside | Unknown::Given(_) => "given by code that is not recorded",
        Unknown::NotWritten(_) => "not written before by recorded code",
        Unknown::Changed(_) => "changed by code that is not recorded",
        Unknown::Nothing => "not known",
    }
}
