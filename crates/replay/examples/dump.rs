//! Prints the events of a recording's threads.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use whydunit_replay::events::{Wanted, for_each_event};
use whydunit_replay::{ObjectTable, Program};
use whydunit_trace::reader::Recording;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a recording")?;
    let recording = Arc::new(Recording::open(Path::new(&path))?);
    let objects = ObjectTable::load(&recording)?;
    let program = Program::new(&recording);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for &thread in recording.threads.keys() {
        for_each_event(&program, &objects, thread, &Wanted::default(), &mut |event| {
            let line = event.line.unwrap_or_default();
            let method = program.method_name(event.method);
            let written = writeln!(out, "{thread} {} {method}:{line} {:?}", event.step, event.kind);
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
    }
    Ok(())
}
