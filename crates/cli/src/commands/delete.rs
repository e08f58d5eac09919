//! `whydunit delete`: removes runs.

use crate::context::{Context, Outcome};
use crate::error::Result;
use crate::text;
use whydunit_store::Run;

/// Delete runs with everything that belongs to them
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  whydunit delete 20261115-2107-a3f
  whydunit delete latest nightly-2")]
pub(crate) struct Delete {
    /// The runs: `latest`, ids, or their beginnings
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
}

impl Delete {
    /// Deletes nothing when one of the runs is not found.
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        let store = context.store()?;
        let mut runs: Vec<Run> = Vec::new();
        for spec in &self.runs {
            let run = store.find(spec)?;
            if !runs.iter().any(|other| other.id == run.id) {
                runs.push(run);
            }
        }
        let mut freed = 0;
        for run in &runs {
            freed += run.size();
            store.delete(run)?;
        }
        if context.json {
            context.print_json(&runs.iter().map(|run| run.id.as_str()).collect::<Vec<_>>())?;
        } else {
            let deleted = text::count(runs.len(), "run", "runs");
            context.note(&format!("deleted {deleted}, {} freed", text::bytes(freed)));
        }
        Ok(Outcome::Done)
    }
}
