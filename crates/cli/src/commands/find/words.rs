//! Reasons, states and kinds in words.

use whydunit_debugger::{BugKind, CauseKind, Condition, FindState, Reason};

pub(super) fn reason(reason: Reason, state: FindState) -> &'static str {
    match (reason, state) {
        (Reason::Failure, _) => "the failure is seen here",
        (Reason::Source, _) => "it made a value that you said is wrong",
        (Reason::Omission, _) => "it could have given another value to what you said is wrong",
        (Reason::Decision, _) => "it decided that a step ran that should not have",
        (Reason::Suspicion, _) => "it is the likeliest of all that led to the failure",
        (Reason::Split, _) => "whatever you say, it rules out much of what led to the failure",
        (Reason::Guidance, FindState::Skip) => "it is the first on its way that is not like what was sound",
        (Reason::Guidance, FindState::BinarySearch) => "it halves what was passed over",
        (Reason::Guidance, FindState::InspectDetails) => "it lies between a right value and where that is wrong",
        (Reason::Guidance, FindState::Unclear) => "it is further out than what was unclear",
        (Reason::Guidance, FindState::PartialClear) => "it leads back to what was unclear",
        (Reason::Guidance, FindState::SimpleInference) => "your answers lead there",
    }
}

pub(super) fn reason_id(reason: Reason) -> &'static str {
    match reason {
        Reason::Source => "source",
        Reason::Omission => "omission",
        Reason::Decision => "decision",
        Reason::Suspicion => "suspicion",
        Reason::Split => "split",
        Reason::Failure => "failure",
        Reason::Guidance => "guidance",
    }
}

pub(super) fn kind(kind: BugKind) -> &'static str {
    match kind {
        BugKind::MissingCornerCase => "missing corner case",
        BugKind::BranchMistake => "branch mistake",
        BugKind::WrongInitialisation => "wrong initialisation",
    }
}

pub(super) fn kind_explained(kind: BugKind) -> &'static str {
    match kind {
        BugKind::MissingCornerCase => "the same way through the code was right for other values",
        BugKind::BranchMistake => "nothing that is known to be right went this way through the code",
        BugKind::WrongInitialisation => "the line takes nothing from elsewhere",
    }
}

pub(super) fn decided(condition: &Condition) -> &'static str {
    match condition.cause.kind {
        CauseKind::Branch => "decided",
        CauseKind::Call | CauseKind::Unrecorded => "called",
        _ => "because",
    }
}
