//! Causes by the name of what has the value.

use super::{Cause, CauseKind, Causes, Ingredient, StepPlace};
use crate::names::UnknownName;
use crate::session::SessionError;
use std::collections::BTreeSet;

/// What is behind the value of a variable, field, element or result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Behind {
    pub causes: Vec<Cause>,
    /// What was read and written by nobody known.
    pub unwritten: Vec<Ingredient>,
}

impl Behind {
    /// What a slice of the value starts from.
    pub fn sources(&self) -> Vec<Cause> {
        let makers = self.unwritten.iter().filter_map(|ingredient| ingredient.source.as_ref().ok());
        self.causes.iter().chain(makers).cloned().collect()
    }
}

/// The step has nothing of that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownVariable {
    pub name: UnknownName,
    pub reads: BTreeSet<String>,
    pub writes: BTreeSet<String>,
}

impl Causes<'_> {
    /// What is behind a variable's value: what the step gives it, or else what it has before the step.
    pub fn of_variable(&self, step: u64, variable: &str) -> Result<Result<Behind, UnknownVariable>, SessionError> {
        let (effects, ingredients) = match self.of_step(step)? {
            Some(causes) => (causes.effects, causes.ingredients),
            None => (Vec::new(), Vec::new()),
        };
        let mut written: Vec<Cause> = Vec::new();
        // A call of recorded code has no value of its own: its result is what a `return` has made.
        let is_write = |cause: &&Cause| cause.kind != CauseKind::Call && is_meant(&cause.what, variable);
        for cause in effects.iter().filter(is_write) {
            // Of several changes of the same thing the last one counts.
            written.retain(|earlier| earlier.what != cause.what);
            written.push(cause.clone());
        }
        if !written.is_empty() {
            return Ok(Ok(Behind { causes: written, unwritten: Vec::new() }));
        }
        if let Some(behind) = behind_read(&ingredients, variable) {
            return Ok(Ok(behind));
        }
        let writes: BTreeSet<String> = effects.iter().filter(|cause| has_name(cause)).map(|c| c.what.clone()).collect();
        let reads: BTreeSet<String> = ingredients.iter().map(|ingredient| ingredient.name.clone()).collect();
        let number = self.moments.global_step(self.thread, step)?.unwrap_or(step);
        let problem = format!("step {number} neither reads nor writes `{variable}`");
        let name = UnknownName::new(problem, variable, reads.iter().chain(&writes).cloned());
        Ok(Err(UnknownVariable { name, reads, writes }))
    }

    /// The call that a step's method was called by, as what gave it its `this`; `None` when it is not known where the call
    /// has that from.
    pub fn of_receiver(&self, step: u64) -> Result<Option<Cause>, SessionError> {
        let Some(&first) = self.dependences.of_step(self.thread, step)?.first() else { return Ok(None) };
        let Ok(call) = self.dependences.call_of(first)? else { return Ok(None) };
        let called = self.cause(call)?;
        let is_known = called.kind == CauseKind::Call && !self.dependences.inputs(call)?.is_empty();
        Ok(is_known.then(|| Cause { what: "this".to_owned(), kind: CauseKind::Receiver, ..called }))
    }

    /// What is behind a value that a step reads, whatever it writes there.
    pub fn of_read(&self, step: u64, name: &str) -> Result<Option<Behind>, SessionError> {
        Ok(self.of_step(step)?.and_then(|causes| behind_read(&causes.ingredients, name)))
    }

    /// What gave something its value in a step, by the path that it was asked for with: `total`, `this.lines[2]`.
    pub fn changed_in(&self, place: &StepPlace, path: &str) -> Result<Vec<Cause>, SessionError> {
        let last = path.rsplit(['.', '[']).next().unwrap_or(path);
        let is_it = |name: &str| match last.strip_suffix(']') {
            Some(index) => name.ends_with(&format!("[{index}]")),
            None => is_meant(name, last),
        };
        let mut found = Vec::new();
        for executed in self.dependences.of_step(place.thread, place.step)? {
            let cause = self.cause(executed)?;
            let is_change = matches!(cause.kind, CauseKind::Variable | CauseKind::Write | CauseKind::Argument);
            if is_change && is_it(&cause.what) {
                found = vec![cause];
            }
        }
        Ok(found)
    }

    /// The last call of unrecorded code in a step that has this name, `Arrays.sort()`.
    pub fn called_in(&self, place: &StepPlace, call: &str) -> Result<Vec<Cause>, SessionError> {
        let mut found = Vec::new();
        for executed in self.dependences.of_step(place.thread, place.step)? {
            let cause = self.cause(executed)?;
            if cause.kind == CauseKind::Unrecorded && cause.what == call {
                found = vec![cause];
            }
        }
        Ok(found)
    }
}

fn behind_read(ingredients: &[Ingredient], name: &str) -> Option<Behind> {
    let mut behind = Behind::default();
    for ingredient in ingredients.iter().filter(|ingredient| is_meant(&ingredient.name, name)) {
        match &ingredient.source {
            Ok(cause) if !ingredient.is_default() => behind.causes.push(cause.clone()),
            _ => behind.unwritten.push(ingredient.clone()),
        }
    }
    (behind != Behind::default()).then_some(behind)
}

/// One can ask for it.
fn has_name(cause: &Cause) -> bool {
    matches!(cause.kind, CauseKind::Variable | CauseKind::Write | CauseKind::Return | CauseKind::Unrecorded)
}

/// `price` is meant by `price`, `this.price` and `<Line:2>.price`.
fn is_meant(name: &str, asked: &str) -> bool {
    name == asked || name.strip_suffix(asked).is_some_and(|rest| rest.ends_with('.'))
}
