//! Which jumps of a compiled program are statements, and what runs because of them.

use super::annotated::annotate;
use super::decoded;
use crate::{Decider, Flow, Jumps};
use expect_test::expect_file;
use std::collections::{BTreeMap, BTreeSet};
use whydunit_replay::program::{MethodCode, Pc};
use whydunit_testkit::{Jdk, Program, compile};

const SOURCE: &str = include_str!("java/Jumps.java");

#[test]
fn statements_that_jump() {
    let program = Program::of_source("Jumps", SOURCE).expect("a program");
    for jdk in Jdk::all() {
        let compiled = compile(&program, &jdk).expect("it compiles");
        let decoded = decoded::decode(&compiled.classes);
        let mut notes = BTreeMap::new();
        decoded::methods(&decoded).for_each(|(_, code)| notes.extend(notes_of(code)));
        expect_file!["java/Jumps.java"].assert_eq(&annotate(SOURCE, &notes));
    }
}

fn notes_of(code: &MethodCode) -> BTreeMap<u32, String> {
    let flow = Flow::of(code);
    let jumps = Jumps::of(code, &flow);
    let line = |pc: Pc| code.line(pc).unwrap_or_default();
    let pcs = || 0..code.ops.len() as Pc;
    let names: BTreeMap<u32, char> =
        pcs().filter(|&pc| jumps.contains(pc)).map(line).collect::<BTreeSet<_>>().into_iter().zip('a'..).collect();
    let mut notes: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
    for pc in pcs() {
        let note = notes.entry(line(pc)).or_default();
        if jumps.contains(pc) {
            let skipped: BTreeSet<u32> = jumps.skipped(&flow, pc).into_iter().flatten().map(line).collect();
            let skipped: Vec<String> = skipped.iter().map(u32::to_string).collect();
            note.insert(format!("{}: skips {}", names[&line(pc)], skipped.join(" ")));
        }
        for decider in jumps.deciders(pc) {
            if let Decider::Branch(by) = decider
                && jumps.contains(*by)
            {
                note.insert(format!("led by {}", names[&line(*by)]));
            }
        }
    }
    notes.into_iter().map(|(line, note)| (line, Vec::from_iter(note).join(", "))).collect()
}
