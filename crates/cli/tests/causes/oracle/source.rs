//! Programs as trees of statements, and their two texts: the plain one, which is recorded, and the one whose values can
//! be changed. Both have the same statements in the same lines.

use std::fmt::Write;

/// Around an expression whose value can be changed.
const OPEN: char = '⟦';
const CLOSE: char = '⟧';
/// Before a statement that can be left out.
const OPTIONAL: char = '⟪';
/// Around what only the text has whose values can be changed.
const NOTE: char = '⦃';
const END_OF_NOTE: char = '⦄';

/// An expression whose value can be changed.
pub(crate) fn changeable(expression: &str) -> String {
    format!("{OPEN}{expression}{CLOSE}")
}

/// A statement that can be left out.
pub(crate) fn optional(statement: &str) -> String {
    format!("{OPTIONAL}{statement}")
}

/// Something that is done only where values can be changed.
pub(crate) fn note(statement: &str) -> String {
    format!("{NOTE}{statement}{END_OF_NOTE}")
}

/// A line, and the lines between it and others that belong to it: `if (…) {` … `} else {` … `}`.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) line: String,
    pub(crate) parts: Vec<(Vec<Statement>, String)>,
}

impl Statement {
    pub(crate) fn line(line: impl Into<String>) -> Statement {
        Statement { line: line.into(), parts: Vec::new() }
    }

    fn count(&self) -> usize {
        1 + self.parts.iter().flat_map(|(body, _)| body).map(Statement::count).sum::<usize>()
    }
}

/// A class `$`, whose static method `run` ends with a write of its field `result`.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) statements: Vec<Statement>,
}

/// A program as a text.
pub(crate) struct Text {
    pub(crate) text: String,
    /// By number of the change: its line.
    pub(crate) changes: Vec<u32>,
}

impl Source {
    pub(crate) fn plain(&self, class: &str) -> Text {
        self.text(class, &mut |out, part, _| match part {
            OPEN => out.push('('),
            CLOSE => out.push(')'),
            NOTE => out.push_str("/*"),
            END_OF_NOTE => out.push_str("*/"),
            _ => {}
        })
    }

    /// Values go through the methods of a class `Change`.
    pub(crate) fn changing(&self, class: &str) -> Text {
        self.text(class, &mut |out, part, number| {
            let _ = match part {
                OPEN => write!(out, "Change.value({number}, "),
                CLOSE => write!(out, ")"),
                NOTE | END_OF_NOTE => Ok(()),
                _ => write!(out, "if (Change.isKept({number})) "),
            };
        })
    }

    fn text(&self, class: &str, mark: &mut dyn FnMut(&mut String, char, usize)) -> Text {
        let mut text = Text { text: String::new(), changes: Vec::new() };
        let mut line = 1;
        write_all(&self.statements, class, &mut line, &mut text, mark);
        text
    }

    pub(crate) fn count(&self) -> usize {
        self.statements.iter().map(Statement::count).sum()
    }

    /// Without `length` statements from the one that is number `first` in the order of the lines; their parts go with
    /// them.
    pub(crate) fn without(&self, first: usize, length: usize) -> Source {
        let mut number = 0;
        Source { statements: keep(&self.statements, first..first + length, &mut number) }
    }
}

fn keep(statements: &[Statement], left_out: std::ops::Range<usize>, number: &mut usize) -> Vec<Statement> {
    let mut kept = Vec::new();
    for statement in statements {
        let own = *number;
        if left_out.contains(&own) {
            *number += statement.count();
            continue;
        }
        *number += 1;
        let part = |(body, end): &(Vec<Statement>, String)| (keep(body, left_out.clone(), number), end.clone());
        kept.push(Statement { line: statement.line.clone(), parts: statement.parts.iter().map(part).collect() });
    }
    kept
}

fn write_all(
    statements: &[Statement],
    class: &str,
    line: &mut u32,
    text: &mut Text,
    mark: &mut dyn FnMut(&mut String, char, usize),
) {
    for statement in statements {
        write_line(&statement.line, class, line, text, mark);
        for (body, end) in &statement.parts {
            write_all(body, class, line, text, mark);
            write_line(end, class, line, text, mark);
        }
    }
}

fn write_line(
    template: &str,
    class: &str,
    line: &mut u32,
    text: &mut Text,
    mark: &mut dyn FnMut(&mut String, char, usize),
) {
    for part in template.chars() {
        match part {
            OPEN | OPTIONAL => {
                mark(&mut text.text, part, text.changes.len());
                text.changes.push(*line);
            }
            CLOSE | NOTE | END_OF_NOTE => mark(&mut text.text, part, 0),
            '$' => text.text.push_str(class),
            other => text.text.push(other),
        }
    }
    text.text.push('\n');
    *line += 1;
}
