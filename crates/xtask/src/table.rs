//! Tables as Markdown, aligned so that they are readable as text too.

use std::fmt;

#[derive(Debug)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// The first column is text, all others are numbers.
    pub(crate) fn new(header: &[&str]) -> Table {
        Table { rows: vec![header.iter().map(ToString::to_string).collect()] }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width =
            |column: usize| self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
        (0..columns).map(|column| width(column).unwrap_or(0).max(2)).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        for (number, row) in self.rows.iter().enumerate() {
            for (column, (&width, cell)) in widths.iter().zip(row).enumerate() {
                match column {
                    0 => write!(f, "| {cell:<width$} |")?,
                    _ => write!(f, " {cell:>width$} |")?,
                }
            }
            writeln!(f)?;
            if number == 0 {
                for (column, &width) in widths.iter().enumerate() {
                    match column {
                        0 => write!(f, "|{}|", "-".repeat(width + 2))?,
                        _ => write!(f, "{}:|", "-".repeat(width + 1))?,
                    }
                }
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

/// `1234567` as `1.23 M`.
pub(crate) fn short(number: u64) -> String {
    let number = number as f64;
    match number {
        n if n >= 1e9 => format!("{:.2} G", n / 1e9),
        n if n >= 1e6 => format!("{:.1} M", n / 1e6),
        n if n >= 1e4 => format!("{:.1} k", n / 1e3),
        n => format!("{n}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&["name", "n"]);
        table.row(["a".to_owned(), "1234".to_owned()]);
        let expected = "| name |    n |\n|------|-----:|\n| a    | 1234 |\n";
        assert_eq!(table.to_string(), expected);
    }

    #[test]
    fn numbers_are_shortened() {
        assert_eq!(short(999), "999");
        assert_eq!(short(12_345), "12.3 k");
        assert_eq!(short(7_654_321), "7.7 M");
        assert_eq!(short(2_500_000_000), "2.50 G");
    }
}
