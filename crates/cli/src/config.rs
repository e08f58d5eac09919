//! The settings file `whydunit.toml`.

use crate::error::{Result, UserError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use whydunit_instrument::BadPattern;
use whydunit_store::{SETTINGS_FILE, settings_folder};

/// What the file may hold. The command line adds to the lists.
#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct Config {
    pub(crate) include: Vec<Pattern>,
    pub(crate) exclude: Vec<Pattern>,
    pub(crate) size_limit: Option<Size>,
    /// Relative to the file's folder.
    pub(crate) source_roots: Vec<PathBuf>,
}

impl Config {
    /// The settings of what is in a folder; none when there is no file in it or above.
    pub(crate) fn find(start: &Path) -> Result<Config> {
        let Some(folder) = settings_folder(start) else { return Ok(Config::default()) };
        let path = folder.join(SETTINGS_FILE);
        let unreadable = |error| UserError::new(format!("cannot read {}", path.display())).caused_by(error);
        let text = fs::read_to_string(&path).map_err(unreadable)?;
        let mut config = Config::parse(&text).map_err(|error| {
            UserError::new(format!("{} is not right: {}", path.display(), error.trim_end()))
                .hint("it may set `include`, `exclude` and `source-roots` (lists) and `size-limit` (such as \"2G\")")
        })?;
        for root in &mut config.source_roots {
            *root = folder.join(&*root);
        }
        Ok(config)
    }

    fn parse(text: &str) -> std::result::Result<Config, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }
}

/// Names packages or classes, as [`whydunit_instrument::Pattern`] reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Pattern(String);

impl FromStr for Pattern {
    type Err = BadPattern;

    fn from_str(text: &str) -> std::result::Result<Pattern, BadPattern> {
        text.parse::<whydunit_instrument::Pattern>().map(|_| Pattern(text.to_owned()))
    }
}

impl TryFrom<String> for Pattern {
    type Error = BadPattern;

    fn try_from(text: String) -> std::result::Result<Pattern, BadPattern> {
        text.parse()
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> String {
        pattern.0
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A number of bytes, written as `500M` or `10G`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Size(pub(crate) u64);

impl TryFrom<String> for Size {
    type Error = String;

    fn try_from(text: String) -> std::result::Result<Size, String> {
        text.parse()
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Size, String> {
        let wrong = || format!("`{text}` is not a size; write `500M`, `10G` or a number of bytes");
        let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let factor: u64 = match text[number.len()..].to_ascii_uppercase().trim_end_matches('B') {
            "" => 1,
            "K" => 1000,
            "M" => 1_000_000,
            "G" => 1_000_000_000,
            "T" => 1_000_000_000_000,
            _ => return Err(wrong()),
        };
        let number: u64 = number.parse().map_err(|_| wrong())?;
        number.checked_mul(factor).filter(|&size| size > 0).map(Size).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, size) in [("1", 1), ("2k", 2000), ("500M", 500_000_000), ("10GB", 10_000_000_000)] {
            assert_eq!(text.parse(), Ok(Size(size)), "{text}");
        }
        for bad in ["", "G", "-1", "1.5G", "10X", "99999999T", "0", "é"] {
            assert!(bad.parse::<Size>().is_err(), "{bad}");
        }
    }

    #[test]
    fn settings() {
        let config = Config::parse("include = [\"com.acme\"]\nsize-limit = \"2G\"\nsource-roots = [\"gen\"]\n");
        let expected = Config {
            include: vec![Pattern("com.acme".into())],
            size_limit: Some(Size(2_000_000_000)),
            source_roots: vec!["gen".into()],
            ..Config::default()
        };
        assert_eq!(config, Ok(expected));
        assert!(Config::parse("inclde = []").is_err_and(|error| error.contains("inclde")));
        assert!(Config::parse("size-limit = 5").is_err());
        assert!(Config::parse("exclude = [\"a..b\"]").is_err_and(|error| error.contains("a..b")));
    }
}
