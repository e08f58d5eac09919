//! The commands of the prompt.

use crate::commands::asked_place::AskedPlace;
use crate::commands::history::AskedHistory;
use crate::commands::query::AskedQuery;
use crate::commands::questions;
use crate::commands::search::AskedSearch;
use crate::commands::tree::AskedTree;
use crate::error::UserError;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches};
use whydunit_debugger::UnknownName;

#[derive(Debug, clap::Parser)]
#[command(
    multicall = true,
    disable_help_flag = true,
    max_term_width = 100,
    help_template = "{subcommands}{after-help}",
    after_help = "An empty line repeats the last movement. `help COMMAND` tells more. \
                  Objects are written as they are shown: `<Cart:1>`."
)]
struct Line {
    #[command(subcommand)]
    command: PromptCommand,
}

#[derive(Debug, clap::Subcommand)]
#[command(disable_help_flag = true)]
pub(super) enum PromptCommand {
    /// To the next step, into calls
    #[command(visible_alias = "s", after_help = "Example: step 5")]
    Step(Times),
    /// To the next step of this call, over what it calls
    #[command(visible_alias = "n", after_help = "Example: next 5")]
    Next(Times),
    /// To the caller's next step, after this call
    #[command(visible_alias = "o", after_help = "Example: out")]
    Out(Times),
    /// To the previous step, into calls
    #[command(visible_alias = "b", after_help = "Example: back 5")]
    Back(Times),
    /// To the previous step of this call, over what it called
    #[command(visible_aliases = ["bn", "back-next"], after_help = "Example: prev")]
    Prev(Times),
    /// To the step that made this call
    #[command(visible_aliases = ["c", "up", "up-to-caller"], after_help = "Example: caller 2")]
    Caller(Times),
    /// To a step by its number, or to the last visit to a line
    #[command(visible_alias = "g", after_help = "Examples:\n  goto 4711\n  goto Cart.java:31")]
    Goto {
        /// Its number, as all answers have it, or FILE:LINE
        #[arg(value_name = "STEP|FILE:LINE")]
        step: AskedPlace,
    },
    /// To where a line or a method runs next, in whatever thread
    #[command(visible_alias = "t", after_help = "Examples:\n  to Cart.java:31\n  to 31\n  to Cart.add --back")]
    To {
        #[command(flatten)]
        place: WantedPlace,
        /// Where it ran last before this step
        #[arg(long, short)]
        back: bool,
    },
    /// To where a line or a method ran last before this step
    #[command(visible_alias = "bt", after_help = "Example: back-to Cart.java:31")]
    BackTo(WantedPlace),
    /// To a thread, where it is at this moment
    #[command(after_help = "Example: thread worker-1")]
    Thread {
        /// Its name or number
        thread: String,
    },
    /// To the step that the last answer of `why`, `control` or `not` names
    #[command(visible_alias = "f", after_help = "Examples:\n  follow\n  follow 2")]
    Follow {
        /// Which of those that it names
        #[arg(default_value_t = 1)]
        number: usize,
    },
    /// Back to where you were before the last movement
    #[command(visible_alias = "u", after_help = "Example: undo 3")]
    Undo(Times),
    /// Where you were before
    Trail,
    /// The step with all there is: stack, variables, objects
    #[command(visible_alias = "l", after_help = "Examples:\n  show\n  show '<Cart:1>' cart\n  show --depth 2")]
    Show {
        /// Open these: `<Cart:1>`, or the name of a variable
        object: Vec<String>,
        /// Open the objects of all variables, and those in them, to this depth
        #[arg(long, value_name = "N")]
        depth: Option<u32>,
    },
    /// The value of a variable or of a Java expression at this step
    #[command(visible_alias = "p", after_help = "Examples:\n  print total\n  print lines[2].price * 2 > limit")]
    Print {
        /// `total`, `lines[2].price`, `a + b > 3`
        #[arg(required = true, allow_hyphen_values = true)]
        expression: String,
    },
    /// The variables at this step
    #[command(visible_aliases = ["v", "locals"])]
    Variables,
    /// The calls that led here
    #[command(visible_alias = "where")]
    Stack,
    /// Where a value comes from; without a variable, all that the step reads
    #[command(
        visible_alias = "w",
        after_help = "Examples:\n  why\n  why total\n  why this.price --chain 5\n  why total --slice"
    )]
    Why {
        /// A variable, field or element
        variable: Option<String>,
        /// Follow the values this many steps back
        #[arg(long, value_name = "N", default_value_t = 1)]
        chain: u32,
        /// Every line that had a part in the value
        #[arg(long)]
        slice: bool,
        /// A slice of values only
        #[arg(long, requires = "slice")]
        thin: bool,
    },
    /// What decided that this step ran
    #[command(after_help = "Example: control --chain 3")]
    Control {
        /// And what decided that, so often
        #[arg(long, value_name = "N", default_value_t = 1)]
        chain: u32,
    },
    /// Why a line did not run in this call, or at all
    #[command(after_help = "Examples:\n  not Cart.java:31\n  not 31")]
    Not(WantedPlace),
    /// Everything that happened to an object
    #[command(after_help = "Example: history <Cart:1> --writes")]
    History(AskedHistory),
    /// Where in the run something comes up
    #[command(after_help = "Examples:\n  search --value 42\n  search --line Cart.java:31 --if 'total > 3'")]
    Search(AskedSearch),
    /// Points that are defined by others
    #[command(after_help = "Example: query A = line Cart.java:31 if total < 0")]
    Query(AskedQuery),
    /// The calls around this step
    #[command(after_help = "Examples:\n  tree\n  tree --depth 3\n  tree --method Cart.add")]
    Tree(AskedTree),
    /// All threads, and where they are
    Threads,
    /// Leave
    #[command(visible_aliases = ["q", "exit"])]
    Quit,
}

#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct Times {
    /// So often
    #[arg(default_value_t = 1, value_parser = times)]
    pub(super) times: u32,
}

fn times(text: &str) -> Result<u32, String> {
    let problem = || format!("it is no number of times; `goto {text}` goes to a step or line");
    text.parse().map_err(|_| problem())
}

#[derive(Debug, clap::Args)]
pub(super) struct WantedPlace {
    /// `Cart.java:31`, `31` in this file, or a method, `Cart.add`
    pub(super) place: String,
}

pub(super) enum Understood {
    /// A comment.
    Nothing,
    Help(String),
    Command(Box<PromptCommand>),
}

/// Reads a line that is not empty.
pub(super) fn understand(line: &str) -> Result<Understood, UserError> {
    let words = words(line.trim())?;
    if words.is_empty() {
        return Ok(Understood::Nothing);
    }
    let parsed = Line::command().try_get_matches_from(words).and_then(|matches| Line::from_arg_matches(&matches));
    match parsed {
        Ok(line) => Ok(Understood::Command(Box::new(line.command))),
        Err(error) if error.kind() == ErrorKind::DisplayHelp => Ok(Understood::Help(error.to_string())),
        Err(error) => Err(explain(&error)),
    }
}

impl PromptCommand {
    /// Whether its JSON is a value in each line, not one alone.
    pub(super) fn answers_in_lines(&self) -> bool {
        matches!(self, PromptCommand::Search(_) | PromptCommand::History(_))
    }

    /// Whether an empty line repeats it.
    pub(super) fn is_movement(&self) -> bool {
        use PromptCommand::{Back, BackTo, Caller, Next, Out, Prev, Step, To, Undo};
        matches!(self, Step(_) | Next(_) | Out(_) | Back(_) | Prev(_) | Caller(_) | To { .. } | BackTo(_) | Undo(_))
    }
}

/// Java has quotes and blanks of its own: an expression, and a point that is not in quotes, are the rest of the line.
fn words(line: &str) -> Result<Vec<String>, UserError> {
    let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let is_whole = match verb {
        "print" | "p" => true,
        "query" => !rest.starts_with(['\'', '"', '-']),
        _ => false,
    };
    if is_whole && !rest.is_empty() {
        return Ok(vec![verb.to_owned(), rest.to_owned()]);
    }
    let mut words: Vec<String> = shlex::split(line).ok_or_else(|| UserError::new("a quote is not closed"))?;
    if let Some(first) = words.first_mut().filter(|first| matches!(first.as_str(), "?" | "h")) {
        *first = "help".to_owned();
    }
    Ok(words)
}

/// The first paragraph is the mistake; of the rest, a suggestion or the usage helps.
fn explain(error: &clap::Error) -> UserError {
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(asked)) = error.get(ContextKind::InvalidSubcommand)
    {
        let known = vocabulary().into_iter().map(|(name, _)| name);
        let user = questions::explain(UnknownName::nearest(format!("there is no command `{asked}`"), asked, known));
        return if user.hint.is_none() { user.hint("`help` lists the commands") } else { user };
    }
    let text = error.to_string();
    let mut paragraphs = text.split("\n\n");
    let message = paragraphs.next().unwrap_or_default().trim_start_matches("error: ");
    let user = UserError::new(message.split_whitespace().collect::<Vec<_>>().join(" "));
    let rest = |start: &str| text.lines().find_map(|line| line.trim_start().strip_prefix(start));
    match (rest("tip: "), rest("Usage: ")) {
        (Some(tip), _) => user.hint(tip),
        (None, Some(usage)) => user.hint(format!("write `{usage}`")),
        (None, None) => user.hint("`help COMMAND` tells what it needs"),
    }
}

/// The names of all commands, with their options.
pub(super) fn vocabulary() -> Vec<(String, Vec<String>)> {
    let options = |command: &clap::Command| {
        command.get_arguments().filter_map(|argument| Some(format!("--{}", argument.get_long()?))).collect()
    };
    let mut names: Vec<(String, Vec<String>)> =
        Line::command().get_subcommands().map(|command| (command.get_name().to_owned(), options(command))).collect();
    names.push(("help".to_owned(), Vec::new()));
    names
}
