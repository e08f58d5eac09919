//! Where values come from: against an oracle, and as users see it.

mod conditions;
mod faults;
mod labels;
mod mutants;
mod oracle;
mod parts;
mod stretches;
mod tasks;
