//! Causes as JSON.

use crate::commands::place_json::{JsonPlace, JsonStepPlace};
use crate::commands::query::json::happened_json;
use serde::Serialize;
use serde_json::Value as Json;
use whydunit_debugger::{
    Cause, CauseKind, Causes, CodeLine, Ingredient, Moments, NotRun, Role, Session, SessionError, SliceView,
    StepCauses, StepPlace, ThreadId, Unknown,
};
use whydunit_querypoints::Change;

type Result<T> = std::result::Result<T, SessionError>;

/// Why a line did not run.
#[derive(Serialize)]
pub(super) struct JsonNot {
    place: Option<JsonPlace>,
    source: Option<String>,
    reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    because_of: Option<JsonCause>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    callers: Vec<JsonNot>,
}

/// Where a line is in the first method that has it.
pub(super) fn place_of(line: &CodeLine) -> Option<StepPlace> {
    let method = *line.methods.first()?;
    Some(StepPlace { thread: ThreadId(0), step: 0, method, line: Some(line.line) })
}

impl JsonNot {
    pub(super) fn new(session: &Session, moments: &Moments, line: &CodeLine, found: &NotRun) -> Result<JsonNot> {
        let place = place_of(line);
        let source = place.as_ref().and_then(|place| session.source_line_of(place));
        let place = place.map(|place| JsonPlace::of_step(session, &place));
        let mut json = JsonNot { place, source, reason: "", step: None, because_of: None, callers: Vec::new() };
        let number = |thread: ThreadId, step: u64| moments.global_step(thread, step);
        let cause = |cause: &Cause| match session.causes(moments, cause.place.thread) {
            Some(causes) => JsonCause::new(session, moments, &causes, cause, 1).map(Some),
            None => Ok(None),
        };
        match found {
            NotRun::Ran { thread, step } => {
                json.reason = "ran";
                json.step = number(*thread, *step)?;
            }
            NotRun::TurnedAway(branch) => {
                json.reason = "branch";
                json.because_of = cause(branch)?;
            }
            NotRun::Threw(thrower) => {
                json.reason = "exception";
                json.because_of = cause(thrower)?;
            }
            NotRun::Left { thread, end } => {
                json.reason = if end.is_exception { "left-by-exception" } else { "returned" };
                json.step = number(*thread, end.latest)?;
            }
            NotRun::NoException => json.reason = "no-exception",
            NotRun::NotYet => json.reason = "recording-ends",
            NotRun::OtherCalled { thread, step } => {
                json.reason = "other-method-called";
                json.step = number(*thread, *step)?;
            }
            NotRun::NotEntered { callers, .. } => {
                json.reason = "not-entered";
                let callers = callers.iter().map(|(line, found)| JsonNot::new(session, moments, line, found));
                json.callers = callers.collect::<Result<_>>()?;
            }
        }
        Ok(json)
    }
}

#[derive(Serialize)]
pub(super) struct JsonCause {
    #[serde(flatten)]
    place: JsonStepPlace,
    kind: &'static str,
    what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    made_of: Vec<JsonIngredient>,
}

impl JsonCause {
    /// `chain` levels deep.
    pub(super) fn new(
        session: &Session,
        moments: &Moments,
        causes: &Causes<'_>,
        cause: &Cause,
        chain: u32,
    ) -> Result<JsonCause> {
        let mut json = JsonCause::alone(session, moments, cause)?;
        if let Some(left) = chain.checked_sub(1) {
            for ingredient in causes.ingredients(cause)? {
                let mut made_of = JsonIngredient::new(session, moments, &ingredient)?;
                if let Ok(source) = &ingredient.source {
                    made_of.from = Some(JsonCause::new(session, moments, causes, source, left)?);
                }
                json.made_of.push(made_of);
            }
        }
        Ok(json)
    }

    fn alone(session: &Session, moments: &Moments, cause: &Cause) -> Result<JsonCause> {
        Ok(JsonCause {
            place: JsonStepPlace::new(session, moments, &cause.place)?,
            kind: kind_name(cause.kind),
            what: cause.what.clone(),
            value: cause.value.map(|value| session.words(value)),
            made_of: Vec::new(),
        })
    }
}

/// Of what the step itself neither reads nor writes.
#[derive(Serialize)]
pub(super) struct JsonChange {
    #[serde(flatten)]
    place: JsonStepPlace,
    event: Json,
    notes: Vec<String>,
}

impl JsonChange {
    pub(super) fn new(session: &Session, change: &Change) -> JsonChange {
        JsonChange {
            place: JsonStepPlace::numbered(session, change.step, &change.place),
            event: happened_json(session, &change.happened),
            notes: change.notes.clone(),
        }
    }
}

#[derive(Serialize)]
struct JsonIngredient {
    name: String,
    /// It only says which object or element is meant.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_address: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<JsonCause>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<&'static str>,
}

impl JsonIngredient {
    fn new(session: &Session, moments: &Moments, ingredient: &Ingredient) -> Result<JsonIngredient> {
        Ok(JsonIngredient {
            name: ingredient.name.clone(),
            is_address: ingredient.role == Role::Address,
            value: ingredient.value.map(|value| session.words(value)),
            from: match &ingredient.source {
                Ok(cause) => Some(JsonCause::alone(session, moments, cause)?),
                Err(_) => None,
            },
            unknown: ingredient.source.as_ref().err().map(|unknown| unknown_name(*unknown)),
        })
    }
}

/// A step with what it reads.
#[derive(Serialize)]
pub(super) struct JsonStep {
    #[serde(flatten)]
    place: JsonStepPlace,
    does: Vec<JsonCause>,
    reads: Vec<JsonIngredient>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_by: Option<JsonCause>,
}

impl JsonStep {
    pub(super) fn new(session: &Session, moments: &Moments, causes: &StepCauses) -> Result<JsonStep> {
        let does = causes.effects.iter().map(|cause| JsonCause::alone(session, moments, cause));
        let reads = causes.ingredients.iter().map(|ingredient| JsonIngredient::new(session, moments, ingredient));
        let decided_by = causes.decided_by.as_ref().ok().map(|cause| JsonCause::alone(session, moments, cause));
        Ok(JsonStep {
            place: JsonStepPlace::new(session, moments, &causes.place)?,
            does: does.collect::<Result<_>>()?,
            reads: reads.collect::<Result<_>>()?,
            decided_by: decided_by.transpose()?,
        })
    }
}

#[derive(Serialize)]
pub(super) struct JsonSlice {
    steps: Vec<u64>,
    lines: Vec<JsonLine>,
    unknown: Vec<&'static str>,
}

#[derive(Serialize)]
struct JsonLine {
    #[serde(flatten)]
    last: JsonStepPlace,
    steps: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    could_have_changed: Vec<String>,
}

impl JsonSlice {
    pub(super) fn new(session: &Session, moments: &Moments, slice: &SliceView) -> Result<JsonSlice> {
        let line = |line: &whydunit_debugger::SliceLine| {
            Ok(JsonLine {
                last: JsonStepPlace::new(session, moments, &line.last)?,
                steps: line.count,
                could_have_changed: line.could_have_changed.iter().cloned().collect(),
            })
        };
        Ok(JsonSlice {
            steps: slice.steps.iter().copied().collect(),
            lines: slice.lines.iter().map(line).collect::<Result<_>>()?,
            unknown: slice.unknown.iter().map(|unknown| unknown_name(*unknown)).collect(),
        })
    }
}

fn kind_name(kind: CauseKind) -> &'static str {
    match kind {
        CauseKind::Variable => "variable",
        CauseKind::Argument => "argument",
        CauseKind::Put => "put",
        CauseKind::Write => "write",
        CauseKind::Read => "read",
        CauseKind::Return => "return",
        CauseKind::Call => "call",
        CauseKind::Unrecorded => "unrecorded",
        CauseKind::Branch => "branch",
        CauseKind::Throw => "throw",
        CauseKind::New => "new",
        CauseKind::Constant => "constant",
        CauseKind::Computed => "computed",
    }
}

fn unknown_name(unknown: Unknown) -> &'static str {
    match unknown {
        Unknown::Outside | Unknown::Given(_) => "outside",
        Unknown::NotWritten(_) => "not-written",
        Unknown::Changed(_) => "changed-elsewhere",
        Unknown::Nothing => "unknown",
    }
}
