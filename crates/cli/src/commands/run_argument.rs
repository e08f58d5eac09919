//! How a run is named: by `--run` in all commands, and alone where nothing else is named. The structs have no comments of
//! their own: clap would take them for the help of the command.

use crate::context::LATEST;

#[derive(Debug, clap::Args)]
pub(crate) struct RunOption {
    /// The run: `latest`, an id, or its beginning
    #[arg(long, default_value = LATEST)]
    pub(super) run: String,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RunName {
    /// The run: `latest`, an id, or its beginning [default: latest]
    #[arg(value_name = "RUN")]
    alone: Option<String>,

    /// The same as an option, which all commands have that are about a run
    #[arg(long = "run", value_name = "RUN", conflicts_with = "alone")]
    named: Option<String>,
}

impl RunName {
    pub(super) fn as_str(&self) -> &str {
        self.alone.as_deref().or(self.named.as_deref()).unwrap_or(LATEST)
    }
}
