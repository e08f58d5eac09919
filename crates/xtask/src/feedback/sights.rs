//! How often something wrong is seen in a step that ran after it went wrong, or has called what went wrong.

use super::again::cases_in;
use super::case::Case;
use crate::table::Table;
use anyhow::Result;
use std::collections::BTreeMap;
use std::path::PathBuf;
use whydunit_feedback::{Answer, Graph, StepId, infection};

/// What is said to be likely to come on a known way.
const LIKELY: f64 = 0.3;

/// Steps with so many calls and loops around them are counted together.
const DEEPEST: u32 = 9;

pub(super) fn sights(folders: &[(String, PathBuf)]) -> Result<Table> {
    // By where the step is and how deep: cases, and the sum of the parts of their steps that are wrong.
    let mut counts: BTreeMap<(&str, u32), (f64, f64)> = BTreeMap::new();
    for (_, folder) in folders {
        for file in cases_in(folder)? {
            // Each case counts the same.
            for (key, (all, wrong)) in in_case(&Case::read(&file)?) {
                let count = counts.entry(key).or_default();
                count.0 += 1.0;
                count.1 += wrong / all;
            }
        }
    }
    let mut table = Table::new(&["step", "level", "cases", "found wrong"]);
    for ((place, level), (all, wrong)) in counts {
        table.row([place.to_owned(), level.to_string(), format!("{all}"), format!("{:.2}", wrong / all)]);
    }
    Ok(table)
}

fn in_case(case: &Case) -> BTreeMap<(&'static str, u32), (f64, f64)> {
    let graph = case.graph();
    let expected = infection(&graph, &case.mutated);
    let others = || graph.steps().filter(|&step| !case.is_mutated(graph.step(step).line));
    let is_wrong = |step: StepId| case.judgement(step).answer() != Answer::Correct;
    let mut counts: BTreeMap<(&str, u32), (f64, f64)> = BTreeMap::new();
    let Some(onset) = others().filter(|&step| is_wrong(step)).map(|step| graph.step(step).moment).min() else {
        return counts;
    };
    for step in others() {
        let place = place(&graph, step, onset, &expected);
        let count = counts.entry((place, graph.step(step).level.min(DEEPEST))).or_default();
        count.0 += 1.0;
        count.1 += f64::from(u8::from(is_wrong(step)));
    }
    counts
}

fn place(graph: &Graph, step: StepId, onset: u64, expected: &[f64]) -> &'static str {
    let of = graph.step(step);
    let is_expected = || graph.inputs_of(step).any(|input| expected[input.from.0 as usize] > LIKELY);
    if of.until < onset {
        "before"
    } else if of.moment <= onset {
        "above"
    } else if is_expected() {
        "after, on a known way"
    } else {
        "after"
    }
}
