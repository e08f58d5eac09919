//! Another way to choose questions: hypotheses are lines, with weights that are learnt, and the best question is the one
//! after which the fewest answers are to be expected.

mod beliefs;
mod candidates;
mod choice;
mod ground;
mod influence;
mod network;
mod onsets;
mod outlook;
mod passes;
mod priors;
mod sets;
mod sight;
mod sightings;
mod sources;
#[cfg(test)]
mod tests;

pub(crate) use beliefs::LineBeliefs;
pub use beliefs::Suspect;
pub(crate) use choice::choose;
pub(crate) use ground::Ground;
pub use influence::infection;
pub(crate) use passes::Passes;
pub use priors::{FEATURES, features};
