//! Every state and every transition, in a loop that is small enough to see through.

mod kinds;
mod program;
mod transitions;
