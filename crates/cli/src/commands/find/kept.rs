//! Answers that are kept beside a run, to go on with them and to answer for steps that are alike.

use super::answers::{parse_reply, reply_words};
use crate::error::{Result, UserError};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use whydunit_debugger::{AskedStep, Reply, Session, Value};
use whydunit_store::Run;

const FILE: &str = "find.jsonl";
const FILE_BEFORE: &str = "find-before.jsonl";

/// What was said of a step, with all by which a step of another run is known to be like it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Judgement {
    /// Among the steps of all threads.
    pub(super) step: u64,
    pub(super) place: String,
    reads: Vec<(String, Option<String>)>,
    makes: Vec<(String, Option<String>)>,
    /// `wrong 1 3`
    pub(super) answer: String,
    /// Nobody had to say it.
    #[serde(default)]
    pub(super) is_inferred: bool,
}

impl Judgement {
    pub(super) fn new(session: &Session, asked: &AskedStep, step: u64, reply: &Reply, is_inferred: bool) -> Judgement {
        let words = |value: Option<Value>| value.map(|value| session.words(value));
        Judgement {
            step,
            place: session.name_of_place(&asked.step.place),
            reads: asked.reads.iter().map(|read| (read.name.clone(), words(read.value))).collect(),
            makes: asked.step.effects.iter().map(|effect| (effect.what.clone(), words(effect.value))).collect(),
            answer: reply_words(reply),
            is_inferred,
        }
    }

    /// The same line has read and made the same.
    fn is_like(&self, other: &Judgement) -> bool {
        (&self.place, &self.reads, &self.makes) == (&other.place, &other.reads, &other.makes)
    }

    /// Whether a step has read a value from an object or an array.
    fn is_in_object(&self, read: usize) -> bool {
        self.reads.get(read).is_some_and(|(name, _)| name.contains('<'))
    }

    pub(super) fn reply(&self) -> Option<Reply> {
        parse_reply(&self.answer, self.reads.len())
    }
}

/// What answers of another step say of one that is like it: whether a step should have run depends on more.
pub(super) fn inferred(known: &[Judgement], asked: &Judgement) -> Option<Reply> {
    let like = known.iter().rev().find(|one| !one.is_inferred && one.is_like(asked))?;
    like.reply().filter(|reply| match reply {
        Reply::Correct | Reply::WrongResult => true,
        // What is in an object may have been right before, and should have been changed since.
        Reply::Wrong(numbers) => like.step < asked.step || !numbers.iter().any(|&number| like.is_in_object(number)),
        Reply::WrongInside(_) | Reply::WrongSomehow | Reply::WrongPath | Reply::Unclear => false,
    })
}

/// The answers of a run, in its folder.
#[derive(Debug)]
pub(super) struct Kept {
    folder: PathBuf,
    /// Those of an earlier search were put aside, or are gone on with.
    is_own: bool,
}

impl Kept {
    pub(super) fn of(run: &Run) -> Kept {
        Kept { folder: run.dir.clone(), is_own: false }
    }

    /// The answers of the last search that started at a step; of any one without a step.
    pub(super) fn read(&self, start: Option<u64>) -> Result<Vec<Judgement>> {
        let path = self.folder.join(FILE);
        if !path.is_file() {
            return Ok(Vec::new());
        }
        let all = read(&path)?;
        Ok(if start.is_none_or(|start| all.start == Some(start)) { all.judgements } else { Vec::new() })
    }

    pub(super) fn go_on(&mut self) {
        self.is_own = true;
    }

    /// Those of an earlier search are put aside first. That a folder cannot be written to is no reason to stop.
    pub(super) fn write(&mut self, start: u64, judgements: &[Judgement]) {
        let path = self.folder.join(FILE);
        if !self.is_own && path.is_file() {
            let _ = fs::rename(&path, self.folder.join(FILE_BEFORE));
        }
        self.is_own = true;
        let mut text = serde_json::json!({ "start": start }).to_string();
        for line in judgements.iter().filter_map(|one| serde_json::to_string(one).ok()) {
            text.push('\n');
            text.push_str(&line);
        }
        text.push('\n');
        let _ = fs::write(path, text);
    }
}

struct File {
    start: Option<u64>,
    judgements: Vec<Judgement>,
}

fn read(path: &Path) -> Result<File> {
    let text = fs::read_to_string(path)
        .map_err(|error| UserError::new(format!("cannot read the answers in {}: {error}", path.display())))?;
    let mut lines = text.lines();
    let head: Option<serde_json::Value> = lines.next().and_then(|line| serde_json::from_str(line).ok());
    let start = head.and_then(|head| head["start"].as_u64());
    Ok(File { start, judgements: lines.filter_map(|line| serde_json::from_str(line).ok()).collect() })
}
