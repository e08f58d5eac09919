//! What the user is doing, after the answers so far.

/// The states of feedback-based debugging as Microbat has them: whether the user knows what to expect, and what is made
/// of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// From a wrong value to what made it, from a wrong path to what decided.
    SimpleInference,
    /// Iterations like those that were sound are passed over.
    Skip,
    /// Too many were passed over: the first unsound one is among them.
    BinarySearch,
    /// What was right where it was made is wrong where it is used.
    InspectDetails,
    /// The user could not tell: something more abstract is shown.
    Unclear,
    /// The user could tell that: back towards what was unclear.
    PartialClear,
}

/// What an answer means in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    WrongStep,
    CorrectStep,
    Unclear,
    /// What led here is like what was sound before.
    PatternMatched,
    PatternNotMatched,
    /// What the skipped iterations were given was right.
    OverSkip,
    /// The user understands again.
    ClearIndication,
}

/// What an answer has led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    pub from: State,
    pub event: Event,
    pub to: State,
}

impl State {
    pub fn is_clear(self) -> bool {
        !matches!(self, State::Unclear | State::PartialClear)
    }

    /// The state and those that it is part of, the widest first.
    pub fn names(self) -> &'static [&'static str] {
        match self {
            State::SimpleInference => &["clear specification", "simple inference"],
            State::Skip => &["clear specification", "pattern inference", "skip"],
            State::BinarySearch => &["clear specification", "pattern inference", "binary search"],
            State::InspectDetails => &["clear specification", "inspect details"],
            State::Unclear => &["clarity inference", "unclear"],
            State::PartialClear => &["clarity inference", "partial clear"],
        }
    }
}
