//! Where commands come from: an editor with history and completion, or the lines of the input.

use super::completion::Completion;
use crate::context::Context;
use rustyline::config::CompletionType;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{Config, Editor};
use std::env;
use std::fs;
use std::io::{self, BufRead, IsTerminal};
use std::path::PathBuf;
use whydunit_debugger::{Session, StepView};

/// Lines that are remembered from one time to the next.
const REMEMBERED: usize = 1000;

pub(super) enum Lines<'s> {
    Typed { editor: Box<Editor<Completion<'s>, DefaultHistory>>, history: Option<PathBuf> },
    Given(io::StdinLock<'static>),
}

impl<'s> Lines<'s> {
    pub(super) fn new(context: &Context, session: &'s Session) -> Lines<'s> {
        if io::stdin().is_terminal()
            && let Ok(mut editor) = editor()
        {
            editor.set_helper(Some(Completion::new(session)));
            let history = history_file();
            // A history that cannot be read or written is not worth a word.
            if let Some(history) = &history {
                let _ = editor.load_history(history);
            }
            context.note("`help` lists the commands, the tab key completes words, `quit` leaves");
            return Lines::Typed { editor: Box::new(editor), history };
        }
        Lines::Given(io::stdin().lock())
    }

    /// The next line; `None` at the end.
    pub(super) fn next_line(&mut self, view: &StepView) -> Option<String> {
        match self {
            Lines::Typed { editor, history } => {
                if let Some(completion) = editor.helper_mut() {
                    completion.move_to(view);
                }
                match editor.readline(&format!("step {}> ", view.number)) {
                    Ok(line) => {
                        let _ = editor.add_history_entry(&line);
                        if let Some(history) = history {
                            let _ = editor.append_history(history);
                        }
                        Some(line)
                    }
                    // Ctrl-C drops the line.
                    Err(ReadlineError::Interrupted) => Some("#".to_owned()),
                    Err(_) => None,
                }
            }
            Lines::Given(input) => {
                let mut bytes = Vec::new();
                match input.read_until(b'\n', &mut bytes) {
                    Ok(read) if read > 0 => Some(String::from_utf8_lossy(&bytes).trim_end().to_owned()),
                    _ => None,
                }
            }
        }
    }
}

fn editor<'s>() -> rustyline::Result<Editor<Completion<'s>, DefaultHistory>> {
    let config = Config::builder()
        .max_history_size(REMEMBERED)?
        .history_ignore_dups(true)?
        .completion_type(CompletionType::List)
        .build();
    Editor::with_config(config)
}

/// In the user's folder for such things.
fn history_file() -> Option<PathBuf> {
    let home = || Some(PathBuf::from(env::var_os("HOME")?).join(".local/state"));
    let folder = env::var_os("XDG_STATE_HOME").map(PathBuf::from).or_else(home)?.join("whydunit");
    fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history"))
}
