//! `whydunit open`: a prompt to walk through a run, forwards and backwards.

mod asking;
mod brief;
mod completion;
mod language;
mod lines;
mod walker;

use crate::commands::asked_place::AskedPlace;
use crate::commands::questions::{OpenRun, no_such_step, thread_name};
use crate::commands::run_argument::RunName;
use crate::context::{Context, Kept, Outcome};
use crate::error::{CommandError, Result, UserError};
use language::{PromptCommand, Understood};
use lines::Lines;
use serde_json::{Value as Json, json};
use std::io::Write;
use walker::Walker;

/// Walk through a run at a prompt: forwards, backwards, over calls, to a line, and from a value to where it came from
///
/// It starts where the last exception was thrown that no recorded code caught: it ended the program, or a test failed with
/// it. Without one it starts at the end of the main thread. `help` lists the commands; an empty line goes on as before.
/// When the input is no terminal, each of its lines is a command; with `--json` each answer is one line of JSON.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  whydunit open
  whydunit open --step 4711
  whydunit open before-fix
  printf 'why total\\nfollow\\nstack\\n' | whydunit open
  printf 'to Cart.java:31\\nprint total\\n' | whydunit open --json

Exit code: 0 the prompt was left, 2 there is no such run or step to start at.")]
pub(crate) struct Open {
    #[command(flatten)]
    run: RunName,

    /// Start at this step, or at the last visit to a line
    #[arg(long, value_name = "STEP|FILE:LINE")]
    step: Option<AskedPlace>,
}

/// What a command has led to.
enum Told {
    Done,
    /// The answer is no, or there is none.
    Negative,
    Failed(UserError),
}

impl Open {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        let open = OpenRun::find(context, self.run.as_str())?;
        let kept = Kept::default();
        let keeping = context.json.then(|| context.keeping(kept.clone()));
        let inner = keeping.as_ref().unwrap_or(context);
        let (start, reason) = self.start(context, &open)?;
        let mut walker = Walker::new(inner, &open, start)?;
        let teller = Teller { context, kept };
        if !context.json {
            writeln!(context.stdout(), "{reason}")?;
        }
        let told = teller.outcome(walker.look())?;
        let answer = json!({ "reason": reason, "at": teller.answer(false) });
        teller.tell("open", walker.at(), &told, answer)?;
        let mut lines = Lines::new(context, &open.session);
        let mut movement = String::new();
        while let Some(typed) = lines.next_line(walker.view()) {
            let mut has_lines = false;
            let line = if typed.trim().is_empty() { movement.clone() } else { typed };
            let outcome = match language::understand(&line) {
                Ok(Understood::Nothing) => continue,
                Ok(Understood::Command(command)) if matches!(*command, PromptCommand::Quit) => break,
                Ok(Understood::Help(text)) => {
                    teller.help(&line, walker.at(), &text)?;
                    continue;
                }
                Ok(Understood::Command(command)) => {
                    has_lines = command.answers_in_lines();
                    if command.is_movement() {
                        movement.clone_from(&line);
                    }
                    walker.execute(*command)
                }
                Err(error) => Err(error.into()),
            };
            let told = teller.outcome(outcome)?;
            let answer = teller.answer(has_lines);
            teller.tell(&line, walker.at(), &told, answer)?;
        }
        Ok(Outcome::Done)
    }

    /// The step to start at, and why there.
    fn start(&self, context: &Context, open: &OpenRun) -> Result<(u64, String)> {
        let moments = open.moments(context)?;
        let all = moments.all_steps();
        if let Some(asked) = &self.step {
            let step = asked.number(&open.session, moments)?;
            return match (1..=all).contains(&step) {
                true => Ok((step, format!("Here is step {step}."))),
                false => Err(no_such_step(step, all).into()),
            };
        }
        let session = &open.session;
        let failures = session.failures(moments)?;
        if let Some(failure) = failures.last() {
            let at = moments.local_step(failure.step)?.ok_or_else(|| no_such_step(failure.step, all))?;
            let exception = session.words_of_exception(moments, at, failure.exception)?;
            let name = thread_name(session, failure.thread);
            let others = match failures.len() {
                1 => String::new(),
                count => format!(" It is the last of {count}: `why --exception` names them all."),
            };
            let reason =
                format!("{exception} was thrown here in thread {name}, and no recorded code caught it.{others}");
            return Ok((failure.step, reason));
        }
        let end = session.end_of_main(moments)?.ok_or_else(|| no_such_step(1, all))?;
        let (thread, _) = moments.local_step(end)?.ok_or_else(|| no_such_step(end, all))?;
        let name = thread_name(session, thread);
        Ok((end, format!("No exception was left uncaught: here is the end of thread {name}.")))
    }
}

/// Tells what came of each command, in words or as lines of JSON.
struct Teller<'c> {
    context: &'c Context,
    kept: Kept,
}

impl Teller<'_> {
    /// Mistakes of the user do not end the prompt; closed output does.
    fn outcome(&self, outcome: Result<Outcome>) -> Result<Told> {
        match outcome {
            Ok(Outcome::Negative) => Ok(Told::Negative),
            Ok(_) => Ok(Told::Done),
            Err(CommandError::User(error)) => Ok(Told::Failed(error)),
            Err(closed) => Err(closed),
        }
    }

    /// What was kept of a command that prints one value, or one in each line.
    fn answer(&self, has_lines: bool) -> Json {
        let kept = self.kept.take();
        let mut values = serde_json::Deserializer::from_slice(&kept).into_iter().map_while(|value| value.ok());
        if has_lines { Json::Array(values.collect()) } else { values.next().unwrap_or_default() }
    }

    fn tell(&self, command: &str, step: u64, told: &Told, answer: Json) -> Result<()> {
        if !self.context.json {
            if let Told::Failed(error) = told {
                self.context.print_error(error);
            }
            return Ok(());
        }
        let mut line = json!({ "command": command, "step": step, "answer": answer });
        line["outcome"] = match told {
            Told::Done => json!("done"),
            Told::Negative => json!("negative"),
            Told::Failed(_) => json!("failed"),
        };
        if let Told::Failed(error) = told {
            line["error"] = self.context.error_json(error);
        }
        writeln!(self.context.stdout(), "{line}")?;
        Ok(())
    }

    fn help(&self, command: &str, step: u64, text: &str) -> Result<()> {
        if self.context.json {
            let line = json!({ "command": command, "step": step, "answer": text, "outcome": "done" });
            writeln!(self.context.stdout(), "{line}")?;
        } else {
            write!(self.context.stdout(), "{text}")?;
        }
        Ok(())
    }
}
