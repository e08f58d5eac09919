//! Answers that cannot be: a step was called wrong that was over before the mutated line first ran. Where there are any, the
//! comparison of the two runs has erred.

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
            let graph = case.graph();
            let steps = case.mutated.iter().flat_map(|&line| graph.steps_of(line));
            let Some(start) = steps.map(|&step| graph.step(step).moment).min() else { continue };
            let is_impossible = |step: &StepId| {
                graph.step(*step).until < start && case.judgement(*step).answer() != Answer::Correct
            };
            let mut early: Vec<StepId> = graph.steps().filter(is_impossible).collect();
            early.sort_by_key(|&step| graph.step(step).moment);
            if let Some(&first) = early.first() {
                let of = graph.step(first);
                let place = format!("{} {:?}", case.lines[of.line.0 as usize], case.judgement(first));
                table.row([case.name.clone(), early.len().to_string(), place]);
            }
        }
    }
    Ok(table)
}
