//! The comment lines at the top of a test program that say how to build and run it.
//!
//! ```text
//! // jdk: 21           needs this JDK or a newer one
//! // release: 8        is compiled for this release only
//! // releases: 8 11    is compiled for these releases, too
//! // args: a "b c"     arguments
//! // stdin: text       one line of standard input; may be repeated
//! // exit: 3           expected exit code
//! // main: p.Main      main class of a folder (module/class when it holds modules)
//! // modules           the folder holds a folder for each module
//! ```

use std::path::Path;

use crate::{Error, Result};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Header {
    pub jdk: u32,
    pub release: Option<u32>,
    pub releases: Vec<u32>,
    pub args: Vec<String>,
    pub stdin: String,
    pub exit: i32,
    pub main: Option<String>,
    pub modules: bool,
}

impl Header {
    /// Reads the leading `//` lines of `source`; `path` is for messages.
    pub(crate) fn parse(source: &str, path: &Path) -> Result<Self> {
        let mut header = Self::default();
        for line in source.lines() {
            let Some(comment) = line.strip_prefix("//") else {
                break;
            };
            header.read_line(comment).map_err(|problem| Error::Header {
                path: path.to_path_buf(),
                line: line.to_owned(),
                problem,
            })?;
        }
        Ok(header)
    }

    fn read_line(&mut self, comment: &str) -> std::result::Result<(), &'static str> {
        let (key, value) = comment.split_once(':').unwrap_or((comment, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match key.trim() {
            "jdk" => self.jdk = number(value)?,
            "release" => self.release = Some(number(value)?),
            "releases" => {
                self.releases = value.split_whitespace().map(number).collect::<std::result::Result<_, _>>()?
            }
            "args" => self.args = split_arguments(value),
            "stdin" => {
                self.stdin.push_str(value);
                self.stdin.push('\n');
            }
            "exit" => self.exit = value.trim().parse().map_err(|_| "not an exit code")?,
            "main" => self.main = Some(value.trim().to_owned()),
            "modules" => self.modules = true,
            _ => return Err("unknown key"),
        }
        Ok(())
    }
}

fn number(text: &str) -> std::result::Result<u32, &'static str> {
    text.trim().parse().map_err(|_| "not a number")
}

/// Splits at blanks outside double quotes.
fn split_arguments(text: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut current: Option<String> = None;
    let mut quoted = false;
    for c in text.chars() {
        if c == '"' {
            quoted = !quoted;
            current.get_or_insert_default();
        } else if c.is_whitespace() && !quoted {
            arguments.extend(current.take());
        } else {
            current.get_or_insert_default().push(c);
        }
    }
    arguments.extend(current);
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(source: &str) -> Result<Header> {
        Header::parse(source, Path::new("Test.java"))
    }

    #[test]
    fn every_key() {
        let source = "// jdk: 21\n// release: 8\n// releases: 8 11\n// args: a \"b c\" \"\"\n// stdin: x y\n// stdin:\n\
                      // exit: 3\n// main: m/p.Main\n// modules\npublic class Test {\n// exit: 9\n}";
        let expected = Header {
            jdk: 21,
            release: Some(8),
            releases: vec![8, 11],
            args: vec!["a".into(), "b c".into(), String::new()],
            stdin: "x y\n\n".into(),
            exit: 3,
            main: Some("m/p.Main".into()),
            modules: true,
        };
        assert_eq!(parse(source).unwrap(), expected);
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        for (source, message) in [
            ("// exti: 3", "Test.java: header line `// exti: 3`: unknown key"),
            ("// jdk: new", "Test.java: header line `// jdk: new`: not a number"),
        ] {
            assert_eq!(parse(source).unwrap_err().to_string(), message);
        }
    }
}
