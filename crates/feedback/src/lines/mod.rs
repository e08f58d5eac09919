//! Another way to choose questions: hypotheses are lines, with weights that are learnt, and the best question is the one
//! after which the fewest answers are to be expected.

mod beliefs;
mod choice;
mod influence;
mod onsets;
mod outlook;
mod priors;
mod sight;

pub(crate) use beliefs::LineBeliefs;
pub use beliefs::Suspect;
pub(crate) use choice::choose;
pub use influence::infection;
pub use priors::{FEATURES, features};
