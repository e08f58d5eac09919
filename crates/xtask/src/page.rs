//! The page docs/benchmarks.md: figures between two marks are replaced, the text around them stays.

use anyhow::{Context, Result};
use std::fs;
use std::path::PathBuf;
use whydunit_testkit::workspace_dir;

/// Lines before and after some figures.
#[derive(Debug)]
pub(crate) struct Marks {
    pub(crate) begin: &'static str,
    pub(crate) end: &'static str,
}

pub(crate) fn replace(marks: &Marks, figures: &str) -> Result<()> {
    let path = path();
    let page = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let page = replaced(&page, marks, figures).with_context(|| format!("{} has lost its marks", path.display()))?;
    fs::write(&path, page).with_context(|| format!("cannot write {}", path.display()))
}

fn path() -> PathBuf {
    workspace_dir().join("docs/benchmarks.md")
}

fn replaced(page: &str, Marks { begin, end }: &Marks, figures: &str) -> Option<String> {
    let (before, rest) = page.split_once(begin)?;
    let (_, after) = rest.split_once(end)?;
    Some(format!("{before}{begin}\n{figures}\n{end}{after}"))
}

/// Whether the page has both marks.
#[cfg(test)]
pub(crate) fn has(marks: &Marks) -> bool {
    fs::read_to_string(path()).is_ok_and(|page| replaced(&page, marks, "").is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_figures_are_replaced() {
        let marks = Marks { begin: "<begin>\n", end: "<end>\n" };
        let page = "before\n<begin>\nold\n<end>\nafter\n";
        assert_eq!(replaced(page, &marks, "new\n").unwrap(), "before\n<begin>\n\nnew\n\n<end>\nafter\n");
        assert_eq!(replaced("no marks", &marks, "new"), None);
    }
}
