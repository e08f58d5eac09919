//! Why nothing was recorded, as far as it can be known.

use super::patterns::Patterns;
use crate::error::UserError;
use crate::text;
use whydunit_store::{Adopted, CommandExit};

pub(super) fn explain(adopted: &Adopted, exit: CommandExit, patterns: &Patterns) -> UserError {
    if let Some(reason) = adopted.unsupported.first() {
        return UserError::new(format!("this JVM cannot be recorded: {reason}"))
            .hint("use a HotSpot JDK, version 17 or newer");
    }
    if let Some(reason) = adopted.unreadable.first() {
        return UserError::new(format!("the recording cannot be read: {reason}"))
            .hint("is the disk full, or was the JVM killed as it started? record it again");
    }
    let has_failed = exit != CommandExit::Code(0);
    if adopted.jvms == 0 {
        let end = if has_failed { format!(", and failed ({exit})") } else { String::new() };
        return UserError::new(format!("nothing was recorded: the command ran no JVM that could be reached{end}")).hint(
            "a JVM in a daemon or a container is out of reach, and so is one whose environment was cleared (`env -i`, \
             `sudo`): stop the daemon, or record in the container",
        );
    }
    let jvms = text::count(adopted.jvms, "JVM ran", "JVMs ran");
    if !adopted.is_all_reported() {
        return UserError::new(format!("nothing was recorded: {jvms}, but no class was in scope"))
            .hint("was it killed as it started? if not, name the program's packages with `--include com.acme`");
    }
    let program = adopted.reports.iter().find_map(|report| report.program_class.as_deref());
    if program.is_none() && has_failed {
        let message =
            format!("nothing was recorded: the command failed ({exit}), and no class of the program was loaded");
        return UserError::new(message).hint(
            "put right first what it complains about; if a daemon did the work, as Gradle's does, stop the daemon",
        );
    }
    let in_vain = patterns.include.in_vain(adopted);
    if !in_vain.is_empty() && in_vain.len() == patterns.include.all.len() {
        let words: Vec<String> = in_vain.into_iter().map(|pattern| pattern.words).collect();
        let error = UserError::new(format!("nothing was recorded: {} matched no class", words.join(" and ")));
        return match program {
            Some(class) => error.hint(format!("the program's classes have names such as `{class}`")),
            None => error.hint("check the spelling; no other class of a program was loaded either"),
        };
    }
    let has_patterns = !patterns.include.all.is_empty() || !patterns.exclude.all.is_empty();
    match program {
        Some(class) if !has_patterns => {
            UserError::new(format!("nothing was recorded: {jvms}, with classes such as `{class}`"))
                .hint("the recorder could not write: is the disk full, or the `--size-limit` too small?")
        }
        Some(class) => UserError::new(format!("nothing was recorded: {jvms}, but no class was in scope"))
            .hint(format!("`--include` and `--exclude` leave out the program's classes, such as `{class}`")),
        None => UserError::new(format!("nothing was recorded: {jvms}, but no class of a program was loaded")).hint(
            "classes of the JDK, build tools and test frameworks are recorded only when `--include` names them; \
             what a daemon does is out of reach: stop the daemon",
        ),
    }
}
