//! Searches in graphs that are made by hand, and in any.

mod chains;
mod simulated;
