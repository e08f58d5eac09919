//! What the user says: from a file first, then at the prompt or from the input.

use crate::commands::questions::explain;
use crate::context::Context;
use crate::error::{Result, UserError};
use std::collections::VecDeque;
use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;
use whydunit_debugger::{Inside, Reply, UnknownName, When, Whole};

/// The first words of answers.
const WORDS: &[&str] =
    &["correct", "wrong", "result", "path", "hidden", "unclear", "look", "missing", "undo", "answers", "quit"];

/// Before what is in objects when the step is over.
const AFTER: &str = "after";

const HINT: &str = "answers are `correct`, `wrong 1 2`, `wrong 1.price`, `result`, `path`, `hidden`, `unclear`, \
                    `look 1`, `missing`, `undo`, `answers`, `quit`";

pub(super) enum Said {
    Reply(Reply),
    /// Show what is in an object.
    Look(Inside),
    /// Keep this many answers; without a number, all but the last that was not inferred.
    Undo(Option<usize>),
    /// Show the answers so far.
    Answers,
    /// The code that should have changed a value is missing.
    Missing,
    Quit,
}

pub(super) struct Sayings {
    given: VecDeque<String>,
    pub(super) is_terminal: bool,
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
        Ok(Sayings { given, is_terminal })
    }

    /// The answer to a question about a step that reads so many values, after so many answers.
    pub(super) fn next(&mut self, reads: usize, answers: usize) -> Result<Said> {
        loop {
            let Some(line) = self.line(answers + 1)? else { return Ok(Said::Quit) };
            match parse(&line, reads, answers) {
                Ok(None) => {}
                Ok(Some(said)) => return Ok(said),
                Err(error) if self.is_terminal => eprintln!("{error}"),
                Err(error) => return Err(UserError::new(error.problem).hint(error.hint).into()),
            }
        }
    }

    /// Tells what is wrong about the last answer: somebody at the terminal may give another one.
    pub(super) fn refuse(&self, unknown: UnknownName) -> Result<()> {
        let error = explain(unknown);
        if !self.is_terminal {
            return Err(error.into());
        }
        eprintln!("{error}");
        Ok(())
    }

    /// Whether the user agrees; nobody at the terminal does not.
    pub(super) fn agrees(&self, question: &str) -> bool {
        if !self.is_terminal {
            return false;
        }
        eprint!("{question} [Y/n] ");
        let _ = io::stderr().flush();
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line).unwrap_or_default();
        read > 0 && !line.trim().to_lowercase().starts_with('n')
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
}

struct Mistake {
    problem: String,
    hint: String,
}

impl Mistake {
    fn new(problem: String) -> Mistake {
        Mistake { problem, hint: HINT.to_owned() }
    }
}

impl std::fmt::Display for Mistake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}; {}", self.problem, self.hint)
    }
}

/// `None` for an empty line or a comment.
fn parse(line: &str, reads: usize, answers: usize) -> std::result::Result<Option<Said>, Mistake> {
    let mut words = line.split_whitespace();
    let Some(first) = words.next().filter(|word| !word.starts_with('#')) else { return Ok(None) };
    let unknown = || {
        let problem = format!("`{}` is no answer", line.trim());
        let near = UnknownName::nearest(String::new(), first, WORDS.iter().map(|&word| word.to_owned())).nearest;
        match near.first().filter(|_| !WORDS.contains(&first)) {
            Some(near) => Mistake { problem, hint: format!("did you mean `{near}`? {HINT}") },
            None => Mistake::new(problem),
        }
    };
    let words: Vec<&str> = words.collect();
    if let ("wrong" | "w" | "look" | "l", [_, ..]) = (first, &words[..])
        && let Some(said) = parse_inside(first, &words)
    {
        return said.map(Some);
    }
    let numbers: std::result::Result<Vec<usize>, _> = words.iter().map(|word| word.parse()).collect();
    let numbers = numbers.map_err(|_| unknown())?;
    Ok(Some(match (first, &numbers[..]) {
        ("correct" | "c", []) => Said::Reply(Reply::Correct),
        ("result" | "r", []) => Said::Reply(Reply::WrongResult),
        ("path" | "p", []) => Said::Reply(Reply::WrongPath),
        ("hidden" | "h", []) => Said::Reply(Reply::WrongSomehow),
        ("unclear" | "u", []) => Said::Reply(Reply::Unclear),
        ("missing" | "m", []) => Said::Missing,
        ("answers" | "a", []) => Said::Answers,
        ("quit" | "q", []) => Said::Quit,
        ("undo", []) => Said::Undo(None),
        ("undo", &[number]) if (1..=answers).contains(&number) => Said::Undo(Some(number - 1)),
        ("undo", _) => return Err(Mistake::new(format!("there are {answers} answers to take back"))),
        ("wrong" | "w", numbers) if !numbers.is_empty() && numbers.iter().all(|n| (1..=reads).contains(n)) => {
            Said::Reply(Reply::Wrong(numbers.iter().map(|number| number - 1).collect()))
        }
        ("wrong" | "w", _) if reads == 0 => {
            return Err(Mistake::new("this step reads nothing that can be wrong".to_owned()));
        }
        ("wrong" | "w", _) => {
            return Err(Mistake::new(format!("say which values are wrong: `wrong` and numbers from 1 to {reads}")));
        }
        _ => return Err(unknown()),
    }))
}

/// What is in objects: `None` when only values are meant.
fn parse_inside(first: &str, words: &[&str]) -> Option<std::result::Result<Said, Mistake>> {
    let is_look = first.starts_with('l');
    let (words, is_after) = match words {
        [AFTER, words @ ..] => (words, true),
        _ => (words, false),
    };
    let parsed: Option<Vec<Inside>> = words.iter().map(|word| word.parse().ok()).collect();
    let all: Vec<Inside> = parsed?.into_iter().map(|one| if is_after { one.after() } else { one }).collect();
    match &all[..] {
        [one] if is_look => Some(Ok(Said::Look(one.clone()))),
        _ if is_look => Some(Err(Mistake::new("look at one object at a time".to_owned()))),
        _ if !is_after && all.iter().all(|one| one.path.is_empty() && matches!(one.of, Whole::Read(_))) => None,
        _ if all.iter().any(|one| one.path.is_empty()) => Some(Err(Mistake::new(
            "say either which values are wrong, or what is wrong in them: `wrong 1`, or `wrong 1.price`".to_owned(),
        ))),
        _ if all.iter().any(|one| one.when != all[0].when) => Some(Err(Mistake::new(
            "say either what was wrong when the step started, or what is when it is over: `wrong 1.price`, or \
             `wrong a.total`"
                .to_owned(),
        ))),
        _ => Some(Ok(Said::Reply(Reply::WrongInside(all)))),
    }
}

/// A reply as it is said.
pub(super) fn reply_words(reply: &Reply) -> String {
    match reply {
        Reply::Correct => "correct".to_owned(),
        Reply::WrongResult => "result".to_owned(),
        Reply::WrongPath => "path".to_owned(),
        Reply::WrongSomehow => "hidden".to_owned(),
        Reply::Unclear => "unclear".to_owned(),
        Reply::WrongInside(all) => {
            let is_after = |one: &Inside| one.when == When::After && !matches!(one.of, Whole::Made(_));
            let after = all.iter().any(is_after).then(|| AFTER.to_owned());
            let words: Vec<String> = after.into_iter().chain(all.iter().map(ToString::to_string)).collect();
            format!("wrong {}", words.join(" "))
        }
        Reply::Wrong(numbers) => {
            let numbers: Vec<String> = numbers.iter().map(|number| (number + 1).to_string()).collect();
            format!("wrong {}", numbers.join(" "))
        }
    }
}

/// The opposite, for a step that reads so many values.
pub(super) fn parse_reply(words: &str, reads: usize) -> Option<Reply> {
    match parse(words, reads, 0) {
        Ok(Some(Said::Reply(reply))) => Some(reply),
        _ => None,
    }
}
