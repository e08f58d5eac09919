//! A step in a few lines.

use crate::commands::show::printer::{Printer, effect_words, next_words};
use crate::context::FAINT;
use std::io::{self, Write};
use whydunit_debugger::{EffectKind, Moments, Next, Session, StepView};

/// Lines of source around the one that runs.
const AROUND: u32 = 2;

/// Things of one kind.
const MOST: usize = 6;

pub(super) fn write(out: &mut impl Write, session: &Session, moments: &Moments, step: &StepView) -> io::Result<()> {
    let mut printer = Printer { out, session };
    printer.title(step, moments)?;
    printer.source(step, AROUND)?;
    let out = printer.out;
    let kinds = [
        ("written", EffectKind::Written),
        ("called", EffectKind::Called),
        ("read", EffectKind::Read),
        ("done", EffectKind::Did),
    ];
    for (label, kind) in kinds {
        let effects: Vec<_> = step.effects.iter().filter(|effect| effect.kind == kind).collect();
        for (position, effect) in effects.iter().take(MOST).enumerate() {
            let label = if position == 0 { label } else { "" };
            writeln!(out, "  {FAINT}{label:<7}{FAINT:#}  {}", effect_words(session, effect))?;
        }
        if effects.len() > MOST {
            writeln!(out, "  {:<7}  {FAINT}… {} more: `show`{FAINT:#}", "", effects.len() - MOST)?;
        }
    }
    let then = match step.next {
        Next::Unknown if step.is_cut => format!("{FAINT}calls that take long: `next` goes over them{FAINT:#}"),
        _ => next_words(session, &step.next),
    };
    writeln!(out, "  {FAINT}{:<7}{FAINT:#}  {then}", "then")
}
