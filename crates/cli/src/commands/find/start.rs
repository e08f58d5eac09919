//! Where a search starts: where the user sees that something is wrong.

use crate::commands::asked_place::AskedPlace;
use crate::commands::questions::{OpenRun, explain, no_such_step};
use crate::context::Context;
use crate::error::{CommandError, Result, UserError};
use std::convert::Infallible;
use std::io::{self, BufRead, IsTerminal, Write};
use std::ops::ControlFlow;
use std::str::FromStr;
use whydunit_debugger::{EventKind, Failure, Literal, Moments, Question, Session, ThreadId};

/// Methods that put something out, as their names begin.
const PRINTING: &[&str] = &["print", "write", "append", "format", "log", "info", "warn", "error", "debug"];

/// As the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AskedStart {
    Place(AskedPlace),
    /// What was put out.
    Text(String),
    /// `e:42`: a line if the run has such a file, else what was put out.
    LineOrText(String),
}

impl FromStr for AskedStart {
    type Err = Infallible;

    fn from_str(text: &str) -> std::result::Result<AskedStart, Infallible> {
        let is_line = text.rsplit_once(':').is_some_and(|(file, line)| {
            !file.contains(char::is_whitespace) && !line.is_empty() && line.chars().all(|c| c.is_ascii_digit())
        });
        let place: AskedPlace = text.parse()?;
        Ok(match place {
            AskedPlace::Line(text) if is_line => AskedStart::LineOrText(text),
            AskedPlace::Line(text) => AskedStart::Text(text),
            AskedPlace::Step(_) => AskedStart::Place(place),
        })
    }
}

impl AskedStart {
    pub(super) fn find(&self, session: &Session, moments: &Moments) -> Result<(ThreadId, u64)> {
        match self {
            AskedStart::Place(place) => place.find(session, moments),
            AskedStart::LineOrText(line) if session.has_file_of(line) => {
                AskedPlace::Line(line.clone()).find(session, moments)
            }
            AskedStart::Text(text) | AskedStart::LineOrText(text) => match last_output(session, moments, text)? {
                Some(step) => Ok(moments.local_step(step)?.ok_or_else(|| no_such_step(step, moments.all_steps()))?),
                None => Err(self.not_found(session, text)),
            },
        }
    }

    fn not_found(&self, session: &Session, text: &str) -> CommandError {
        let problem = format!("no recorded code has put out `{text}`");
        let as_line = match self {
            AskedStart::LineOrText(line) => session.find_code_line(line).err().map(explain),
            AskedStart::Place(_) | AskedStart::Text(_) => None,
        };
        let (problem, hint) = match as_line {
            Some(UserError { message: unknown, hint, .. }) => (format!("{unknown}, and {problem}"), hint),
            None => (problem, None),
        };
        let error = UserError::new(problem);
        match hint {
            Some(hint) => error.hint(hint),
            None => error.hint_to_ask(
                "name the step or line instead; to see where the text comes up",
                format!("search --text '{text}'"),
            ),
        }
        .into()
    }
}

/// The last call that was given a text, or a number that is written so, to put it out.
fn last_output(session: &Session, moments: &Moments, text: &str) -> Result<Option<u64>> {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let number = inner.parse::<Literal>().ok().filter(|literal| !matches!(literal, Literal::Object(_)));
    let mut questions = vec![Question { text: Some(inner.to_owned()), ..Question::default() }];
    questions.extend(number.map(|value| Question { value: Some(value), ..Question::default() }));
    let mut last = None;
    for question in questions {
        session.occurrences(moments, &question, usize::MAX, true, &|_| {}, &mut |found| match &found.event.kind {
            EventKind::Call { name, .. } if PRINTING.iter().any(|start| name.starts_with(start)) => {
                last = last.max(Some(found.step));
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        })?;
    }
    Ok(last)
}

/// The step where the run fails. With several failures the user chooses; without a terminal, the last one is taken and
/// the others are named.
pub(super) fn failure(context: &Context, open: &OpenRun) -> Result<(ThreadId, u64)> {
    let moments = open.moments(context)?;
    let failures = open.session.failures(moments)?;
    let chosen = match &failures[..] {
        [] => {
            return Err(UserError::new("no exception was left uncaught in this run")
                .hint_to_ask(
                    "name where you see that something is wrong, by a step, a line or what was put out",
                    "find --at STEP|FILE:LINE|TEXT",
                )
                .into());
        }
        [only] => {
            let exception = exception_words(&open.session, moments, only)?;
            context.note(&format!("the failure is {exception}, thrown in step {}", only.step));
            only
        }
        several => choose(context, &open.session, moments, several)?,
    };
    Ok(moments.local_step(chosen.step)?.ok_or_else(|| no_such_step(chosen.step, moments.all_steps()))?)
}

fn exception_words(session: &Session, moments: &Moments, failure: &Failure) -> Result<String> {
    let at = moments.local_step(failure.step)?.unwrap_or((failure.thread, failure.step));
    Ok(session.words_of_exception(moments, at, failure.exception)?)
}

fn choose<'f>(context: &Context, session: &Session, moments: &Moments, failures: &'f [Failure]) -> Result<&'f Failure> {
    let is_asked = io::stdin().is_terminal() && !context.json;
    let last = &failures[failures.len() - 1];
    let what = if is_asked { "which one?" } else { "this is about the last one" };
    context.note(&format!("{} failures: {what}", failures.len()));
    for (number, failure) in (1..).zip(failures) {
        let within = session.method_name(failure.method);
        let exception = exception_words(session, moments, failure)?;
        context.note(&format!("{number:>3}  {within}  {exception}  `--at {}`", failure.step));
    }
    if !is_asked {
        return Ok(last);
    }
    loop {
        eprint!("failure [{}]> ", failures.len());
        let _ = io::stderr().flush();
        let mut line = String::new();
        if io::stdin().lock().read_line(&mut line).unwrap_or_default() == 0 || line.trim().is_empty() {
            return Ok(last);
        }
        let number: Option<usize> = line.trim().parse().ok();
        match number.and_then(|number| failures.get(number.checked_sub(1)?)) {
            Some(failure) => return Ok(failure),
            None => context.note(&format!("write a number from 1 to {}", failures.len())),
        }
    }
}
