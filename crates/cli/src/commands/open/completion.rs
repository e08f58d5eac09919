//! What a word may become when the tab key is pressed.

use super::language;
use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};
use std::cell::OnceCell;
use whydunit_debugger::{Session, StepView, Value};

pub(super) struct Completion<'s> {
    session: &'s Session,
    commands: Vec<(String, Vec<String>)>,
    /// Methods and files, which a large program has many of.
    places: OnceCell<Vec<String>>,
    variables: Vec<String>,
    objects: Vec<String>,
}

impl<'s> Completion<'s> {
    pub(super) fn new(session: &'s Session) -> Completion<'s> {
        let commands = language::vocabulary();
        Completion { session, commands, places: OnceCell::new(), variables: Vec::new(), objects: Vec::new() }
    }

    pub(super) fn move_to(&mut self, view: &StepView) {
        let variables = view.variables.iter();
        let names = variables.clone().filter_map(|variable| Some(variable.name.as_ref()?.to_string()));
        self.variables = names.chain(self.session.fields_in_scope(view.place.method)).collect();
        self.variables.sort();
        self.variables.dedup();
        let objects = variables.filter(|variable| matches!(variable.value, Value::Ref(_)));
        self.objects = objects.map(|variable| self.session.words(variable.value)).collect();
    }

    /// Words that go on as `start` does.
    fn candidates(&self, words: &[&str], start: &str) -> Vec<String> {
        let known = |names: &[String]| -> Vec<String> {
            names.iter().filter(|name| name.starts_with(start)).cloned().collect()
        };
        let names = || self.commands.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let Some(verb) = words.first() else { return known(&names()) };
        if start.starts_with('-') {
            let command = self.commands.iter().find(|(name, _)| name == verb);
            return command.map(|(_, options)| known(options)).unwrap_or_default();
        }
        match (*verb, words.last().copied().unwrap_or_default()) {
            (_, "--method") => known(self.places()),
            (_, "--line") | ("to" | "t" | "back-to" | "bt" | "not", _) => self.lines(start),
            (_, "--object" | "--value") | ("history", _) => known(&self.objects),
            ("print" | "p" | "why" | "w", _) => known(&self.variables),
            ("show" | "l", _) => known(&[self.variables.as_slice(), &self.objects].concat()),
            ("thread", _) | (_, "--thread") => {
                let threads = self.session.recording().threads.keys();
                known(&threads.filter_map(|&id| self.session.thread_name(id).map(str::to_owned)).collect::<Vec<_>>())
            }
            ("help", _) => known(&names()),
            _ => Vec::new(),
        }
    }

    fn places(&self) -> &[String] {
        self.places.get_or_init(|| {
            let files = self.session.source_files().into_iter().map(|file| format!("{file}:"));
            files.chain(self.session.recorded_methods()).collect()
        })
    }

    /// Files and methods; lines once the file is there.
    fn lines(&self, start: &str) -> Vec<String> {
        let candidates = match start.split_once(':') {
            Some((file, _)) => {
                self.session.lines_with_code(file).into_iter().map(|line| format!("{file}:{line}")).collect()
            }
            None => self.places().to_vec(),
        };
        candidates.into_iter().filter(|name| name.starts_with(start)).collect()
    }
}

impl Completer for Completion<'_> {
    type Candidate = String;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..position).unwrap_or_default();
        let start = typed.rfind(char::is_whitespace).map_or(0, |blank| blank + 1);
        let words: Vec<&str> = typed.get(..start).unwrap_or_default().split_whitespace().collect();
        Ok((start, self.candidates(&words, typed.get(start..).unwrap_or_default())))
    }
}

impl Hinter for Completion<'_> {
    type Hint = String;
}

impl Highlighter for Completion<'_> {}
impl Validator for Completion<'_> {}
impl Helper for Completion<'_> {}
