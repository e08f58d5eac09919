//! `whydunit find`: the first wrong step, found by questions.

mod answers;
mod dialogue;
mod json;
mod kept;
mod start;
mod telling;
mod words;

use crate::commands::questions::OpenRun;
use crate::commands::run_argument::RunName;
use crate::context::{Context, Outcome};
use crate::error::{Result, UserError};
use answers::Sayings;
use dialogue::Dialogue;
use kept::Kept;
use start::AskedStart;
use std::collections::BTreeSet;
use telling::Teller;
use whydunit_debugger::{Finder, OtherTests, Policy, Tested, ThreadId};

/// Find the first wrong step of a run by answering questions about single steps
///
/// It starts at the failure: an exception that nobody caught, a failed test, or what `--at` names. Each question shows a
/// step, what decided that it ran, what it reads and makes, and why it was chosen. What is right and what is wrong there
/// rules out most of what is left.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Answers:
  correct              the step had to run, and all its values are right
  wrong 1 3            these of the values that it reads are wrong, the others are right
  wrong 1.price        this is wrong in an object that it reads, or in a variable: `wrong cart.lines[0].price`
  wrong a.total        this is wrong in what it makes of right values; `wrong after cart.total`: in what it has changed
  look 1               what is in an object: `look a.lines[0]`, `look after cart`
  result               what it reads is right, what it makes of it is wrong: this is the first wrong step
  path                 the step should not have run
  hidden               something that it makes is wrong, but neither the line nor what it reads
  unclear              you cannot tell
  missing              code that should have changed a value is not there: shows where it should be
  undo [N]             take back the last answer, or all from the Nth on
  answers              show the answers so far
  quit                 leave; the answers are kept beside the run

Examples:
  whydunit find
  whydunit find --at 4711
  whydunit find --at Cart.java:31
  whydunit find --at 'total: 12'
  whydunit find --resume
  whydunit find --like 2026-11
  printf 'wrong 1\\nresult\\n' | whydunit find --json

Exit code: 0 the first wrong step was found, 1 it was not, 2 there is no such run or step.")]
pub(crate) struct Find {
    #[command(flatten)]
    run: RunName,

    /// Where something is seen to be wrong: a step, the last visit to a line, or the last time that a text was put out
    #[arg(long, value_name = "STEP|FILE:LINE|TEXT")]
    at: Option<AskedStart>,

    /// Answers to begin with, one in each line
    #[arg(long, value_name = "FILE")]
    answers: Option<std::path::PathBuf>,

    /// Go on with the answers of the last search in this run
    #[arg(long)]
    resume: bool,

    /// Another run of the same bug: its answers hold for steps that are alike
    #[arg(long, value_name = "RUN")]
    like: Option<String>,

    /// A recorded run of other tests of the program, also several times: lines that tests have run which passed are less
    /// likely to be wrong. Those of the same run count as they are
    #[arg(long, value_name = "RUN")]
    tests: Vec<String>,

    /// How the next question is chosen
    #[arg(long, value_enum, default_value_t = AskedPolicy::Expected)]
    policy: AskedPolicy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum AskedPolicy {
    /// The question after which the fewest others are to be expected
    Expected,
    /// Back from each wrong value to what made it, over loops that are known to be sound
    Paper,
}

impl Find {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        let open = OpenRun::find(context, self.run.as_str())?;
        let moments = open.moments(context)?;
        let (thread, step) = match &self.at {
            Some(at) => at.find(&open.session, moments)?,
            None => start::failure(context, &open)?,
        };
        let unknown = || UserError::new("nothing is known of the step where the run fails");
        let others = self.other_tests(context, &open, (thread, step))?;
        let finder = Finder::new(&open.session, moments, thread, step, others)?.ok_or_else(unknown)?;
        let sayings = Sayings::new(context, self.answers.as_deref())?;
        let mut kept = Kept::of(&open.run);
        let start = moments.global_step(thread, step)?.unwrap_or(step);
        let before = kept.read(Some(start))?;
        let go_on = match before.len() {
            0 if self.resume => {
                let error = UserError::new("no answers of an earlier search that started here are kept");
                return Err(error.hint_to_ask("start one", "find").into());
            }
            0 => false,
            number if !self.resume => {
                let is_wanted =
                    sayings.agrees(&format!("{number} answers of an earlier search are kept: go on with them?"));
                if !sayings.is_terminal {
                    context
                        .note(&format!("{number} answers of an earlier search are kept: `--resume` goes on with them"));
                }
                is_wanted
            }
            _ => true,
        };
        if go_on {
            kept.go_on();
        }
        let like = match &self.like {
            None => Vec::new(),
            Some(name) => {
                let known = Kept::of(&context.find_run(name)?).read(None)?;
                if known.is_empty() {
                    let error = UserError::new(format!("no answers are kept in run `{name}`"));
                    return Err(error.hint(format!("`whydunit find {name}` collects them")).into());
                }
                known
            }
        };
        let policy = match self.policy {
            AskedPolicy::Expected => Policy::Expected,
            AskedPolicy::Paper => Policy::Paper,
        };
        Dialogue {
            teller: Teller { context, session: &open.session, moments, at: self.at.is_some().then_some(start) },
            finder: finder.with_policy(policy),
            sayings,
            kept,
            start,
            recalled: if go_on { before } else { Vec::new() },
            like,
            judgements: Vec::new(),
            disputed: BTreeSet::new(),
        }
        .hold()
    }

    fn other_tests(&self, context: &Context, open: &OpenRun, failing: (ThreadId, u64)) -> Result<OtherTests> {
        let mut others = open.session.other_tests(open.moments(context)?, failing)?;
        for name in &self.tests {
            let run = OpenRun::find(context, name)?;
            if !others.add_run(&run.session, run.moments(context)?)? {
                context.note(&format!("there are no other tests in run `{name}` that passed or failed"));
            }
        }
        let Tested { passed, failed, .. } = others.tests();
        if passed + failed > 0 {
            let told = format!(
                "of other tests {passed} passed and {failed} failed: what they ran tells which lines are likely"
            );
            context.note(&told);
        }
        Ok(others)
    }
}
