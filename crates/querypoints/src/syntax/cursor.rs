//! A position in the text.

/// Where the text is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub struct ParseError {
    /// Of the place, in bytes.
    pub at: usize,
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    pub expected: String,
    pub found: String,
}

pub(super) type Parsed<T> = Result<T, ParseError>;

/// Deeper expressions are refused.
const DEEPEST: u32 = 1000;

pub(super) const LESS_DEEP: &str = "a less deeply nested expression";

#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    at: usize,
    depth: u32,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Cursor<'t> {
        Cursor { text, at: 0, depth: 0 }
    }

    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn advance(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Blanks and comments, within a line.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(' ' | '\t' | '\r') => self.at += 1,
                Some('#') => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                _ => return,
            }
        }
    }

    /// What separates definitions.
    pub(super) fn skip_separators(&mut self) {
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(';' | '\n') => self.at += 1,
                _ => return,
            }
        }
    }

    pub(super) fn is_at_end_of_item(&self) -> bool {
        matches!(self.peek(), None | Some(';' | '\n'))
    }

    /// The symbol, if it is next; blanks before it are skipped.
    pub(super) fn accept(&mut self, symbol: &str) -> bool {
        self.skip_blanks();
        let is_next = self.rest().starts_with(symbol);
        if is_next {
            self.at += symbol.len();
        }
        is_next
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.accept(symbol) { Ok(()) } else { Err(self.expected(format!("`{symbol}`"))) }
    }

    /// The identifier that is next.
    pub(super) fn peek_word(&mut self) -> Option<&'t str> {
        self.skip_blanks();
        let rest = self.rest();
        let starts = |c: char| c.is_alphabetic() || c == '_' || c == '$';
        rest.chars().next().filter(|&c| starts(c))?;
        let end = rest.find(|c: char| !starts(c) && !c.is_alphanumeric()).unwrap_or(rest.len());
        rest.get(..end)
    }

    /// The keyword, if it is next.
    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let is_next = self.peek_word() == Some(word);
        if is_next {
            self.at += word.len();
        }
        is_next
    }

    pub(super) fn word(&mut self, what: &str) -> Parsed<&'t str> {
        let word = self.peek_word().ok_or_else(|| self.expected(what))?;
        self.at += word.len();
        Ok(word)
    }

    /// Everything up to a blank or one of these.
    pub(super) fn until(&mut self, ends: &[char]) -> &'t str {
        self.skip_blanks();
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || c == ';' || c == '#' || ends.contains(&c));
        let found = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        self.at += found.len();
        found
    }

    /// A number with an optional sign.
    pub(super) fn integer<T: std::str::FromStr>(&mut self, what: &str) -> Parsed<T> {
        self.skip_blanks();
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('-'));
        let digits = rest.get(sign..).unwrap_or_default();
        let end = sign + digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let number = rest.get(..end).and_then(|number| number.parse().ok()).ok_or_else(|| self.expected(what))?;
        self.at += end;
        Ok(number)
    }

    /// Goes into something that may be nested.
    pub(super) fn deeper<T>(&mut self, parse: impl FnOnce(&mut Cursor<'t>) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            return Err(self.expected(LESS_DEEP));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    pub(super) fn expected(&self, what: impl Into<String>) -> ParseError {
        let mut here = *self;
        here.skip_blanks();
        let found = match here.peek() {
            None => "the end".to_owned(),
            Some('\n') => "the end of the line".to_owned(),
            Some(_) => match here.peek_word() {
                Some(word) => format!("`{word}`"),
                None => format!("`{}`", here.peek().unwrap_or(' ')),
            },
        };
        let before = self.text.get(..here.at).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        ParseError {
            at: here.at,
            line: before.matches('\n').count() + 1,
            column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
            expected: what.into(),
            found,
        }
    }
}
