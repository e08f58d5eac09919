//! Learns the weights of what is known of a line before anything was asked: those with which the mutated lines of some
//! cases are likeliest, each among the lines of its case.

use super::again::cases_in;
use super::case::Case;
use crate::table::Table;
use anyhow::Result;
use std::path::PathBuf;
use whydunit_feedback::{FEATURES, features};

/// Keeps weights small of what few cases speak of.
const RIDGE: f64 = 0.5;

const ROUNDS: usize = 4000;
const RATE: f64 = 0.05;

type Weights = [f64; FEATURES.len()];

/// The lines of a case.
struct Lines {
    features: Vec<Weights>,
    mutated: Vec<usize>,
}

pub(super) fn fit(folders: &[(String, PathBuf)]) -> Result<Table> {
    let mut cases = Vec::new();
    for (_, folder) in folders {
        for file in cases_in(folder)? {
            let case = Case::read(&file)?;
            let mutated: Vec<usize> = case.mutated.iter().map(|line| line.0 as usize).collect();
            if !mutated.is_empty() {
                cases.push(Lines { features: features(&case.graph()), mutated });
            }
        }
    }
    let weights = learn(&cases);
    let mut table = Table::new(&["feature", "weight"]);
    for (name, weight) in FEATURES.iter().zip(weights) {
        table.row([(*name).to_owned(), format!("{weight:.3}")]);
    }
    Ok(table)
}

/// Goes uphill with steps that shrink where the way is steep (Adagrad).
fn learn(cases: &[Lines]) -> Weights {
    let mut weights = [0.0; FEATURES.len()];
    let mut steepness = [1e-6; FEATURES.len()];
    for _ in 0..ROUNDS {
        let mut slope = [0.0; FEATURES.len()];
        for case in cases {
            case.add_slope(&weights, &mut slope);
        }
        for index in 0..FEATURES.len() {
            let slope = slope[index] - RIDGE * weights[index];
            steepness[index] += slope * slope;
            weights[index] += RATE * 10.0 * slope / f64::sqrt(steepness[index]);
        }
    }
    weights
}

impl Lines {
    /// Of the logarithm of the mutated lines' part in all weights.
    fn add_slope(&self, weights: &Weights, slope: &mut Weights) {
        let score = |features: &Weights| features.iter().zip(weights).map(|(one, weight)| one * weight).sum::<f64>();
        let scores: Vec<f64> = self.features.iter().map(score).collect();
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let parts: Vec<f64> = scores.iter().map(|score| (score - most).exp()).collect();
        let all: f64 = parts.iter().sum();
        let wanted: f64 = self.mutated.iter().map(|&line| parts[line]).sum();
        for (line, features) in self.features.iter().enumerate() {
            let is_wanted = self.mutated.contains(&line);
            let pull = if is_wanted { parts[line] / wanted } else { 0.0 } - parts[line] / all;
            slope.iter_mut().zip(features).for_each(|(slope, feature)| *slope += pull * feature);
        }
    }
}
