//! `whydunit import`: takes in a run from a file.

use crate::context::{Context, Outcome};
use crate::error::Result;
use serde::Serialize;
use std::path::PathBuf;
use whydunit_store::RunId;

/// Take in a run from a file that `whydunit export` wrote
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  whydunit import failure.whydunit
  whydunit import failure.whydunit --as from-ci")]
pub(crate) struct Import {
    /// The file
    file: PathBuf,

    /// Another name for the run
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
}

#[derive(Serialize)]
struct Imported<'a> {
    id: &'a str,
}

impl Import {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        let name = self.name.as_deref().map(RunId::new).transpose()?;
        let run = context.store()?.import(&self.file, name)?;
        if context.json {
            context.print_json(&Imported { id: run.id.as_str() })?;
        } else {
            context.note(&format!("imported {}", run.id));
            context.note(&format!("next: `{}`", context.command(&format!("info {}", run.id))));
        }
        Ok(Outcome::Done)
    }
}
