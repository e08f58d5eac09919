//! The kinds of changes there are.

use crate::edit::Change;
use crate::{Site, arithmetic, calls, conditions, constants, returns};
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// `<` becomes `<=`.
    ConditionalBoundary,
    /// `<` becomes `>=`.
    NegatedConditional,
    /// `+` becomes `-`.
    Arithmetic,
    /// `i++` becomes `i--`.
    Increment,
    /// `-x` becomes `x`.
    InvertedNegative,
    /// Another value is returned.
    ReturnValue,
    /// Another number stands in the code.
    InlineConstant,
    /// A method that returns nothing is not called.
    VoidCallRemoved,
    /// A method is not called; its result is zero or null.
    CallReplaced,
    /// A field keeps its value.
    AssignmentRemoved,
}

impl Operator {
    pub const ALL: [Operator; 10] = [
        Operator::ConditionalBoundary,
        Operator::NegatedConditional,
        Operator::Arithmetic,
        Operator::Increment,
        Operator::InvertedNegative,
        Operator::ReturnValue,
        Operator::InlineConstant,
        Operator::VoidCallRemoved,
        Operator::CallReplaced,
        Operator::AssignmentRemoved,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Operator::ConditionalBoundary => "conditional-boundary",
            Operator::NegatedConditional => "negated-conditional",
            Operator::Arithmetic => "arithmetic",
            Operator::Increment => "increment",
            Operator::InvertedNegative => "inverted-negative",
            Operator::ReturnValue => "return-value",
            Operator::InlineConstant => "inline-constant",
            Operator::VoidCallRemoved => "void-call-removed",
            Operator::CallReplaced => "call-replaced",
            Operator::AssignmentRemoved => "assignment-removed",
        }
    }

    /// What it makes of an instruction.
    pub(crate) fn changes(self, site: Site<'_, '_>) -> Vec<Change> {
        match self {
            Operator::ConditionalBoundary => conditions::boundary(site).into_iter().collect(),
            Operator::NegatedConditional => conditions::negated(site).into_iter().collect(),
            Operator::Arithmetic => arithmetic::replaced(site).into_iter().collect(),
            Operator::Increment => arithmetic::increment(site).into_iter().collect(),
            Operator::InvertedNegative => arithmetic::negative(site).into_iter().collect(),
            Operator::ReturnValue => returns::replaced(site),
            Operator::InlineConstant => constants::changed(site).into_iter().collect(),
            Operator::VoidCallRemoved => calls::removed(site).into_iter().collect(),
            Operator::CallReplaced => calls::replaced(site).into_iter().collect(),
            Operator::AssignmentRemoved => calls::assignment(site).into_iter().collect(),
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
