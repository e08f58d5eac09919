//! Answers against the length of runs, as a picture.

use anyhow::{Context, Result};
use plotters::prelude::*;
use std::path::Path;

const SIZE: (u32, u32) = (760, 440);

/// What was found after some answers in a run of some steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) steps: u64,
    pub(super) answers: usize,
}

/// Both axes are logarithmic; a line that was asked about first took no answers and stands at the bottom.
pub(super) fn plot(points: &[Point], file: &Path) -> Result<()> {
    draw(points, file).ok().with_context(|| format!("cannot draw {}", file.display()))
}

fn draw(points: &[Point], file: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let longest = points.iter().map(|point| point.steps).max().unwrap_or(1).max(10) as f64;
    let most = points.iter().map(|point| point.answers).max().unwrap_or(0) as f64 + 1.0;
    let root = SVGBackend::new(file, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(44)
        .build_cartesian_2d((10.0..longest * 1.5).log_scale(), (1.0..most.max(10.0) * 1.2).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("steps of the run")
        .y_desc("answers, and the question that found it")
        .x_label_formatter(&|steps| format!("{steps:.0}"))
        .y_label_formatter(&|answers| format!("{answers:.0}"))
        .draw()?;
    let place = |point: &Point| (point.steps.max(10) as f64, point.answers as f64 + 1.0);
    chart.draw_series(points.iter().map(|point| Circle::new(place(point), 2, BLUE.mix(0.5).filled())))?;
    root.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_trial_is_a_point() {
        let file = std::env::temp_dir().join(format!("whydunit-plot-{}.svg", std::process::id()));
        let points = [Point { steps: 48, answers: 0 }, Point { steps: 1_700_000, answers: 28 }];
        plot(&points, &file).expect("a picture");
        let text = std::fs::read_to_string(&file).expect("text");
        std::fs::remove_file(&file).expect("removed");
        assert_eq!(text.matches("<circle").count(), points.len());
    }
}
