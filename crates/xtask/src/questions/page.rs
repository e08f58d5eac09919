//! The figures of questions in docs/benchmarks.md.

use crate::page::{Marks, replace};
use anyhow::Result;

const MARKS: Marks =
    Marks { begin: "<!-- answers: written by cargo xtask questions -->\n", end: "<!-- end of answers -->\n" };

pub(crate) fn write(figures: &str) -> Result<()> {
    replace(&MARKS, figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_its_marks() {
        assert!(crate::page::has(&MARKS));
    }
}
