//! Answers that cannot be: a step was called wrong that was over before the mutated line first ran. Where there are any, the
//! comparison of the two runs has erred, or the line ran earlier in steps that are not in the graph.

use super::again::cases_in;
use super::case::Case;
use crate::table::Table;
use anyhow::Result;
use std::path::PathBuf;
use whydunit_feedback::{Answer, StepId};

pub(super) fn impossible(folders: &[(String, PathBuf)]) -> Result<Table> {
    let mut table = Table::new(&["case", "wrong too early", "first of them"]);
    for (_, folder) in folders {
        for file in cases_in(folder)? {
            let case = Case::read(&file)?;
            let early = wrong_too_early(&case);
            if let Some(first) = early.first() {
                table.row([case.name.clone(), early.len().to_string(), first.clone()]);
            }
        }
    }
    Ok(table)
}

/// The lines of such steps, in the order of the run.
fn wrong_too_early(case: &Case) -> Vec<String> {
    let graph = case.graph();
    let mutated = case.mutated.iter().flat_map(|&line| graph.steps_of(line));
    let Some(start) = mutated.map(|&step| graph.step(step).moment).min() else { return Vec::new() };
    let is_early = |step: &StepId| graph.step(*step).until < start && case.judgement(*step).answer() != Answer::Correct;
    let mut early: Vec<StepId> = graph.steps().filter(is_early).collect();
    early.sort_by_key(|&step| graph.step(step).moment);
    early.into_iter().map(|step| case.lines[graph.step(step).line.0 as usize].clone()).collect()
}
