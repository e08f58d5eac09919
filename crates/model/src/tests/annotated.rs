//! A program with what is known of each line beside it. `UPDATE_EXPECT=1` writes it anew.

use super::decoded;
use crate::{Decider, Flow};
use expect_test::expect_file;
use std::collections::{BTreeMap, BTreeSet};
use whydunit_replay::program::{MethodCode, Pc};
use whydunit_testkit::{Jdk, Program, compile};

const SOURCE: &str = include_str!("java/Flows.java");
const COLUMN: usize = 48;

#[test]
fn each_line_has_its_deciders_and_loops() {
    let program = Program::of_source("Flows", SOURCE).expect("a program");
    for jdk in Jdk::all() {
        let compiled = compile(&program, &jdk).expect("it compiles");
        let decoded = decoded::decode(&compiled.classes);
        let mut notes = BTreeMap::new();
        decoded::methods(&decoded).for_each(|(_, code)| notes.extend(Notes::of(code).lines()));
        expect_file!["java/Flows.java"].assert_eq(&annotate(SOURCE, &notes));
    }
}

pub(super) fn annotate(source: &str, notes: &BTreeMap<u32, String>) -> String {
    let mut text = String::new();
    for (line, number) in source.lines().zip(1..) {
        let code = line.split("//").next().unwrap_or_default().trim_end();
        match notes.get(&number) {
            Some(note) if !note.is_empty() => text += &format!("{code:COLUMN$}// {note}\n"),
            _ => text += &format!("{code}\n"),
        }
    }
    text
}

/// The lines of a method. Those that others mention have letters for names.
struct Notes<'c> {
    code: &'c MethodCode,
    flow: Flow,
    names: BTreeMap<u32, char>,
}

impl Notes<'_> {
    fn of(code: &MethodCode) -> Notes<'_> {
        let flow = Flow::of(code);
        let headers = flow.loops().iter().map(|each| each.header);
        let mentioned: BTreeSet<u32> =
            flow.branches().iter().copied().chain(headers).map(|pc| line(code, pc)).collect();
        let names = mentioned.into_iter().zip('a'..).collect();
        Notes { code, flow, names }
    }

    fn lines(&self) -> BTreeMap<u32, String> {
        let pcs = 0..self.code.ops.len() as Pc;
        let lines: BTreeSet<u32> = pcs.map(|pc| line(self.code, pc)).collect();
        lines.into_iter().map(|number| (number, self.note(number))).collect()
    }

    fn note(&self, number: u32) -> String {
        let pcs = || (0..self.code.ops.len() as Pc).filter(|&pc| line(self.code, pc) == number);
        let deciders: BTreeSet<String> =
            pcs().flat_map(|pc| self.flow.deciders(pc)).map(|decider| self.name(decider)).collect();
        let loops = pcs().map(|pc| self.loops_around(pc)).max_by_key(Vec::len).unwrap_or_default();

        let mut parts = Vec::new();
        parts.extend(self.names.get(&number).map(|name| format!("{name}:")));
        if !deciders.is_empty() {
            parts.push(format!("by {}", Vec::from_iter(deciders).join(" ")));
        }
        if !loops.is_empty() {
            parts.push(format!("in {}", loops.join(" ")));
        }
        parts.join(" ")
    }

    fn name(&self, decider: &Decider) -> String {
        match decider {
            Decider::Entry => "entry".to_owned(),
            Decider::Branch(pc) => self.names[&line(self.code, *pc)].to_string(),
        }
    }

    /// The lines of their headers, from the inside.
    fn loops_around(&self, pc: Pc) -> Vec<String> {
        let all = self.flow.loops();
        let innermost = self.flow.innermost_loop(pc);
        let around = std::iter::successors(innermost, |id| all[id.0 as usize].parent);
        around.map(|id| self.names[&line(self.code, all[id.0 as usize].header)].to_string()).collect()
    }
}

fn line(code: &MethodCode, pc: Pc) -> u32 {
    code.line(pc).expect("compiled with lines")
}
