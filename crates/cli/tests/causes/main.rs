//! Where values come from: against an oracle, and as users see it.

mod oracle;
mod stretches;
