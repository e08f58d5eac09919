//! `whydunit find`: the first wrong step, found by questions.

mod answers;
mod json;
mod telling;

use crate::commands::questions::{OpenRun, no_such_step};
use crate::commands::run_argument::RunName;
use crate::context::{Context, Outcome};
use crate::error::{Result, UserError};
use answers::{Said, Sayings};
use telling::Teller;
use whydunit_debugger::{Asked, Finder, ThreadId};

/// Find the first wrong step of a run by answering questions about single steps
///
/// It starts at the failure: an exception that nobody caught, or a failed test. Each question shows a step, what it reads
/// and writes, and why it was chosen. What is right and what is wrong there rules out most of what is left.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Answers:
  correct              the step had to run, and all its values are right
  wrong 1 3            these of the values that it reads are wrong, the others are right
  result               what it reads is right, what it makes of it is wrong: this is the first wrong step
  path                 the step should not have run
  hidden               something that it makes is wrong, but neither the line nor what it reads
  unclear              you cannot tell
  undo [N]             take back the last answer, or all from the Nth on
  quit                 leave; the answers are printed, to go on with `--answers`

Examples:
  whydunit find
  whydunit find --at 4711
  whydunit find --answers answers.txt
  printf 'wrong 1\\nresult\\n' | whydunit find --json

Exit code: 0 the first wrong step was found, 1 it was not, 2 there is no such run or step.")]
pub(crate) struct Find {
    #[command(flatten)]
    run: RunName,

    /// The step in which the failure is seen
    #[arg(long, value_name = "STEP")]
    at: Option<u64>,

    /// Answers to begin with, one in each line
    #[arg(long, value_name = "FILE")]
    answers: Option<std::path::PathBuf>,
}

impl Find {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        let open = OpenRun::find(context, self.run.as_str())?;
        let moments = open.moments(context)?;
        let (thread, step) = self.failure(context, &open)?;
        let unknown = || UserError::new("nothing is known of the step where the run fails");
        let mut finder = Finder::new(&open.session, moments, thread, step)?.ok_or_else(unknown)?;
        let teller = Teller { context, session: &open.session, moments };
        let mut sayings = Sayings::new(context, self.answers.as_deref())?;
        loop {
            let asked = match finder.next()? {
                Asked::Found(finding) => {
                    teller.found(&finder, &finding)?;
                    return Ok(Outcome::Done);
                }
                Asked::Beyond => {
                    teller.beyond(&finder)?;
                    return Ok(Outcome::Negative);
                }
                Asked::Step(asked) => asked,
            };
            let number = finder.search().answers().len() + 1;
            teller.question(&asked, number)?;
            match sayings.next(asked.reads.len(), number)? {
                Some(Said::Reply(reply)) => {
                    if let Some(contradiction) = finder.reply(&asked, &reply) {
                        teller.contradiction(&contradiction)?;
                    }
                }
                Some(Said::Undo(position)) => finder.back_to(position),
                None => {
                    sayings.print(context)?;
                    return Ok(Outcome::Negative);
                }
            }
        }
    }

    /// Where the run fails.
    fn failure(&self, context: &Context, open: &OpenRun) -> Result<(ThreadId, u64)> {
        let moments = open.moments(context)?;
        let step = match self.at {
            Some(step) => step,
            None => match open.session.failures(moments)?.split_last() {
                Some((failure, others)) => {
                    let at = moments.local_step(failure.step)?.unwrap_or((failure.thread, failure.step));
                    let exception = open.session.words_of_exception(moments, at, failure.exception)?;
                    let others = match others.len() {
                        0 => String::new(),
                        count => format!("; {count} others left recorded code, `why --exception` names them"),
                    };
                    context.note(&format!("the failure is {exception}, thrown in step {}{others}", failure.step));
                    failure.step
                }
                None => {
                    return Err(UserError::new("no exception was left uncaught in this run")
                        .hint("name the step where you see that something is wrong: `whydunit find --at STEP`")
                        .into());
                }
            },
        };
        Ok(moments.local_step(step)?.ok_or_else(|| no_such_step(step, moments.all_steps()))?)
    }
}
