//! What the JVM compiles it still compiles when it is recorded: its compilers give up on code of unusual shape, which
//! then is interpreted for ever.

use crate::support::{Answer, Workplace, verified_runs};
use std::process::Command;

/// Compilation stops the program, so that what is compiled does not depend on the machine.
const OPTIONS: &[&str] = &["-Xbatch", "-XX:+PrintCompilation", "HotHandlers"];

#[test]
fn locks_and_handlers_that_cover_themselves() {
    let workplace = Workplace::with_program("HotHandlers", include_str!("HotHandlers.java"), &["-g"]);
    let mut plain = Command::new(workplace.java());
    plain.args(["-cp", "."]).args(OPTIONS).current_dir(workplace.path());
    for printed in [Answer::of(plain), Answer::of(workplace.recording(&["--check"], OPTIONS))] {
        let own: Vec<&str> = printed.stdout.lines().filter(|line| line.contains("HotHandlers::")).collect();
        let given_up: Vec<_> = own.iter().filter(|line| line.contains("COMPILE SKIPPED")).collect();
        assert!(given_up.is_empty(), "{given_up:#?}");
        for (method, level) in ["block", "nested", "closing"].into_iter().flat_map(|m| [(m, "3"), (m, "4")]) {
            let is_compiled = own.iter().any(|line| {
                let words: Vec<&str> = line.split_whitespace().collect();
                words.contains(&level) && words.contains(&format!("HotHandlers::{method}").as_str())
            });
            assert!(is_compiled, "{method} is not compiled at level {level}: {own:#?}");
        }
    }
    let runs = verified_runs(&workplace.store()).expect("no difference");
    assert!(runs.iter().all(|run| run.facts_compared > 0) && runs.len() == 1, "{runs:?}");
}
