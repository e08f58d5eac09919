//! `whydunit tree`: the run as a tree of calls and events.

mod json;

use crate::commands::asked_place::AskedPlace;
use crate::commands::questions::{self, OpenRun, no_such_step};
use crate::commands::run_argument::RunName;
use crate::context::{Context, FAINT, GOOD, HEADING, Outcome, WARNING};
use crate::error::Result;
use crate::progress::Progress;
use crate::text;
use anstyle::Style;
use std::io::{self, Write};
use whydunit_debugger::{EventKind, Fold, Left, MethodIndex, Node, NodeKind, TreeSize};

/// Show a run as a tree: threads, the calls in them, and what each call did
///
/// One line for each call, read, write, branch and exception: the number of the step, what happened, and the line of
/// the source. Values have the name of the variable that they come from or go to. `▼` is open, `▶` is folded: `--step`
/// with its number opens it. Iterations of loops are folded.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  whydunit tree
  whydunit tree --step 4711
  whydunit tree --depth 6 --limit 1000
  whydunit tree --method Cart.add
  whydunit tree --object '<ArrayList:1>'
  whydunit tree --thread main --json

Exit code: 0 a tree was shown, 1 there is nothing to show, 2 there is no such step, thread, method or object.")]
pub(crate) struct Tree {
    #[command(flatten)]
    run: RunName,

    #[command(flatten)]
    asked: AskedTree,
}

#[derive(Debug, clap::Args)]
pub(super) struct AskedTree {
    /// Only this thread: its name or number
    #[arg(long)]
    thread: Option<String>,

    /// Open the call that has this step, at the step; FILE:LINE is the last visit to a line
    #[arg(long, value_name = "STEP|FILE:LINE", conflicts_with = "thread")]
    step: Option<AskedPlace>,

    /// Open each call of this method, `Class.method` or `method`; a constructor is `Class.<init>`
    #[arg(long, conflicts_with = "step")]
    method: Option<String>,

    /// Only what has to do with this object, written as it is shown: `<Cart:1>`
    #[arg(long, value_name = "OBJECT", conflicts_with_all = ["step", "method", "depth"])]
    object: Option<String>,

    /// Open calls inside of calls up to this depth, and iterations of loops
    #[arg(long, value_name = "N")]
    depth: Option<u32>,

    /// Show this many lines at most; with `--method`, this many calls
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// Calls of a method that are shown unless it is said how many.
const MOST_CALLS: usize = 10;

impl Tree {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        self.asked.answer(context, &OpenRun::find(context, self.run.as_str())?)
    }
}

impl AskedTree {
    /// Opened at a step if nothing else is asked for.
    pub(super) fn around(self, step: u64) -> AskedTree {
        let is_asked = self.step.is_some() || self.thread.is_some() || self.method.is_some() || self.object.is_some();
        AskedTree { step: if is_asked { self.step } else { Some(AskedPlace::Step(step)) }, ..self }
    }

    pub(super) fn answer(&self, context: &Context, open: &OpenRun) -> Result<Outcome> {
        let session = &open.session;
        let threads = self.thread.as_deref().map(|thread| session.find_threads(thread)).transpose();
        let threads = threads.map_err(questions::explain)?;
        let threads = threads.as_deref();
        let methods = self.method.as_deref().map(|method| session.find_methods(method)).transpose();
        let methods = methods.map_err(questions::explain)?;
        let object = self.object.as_deref().map(|object| session.find_object(object)).transpose();
        let object = object.map_err(questions::explain)?;
        let moments = open.moments(context)?;
        let size = self.size();
        let step = self.step.as_ref().map(|asked| asked.number(session, moments)).transpose()?;
        let (roots, has_more) = match (step, methods, object) {
            (Some(step), ..) => {
                let roots = session.tree_at(moments, step, size)?;
                (roots.ok_or_else(|| no_such_step(step, moments.all_steps()))?, false)
            }
            (_, Some(methods), _) => {
                let methods: Vec<MethodIndex> = methods.into_iter().collect();
                let most = self.limit.unwrap_or(MOST_CALLS);
                session.tree_of_calls(moments, &methods, threads, most, size)?
            }
            (_, _, Some(object)) => {
                let progress = Progress::new(context, "looking for the object");
                session.tree_of_object(moments, object, threads, size.lines, &|count| progress.add(count))?
            }
            _ => (session.tree(moments, threads, size)?, false),
        };
        if has_more {
            context.note("there is more: show it with a larger `--limit`");
        }
        if context.json {
            return json::print(context, session, &roots);
        }
        let has_steps = roots.iter().any(|root| !root.children.is_empty());
        let mut printer = Printer { out: io::BufWriter::new(context.stdout()), width: width_of(&roots) };
        printer.print(&roots, 0)?;
        printer.out.flush()?;
        if !has_steps {
            context.note("there is nothing to show");
            return Ok(Outcome::Negative);
        }
        Ok(Outcome::Done)
    }

    fn size(&self) -> TreeSize {
        let default = if self.step.is_some() || self.method.is_some() {
            TreeSize { depth: 1, ..TreeSize::default() }
        } else {
            TreeSize::default()
        };
        let lines = match self.limit {
            // Then it is the number of calls.
            Some(limit) if self.method.is_some() => limit.saturating_mul(default.most),
            Some(limit) => limit,
            None => default.lines,
        };
        TreeSize {
            depth: self.depth.unwrap_or(default.depth),
            lines,
            most: if self.limit.is_some() && self.method.is_none() { lines } else { default.most },
            opens_iterations: self.depth.is_some(),
        }
    }
}

struct Printer<W> {
    out: W,
    /// Of step numbers.
    width: usize,
}

fn width_of(nodes: &[Node]) -> usize {
    let own = |node: &Node| node.step.map_or(0, |step| step.to_string().len());
    nodes.iter().map(|node| own(node).max(width_of(&node.children))).max().unwrap_or_default()
}

impl<W: Write> Printer<W> {
    fn print(&mut self, nodes: &[Node], level: usize) -> io::Result<()> {
        for node in nodes {
            self.line(node, level)?;
            self.print(&node.children, level + 1)?;
        }
        Ok(())
    }

    fn line(&mut self, node: &Node, level: usize) -> io::Result<()> {
        let width = self.width;
        let out = &mut self.out;
        if let NodeKind::More { count, what } = node.kind {
            let more = more_words(count, what);
            let hint = node.step.map(|step| format!(" (whydunit tree --step {step})")).unwrap_or_default();
            return writeln!(out, "{:width$}  {:indent$}{FAINT}  {more}{hint}{FAINT:#}", "", "", indent = 2 * level);
        }
        match node.step {
            Some(step) => write!(out, "{FAINT}{step:>width$}{FAINT:#}  ")?,
            None => write!(out, "{:width$}  ", "")?,
        }
        let mark = match node.fold {
            Fold::Leaf => ' ',
            Fold::Folded => '▶',
            Fold::Open => '▼',
        };
        let style = style_of(node);
        write!(out, "{:indent$}{mark} {style}{}{style:#}", "", node.text, indent = 2 * level)?;
        if let Some(line) = node.line.filter(|_| !matches!(node.kind, NodeKind::Iteration { .. })) {
            write!(out, " {FAINT}[{line}]{FAINT:#}")?;
        }
        if node.is_focus {
            write!(out, " {HEADING}←{HEADING:#}")?;
        }
        writeln!(out)
    }
}

fn more_words(count: Option<u64>, what: Left) -> String {
    let plural = |one: &str, many: &str, count: u64| if count == 1 { one.to_owned() } else { many.to_owned() };
    match (count, what) {
        (None, _) => "… more".to_owned(),
        (Some(count), Left::Lines) => format!("… {} more", text::grouped(count)),
        (Some(count), Left::Iterations) => {
            format!("… {} more {}", text::grouped(count), plural("iteration", "iterations", count))
        }
        (Some(count), Left::Calls) => format!("… {} more {}", text::grouped(count), plural("call", "calls", count)),
    }
}

fn style_of(node: &Node) -> Style {
    match (node.kind, node.event.as_deref().map(|event| &event.kind)) {
        (NodeKind::Thread | NodeKind::Call, _) => HEADING,
        (_, Some(EventKind::FieldWritten { .. } | EventKind::ElementWritten { .. } | EventKind::LocalWritten(_))) => {
            GOOD
        }
        (_, Some(EventKind::Throw { .. } | EventKind::Catch { .. } | EventKind::Unwind { .. })) => WARNING,
        _ => Style::new(),
    }
}
