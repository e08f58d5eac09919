//! Why a mutated line was not found.

use super::searched::End;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// Nothing that the mutant does is wrong: something is not done any more.
    EffectRemoved,
    /// The graph of the failure has no way from the line.
    NoWay,
    Search(End),
}

impl Reason {
    pub(super) fn of(end: End, operator: &str, has_way: bool) -> Reason {
        match end {
            End::TooManyAnswers | End::LedAway if operator.ends_with("-removed") => Reason::EffectRemoved,
            End::TooManyAnswers | End::LedAway if !has_way => Reason::NoWay,
            end => Reason::Search(end),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::EffectRemoved => {
                "the mutant leaves something out, so that nothing leads from the line to the failure"
            }
            Reason::NoWay => "no way is known from the line to the failure",
            Reason::Search(End::NoFailure) => "no exception left recorded code",
            Reason::Search(End::NotRun) => "the line did not run before the failure was seen",
            Reason::Search(End::LedAway) => "the answers led elsewhere",
            Reason::Search(End::TooManyAnswers) => "too many answers",
            Reason::Search(End::Found) => "found",
        })
    }
}
