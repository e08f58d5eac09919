//! Measures the index of a recording and the time that random states take: `state TRACE FOLDER`.

use std::path::Path;
use std::time::Instant;
use whydunit_debugger::Session;

const SAMPLES: u64 = 50;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let trace = arguments.next().ok_or("name a recording")?;
    let folder = arguments.next().ok_or("name a folder for the index")?;
    let started = Instant::now();
    let session = Session::open(Path::new(&trace))?;
    println!("open: {:.3} s", started.elapsed().as_secs_f64());
    let started = Instant::now();
    let moments = session.index(Path::new(&folder), &|_| ())?;
    let seconds = started.elapsed().as_secs_f64();
    let millions = moments.instructions() as f64 / 1e6;
    println!("index: {seconds:.3} s, {millions:.0} million bytecodes, {:.0} million a second", millions / seconds);
    for &thread in session.recording().threads.keys() {
        let steps = moments.steps(thread);
        let mut random = 42u64;
        let mut slowest = 0f64;
        let mut total = 0f64;
        for _ in 0..SAMPLES {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let step = 1 + (random >> 33) % steps.max(1);
            let started = Instant::now();
            let state = session.state(moments, thread, step)?;
            let seconds = started.elapsed().as_secs_f64();
            assert!(state.is_some(), "step {step} of {steps}");
            slowest = slowest.max(seconds);
            total += seconds;
        }
        let mean = total / SAMPLES as f64 * 1e3;
        println!("{thread}: {steps} steps, state in {mean:.1} ms, at most {:.1} ms", slowest * 1e3);
    }
    Ok(())
}
