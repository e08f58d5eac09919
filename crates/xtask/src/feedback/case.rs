//! A failure with all that a user could be asked about it, and all answers: enough to search again without the recording.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;
use whydunit_feedback::{Answer, EffectId, Graph, GraphBuilder, LineId, Stale, StepId};

/// Fast, and small enough.
const COMPRESSION: i32 = 3;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Case {
    /// Project, place and operator.
    pub(super) name: String,
    pub(super) run_steps: u64,
    pub(super) failure: StepId,
    graph: GraphBuilder,
    /// By step; none when there are too many to be judged beforehand.
    pub(super) judgements: Vec<Judgement>,
    /// The mutated line, in each method that has a part of it.
    pub(super) mutated: Vec<LineId>,
    /// What lines are called, by line.
    pub(super) lines: Vec<String>,
}

/// All that there is to say about a step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Judgement {
    /// The original does not come there.
    pub(super) is_apart: bool,
    pub(super) reads: Vec<JudgedRead>,
    /// Something that it makes is not what the original makes.
    pub(super) is_result_wrong: bool,
    /// What is wrong in objects when it is over.
    pub(super) made: Vec<Stale>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct JudgedRead {
    pub(super) source: Option<EffectId>,
    pub(super) is_wrong: bool,
    /// It is in an object that the step reads.
    pub(super) is_part: bool,
    /// Who has written it, or should perhaps have, if that is known.
    pub(super) stale: Option<Stale>,
}

impl Case {
    pub(super) fn new(name: String, run_steps: u64, graph: &Graph, lines: Vec<String>, mutated: Vec<LineId>) -> Case {
        let (failure, graph) = (graph.failure(), graph.to_builder());
        Case { name, run_steps, failure, graph, judgements: Vec::new(), mutated, lines }
    }

    pub(super) fn graph(&self) -> Graph {
        self.graph.clone().finish(self.failure)
    }

    /// How many the graph has.
    pub(super) fn effects(&self) -> usize {
        self.graph.effects()
    }

    pub(super) fn judgement(&self, step: StepId) -> &Judgement {
        &self.judgements[step.0 as usize]
    }

    pub(super) fn is_mutated(&self, line: LineId) -> bool {
        self.mutated.contains(&line)
    }

    pub(super) fn write(&self, file: &Path) -> Result<()> {
        let bytes = postcard::to_stdvec(self).context("a case cannot be written")?;
        let packed = zstd::encode_all(&bytes[..], COMPRESSION).context("a case cannot be packed")?;
        fs::write(file, packed).with_context(|| format!("cannot write {}", file.display()))
    }

    pub(super) fn read(file: &Path) -> Result<Case> {
        let unreadable = || format!("cannot read {}", file.display());
        let bytes =
            zstd::decode_all(BufReader::new(File::open(file).with_context(unreadable)?)).with_context(unreadable)?;
        postcard::from_bytes(&bytes).with_context(unreadable)
    }
}

impl Judgement {
    /// What a user says who can tell. The mutated line is not asked about any more: what makes a step wrong whose reads are
    /// right is something that is not shown.
    pub(super) fn answer(&self) -> Answer {
        let has_wrong = self.reads.iter().any(|read| read.is_wrong && !read.is_part);
        let sources = |is_wrong: bool| {
            let reads = self.reads.iter().filter(|read| read.is_wrong == is_wrong && !read.is_part);
            reads.filter_map(|read| read.source).collect::<Vec<EffectId>>()
        };
        let stale = || {
            let parts = self.reads.iter().filter(|read| read.is_wrong && read.is_part && !has_wrong);
            parts.filter_map(|read| read.stale.clone()).collect()
        };
        if self.is_apart {
            Answer::WrongPath
        } else if self.reads.iter().any(|read| read.is_wrong) {
            Answer::WrongValues { wrong: sources(true), stale: stale(), right: sources(false) }
        } else if self.is_result_wrong {
            Answer::WrongSomehow { right: sources(false), stale: self.made.clone() }
        } else {
            Answer::Correct
        }
    }
}
