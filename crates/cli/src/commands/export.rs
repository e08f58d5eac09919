//! `whydunit export`: a run as one file.

use crate::commands::run_argument::RunName;
use crate::context::{Context, Outcome};
use crate::error::{Result, UserError};
use crate::text;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Write a run to one file, to open it on another machine
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  whydunit export latest
  whydunit export 20261115-2107 -o /tmp/failure.whydunit")]
pub(crate) struct Export {
    #[command(flatten)]
    run: RunName,

    /// The file to write [default: the run's id with `.whydunit`]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write over a file that exists
    #[arg(long)]
    force: bool,
}

#[derive(Serialize)]
struct Exported<'a> {
    id: &'a str,
    file: &'a Path,
    size: u64,
}

impl Export {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        let store = context.store()?;
        let run = store.find(self.run.as_str())?;
        let file = self.output.unwrap_or_else(|| format!("{}.whydunit", run.id).into());
        if file.exists() && !self.force {
            let message = format!("{} exists already", file.display());
            return Err(UserError::new(message).hint("name another file with `-o`, or use `--force`").into());
        }
        store.export(&run, &file)?;
        let size = fs::metadata(&file).map_or(0, |meta| meta.len());
        if context.json {
            context.print_json(&Exported { id: run.id.as_str(), file: &file, size })?;
        } else {
            context.note(&format!("wrote {} ({})", file.display(), text::bytes(size)));
        }
        Ok(Outcome::Done)
    }
}
