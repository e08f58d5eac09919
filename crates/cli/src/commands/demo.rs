//! `whydunit demo`: from a wrong output back to the wrong line, on a program that comes along.

mod example;
mod trail;

use crate::commands::asked_place::AskedPlace;
use crate::commands::questions::OpenRun;
use crate::commands::why::AskedWhy;
use crate::context::{Context, FAINT, GOOD, HEADING, Outcome, WARNING};
use crate::error::{Result, UserError};
use example::Example;
use std::io::{self, Write};
use trail::{History, Spot};

/// Record a small program with a bug and follow its wrong output back to the wrong line
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  whydunit demo

Needs a JDK (17 or newer): JAVA_HOME, or `javac` and `java` on the PATH.")]
pub(crate) struct Demo {}

/// The line of the output that is wrong starts like this.
const WRONG: &str = "total: ";

impl Demo {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        let mut page = Page { out: context.stdout(), number: 0 };
        page.text("A small shop prints an invoice. Its total is wrong: where does that come from?")?;
        let example = Example::unpack()?;
        page.heading("Compile it:  javac -g -d classes src/shop/*.java")?;
        example.compile()?;
        page.heading("Record it:  whydunit record -- java -cp classes shop.Main")?;
        let recorded = example.record(context.store()?.dir())?;
        page.block(&recorded.output)?;
        let open = OpenRun::find(context, &recorded.run)?;
        let session = &open.session;

        let wrong = recorded.output.lines().find(|line| line.starts_with(WRONG)).unwrap_or(WRONG);
        let Some(printed) = trail::printed(session, wrong)? else {
            return Err(lost(&format!("the call that printed `{wrong}`")));
        };
        page.heading(&format!("What printed `{wrong}`?"))?;
        page.spot(&printed.spot)?;

        let histories = trail::histories(session, &printed)?;
        let changed: Vec<&History> = histories.iter().filter(|history| history.writes.len() > 1).collect();
        page.heading(&format!(
            "Which values went into it?  {} fields were read; those written more than once:",
            histories.len()
        ))?;
        for history in &changed {
            page.text(&format!("     {}", history.name))?;
            for write in &history.writes {
                page.spot(write)?;
            }
        }
        let Some(last) = changed.first().and_then(|history| history.writes.last()) else {
            return Err(lost("a field that was written more than once"));
        };
        page.heading(&format!("Why was it written again?  whydunit why {}", last.step))?;
        AskedWhy { step: Some(AskedPlace::Step(last.step)), ..AskedWhy::default() }.answer(context, &open)?;
        page.text("Should that line replace the old value?")?;
        page.next(last)?;
        Ok(Outcome::Done)
    }
}

fn lost(what: &str) -> crate::error::CommandError {
    UserError::new(format!("the demo did not find {what}"))
        .hint("this is a bug in whydunit: please report it with your JDK's version")
        .into()
}

/// The demo's output.
struct Page<W> {
    out: W,
    number: u32,
}

impl<W: Write> Page<W> {
    fn text(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{text}")
    }

    fn heading(&mut self, text: &str) -> io::Result<()> {
        self.number += 1;
        writeln!(self.out, "\n{HEADING}{}. {text}{HEADING:#}", self.number)
    }

    fn block(&mut self, text: &str) -> io::Result<()> {
        for line in text.lines() {
            let style = if line.starts_with(WRONG) { WARNING } else { anstyle::Style::new() };
            writeln!(self.out, "     {style}{line}{style:#}")?;
        }
        Ok(())
    }

    fn spot(&mut self, spot: &Spot) -> io::Result<()> {
        let Spot { step, place, words, source, .. } = spot;
        writeln!(self.out, "     step {step:<4} {FAINT}{place:<16}{FAINT:#} {GOOD}{words:<28}{GOOD:#} {source}")
    }

    fn next(&mut self, spot: &Spot) -> io::Result<()> {
        let method = spot.place.split(':').next().unwrap_or(&spot.place);
        writeln!(self.out, "\n{HEADING}Try next{HEADING:#}")?;
        if let Some(field) = &spot.field {
            writeln!(self.out, "  whydunit dump --field {field:<20} every read and write of that field")?;
        }
        writeln!(self.out, "  whydunit dump --method {method:<19} everything that method did")?;
        writeln!(
            self.out,
            "  whydunit tree                              the run as a tree of calls, with numbers of steps"
        )?;
        writeln!(self.out, "  whydunit why STEP                          where the values of a step come from")?;
        writeln!(self.out, "  whydunit open                              a prompt to walk through the run")?;
        writeln!(self.out, "  whydunit info                              all about this run")?;
        writeln!(self.out, "  whydunit record -- java -cp classes Main   your own program")
    }
}
