//! One line for each question, and one for the end. Field names are stable: new ones may come, none changes.

use super::kept::Judgement;
use super::words;
use crate::commands::place_json::JsonStepPlace;
use crate::commands::show::json::object_json;
use serde_json::{Value as Json, json};
use whydunit_debugger::{
    AskedStep, Condition, FoundStep, Ingredient, Inside, MissingCode, Moments, ObjectView, Session, SessionError,
    StepPlace, Value, letter_of,
};

pub(super) struct Writer<'s> {
    pub(super) session: &'s Session,
    pub(super) moments: &'s Moments,
}

impl Writer<'_> {
    pub(super) fn question(&self, asked: &AskedStep, number: usize) -> Result<Json, SessionError> {
        let reads = asked.reads.iter().zip(1..).map(|(read, position)| {
            let mut value = self.value(read);
            value["number"] = json!(position);
            value["is_inside"] = json!(position > asked.own_reads);
            value
        });
        let makes = asked.step.effects.iter().enumerate();
        let makes = makes.map(|(position, effect)| {
            let mut made = json!({ "what": effect.what, "value": effect.value.map(|value| self.session.words(value)) });
            if let Some(letter) = letter_of(position).filter(|_| can_be_opened(self.session, effect.value)) {
                made["letter"] = json!(letter);
            }
            made
        });
        let mut question = self.place(&asked.step.place)?;
        question["kind"] = json!("question");
        question["question"] = json!(number);
        question["reason"] = json!(words::reason_id(asked.question.reason));
        question["because"] = json!(words::reason(asked.question.reason, asked.state));
        question["state"] = json!(asked.state.names());
        question["lines_left"] = json!(asked.lines_left);
        question["condition"] = match &asked.condition {
            Some(condition) => self.condition(condition)?,
            None => Json::Null,
        };
        question["reads"] = reads.collect();
        question["makes"] = makes.collect();
        question["skipped"] = self.places(&asked.skipped)?;
        question["may_be_missing"] = json!(asked.missing.is_some());
        Ok(question)
    }

    pub(super) fn look(&self, at: &Inside, object: &ObjectView) -> Json {
        json!({ "kind": "look", "at": at.to_string(), "object": object_json(self.session, object) })
    }

    pub(super) fn found(&self, found: &FoundStep, answers: usize) -> Result<Json, SessionError> {
        let mut way = Vec::new();
        for step in &found.way {
            let mut one = self.place(&step.place)?;
            one["takes"] = step.taken.as_ref().map_or(Json::Null, |taken| self.value(taken));
            way.push(one);
        }
        let kind = found.kind.map(words::kind);
        Ok(json!({ "kind": "found", "answers": answers, "bug": kind, "first_wrong": way.first(), "way": way }))
    }

    pub(super) fn missing(&self, missing: &MissingCode, answers: usize) -> Result<Json, SessionError> {
        let conditions: Result<Vec<Json>, SessionError> =
            missing.conditions.iter().map(|condition| self.condition(condition)).collect();
        Ok(json!({
            "kind": "missing",
            "answers": answers,
            "bug": "missing code",
            "value": missing.value.as_ref().map(|value| self.value(value)),
            "made": self.place(&missing.made)?,
            "used": self.place(&missing.used)?,
            "beside": missing.beside.iter().map(|value| self.value(value)).collect::<Vec<_>>(),
            "conditions": conditions?,
            "could_have_changed": self.places(&missing.could_have_changed)?,
        }))
    }

    fn places(&self, places: &[StepPlace]) -> Result<Json, SessionError> {
        places.iter().map(|place| self.place(place)).collect()
    }

    fn place(&self, place: &StepPlace) -> Result<Json, SessionError> {
        Ok(json!(JsonStepPlace::new(self.session, self.moments, place)?))
    }

    fn condition(&self, condition: &Condition) -> Result<Json, SessionError> {
        let mut json = self.place(&condition.cause.place)?;
        json["condition"] = json!(condition.text);
        Ok(json)
    }

    fn value(&self, read: &Ingredient) -> Json {
        json!({ "name": read.name, "value": read.value.map(|value| self.session.words(value)) })
    }
}

/// Whether anything can be known of what is in it.
pub(super) fn can_be_opened(session: &Session, value: Option<Value>) -> bool {
    value.is_some_and(|value| matches!(value, Value::Ref(_)) && !session.is_plain(value))
}

pub(super) fn beyond(answers: usize) -> Json {
    json!({ "kind": "beyond", "answers": answers })
}

pub(super) fn contradiction(first: (usize, &Judgement), second: (usize, &Judgement)) -> Json {
    json!({ "kind": "contradiction", "first": judgement(first), "second": judgement(second) })
}

pub(super) fn known(number: usize, one: &Judgement) -> Json {
    json!({ "kind": "known", "answer": judgement((number, one)) })
}

pub(super) fn answers(judgements: &[Judgement]) -> Json {
    json!({ "kind": "answers", "answers": (1..).zip(judgements).map(judgement).collect::<Vec<_>>() })
}

fn judgement((number, one): (usize, &Judgement)) -> Json {
    json!({
        "number": number,
        "step": one.step,
        "place": one.place,
        "answer": one.answer,
        "inferred": one.is_inferred,
    })
}
