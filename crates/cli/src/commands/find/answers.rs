//! What the user says: from a file first, then at the prompt or from the input.

use crate::context::{Context, FAINT};
use crate::error::{Result, UserError};
use std::collections::VecDeque;
use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;
use whydunit_debugger::Reply;

pub(super) enum Said {
    Reply(Reply),
    /// Keep this many answers.
    Undo(usize),
}

pub(super) struct Sayings {
    given: VecDeque<String>,
    /// What counts so far, as it was said.
    said: Vec<String>,
    is_terminal: bool,
}

impl Sayings {
    pub(super) fn new(context: &Context, file: Option<&Path>) -> Result<Sayings> {
        let given = match file {
            None => VecDeque::new(),
            Some(file) => {
                let text = fs::read_to_string(file).map_err(|error| {
                    UserError::new(format!("cannot read the answers in {}: {error}", file.display()))
                })?;
                text.lines().map(str::to_owned).collect()
            }
        };
        let is_terminal = io::stdin().is_terminal() && !context.json;
        Ok(Sayings { given, said: Vec::new(), is_terminal })
    }

    /// The answer to a question about a step that reads so many values; `None` when there is none.
    pub(super) fn next(&mut self, reads: usize, number: usize) -> Result<Option<Said>> {
        loop {
            let Some(line) = self.line(number)? else { return Ok(None) };
            match parse(&line, reads, self.said.len()) {
                Ok(None) => {}
                Ok(Some(Said::Undo(position))) => {
                    self.said.truncate(position);
                    return Ok(Some(Said::Undo(position)));
                }
                Ok(Some(Said::Reply(reply))) => {
                    self.said.push(line.trim().to_owned());
                    return Ok(Some(Said::Reply(reply)));
                }
                Err(Mistake::Quit) => return Ok(None),
                Err(Mistake::Unknown(error)) if self.is_terminal => eprintln!("{error}"),
                Err(Mistake::Unknown(error)) => {
                    let hint =
                        "answers are `correct`, `wrong 1 2`, `result`, `path`, `hidden`, `unclear`, `undo`, `quit`";
                    return Err(UserError::new(error).hint(hint).into());
                }
            }
        }
    }

    fn line(&mut self, number: usize) -> Result<Option<String>> {
        if let Some(line) = self.given.pop_front() {
            return Ok(Some(line));
        }
        if self.is_terminal {
            eprint!("answer {number}> ");
            let _ = io::stderr().flush();
        }
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line).map_err(|error| UserError::new(error.to_string()))?;
        Ok((read > 0).then_some(line))
    }

    /// All that counts, to go on another time.
    pub(super) fn print(&self, context: &Context) -> Result<()> {
        if self.said.is_empty() || context.json {
            return Ok(());
        }
        let mut out = context.stdout();
        writeln!(out, "{FAINT}your answers, for a file that `--answers` takes:{FAINT:#}")?;
        for line in &self.said {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }
}

enum Mistake {
    Quit,
    Unknown(String),
}

/// `None` for an empty line or a comment.
fn parse(line: &str, reads: usize, answers: usize) -> std::result::Result<Option<Said>, Mistake> {
    let mut words = line.split_whitespace();
    let Some(first) = words.next().filter(|word| !word.starts_with('#')) else { return Ok(None) };
    let numbers: std::result::Result<Vec<usize>, _> = words.map(str::parse).collect();
    let numbers = numbers.map_err(|_| Mistake::Unknown(format!("`{}` is no answer", line.trim())))?;
    Ok(Some(match (first, &numbers[..]) {
        ("correct" | "c", []) => Said::Reply(Reply::Correct),
        ("result" | "r", []) => Said::Reply(Reply::WrongResult),
        ("path" | "p", []) => Said::Reply(Reply::WrongPath),
        ("hidden" | "h", []) => Said::Reply(Reply::WrongSomehow),
        ("unclear" | "u", []) => Said::Reply(Reply::Unclear),
        ("quit" | "q", []) => return Err(Mistake::Quit),
        ("undo", []) => Said::Undo(answers.saturating_sub(1)),
        ("undo", &[number]) if (1..=answers).contains(&number) => Said::Undo(number - 1),
        ("undo", _) => return Err(Mistake::Unknown(format!("there are {answers} answers to take back"))),
        ("wrong" | "w", numbers) if !numbers.is_empty() && numbers.iter().all(|n| (1..=reads).contains(n)) => {
            Said::Reply(Reply::Wrong(numbers.iter().map(|number| number - 1).collect()))
        }
        ("wrong" | "w", _) => {
            return Err(Mistake::Unknown(format!("say which values are wrong: `wrong` and numbers from 1 to {reads}")));
        }
        _ => return Err(Mistake::Unknown(format!("`{}` is no answer", line.trim()))),
    }))
}
