//! The index against an oracle: what a replay of everything from the start says.

mod answers;
mod finds;
mod lowest;
mod support;

use std::fs;
use support::{INTERVAL, PROGRAMS, Run, samples};
use whydunit_replay::index::{Ending, GlobalOrder};
use whydunit_replay::state::state_from_start;

#[test]
fn states_from_checkpoints_are_states_from_the_start() {
    for name in PROGRAMS {
        let run = Run::record(name);
        for index in run.indexes() {
            assert!(!matches!(index.ending(), Ending::Diverged(_)), "{name}: {:?}", index.ending());
            assert!(index.checkpoints() as u64 >= index.instructions() / (INTERVAL * 64), "{name}");
            for step in samples(index.steps()) {
                let state = index.state_at(&run.program, &run.objects, step).expect("a state");
                let expected = state_from_start(&run.program, &run.objects, index.thread(), step).expect("a state");
                assert!(state.is_some(), "{name} {} step {step}", index.thread());
                assert_eq!(state, expected, "{name} {} step {step}", index.thread());
            }
            for step in [0, index.steps() + 1] {
                assert_eq!(index.state_at(&run.program, &run.objects, step).expect("no error"), None);
            }
        }
    }
}

#[test]
fn one_numbering_for_the_steps_of_all_threads() {
    let run = Run::record("Concurrency");
    let indexes = run.indexes();
    assert!(indexes.len() > 1);
    let order = GlobalOrder::new(&indexes);
    for number in samples(order.steps()).chain([1, order.steps()]) {
        let (thread, step) = order.step_of(number).expect("readable").expect("a step");
        assert_eq!(order.number_of(thread, step).expect("readable"), Some(number), "{thread} {step}");
    }
    for index in &indexes {
        let mut last = 0;
        for step in 1..=index.steps().min(500) {
            let number = order.number_of(index.thread(), step).expect("readable").expect("a number");
            assert!(number > last);
            assert_eq!(order.step_of(number).expect("readable"), Some((index.thread(), step)));
            let stretch = order.stretch_of(index.thread(), step).expect("readable").expect("a stretch");
            assert!(stretch.steps.contains(&step));
            assert_eq!(stretch.first + (step - stretch.steps.start()), number);
            assert_eq!(order.first_step_from(index.thread(), number).expect("readable"), step);
            assert_eq!(order.first_step_from(index.thread(), last + 1).expect("readable"), step);
            last = number;
        }
    }
    assert_eq!(order.step_of(0).expect("readable"), None);
    assert_eq!(order.step_of(order.steps() + 1).expect("readable"), None);
}

#[test]
fn a_damaged_index_is_built_again() {
    let run = Run::record(PROGRAMS[0]);
    let steps: Vec<u64> = run.indexes().iter().map(|index| index.steps()).collect();
    let file = fs::read_dir(run.index_folder()).expect("a folder").flatten().next().expect("a file").path();
    let sound = fs::read(&file).expect("readable");
    for length in [0, 1, sound.len() / 2, sound.len() - 1] {
        fs::write(&file, &sound[..length]).expect("writable");
        assert_eq!(run.indexes().iter().map(|index| index.steps()).collect::<Vec<_>>(), steps);
        assert_eq!(fs::read(&file).expect("readable"), sound);
    }
}

/// The directory is sound, so that the damage is found by a question only.
#[test]
fn a_damaged_piece_is_an_error_once() {
    let run = Run::record(PROGRAMS[0]);
    let thread = run.indexes()[0].thread();
    let file = run.index_folder().join(format!("{thread}.wdi"));
    let mut bytes = fs::read(&file).expect("readable");
    bytes[8] ^= 0x40;
    fs::write(&file, &bytes).expect("writable");
    let checkpoint = |run: &Run| run.indexes()[0].checkpoint(0).map(|checkpoint| checkpoint.steps.steps());
    assert!(checkpoint(&run).is_err());
    assert!(!file.exists(), "it is in nobody's way");
    assert_eq!(checkpoint(&run).expect("built again"), 0);
}
