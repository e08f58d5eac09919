//! Whether errors go where the search expects them: of values that were said to be wrong with some likelihood, how many are.

use super::again::cases_in;
use super::case::Case;
use crate::table::Table;
use anyhow::Result;
use std::collections::BTreeMap;
use std::path::PathBuf;
use whydunit_feedback::infection;

pub(super) fn calibration(folders: &[(String, PathBuf)]) -> Result<Table> {
    // By kind and tenths of the likelihood: values, and wrong ones.
    let mut counts: BTreeMap<(&str, u32), (f64, f64)> = BTreeMap::new();
    for (_, folder) in folders {
        for file in cases_in(folder)? {
            let case = Case::read(&file)?;
            let graph = case.graph();
            let wrong = infection(&graph, &case.mutated);
            let mut own: BTreeMap<(&str, u32), (f64, f64)> = BTreeMap::new();
            for step in graph.steps() {
                let judged = case.judgement(step);
                if case.is_mutated(graph.step(step).line) || judged.is_apart {
                    continue;
                }
                for read in &judged.reads {
                    let Some(source) = read.source else { continue };
                    let kind = if graph.effect(source).is_reference { "reference" } else { "value" };
                    let count = own.entry((kind, (wrong[source.0 as usize] * 10.0) as u32)).or_default();
                    count.0 += 1.0;
                    count.1 += f64::from(u8::from(read.is_wrong));
                }
            }
            // Each case counts the same.
            for (key, (all, wrong)) in own {
                let count = counts.entry(key).or_default();
                count.0 += 1.0;
                count.1 += wrong / all;
            }
        }
    }
    let mut table = Table::new(&["what", "expected", "cases", "found wrong"]);
    for ((kind, tenth), (all, wrong)) in counts {
        let expected = format!("{:.1}", f64::from(tenth) / 10.0);
        table.row([kind.to_owned(), expected, format!("{all}"), format!("{:.2}", wrong / all)]);
    }
    Ok(table)
}
