//! Recordings whose blocks are in order but whose contents are not: the replay may find differences or give up
//! with a message, but must come to an end.

use crate::support::{FixedRandom, Workplace};
use std::fs;
use whydunit_debugger::Session;
use whydunit_store::RunFacts;
use whydunit_trace::block::{BlockKind, BlockWriter};
use whydunit_trace::reader::Recording;

const STREAMS: [BlockKind; 4] = [BlockKind::Values, BlockKind::Control, BlockKind::Objects, BlockKind::Check];
const CASES: u64 = 60;

#[test]
fn changed_values_records_and_classes() {
    let place = Workplace::with_busy_program();
    let recorded = place.recording(&["--check", "--name", "intact"], &["Busy", "20"]).output();
    assert!(recorded.expect("whydunit starts").status.success());
    let recording = Recording::open(&place.store().join("intact/trace.wdt")).expect("a recording");
    let scratch = place.path().join("nonsense.wdt");
    for seed in 0..CASES {
        let mut random = FixedRandom::new(seed);
        fs::write(&scratch, rewritten(&recording, &mut random)).expect("a file");
        let opened = Recording::open(&scratch).expect("a recording");
        let _ = RunFacts::of(&opened);
        // Errors and differences are both right answers to nonsense.
        let _ = Session::open(&scratch).and_then(|session| session.verify(&|_| {}));
    }
}

/// The same recording with a few bytes changed inside one stream or class.
fn rewritten(recording: &Recording, random: &mut FixedRandom) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = BlockWriter::create(&mut bytes, recording.flags).expect("written");
    let victim = random.below(STREAMS.len() + 1);
    for definition in &recording.definitions {
        let mut definition = definition.clone();
        if victim == STREAMS.len() {
            change(&mut definition.bytes, random);
        }
        writer.record(BlockKind::Definition, 0, &definition).expect("written");
    }
    for loader in &recording.loaders {
        writer.record(BlockKind::Loader, 0, loader).expect("written");
    }
    for class in &recording.classes {
        writer.record(BlockKind::Class, 0, class).expect("written");
    }
    for (&thread, streams) in &recording.threads {
        if let Some(info) = &streams.info {
            writer.record(BlockKind::Thread, thread.0, info).expect("written");
        }
        for (index, kind) in STREAMS.into_iter().enumerate() {
            let mut stream = recording.stream(thread, kind);
            let size = usize::try_from(stream.size()).expect("a small recording");
            let mut contents = stream.bytes(size).expect("readable");
            if index == victim {
                change(&mut contents, random);
            }
            writer.stream(kind, thread, 0, &contents).expect("written");
        }
    }
    writer.finish().expect("written");
    bytes
}

fn change(contents: &mut [u8], random: &mut FixedRandom) {
    if contents.is_empty() {
        return;
    }
    for _ in 0..=random.below(3) {
        let position = random.below(contents.len());
        contents[position] = random.below(256) as u8;
    }
}
