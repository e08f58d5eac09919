//! Experiments that take too long for the tests: the test suites of whole libraries, recorded and verified,
//! the benchmarks, and experiments on mutants of libraries.

mod bench;
mod feedback;
mod limited;
mod maven;
mod measure;
mod mutants;
mod page;
mod parts;
mod questions;
mod recorder;
mod slices;
mod suites;
mod table;
mod workshop;

use anyhow::Result;
use clap::Parser;
use std::process::ExitCode;

#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
enum Task {
    Suites(suites::Suites),
    Bench(bench::Bench),
    Questions(questions::Questions),
    Slices(slices::Slices),
    Feedback(feedback::Feedback),
}

fn main() -> Result<ExitCode> {
    match Task::parse() {
        Task::Suites(suites) => suites.run(),
        Task::Bench(bench) => bench.run(),
        Task::Questions(questions) => questions.run(),
        Task::Slices(slices) => slices.run(),
        Task::Feedback(feedback) => feedback.run(),
    }
}
