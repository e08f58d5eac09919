//! Why a slice does not hold the mutated line.

use super::asking::{Asking, ClassLine};
use super::measured::Measured;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;
use whydunit_classfile::{ClassFile, Member, op};
use whydunit_mutation::{Mutant, Operator};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Miss {
    pub(super) reason: Reason,
    /// What can be looked into.
    detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Reason {
    /// The mutant takes a call or an assignment away: nothing is left on the line that could be in a slice.
    NothingLeft,
    /// The test framework failed the test because no exception came, or failed by itself.
    NothingThrown,
    /// The test waits for an exception, which did not come.
    ExpectedException,
    /// The mutant leaves a call out whose result has no part in the failure. Each such miss is worth a look: the result
    /// may have had a part after all.
    CallLeftOut,
    /// The slice took too long; one that is part of it did not, and has the line.
    OnlyInPart,
    /// The slice took too long.
    TimedOut,
    /// The mutated line is not among those of the recorded run.
    DidNotRun,
    /// The line is in a static initialiser.
    StaticInitialiser,
    /// To be looked into.
    Other,
}

impl Reason {
    pub(super) fn words(self) -> &'static str {
        match self {
            Reason::NothingLeft => "the mutant takes the statement's effect away: nothing that runs there matters",
            Reason::NothingThrown => "no exception left recorded code: the framework failed the test",
            Reason::ExpectedException => "an exception that the test expects did not come",
            Reason::CallLeftOut => "the mutant leaves a call out, and what that did is missing, not its result",
            Reason::OnlyInPart => {
                "the slice took more than 20 seconds of CPU time; a smaller one, part of it, holds the line"
            }
            Reason::TimedOut => "the slice took more than 20 seconds of CPU time",
            Reason::DidNotRun => {
                "the mutated line is not in the recorded run, such as one of a method that is too large to be rewritten"
            }
            Reason::StaticInitialiser => "the mutated line is in a static initialiser",
            Reason::Other => "other",
        }
    }
}

impl Miss {
    pub(super) fn find(
        asking: &Asking<'_>,
        mutant: &Mutant,
        original: &[u8],
        mutated: &ClassLine,
        measured: &Measured,
        lines: Option<&BTreeSet<ClassLine>>,
    ) -> Result<Miss> {
        let Some(failing) = &measured.failing else {
            return Ok(Miss { reason: Reason::NothingThrown, detail: String::new() });
        };
        let does = what_step_does(asking, failing.step)?;
        let reason = if measured.full.is_none() {
            Reason::TimedOut
        } else if lines.is_some_and(|lines| !lines.contains(mutated)) {
            Reason::DidNotRun
        } else if is_omission(mutant, original) {
            Reason::NothingLeft
        } else if does.iter().any(|what| is_wait_for_exception(what)) {
            Reason::ExpectedException
        } else if mutant.method.starts_with("<clinit>") {
            Reason::StaticInitialiser
        } else if mutant.operator == Operator::CallReplaced {
            Reason::CallLeftOut
        } else {
            Reason::Other
        };
        Ok(Miss { reason, detail: format!("{}: {}", failing.place, does.join(", ")) })
    }
}

/// Whether the mutant has nothing in the place of what it takes away.
fn is_omission(mutant: &Mutant, original: &[u8]) -> bool {
    match mutant.operator {
        Operator::VoidCallRemoved | Operator::AssignmentRemoved => true,
        Operator::CallReplaced => is_result_dropped(mutant, original).unwrap_or(false),
        _ => false,
    }
}

fn is_result_dropped(mutant: &Mutant, original: &[u8]) -> Option<bool> {
    let class = ClassFile::parse(original).ok()?;
    let is_its = |method: &&Member<'_>| {
        let name = method.name(&class.pool).unwrap_or_default();
        format!("{name}{}", method.descriptor(&class.pool).unwrap_or_default()) == mutant.method
    };
    let code = class.methods.iter().find(is_its)?.code(&class.pool).ok()??;
    let instructions = code.instructions().ok()?;
    let behind = instructions.iter().find(|instruction| instruction.pc > mutant.address)?;
    Some(matches!(behind.opcode, op::POP | op::POP2))
}

fn what_step_does(asking: &Asking<'_>, step: u64) -> Result<Vec<String>> {
    let Some((answer, _)) = asking.ask(&["why", &step.to_string()])? else { return Ok(Vec::new()) };
    let does = answer.pointer("/answers/0/does").and_then(Value::as_array);
    let what = |cause: &Value| cause.get("what").and_then(Value::as_str).map(str::to_owned);
    Ok(does.map(|does| does.iter().filter_map(what).collect()).unwrap_or_default())
}

/// A call of `Assert.fail()`, `Assertions.assertThrows()` and their like.
fn is_wait_for_exception(what: &str) -> bool {
    let name = what.trim_end_matches("()").rsplit('.').next();
    matches!(name, Some("fail" | "assertThrows" | "assertThrowsExactly"))
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.reason.words(), self.detail)
    }
}

#[cfg(test)]
mod tests {
    use super::is_wait_for_exception;

    #[test]
    fn calls_that_wait_for_an_exception() {
        assert!(is_wait_for_exception("Assert.fail()"));
        assert!(is_wait_for_exception("Assertions.assertThrows()"));
        assert!(!is_wait_for_exception("Assert.failNotEquals()"));
    }
}
