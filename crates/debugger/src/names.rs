//! Threads, methods and lines by the names that people give them.

use crate::causes::CodeLine;
use crate::events::{FieldFilter, LineFilter};
use crate::session::Session;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use whydunit_replay::naming::simple_name;
use whydunit_replay::program::MethodIndex;
use whydunit_trace::ThreadId;
use whydunit_trace::record::MethodStatus;

/// What is shown at most of the names that are near.
const SHOWN: usize = 5;

/// Less similar names are no help. Typing errors are 0.9 alike and more (`ad` and `add` 0.91, `totl` and `total` 0.95);
/// `nosuch` and `isQuoteChar` are 0.70, `get` and `set` 0.78.
const SIMILAR: f64 = 0.8;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct UnknownName {
    pub problem: String,
    /// Names that would have been right, the nearest first.
    pub nearest: Vec<String>,
}

impl UnknownName {
    /// With the nearest of the known names.
    pub fn nearest(problem: String, asked: &str, known: impl IntoIterator<Item = String>) -> UnknownName {
        UnknownName::new(problem, asked, known)
    }

    pub(crate) fn new(problem: String, asked: &str, known: impl IntoIterator<Item = String>) -> UnknownName {
        UnknownName::ranked(problem, asked, known, strsim::jaro_winkler)
    }

    /// For methods and fields.
    fn member(problem: String, asked: &str, known: impl IntoIterator<Item = String>) -> UnknownName {
        UnknownName::ranked(problem, asked, known, similarity_of_members)
    }

    fn ranked(
        problem: String,
        asked: &str,
        known: impl IntoIterator<Item = String>,
        similarity: fn(&str, &str) -> f64,
    ) -> UnknownName {
        let asked = asked.to_lowercase();
        let known: BTreeSet<String> = known.into_iter().collect();
        let mut ranked: Vec<(f64, String)> =
            known.into_iter().map(|name| (similarity(&asked, &name.to_lowercase()), name)).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        let near = ranked.into_iter().filter(|(similarity, _)| *similarity >= SIMILAR).take(SHOWN);
        UnknownName { problem, nearest: near.map(|(_, name)| name).collect() }
    }
}

/// From 0 to 1. A class that is right does not make all its members similar; a member that is right may be of any class.
fn similarity_of_members(asked: &str, known: &str) -> f64 {
    let ((Some(class), member), (Some(known_class), known_member)) = (split(asked), split(known)) else {
        return strsim::jaro_winkler(asked, known);
    };
    let class = class.rsplit(['.', '/', '$']).next().unwrap_or(class);
    let of_class = strsim::jaro_winkler(class, known_class);
    // Every class has a constructor.
    let is_telling = member == known_member && !member.starts_with('<');
    if is_telling { of_class.max(SIMILAR) } else { of_class.min(strsim::jaro_winkler(member, known_member)) }
}

impl Session {
    /// Threads by name, by number (`2`) or by id (`t2`).
    pub fn find_threads(&self, asked: &str) -> Result<Vec<ThreadId>, UnknownName> {
        let threads = &self.recording().threads;
        let number = asked.strip_prefix('t').unwrap_or(asked).parse().ok().map(ThreadId);
        if let Some(id) = number.filter(|id| threads.contains_key(id)) {
            return Ok(vec![id]);
        }
        let found: Vec<ThreadId> = threads.keys().copied().filter(|&id| self.thread_name(id) == Some(asked)).collect();
        if found.is_empty() {
            let known = threads.keys().map(|&id| self.thread_name(id).map_or_else(|| id.to_string(), str::to_owned));
            return Err(UnknownName::new(format!("no thread is called `{asked}`"), asked, known));
        }
        Ok(found)
    }

    /// The source file of a method's class.
    pub fn source_file(&self, method: MethodIndex) -> Option<&str> {
        let (definition, _) = self.program().method(method)?;
        self.program().summary(definition)?.source_file.as_deref()
    }

    pub fn thread_name(&self, thread: ThreadId) -> Option<&str> {
        self.recording().threads.get(&thread)?.info.as_ref().map(|info| info.name.as_str())
    }

    /// Recorded methods called `method`, or `Class.method` with as much of the class name as one likes; all
    /// overloads.
    pub fn find_methods(&self, asked: &str) -> Result<FxHashSet<MethodIndex>, UnknownName> {
        let (class, name) = split(asked);
        let mut found = FxHashSet::default();
        let mut left_out = None;
        let mut known = Vec::new();
        for index in self.program().methods() {
            let Some((definition, member)) = self.program().method(index) else { continue };
            let Some(definition) = self.program().definition(definition) else { continue };
            if &*member.name == name && class.is_none_or(|class| is_named(&definition.name, class)) {
                match self.program().method_status(index) {
                    Some(MethodStatus::Refused(reason)) => left_out = Some(reason.name()),
                    Some(MethodStatus::NoCode) => left_out = left_out.or(Some("it is abstract or native")),
                    _ => drop(found.insert(index)),
                }
            }
            known.push(listed(class, &definition.name, &member.name));
        }
        match (found.is_empty(), left_out) {
            (false, _) => Ok(found),
            (true, Some(reason)) => {
                let problem = format!("`{asked}` was not recorded: {reason}");
                Err(UnknownName { problem, nearest: Vec::new() })
            }
            (true, None) => Err(self.methods_of(asked).unwrap_or_else(|| {
                UnknownName::member(format!("no recorded method is called `{asked}`"), asked, known)
            })),
        }
    }

    /// Checks that a method is recorded, or called by recorded code.
    pub fn check_called(&self, asked: &str) -> Result<(), UnknownName> {
        let Err(unknown) = self.find_methods(asked) else { return Ok(()) };
        let (class, name) = split(asked);
        let codes = self.program().methods().filter_map(|method| self.program().code(method).ok());
        let mut calls = codes.flat_map(|code| &code.calls);
        let is_called = calls.any(|call| &*call.name == name && class.is_none_or(|class| is_named(&call.owner, class)));
        if is_called { Ok(()) } else { Err(unknown) }
    }

    /// What to say when a class was named where a method is wanted.
    fn methods_of(&self, asked: &str) -> Option<UnknownName> {
        let mut names = BTreeSet::new();
        for index in self.program().methods() {
            let Some((definition, member)) = self.program().method(index) else { continue };
            let Some(definition) = self.program().definition(definition) else { continue };
            if is_named(&definition.name, asked) && self.program().method_status(index) == Some(MethodStatus::Recorded)
            {
                // Constructors last.
                names.insert((member.name.starts_with('<'), listed(Some(asked), &definition.name, &member.name)));
            }
        }
        let nearest: Vec<String> = names.into_iter().map(|(_, name)| name).take(SHOWN).collect();
        let problem = format!("`{asked}` is a class; a method is wanted");
        (!nearest.is_empty()).then_some(UnknownName { problem, nearest })
    }

    /// Fields called `field`, or `Class.field`, of recorded classes or of others that recorded code names.
    pub fn find_field(&self, asked: &str) -> Result<FieldFilter, UnknownName> {
        let (class, name) = split(asked);
        let mut owners = BTreeSet::new();
        let mut known = Vec::new();
        for (index, definition) in self.program().definitions() {
            let Some(summary) = self.program().summary(index) else { continue };
            for field in &summary.fields {
                if &*field.name == name && class.is_none_or(|class| is_named(&definition.name, class)) {
                    owners.insert(definition.name.as_str());
                }
                known.push(listed(class, &definition.name, &field.name));
            }
        }
        let mut owners: BTreeSet<Box<str>> = owners.into_iter().map(Box::from).collect();
        if owners.is_empty() {
            for field in self.program().fields_named() {
                if &*field.name == name && class.is_none_or(|class| is_named(&field.owner, class)) {
                    owners.insert(field.owner.clone());
                }
                known.push(listed(class, &field.owner, &field.name));
            }
        }
        if owners.is_empty() {
            return Err(UnknownName::member(format!("no recorded class has a field `{asked}`"), asked, known));
        }
        Ok(FieldFilter { owners: owners.into_iter().collect(), name: name.into() })
    }

    /// `File.java:12`, or `12` for that line in every file; the line must have code. `methods` are those that
    /// matter.
    pub fn find_line(&self, asked: &str, methods: Option<&FxHashSet<MethodIndex>>) -> Result<LineFilter, UnknownName> {
        let (file, number) = match asked.rsplit_once(':') {
            // Editors copy paths; classes know the names of their files only.
            Some((path, number)) => (Some(path.rsplit('/').next().unwrap_or(path)), number),
            None => (None, asked),
        };
        let Ok(line) = number.parse::<u32>() else {
            let problem = format!("`{asked}` is not a line: write `File.java:12` or `12`");
            return Err(UnknownName { problem, nearest: Vec::new() });
        };
        let mut files = BTreeSet::new();
        let mut found = None;
        let mut lines = BTreeSet::new();
        for index in self.program().methods() {
            let Some((definition, _)) = self.program().method(index) else { continue };
            let source = self.program().summary(definition).and_then(|summary| summary.source_file.as_deref());
            files.extend(source);
            let matters = methods.is_none_or(|methods| methods.contains(&index));
            if matters
                && file.is_none_or(|file| source.is_some_and(|source| is_file(source, file)))
                && let Ok(code) = self.program().code(index)
            {
                found = found.or(source);
                lines.extend(code.lines.iter().map(|&line| u32::from(line)).filter(|&line| line != 0));
            }
        }
        if lines.contains(&line) {
            return Ok(LineFilter { file: file.and(found).map(Box::from), line });
        }
        if lines.is_empty() && !files.is_empty() && file.is_none_or(|_| found.is_some()) {
            let problem = "the recorded classes have no line numbers; compile them with `-g`".to_owned();
            return Err(UnknownName { problem, nearest: Vec::new() });
        }
        if let Some(file) = file.filter(|_| found.is_none()) {
            let known = files.iter().map(|&file| file.to_owned());
            return Err(UnknownName::new(format!("no recorded class comes from `{file}`"), file, known));
        }
        let mut near: Vec<u32> = lines.into_iter().collect();
        near.sort_by_key(|&known| (known.abs_diff(line), known));
        let prefix = file.map(|file| format!("{file}:")).unwrap_or_default();
        let nearest = near.into_iter().take(2).map(|line| format!("{prefix}{line}")).collect();
        Err(UnknownName { problem: format!("there is no recorded code in line `{asked}`"), nearest })
    }

    /// Whether a recorded class comes from the file of a line that is written `File.java:12`.
    pub fn has_file_of(&self, asked: &str) -> bool {
        let path = asked.rsplit_once(':').map_or(asked, |(path, _)| path);
        let file = path.rsplit('/').next().unwrap_or(path);
        let summaries = self.program().definitions().filter_map(|(index, _)| self.program().summary(index));
        summaries.filter_map(|summary| summary.source_file.as_deref()).any(|source| is_file(source, file))
    }

    /// The methods that have code in a line: `File.java:12`, or `12` in every file.
    pub fn find_code_line(&self, asked: &str) -> Result<CodeLine, UnknownName> {
        let LineFilter { file, line } = self.find_line(asked, None)?;
        let is_there = |&index: &MethodIndex| {
            let source = self.program().method(index).and_then(|(definition, _)| self.program().summary(definition));
            let source = source.and_then(|summary| summary.source_file.as_deref());
            file.is_none() || source == file.as_deref()
        };
        let has_line = |&index: &MethodIndex| {
            self.program().code(index).is_ok_and(|code| code.lines.iter().any(|&found| u32::from(found) == line))
        };
        Ok(CodeLine { methods: self.program().methods().filter(is_there).filter(has_line).collect(), line })
    }
}

/// Whether `Cart.java` is meant by `Cart.java` or `Cart`.
fn is_file(source: &str, asked: &str) -> bool {
    source == asked || source.rsplit_once('.').is_some_and(|(stem, _extension)| stem == asked)
}

/// `Cart.add`, or `Cart#add` as Javadoc has it, is `add` of `Cart`.
pub(crate) fn split(asked: &str) -> (Option<&str>, &str) {
    match asked.rsplit_once(['.', '#']) {
        Some((class, name)) => (Some(class), name),
        None => (None, asked),
    }
}

/// A member as it should have been asked for.
pub(crate) fn listed(class: Option<&str>, internal: &str, member: &str) -> String {
    match class {
        Some(_) => format!("{}.{member}", simple_name(internal)),
        None => member.to_owned(),
    }
}

/// Whether an internal name is meant by a name such as `Line`, `Cart.Line`, `Cart$Line` or `shop.Cart`.
pub(crate) fn is_named(internal: &str, asked: &str) -> bool {
    let asked = asked.replace(['.', '$'], "/");
    let internal = internal.replace('$', "/");
    internal.strip_suffix(asked.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::{UnknownName, is_named};

    fn nearest(asked: &str, known: &[&str]) -> Vec<String> {
        UnknownName::member(String::new(), asked, known.iter().map(|&name| name.to_owned())).nearest
    }

    #[test]
    fn typing_errors_find_the_name_that_was_meant() {
        let members = ["isQuoteChar", "total", "add", "print", "<init>", "main", "lambda$main$0"];
        for (asked, expected) in [("totl", "total"), ("ad", "add"), ("Total", "total"), ("pritn", "print")] {
            assert_eq!(nearest(asked, &members), [expected], "{asked}");
        }
        for asked in ["nosuch", "remove", "xyz", "frobnicate"] {
            assert!(nearest(asked, &members).is_empty(), "{asked}: {:?}", nearest(asked, &members));
        }
        let qualified = ["Cart.add", "Cart.total", "Cart.<init>", "Line.total", "Invoice.print"];
        for (asked, expected) in [
            ("Cart.ad", &["Cart.add"][..]),
            ("Crt.add", &["Cart.add"]),
            ("shop.Cart.totl", &["Cart.total"]),
            ("Cart#ad", &["Cart.add"]),
            ("Basket.add", &["Cart.add"]),
            ("Cart.nosuch", &[]),
        ] {
            assert_eq!(nearest(asked, &qualified), expected, "{asked}");
        }
    }

    #[test]
    fn class_names() {
        for asked in ["Line", "Cart.Line", "Cart$Line", "shop.Cart.Line", "shop/Cart$Line"] {
            assert!(is_named("shop/Cart$Line", asked), "{asked}");
        }
        for asked in ["ine", "Cart", "hop.Cart.Line", "line"] {
            assert!(!is_named("shop/Cart$Line", asked), "{asked}");
        }
    }
}
