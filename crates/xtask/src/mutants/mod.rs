//! Experiments on mutants of libraries: projects, their tests, mutants that a test notices, and recorded runs of that
//! test. What is measured on such a mutant is an [`Experiment`].

pub(crate) mod catalogue;
mod coverage;
mod driver;
mod experiment;
mod journal;
mod killed;
mod names;
mod neighbours;
mod pairing;
mod probes;
mod recording;
mod sample;
mod selection;
mod subject;

pub(crate) use experiment::Experiment;
pub(crate) use journal::{Entry, Fate};
pub(crate) use recording::{Recording, Trial, Version};
pub(crate) use selection::{Results, Selection};
