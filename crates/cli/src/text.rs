//! Numbers, times and tables as people read them.

use anstyle::Style;
use jiff::{Timestamp, tz::TimeZone};

pub(crate) fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];
    let mut value = count as f64;
    let mut unit = 0;
    // 999.95 would be printed as 1000.0.
    while value >= 999.95 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{count} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}

/// `1 class`, `2 classes`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// In the time zone of the reader.
pub(crate) fn time(at: Timestamp) -> String {
    at.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// A command as one would type it.
pub(crate) fn command(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A command to be read, not to be typed: long words, such as class paths, are cut off.
pub(crate) fn short_command(words: &[String]) -> String {
    const LONGEST_WORD: usize = 60;
    const LONGEST: usize = 400;
    let words = words.iter().map(|word| {
        let is_long = word.chars().count() > LONGEST_WORD;
        if is_long { shortened(word, LONGEST_WORD) } else { quoted(word) }
    });
    shortened(&words.collect::<Vec<_>>().join(" "), LONGEST)
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:=,@%+^".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// At most `width` characters, control characters made harmless.
pub(crate) fn shortened(text: &str, width: usize) -> String {
    let clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    if text.chars().count() <= width {
        return clean.collect();
    }
    clean.take(width.saturating_sub(1)).chain(['…']).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Columns as wide as their widest cell, two spaces apart.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<(String, Style)>>,
}

impl Table {
    pub(crate) fn new(columns: &[(&'static str, Align)]) -> Table {
        Table { columns: columns.to_vec(), rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = (String, Style)>) {
        self.rows.push(cells.into_iter().collect());
    }

    pub(crate) fn render(&self, heading: Style) -> String {
        let headings: Vec<(String, Style)> =
            self.columns.iter().map(|(name, _)| ((*name).to_owned(), heading)).collect();
        let all = || std::iter::once(&headings).chain(&self.rows);
        let width = |column: usize| {
            all().filter_map(|row| row.get(column)).map(|(cell, _)| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let mut text = String::new();
        for row in all() {
            text.push_str(self.line(row, &widths).trim_end());
            text.push('\n');
        }
        text
    }

    fn line(&self, row: &[(String, Style)], widths: &[usize]) -> String {
        let cells = row.iter().zip(&self.columns).zip(widths).map(|(((cell, style), (_, align)), &width)| {
            let padding = " ".repeat(width.saturating_sub(cell.chars().count()));
            match align {
                Align::Left => format!("{style}{cell}{style:#}{padding}"),
                Align::Right => format!("{padding}{style}{cell}{style:#}"),
            }
        });
        cells.collect::<Vec<_>>().join("  ")
    }
}

/// A number with spaces between its thousands: `1 234 567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// A line of source with spaces for tabs and without other control characters.
pub(crate) fn without_tabs(line: &str) -> String {
    line.trim_end().replace('\t', "    ").chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let cases = [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (999_949, "999.9 kB"), (999_950, "1.0 MB")];
        for (count, text) in cases {
            assert_eq!(bytes(count), text);
        }
        assert_eq!(bytes(u64::MAX), "18446744.1 TB");
    }

    #[test]
    fn numbers_in_groups() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1 000", "1 234 567"]);
    }

    #[test]
    fn commands_are_quoted_where_needed() {
        let words = ["sh", "-c", "echo it's", ""].map(String::from);
        assert_eq!(command(&words), r"sh -c 'echo it'\''s' ''");
    }

    #[test]
    fn long_words_of_commands_are_cut_off() {
        let words = ["java".into(), "-cp".into(), "a.jar:".repeat(300), "Main".into(), "two words".into()];
        let start: String = "a.jar:".repeat(300).chars().take(59).collect();
        assert_eq!(short_command(&words), format!("java -cp {start}… Main 'two words'"));
        assert_eq!(short_command(&vec!["word".to_owned(); 1000]).chars().count(), 400);
    }

    #[test]
    fn shortened_text_has_no_control_characters() {
        assert_eq!(shortened("a\nb\u{1b}c", 10), "a b c");
        assert_eq!(shortened("abcdef", 4), "abc…");
    }
}
