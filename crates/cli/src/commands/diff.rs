//! `whydunit diff`: where two runs part.

mod json;

use crate::commands::questions;
use crate::context::{Context, FAINT, GOOD, HEADING, Outcome, WARNING};
use crate::error::{Result, UserError};
use crate::progress::Progress;
use crate::text::{self, Align, Table};
use anstyle::Style;
use std::io::{self, Write};
use whydunit_debugger::{
    Diff as Comparison, DiffError, DifferenceKind, DifferenceView, Filters, Moments, Pair, Session, Side, StepPlace,
    Volatile,
};
use whydunit_store::Run;

/// Lines and callers that are shown if not all are asked for.
const SHOWN: usize = 20;
const CALLERS: usize = 5;

/// Characters of a value in the summary.
const WIDTH: usize = 40;

/// Compare two runs of a program: where they go different ways, and which values differ
///
/// Steps of both runs correspond when they are of the same line and what decided that they run corresponds: iterations of
/// a loop by their number, calls by the call that made them. Where a condition is decided differently, the runs are
/// compared again from where both ways come together. Objects are the same when they were first met at corresponding
/// steps; texts and boxed numbers when they are equal. Threads are compared one by one, by their names. Of a method that was
/// changed between the runs, what both versions have is compared.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  whydunit diff good bad
  whydunit diff good latest --control-only
  whydunit diff good bad --ignore-field Cart.created --ignore-method 'com.acme.log.*'
  whydunit diff good bad --ignore-value none
  whydunit diff good bad --all --json

Exit code: 0 there is no difference, 1 there are some, 2 the runs are of different programs.")]
pub(crate) struct Diff {
    /// A run: `latest`, an id, or its beginning
    left: String,

    /// The run to compare it with
    right: String,

    /// Compare where control goes, not values
    #[arg(long)]
    control_only: bool,

    /// What is written to this field is not compared: `Cart.total`, `Cart.*`
    #[arg(long, value_name = "CLASS.FIELD")]
    ignore_field: Vec<String>,

    /// What this method does and returns is not compared: `Clock.now`, `com.acme.log.*`
    #[arg(long, value_name = "CLASS.METHOD")]
    ignore_method: Vec<String>,

    /// Results that differ by themselves, and copies of them, are not compared
    #[arg(long, value_name = "KIND", value_delimiter = ',', default_values_t = Kind::DEFAULT, value_enum)]
    ignore_value: Vec<Kind>,

    /// List all differences
    #[arg(long)]
    all: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// Of clocks
    Time,
    /// Hash codes, also in texts such as `Cart@1b2c3d`
    Hash,
    /// Of random number generators
    Random,
    /// Numbers of processes and threads
    Id,
    /// Everything is compared
    None,
}

impl Kind {
    const DEFAULT: [Kind; 4] = [Kind::Time, Kind::Hash, Kind::Random, Kind::Id];

    fn volatile(self) -> Option<Volatile> {
        match self {
            Kind::Time => Some(Volatile::Time),
            Kind::Hash => Some(Volatile::Hash),
            Kind::Random => Some(Volatile::Random),
            Kind::Id => Some(Volatile::Id),
            Kind::None => None,
        }
    }
}

impl Diff {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        let runs = Pair { left: context.find_run(&self.left)?, right: context.find_run(&self.right)? };
        let sessions = Pair { left: questions::open(&runs.left)?, right: questions::open(&runs.right)? };
        for field in self.ignore_field.iter().filter(|field| !field.contains('*')) {
            if let Err(unknown) = sessions.left.find_field(field) {
                sessions.right.find_field(field).map_err(|_| questions::explain(unknown))?;
            }
        }
        for method in self.ignore_method.iter().filter(|method| !method.contains('*')) {
            if let Err(unknown) = sessions.left.check_called(method) {
                sessions.right.check_called(method).map_err(|_| questions::explain(unknown))?;
            }
        }
        let filters = self.filters();
        let compared = {
            let progress = Progress::new(context, "comparing the runs");
            Comparison::new(sessions.as_ref(), &filters, &|instructions| progress.add(instructions))
        };
        let diff = match compared {
            Ok(diff) => diff,
            Err(DiffError::Session(error)) => return Err(error.into()),
            Err(error @ DiffError::TooManyDifferences) => return Err(UserError::new(error.to_string()).into()),
            Err(DiffError::DifferentPrograms { started }) => return Err(different_programs(&runs, started).into()),
        };
        let teller = Teller::new(context, &runs, &sessions, &diff, self.all)?;
        if context.json {
            json::print(&teller)?
        } else {
            teller.tell()?
        }
        Ok(if diff.is_same() { Outcome::Done } else { Outcome::Negative })
    }

    fn filters(&self) -> Filters {
        let is_all = self.ignore_value.contains(&Kind::None);
        let volatile = self.ignore_value.iter().filter(|_| !is_all).filter_map(|kind| kind.volatile());
        Filters {
            fields: self.ignore_field.clone(),
            methods: self.ignore_method.clone(),
            volatile: volatile.collect(),
            control_only: self.control_only,
        }
    }
}

fn different_programs(runs: &Pair<Run>, started: Pair<Option<String>>) -> UserError {
    let error = UserError::new(format!("{} and {} are runs of different programs", runs.left.id, runs.right.id));
    match started {
        Pair { left: Some(left), right: Some(right) } => {
            error.hint(format!("one starts with {left}, the other with {right}; `whydunit runs` lists the commands"))
        }
        _ => error.hint("they have no class in common; `whydunit runs` lists the commands"),
    }
}

struct Teller<'d> {
    context: &'d Context,
    runs: &'d Pair<Run>,
    sessions: &'d Pair<Session>,
    /// Only where there are several threads: with one, its steps are those of the run.
    moments: Pair<Option<&'d Moments>>,
    diff: &'d Comparison<'d>,
    is_all: bool,
}

impl<'d> Teller<'d> {
    fn new(
        context: &'d Context,
        runs: &'d Pair<Run>,
        sessions: &'d Pair<Session>,
        diff: &'d Comparison<'d>,
        is_all: bool,
    ) -> Result<Teller<'d>> {
        let mut moments = Pair::default();
        if !diff.is_same() {
            for side in Side::BOTH {
                if sessions[side].recording().threads.len() > 1 {
                    moments[side] = Some(questions::index(context, &runs[side], &sessions[side])?);
                }
            }
        }
        Ok(Teller { context, runs, sessions, moments, diff, is_all })
    }

    /// The number of a step among those of all threads.
    fn number(&self, side: Side, place: &StepPlace) -> Result<u64> {
        Ok(match self.moments[side] {
            Some(moments) => moments.global_step(place.thread, place.step)?.unwrap_or(place.step),
            None => place.step,
        })
    }

    fn tell(&self) -> Result<()> {
        let mut out = io::BufWriter::new(self.context.stdout());
        let differences: Vec<DifferenceView<'_>> = self.diff.differences().collect();
        if let Some(first) = differences.first() {
            self.difference(&mut out, first, "the runs part first")?;
        }
        let first_control = differences.iter().position(|difference| difference.group.first.kind.is_control());
        if let Some(control) = first_control.filter(|&position| position > 0) {
            writeln!(out)?;
            self.difference(&mut out, &differences[control], "they first go different ways")?;
        }
        if differences.len() > 1 {
            writeln!(out)?;
            self.summary(&mut out, &differences)?;
        }
        self.threads(&mut out)?;
        for (method, is_aligned) in self.diff.changed() {
            let how = if is_aligned { "both versions were aligned" } else { "what it does was not compared" };
            writeln!(out, "{WARNING}{method}{WARNING:#} has other code: {how}")?;
        }
        if self.diff.is_same() {
            let steps: u64 = self.diff.threads().iter().map(|thread| thread.steps.left).sum();
            writeln!(out, "no difference in {} steps", text::grouped(steps))?;
        }
        out.flush()?;
        drop(out);
        self.notes(first_control.map(|control| &differences[control]).or(differences.first()))
    }

    fn difference(&self, out: &mut impl Write, difference: &DifferenceView<'_>, heading: &str) -> Result<()> {
        writeln!(out, "{HEADING}{heading} in {}{HEADING:#}: {}", self.place(difference), difference.what)?;
        let side = side_of(difference);
        let source = difference.sides[side].place.and_then(|place| self.sessions[side].source_line_of(&place));
        if let Some(source) = source {
            writeln!(out, "  {FAINT}{}{FAINT:#}", text::without_tabs(&source))?;
        }
        let names = self.names();
        let width = names.left.chars().count().max(names.right.chars().count());
        for side in Side::BOTH {
            let view = &difference.sides[side];
            let step = match &view.place {
                Some(place) => format!("step {}", self.number(side, place)?),
                None => String::new(),
            };
            writeln!(out, "  {:width$}  {FAINT}{step}{FAINT:#}  {GOOD}{}{GOOD:#}", names[side], view.text)?;
        }
        let shown = if self.is_all { usize::MAX } else { CALLERS };
        for caller in difference.callers.iter().take(shown) {
            let name = self.sessions.left.name_of_place(&caller.left);
            let (left, right) = (self.number(Side::Left, &caller.left)?, self.number(Side::Right, &caller.right)?);
            let steps = if left == right { format!("step {left}") } else { format!("steps {left} and {right}") };
            let source = self.sessions.left.source_line_of(&caller.left).unwrap_or_default();
            writeln!(out, "  {FAINT}called from{FAINT:#} {name}  {}  {FAINT}{steps}{FAINT:#}", source.trim())?;
        }
        let apart = difference.group.apart;
        if difference.group.count == 1 && apart != Pair::default() {
            let steps = |count: u64| text::count(count as usize, "step", "steps");
            let (left, right) = (steps(apart.left), steps(apart.right));
            writeln!(out, "  {FAINT}apart for {left} and {right}{FAINT:#}")?;
        }
        Ok(())
    }

    /// One row for each line of the source.
    fn summary(&self, out: &mut impl Write, differences: &[DifferenceView<'_>]) -> Result<()> {
        let mut rows: Vec<(String, Vec<&DifferenceView<'_>>)> = Vec::new();
        for difference in differences {
            let place = self.place(difference);
            match rows.iter_mut().find(|(known, _)| *known == place) {
                Some((_, row)) => row.push(difference),
                None => rows.push((place, vec![difference])),
            }
        }
        let total: u64 = differences.iter().map(|difference| difference.group.count).sum();
        let lines = text::count(rows.len(), "line", "lines");
        writeln!(out, "{HEADING}all differences: {} in {lines}{HEADING:#}", text::grouped(total))?;
        let columns =
            [("line", Align::Left), ("times", Align::Right), ("what", Align::Left), ("the first time", Align::Left)];
        let mut table = Table::new(&columns);
        let shown = if self.is_all { usize::MAX } else { SHOWN };
        for (place, row) in rows.iter().take(shown) {
            // One that is about control says more than what follows from it.
            let is_control = |difference: &DifferenceView<'_>| difference.group.first.kind.is_control();
            let listed = if self.is_all { row.len() } else { 1 };
            let mut ordered = row.clone();
            ordered.sort_by_key(|difference| !is_control(difference));
            for (number, difference) in ordered.into_iter().take(listed).enumerate() {
                let short = |side: Side| text::shortened(&difference.sides[side].text, WIDTH);
                let style = if is_control(difference) { WARNING } else { Style::new() };
                let others = row.len() - listed;
                let more = if others > 0 { format!(" and {others} more") } else { String::new() };
                let counted = if listed == 1 { row.as_slice() } else { &[difference] };
                let times: u64 = counted.iter().map(|difference| difference.group.count).sum();
                table.row([
                    (if number == 0 { place.clone() } else { String::new() }, Style::new()),
                    (text::grouped(times), Style::new()),
                    (format!("{}{more}", difference.what), style),
                    (format!("{} | {}", short(Side::Left), short(Side::Right)), Style::new()),
                ]);
            }
        }
        write!(out, "{}", table.render(FAINT))?;
        if let Some(more) = rows.len().checked_sub(shown).filter(|&more| more > 0) {
            writeln!(out, "{FAINT}… {} (--all){FAINT:#}", text::count(more, "more line", "more lines"))?;
        }
        Ok(())
    }

    /// `Cart.total:31`
    fn place(&self, difference: &DifferenceView<'_>) -> String {
        let side = side_of(difference);
        let place = &difference.sides[side].place;
        place.as_ref().map_or_else(|| "unrecorded code".to_owned(), |place| self.sessions[side].name_of_place(place))
    }

    fn threads(&self, out: &mut impl Write) -> Result<()> {
        for thread in self.diff.threads() {
            for side in Side::BOTH {
                if let (Some(id), None) = (thread.ids[side], thread.ids[side.other()]) {
                    let name = self.sessions[side].thread_name(id).map_or_else(|| id.to_string(), str::to_owned);
                    let run = &self.names()[side];
                    writeln!(out, "{WARNING}thread {name}{WARNING:#} is only in {run}")?;
                }
            }
        }
        Ok(())
    }

    fn names(&self) -> Pair<String> {
        self.runs.as_ref().map(|run| run.id.to_string())
    }

    fn notes(&self, difference: Option<&DifferenceView<'_>>) -> Result<()> {
        let ignored: Vec<(String, u64)> = self.diff.ignored().collect();
        if !ignored.is_empty() {
            let total: u64 = ignored.iter().map(|(_, count)| count).sum();
            let names: Vec<&str> = ignored.iter().take(3).map(|(name, _)| name.as_str()).collect();
            let more = if ignored.len() > names.len() { ", …" } else { "" };
            self.context.note(&format!(
                "not compared: {} different results of {}{more} (--ignore-value none compares them)",
                text::grouped(total),
                names.join(", ")
            ));
        }
        if let Some(place) = difference.and_then(|difference| difference.sides.right.place) {
            let step = self.number(Side::Right, &place)?;
            let command = self.context.command(&format!("why {step} --run {}", self.runs.right.id));
            self.context.note(&format!("to go back from there: {command}"));
        }
        Ok(())
    }
}

/// The run whose place tells more: where an exception is thrown, or a method runs at all.
fn side_of(difference: &DifferenceView<'_>) -> Side {
    let Pair { left, right } = &difference.sides;
    let is_thrown_right =
        matches!(&difference.group.first.kind, DifferenceKind::Exception { thrown } if thrown.left.is_none());
    let is_only_right = matches!(&difference.group.first.kind, DifferenceKind::Code { only: Side::Right });
    let is_right = left.place.is_none() || is_only_right || is_thrown_right && right.place.is_some();
    if is_right { Side::Right } else { Side::Left }
}
