//! How the agent gets into a JVM that some other program starts.
//!
//! The silent way is a library that every process loads first (`LD_PRELOAD`) and that adds the agent's option
//! when a process creates a JVM. Where the command cannot load it, the JVM's own variable `JAVA_TOOL_OPTIONS`
//! does the same, but lets each JVM print a line about it.

use super::elf;
use super::library::Libraries;
use crate::error::{Result, UserError};
use std::env;
use std::ffi::OsString;
use std::path::Path;

/// The variable in which the preloaded library finds the option; `crates/preload` has the same name.
const OPTION_VARIABLE: &str = "WHYDUNIT_AGENT_OPTION";
const PRELOAD_VARIABLE: &str = "LD_PRELOAD";
const TOOL_OPTIONS: &str = "JAVA_TOOL_OPTIONS";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Attach {
    /// By a preloaded library where the command can load it, else by JAVA_TOOL_OPTIONS
    #[default]
    Auto,
    /// By a preloaded library
    Preload,
    /// By JAVA_TOOL_OPTIONS: each JVM prints a line about it on stderr
    ToolOptions,
}

/// Variables to set for the command.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Environment(Vec<(&'static str, OsString)>);

impl Environment {
    pub(super) fn choose(attach: Attach, program: &Path, libraries: &Libraries, config: &Path) -> Result<Environment> {
        let preload = match attach {
            Attach::Auto => elf::loads_our_libraries(program) && is_preloadable(&libraries.preload),
            Attach::Preload => true,
            Attach::ToolOptions => false,
        };
        let option = agent_option(libraries, config)?;
        Ok(if preload {
            Environment::preload(&libraries.preload, option, env::var_os(PRELOAD_VARIABLE))
        } else {
            Environment::tool_options(&option, env::var_os(TOOL_OPTIONS))
        })
    }

    fn preload(library: &Path, option: OsString, present: Option<OsString>) -> Environment {
        let mut list = library.as_os_str().to_owned();
        if let Some(present) = present.filter(|present| !present.is_empty()) {
            list.push(":");
            list.push(present);
        }
        Environment(vec![(PRELOAD_VARIABLE, list), (OPTION_VARIABLE, option)])
    }

    fn tool_options(option: &OsString, present: Option<OsString>) -> Environment {
        // The JVM splits the variable at white space that is not quoted.
        let mut options = OsString::from("\"");
        options.push(option);
        options.push("\"");
        if let Some(present) = present.filter(|present| !present.is_empty()) {
            options.push(" ");
            options.push(present);
        }
        Environment(vec![(TOOL_OPTIONS, options)])
    }

    pub(super) fn variables(&self) -> impl Iterator<Item = (&'static str, &OsString)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }
}

fn agent_option(libraries: &Libraries, config: &Path) -> Result<OsString> {
    let library = libraries.agent.as_os_str();
    if library.as_encoded_bytes().iter().any(|byte| b"=\"".contains(byte)) {
        let message = format!("the JVM cannot load an agent from {}", libraries.agent.display());
        return Err(UserError::new(message)
            .hint("set XDG_CACHE_HOME to a folder without `=` and `\"` in its path")
            .into());
    }
    let mut option = OsString::from("-agentpath:");
    option.push(library);
    option.push("=");
    option.push(config);
    Ok(option)
}

/// The dynamic linker splits its list at spaces and colons.
fn is_preloadable(library: &Path) -> bool {
    !library.as_os_str().as_encoded_bytes().iter().any(|byte| b" :".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_variables_hold_already_is_kept() {
        let option = OsString::from("-agentpath:/a.so=/c.json");
        let environment = Environment::preload(Path::new("/p.so"), option.clone(), Some("/q.so".into()));
        assert_eq!(environment.0[0], ("LD_PRELOAD", "/p.so:/q.so".into()));
        let environment = Environment::tool_options(&option, Some("-Xmx1g".into()));
        assert_eq!(environment.0, [("JAVA_TOOL_OPTIONS", "\"-agentpath:/a.so=/c.json\" -Xmx1g".into())]);
        let environment = Environment::tool_options(&option, Some(OsString::new()));
        assert_eq!(environment.0, [("JAVA_TOOL_OPTIONS", "\"-agentpath:/a.so=/c.json\"".into())]);
    }
}
