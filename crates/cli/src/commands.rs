//! One file for each command. A new command is a file with a struct of its arguments that has
//! `run(self, &Context) -> Result<Outcome>`, a `mod` line and a line in the list.

mod asked_place;
mod delete;
mod demo;
mod diff;
mod dump;
mod events_json;
mod export;
mod find;
mod found;
mod history;
mod import;
mod index;
mod info;
mod open;
mod place_json;
mod query;
mod questions;
mod record;
mod run_argument;
mod runs;
mod search;
mod show;
mod tree;
mod verify;
mod why;

use crate::context::{Context, Outcome};
use crate::error::Result;

macro_rules! commands {
    ($($module:ident::$name:ident,)*) => {
        #[derive(Debug, clap::Subcommand)]
        pub(crate) enum Command {
            $($name($module::$name),)*
        }

        impl Command {
            pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
                match self {
                    $(Command::$name(command) => command.run(context),)*
                }
            }
        }
    };
}

// In the order of the help.
commands! {
    demo::Demo,
    record::Record,
    runs::Runs,
    info::Info,
    open::Open,
    tree::Tree,
    show::Show,
    history::History,
    search::Search,
    why::Why,
    find::Find,
    query::Query,
    diff::Diff,
    dump::Dump,
    index::Index,
    verify::Verify,
    export::Export,
    import::Import,
    delete::Delete,
}
