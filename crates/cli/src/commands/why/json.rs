//! Causes as JSON.

use super::chain::{Extent, Key, key};
use crate::commands::events_json::value_json;
use crate::commands::place_json::{JsonPlace, JsonStepPlace};
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::collections::HashSet;
use whydunit_debugger::{
    Cause, CauseKind, Causes, CodeLine, Ingredient, Moments, NotRun, Role, Session, SessionError, SliceView,
    StepCauses, StepPlace, ThreadId, Unknown, Value,
};

type Result<T> = std::result::Result<T, SessionError>;

/// What every question is answered with.
#[derive(Serialize)]
pub(super) struct JsonAnswer<T: Serialize> {
    kind: &'static str,
    answers: Vec<T>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl<T: Serialize> JsonAnswer<T> {
    pub(super) fn new(kind: &'static str, answers: Vec<T>) -> JsonAnswer<T> {
        JsonAnswer { kind, answers, notes: Vec::new() }
    }

    pub(super) fn with_notes(self, notes: &[String]) -> JsonAnswer<T> {
        JsonAnswer { notes: notes.to_vec(), ..self }
    }
}

/// Why a line did not run.
#[derive(Default, Serialize)]
pub(super) struct JsonNot {
    place: Option<JsonPlace>,
    source: Option<String>,
    reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    because_of: Option<JsonCause>,
    /// What the branch compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<String>,
    /// All parts of the condition that were looked at, when there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    operands: Vec<JsonOperand>,
    /// What left the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    exception: Option<Json>,
    /// Where that was thrown.
    #[serde(skip_serializing_if = "Option::is_none")]
    thrown: Option<JsonStepPlace>,
    /// Where the call was when it was left, or when the recording ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<JsonStepPlace>,
    /// What unrecorded code the call was in, or which method was called instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    called: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    callers: Vec<JsonNot>,
    /// Lines that call the method, too, and were told of before or not looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_callers: Vec<String>,
}

#[derive(Serialize)]
struct JsonOperand {
    compared: Option<String>,
    has_decided: bool,
}

/// Where a line is in the first method that has it.
pub(super) fn place_of(line: &CodeLine) -> Option<StepPlace> {
    let method = *line.methods.first()?;
    Some(StepPlace { thread: ThreadId(0), step: 0, method, line: Some(line.line) })
}

impl JsonNot {
    /// Of a line whose class was not loaded.
    pub(super) fn not_loaded(line: &str) -> JsonNot {
        JsonNot { source: Some(line.to_owned()), reason: "not-loaded", ..JsonNot::default() }
    }

    pub(super) fn new(session: &Session, moments: &Moments, line: &CodeLine, found: &NotRun) -> Result<JsonNot> {
        let place = place_of(line);
        let source = place.as_ref().and_then(|place| session.source_line_of(place));
        let place = place.map(|place| JsonPlace::of_step(session, &place));
        let mut json = JsonNot { place, source, ..JsonNot::default() };
        let number = |thread: ThreadId, step: u64| moments.global_step(thread, step);
        let place_of_step =
            |place: &Option<StepPlace>| place.map(|place| JsonStepPlace::new(session, moments, &place)).transpose();
        let cause = |cause: &Cause| match session.causes(moments, cause.place.thread) {
            Some(causes) => JsonTelling::new(session, moments, &causes.telling_putters()).cause(cause, 1).map(Some),
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
                if let Some(causes) = session.causes(moments, branch.place.thread) {
                    json.compared = causes.decided(branch)?.map(|decided| decided.text);
                    let operands = causes.operands(branch, line)?;
                    for operand in operands.iter().filter(|_| operands.len() > 1) {
                        let compared = causes.decided(&operand.cause)?.map(|decided| decided.text);
                        json.operands.push(JsonOperand { compared, has_decided: operand.has_decided });
                    }
                }
            }
            NotRun::Threw(thrower) => {
                json.reason = "exception";
                json.because_of = cause(thrower)?;
            }
            NotRun::Left { thread, end, by } => {
                json.reason = "left-by-exception";
                json.step = number(*thread, end.latest)?;
                json.exception = by.exception.map(|value| value_json(session, value));
                json.thrown = place_of_step(&by.thrown)?;
                json.at = place_of_step(&by.through)?;
            }
            NotRun::Returned { thread, end } => {
                json.reason = "returned";
                json.step = number(*thread, end.latest)?;
            }
            NotRun::NoException => json.reason = "no-exception",
            NotRun::NotYet { at, calling } => {
                json.reason = "recording-ends";
                json.at = place_of_step(at)?;
                json.called.clone_from(calling);
            }
            NotRun::OtherCalled { thread, step, instead } => {
                json.reason = "other-method-called";
                json.step = number(*thread, *step)?;
                json.called = instead.map(|method| session.method_name(method));
            }
            NotRun::OnlyMade { thread, step } => {
                json.reason = "function-not-called";
                json.step = number(*thread, *step)?;
            }
            NotRun::NotEntered { callers, others, .. } => {
                json.reason = "not-entered";
                let place = |line| place_of(line).map(|place| session.name_of_place(&place));
                json.other_callers = others.iter().filter_map(place).collect();
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
    value: Option<Json>,
    /// What a branch compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<String>,
    /// What parts of its condition compared that were looked at before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    led_on: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    made_of: Vec<JsonIngredient>,
}

#[derive(Serialize)]
pub(super) struct JsonIngredient {
    name: String,
    /// It only says which object or element is meant.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_address: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<JsonCause>,
    /// The calls of which one has put it there, when it is not known which one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    from_one_of: Vec<JsonCause>,
    /// There may be earlier calls that have put it there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    has_earlier: bool,
    /// What has given the elements another order since it was put there.
    #[serde(skip_serializing_if = "Option::is_none")]
    rearranged_by: Option<JsonCause>,
    /// Nobody has written it since `from` has made the object.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_default: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<&'static str>,
}

/// Tells causes, each with what it was made of only the first time.
pub(super) struct JsonTelling<'t, 's> {
    session: &'t Session,
    moments: &'t Moments,
    causes: &'t Causes<'s>,
}

impl<'t, 's> JsonTelling<'t, 's> {
    pub(super) fn new(session: &'t Session, moments: &'t Moments, causes: &'t Causes<'s>) -> JsonTelling<'t, 's> {
        JsonTelling { session, moments, causes }
    }

    /// `chain` levels deep.
    pub(super) fn cause(&self, cause: &Cause, chain: u32) -> Result<JsonCause> {
        self.deep(cause, chain, &mut HashSet::new())
    }

    pub(super) fn answer(&self, cause: &Cause, chain: u32) -> Result<Json> {
        Ok(json!(self.cause(cause, chain)?))
    }

    /// Of a value that nobody known has made.
    pub(super) fn unwritten(&self, ingredient: &Ingredient) -> Result<Json> {
        Ok(json!(self.ingredient(ingredient)?))
    }

    fn deep(&self, cause: &Cause, chain: u32, told: &mut HashSet<Key>) -> Result<JsonCause> {
        let mut json = self.alone(cause)?;
        if let Some(left) = chain.checked_sub(1)
            && told.insert(key(cause))
        {
            let mut from: Vec<Ingredient> = Vec::new();
            for part in self.causes.led_on(cause)?.iter().chain([cause]) {
                from.extend(self.causes.ingredients(part)?);
            }
            json.made_of = self.made_of(&from, Extent::steps(left), told)?;
        }
        Ok(json)
    }

    fn made_of(&self, from: &[Ingredient], extent: Extent, told: &mut HashSet<Key>) -> Result<Vec<JsonIngredient>> {
        let mut made_of = Vec::new();
        for ingredient in from {
            let mut json = self.ingredient(ingredient)?;
            if let (Some(from), Ok(source)) = (&mut json.from, &ingredient.source)
                && !told.contains(&key(source))
                && let Some((behind, further)) = extent.behind(self.causes, ingredient)?
            {
                told.insert(key(source));
                from.made_of = self.made_of(&behind, further, told)?;
            }
            made_of.push(json);
        }
        Ok(made_of)
    }

    fn alone(&self, cause: &Cause) -> Result<JsonCause> {
        let mut led_on = Vec::new();
        for part in self.causes.led_on(cause)? {
            led_on.extend(self.causes.decided(&part)?.map(|decided| decided.text));
        }
        Ok(JsonCause {
            place: JsonStepPlace::new(self.session, self.moments, &cause.place)?,
            kind: kind_name(cause.kind),
            what: cause.what.clone(),
            value: cause.value.map(|value| value_json(self.session, value)),
            compared: self.causes.decided(cause)?.map(|decided| decided.text),
            led_on,
            made_of: Vec::new(),
        })
    }

    fn ingredient(&self, ingredient: &Ingredient) -> Result<JsonIngredient> {
        let is_one = !ingredient.is_one_of_several();
        let source = ingredient.source.as_ref().ok();
        let one_of = source.into_iter().chain(&ingredient.others).filter(|_| !is_one);
        Ok(JsonIngredient {
            name: ingredient.name.clone(),
            is_address: ingredient.role == Role::Address,
            value: ingredient.value.map(|value| value_json(self.session, value)),
            from: source.filter(|_| is_one).map(|cause| self.alone(cause)).transpose()?,
            from_one_of: one_of.map(|cause| self.alone(cause)).collect::<Result<_>>()?,
            has_earlier: ingredient.has_more_others,
            rearranged_by: ingredient.rearranged_by.as_ref().map(|cause| self.alone(cause)).transpose()?,
            is_default: ingredient.is_default(),
            unknown: ingredient.source.as_ref().err().map(|unknown| unknown_name(*unknown)),
        })
    }
}

/// A step with what it reads.
#[derive(Serialize)]
pub(super) struct JsonStep {
    #[serde(flatten)]
    place: JsonStepPlace,
    #[serde(skip_serializing_if = "Option::is_none")]
    threw: Option<Json>,
    does: Vec<JsonCause>,
    reads: Vec<JsonIngredient>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_by: Option<JsonCause>,
}

impl JsonStep {
    pub(super) fn new(telling: &JsonTelling<'_, '_>, causes: &StepCauses, extent: Extent) -> Result<JsonStep> {
        let does = causes.effects.iter().map(|cause| telling.alone(cause));
        let decided_by = causes.decided_by.as_ref().ok().map(|cause| telling.alone(cause));
        let threw = causes.threw.as_ref().map(|threw| threw.exception.map(|value| value_json(telling.session, value)));
        Ok(JsonStep {
            place: JsonStepPlace::new(telling.session, telling.moments, &causes.place)?,
            threw: threw.map(Option::unwrap_or_default),
            does: does.collect::<Result<_>>()?,
            reads: telling.made_of(&causes.ingredients, extent, &mut HashSet::new())?,
            decided_by: decided_by.transpose()?,
        })
    }

    /// Of an exception that is known.
    pub(super) fn throwing(self, session: &Session, exception: Value) -> JsonStep {
        JsonStep { threw: Some(value_json(session, exception)), ..self }
    }
}

#[derive(Serialize)]
pub(super) struct JsonSlice {
    steps: Vec<u64>,
    lines: Vec<JsonLine>,
    unknown: Vec<&'static str>,
    /// What comes before this step was not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    cut_before: Option<u64>,
    /// What other threads could have changed was not all looked at.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    lacks_others: bool,
    /// There it needs more values at once than there is room for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cut_for_room: bool,
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
            cut_before: slice.cut_before,
            lacks_others: slice.lacks_others,
            cut_for_room: slice.cut_for_room,
        })
    }
}

fn kind_name(kind: CauseKind) -> &'static str {
    match kind {
        CauseKind::Variable => "variable",
        CauseKind::Argument => "argument",
        CauseKind::Receiver => "receiver",
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
        Unknown::Outside | Unknown::Given(_) | Unknown::Function(_) => "outside",
        Unknown::NotWritten(_) => "not-written",
        Unknown::Changed(_) => "changed-elsewhere",
        Unknown::Nothing => "unknown",
    }
}
