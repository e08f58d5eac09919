//! The figures of recording in docs/benchmarks.md.

use super::figures::{Cost, Figures, Startup, geometric_mean};
use super::programs::Kind;
use crate::page::{Marks, replace};
use crate::table::{Table, short};
use anyhow::Result;
use std::fmt::Write;
use std::fs;
use std::thread::available_parallelism;
use whydunit_testkit::Jdk;

const MARKS: Marks =
    Marks { begin: "<!-- figures: written by cargo xtask bench -->\n", end: "<!-- end of figures -->\n" };

pub(crate) fn figures(jdk: &Jdk, rounds: usize, startup: &Startup, all: &[Figures]) -> Result<String> {
    let mut text = String::new();
    writeln!(text, "JDK {}, {}, medians of {rounds} rounds.\n", jdk.version, machine())?;
    writeln!(text, "{}", aims(startup, all))?;
    writeln!(text, "{}", costs(all))?;
    write!(text, "{}", replays(all))?;
    Ok(text)
}

/// Replaces the figures in the page.
pub(crate) fn write(figures: &str) -> Result<()> {
    replace(&MARKS, figures)
}

fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cores = available_parallelism().map_or(1, usize::from);
    format!("{cores} cores ({})", model.map_or("unknown", |(_, name)| name))
}

fn aims(startup: &Startup, all: &[Figures]) -> Table {
    let mut table = Table::new(&["", "measured", "aim"]);
    let mut row = |what: &str, measured: f64, aim: &str| {
        let measured = if measured.is_finite() { format!("{measured:.2}") } else { "–".to_owned() };
        table.row([what.to_owned(), measured, aim.to_owned()]);
    };
    let real = || all.iter().filter(|figures| figures.program.kind == Kind::Real);
    row("CPU ratio of the programs, geometric mean", geometric_mean(real().map(Figures::cpu_ratio)), "2.0");
    row("CPU ratio of programs and kernels, geometric mean", geometric_mean(all.iter().map(Figures::cpu_ratio)), "");
    row("CPU ratio of the programs, worst", real().map(Figures::cpu_ratio).fold(f64::NAN, f64::max), "5");
    let dense = || real().filter_map(Figures::density);
    row(
        "compressed bytes per bytecode, worst program",
        dense().map(|(_, stored)| stored).fold(f64::NAN, f64::max),
        "0.25",
    );
    row("hello-world, CPU", Cost::cpu(&startup.rounds).ratio(), "1.5");
    row("hello-world, wall", Cost::wall(&startup.rounds).ratio(), "1.5");
    let share = geometric_mean(real().filter_map(Figures::replay_share));
    row("replay as part of `java -Xint`, geometric mean", share, "0.25");
    table
}

fn costs(all: &[Figures]) -> Table {
    let mut table =
        Table::new(&["program", "CPU plain", "recorded", "CPU ratio", "wall plain", "recorded", "wall ratio"]);
    for figures in all {
        let (cpu, wall) = (Cost::cpu(&figures.rounds), Cost::wall(&figures.rounds));
        let costs = [cpu, wall].into_iter().flat_map(|cost| {
            let seconds = [cost.plain, cost.recorded].map(|time| format!("{:.2} s", time.as_secs_f64()));
            seconds.into_iter().chain([format!("{:.2}", cost.ratio())])
        });
        table.row([figures.program.name.to_owned()].into_iter().chain(costs));
    }
    table
}

fn replays(all: &[Figures]) -> Table {
    let mut table = Table::new(&[
        "program",
        "bytecodes",
        "raw bytes",
        "compressed",
        "raw per bytecode",
        "compressed",
        "replay",
        "bytecodes/s",
        "java -Xint",
        "replay/Xint",
    ]);
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    for figures in all {
        let replay = figures.replay.as_ref();
        table.row([
            figures.program.name.to_owned(),
            or_dash(replay.map(|replay| short(replay.bytecodes))),
            short(figures.sizes.raw),
            short(figures.sizes.stored),
            or_dash(figures.density().map(|(raw, _)| format!("{raw:.2}"))),
            or_dash(figures.density().map(|(_, stored)| format!("{stored:.3}"))),
            or_dash(replay.map(|replay| format!("{:.1} s", replay.wall.as_secs_f64()))),
            or_dash(figures.replay_speed().map(|speed| short(speed as u64))),
            or_dash(figures.interpreted.map(|time| format!("{:.1} s", time.as_secs_f64()))),
            or_dash(figures.replay_share().map(|share| format!("{share:.2}"))),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_its_marks() {
        assert!(crate::page::has(&MARKS));
    }
}
