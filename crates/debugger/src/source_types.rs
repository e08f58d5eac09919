//! Which type of a Java source file a line belongs to, by the braces in its text.

use std::ops::RangeInclusive;

/// From the line of its opening brace to that of the closing one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TypeBody {
    /// `None` for an anonymous class.
    pub(crate) name: Option<String>,
    pub(crate) lines: RangeInclusive<u32>,
}

/// The innermost type in whose body a line is.
pub(crate) fn type_around<'t>(source: impl Iterator<Item = &'t str>, line: u32) -> Option<TypeBody> {
    let mut reader = Reader::default();
    for (number, text) in (1..).zip(source) {
        reader.read(number, text);
    }
    // An inner body is shorter, or opens later in the same lines.
    let around = reader.bodies.into_iter().filter(|body| body.lines.contains(&line));
    around.min_by_key(|body| body.lines.end() - body.lines.start())
}

#[derive(Default)]
struct Reader {
    /// The bodies that are closed, inner ones first.
    bodies: Vec<TypeBody>,
    /// What braces are open, by the line, and by the type if it is the body of one.
    open: Vec<(u32, Option<Option<String>>)>,
    /// The code since the last brace or semicolon, without texts.
    head: String,
    inside: Inside,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Inside {
    #[default]
    Code,
    Comment,
    TextBlock,
}

impl Reader {
    fn read(&mut self, number: u32, line: &str) {
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            let mut after = &rest[c.len_utf8()..];
            match self.inside {
                Inside::Comment if rest.starts_with("*/") => (self.inside, after) = (Inside::Code, &rest[2..]),
                Inside::TextBlock if rest.starts_with("\"\"\"") => (self.inside, after) = (Inside::Code, &rest[3..]),
                Inside::TextBlock if c == '\\' => after = behind_one(after),
                Inside::Comment | Inside::TextBlock => {}
                Inside::Code if rest.starts_with("//") => break,
                Inside::Code if rest.starts_with("/*") => (self.inside, after) = (Inside::Comment, &rest[2..]),
                Inside::Code if rest.starts_with("\"\"\"") => (self.inside, after) = (Inside::TextBlock, &rest[3..]),
                Inside::Code if c == '"' || c == '\'' => after = behind_quote(after, c),
                Inside::Code => self.code(number, c),
            }
            rest = after;
        }
        self.head.push(' ');
    }

    fn code(&mut self, number: u32, c: char) {
        match c {
            '{' => self.open.push((number, type_opened(&self.head))),
            '}' => {
                if let Some((start, Some(name))) = self.open.pop() {
                    self.bodies.push(TypeBody { name, lines: start..=number });
                }
            }
            ';' => {}
            _ => return self.head.push(c),
        }
        self.head.clear();
    }
}

fn behind_one(text: &str) -> &str {
    let mut characters = text.chars();
    characters.next();
    characters.as_str()
}

/// Behind the end of a text or character that has begun.
fn behind_quote(text: &str, quote: char) -> &str {
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c == quote {
            break;
        }
        if c == '\\' {
            rest.next();
        }
    }
    rest.as_str()
}

/// What type a brace opens that comes after this; `Some(None)` for an anonymous one.
fn type_opened(head: &str) -> Option<Option<String>> {
    let mut words = head.split_whitespace();
    while let Some(word) = words.next() {
        if matches!(word, "class" | "interface" | "@interface" | "enum" | "record") {
            let name: String = words.clone().next().unwrap_or_default().chars().take_while(is_of_name).collect();
            if !name.is_empty() {
                return Some(Some(name));
            }
        }
    }
    let made = before_pair(head.trim_end(), '(', ')')?.trim_end();
    let made = before_pair(made, '<', '>').unwrap_or(made);
    let before = made.trim_end_matches(|c| is_of_name(&c) || c == '.');
    let last = before.split_whitespace().next_back().unwrap_or_default();
    let is_new = last.rsplit(|c| !is_of_name(&c)).next() == Some("new");
    (is_new && before.len() < made.len()).then_some(None)
}

fn is_of_name(c: &char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// What comes before the pair of brackets that a text ends with.
fn before_pair(text: &str, open: char, close: char) -> Option<&str> {
    let mut depth = 0;
    for (at, c) in text.char_indices().rev() {
        depth += i32::from(c == close) - i32::from(c == open);
        if depth == 0 {
            return text.get(..at).filter(|_| c == open);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::type_around;

    const SOURCE: &str = r#"package shop; // {
import java.util.*;
public class Cart<T extends Comparable<T>> {
    int total; /* class Nothing { */
    static class Line {
        String text = "class Quote { \" {";
    }
    Runnable later() {
        char brace = '{';
        return new Task<Map<String, T>>(1) {
            public void run() {
                if (new Check().isRight()) {
                    record.enter(Cart.class);
                }
            }
        };
    }
    String block = """
        class Block { \"""
        """;
    record Point(int x, int y) { int sum() {
        return x + y;
    } }
    int[] numbers = new int[] {
        1
    };
}
enum Kind { A,
    B;
}
"#;

    /// The name of the type, `new` for an anonymous one, `-` for none.
    fn check(line: u32, expected: &str) {
        let found = type_around(SOURCE.lines(), line);
        let name = found.map_or("-".to_owned(), |body| body.name.unwrap_or_else(|| "new".to_owned()));
        assert_eq!(name, expected, "line {line}");
    }

    #[test]
    fn types_of_lines() {
        for line in [1, 2] {
            check(line, "-");
        }
        for line in [3, 4, 8, 9, 17, 19, 25, 27] {
            check(line, "Cart");
        }
        for (line, expected) in [(6, "Line"), (11, "new"), (13, "new"), (22, "Point"), (29, "Kind")] {
            check(line, expected);
        }
    }
}
