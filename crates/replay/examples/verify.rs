//! Verifies the recordings that are named on the command line and prints the speed.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use whydunit_replay::{ObjectTable, Program, verify};
use whydunit_trace::reader::Recording;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let start = Instant::now();
        let recording = Arc::new(Recording::open(Path::new(&path))?);
        let objects = ObjectTable::load(&recording)?;
        let program = Program::new(&recording);
        let loaded = start.elapsed();
        let start = Instant::now();
        let report = verify(&program, &objects, &|_| {})?;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{path}: {} threads, {} objects, {} bytecodes, {} facts, {} ended early, {} divergences; \
             loaded in {loaded:.1?}, replayed in {seconds:.3} s, {:.1} M/s",
            report.threads,
            objects.len(),
            report.bytecodes,
            report.facts_compared,
            report.ended_early.len(),
            report.divergences.len(),
            report.bytecodes as f64 / seconds / 1e6
        );
        for divergence in &report.divergences {
            println!("  {divergence}");
        }
    }
    Ok(())
}
