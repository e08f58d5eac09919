//! The help of every command.

use crate::sandbox::Sandbox;
use expect_test::expect_file;

#[test]
fn help_of_every_command() {
    let sandbox = Sandbox::new();
    for command in [
        "record", "runs", "info", "open", "tree", "show", "why", "history", "search", "query", "diff", "dump",
        "export", "import", "delete",
    ] {
        let help = sandbox.transcript(&[command, "--help"]);
        expect_file![format!("help/{command}.txt")].assert_eq(&help);
        assert!(help.contains("Examples:"), "the help of {command} has no examples");
    }
}
