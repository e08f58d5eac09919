//! One line for each question, and one for the end.

use super::telling::reason_words;
use crate::commands::place_json::JsonStepPlace;
use serde_json::{Value as Json, json};
use whydunit_debugger::{AskedStep, Reason, Session, StepPlace};

pub(super) fn question(session: &Session, asked: &AskedStep, step: u64, number: usize) -> Json {
    let reads = asked.reads.iter().zip(1..).map(|(read, position)| {
        json!({ "number": position, "name": read.name, "value": read.value.map(|value| session.words(value)) })
    });
    let makes = asked
        .step
        .effects
        .iter()
        .map(|effect| json!({ "what": effect.what, "value": effect.value.map(|value| session.words(value)) }));
    let mut question = place(session, &asked.step.place, step);
    question["kind"] = json!("question");
    question["question"] = json!(number);
    question["reason"] = json!(match asked.question.reason {
        Reason::Source => "source",
        Reason::Decision => "decision",
        Reason::Suspicion => "suspicion",
        Reason::Split => "split",
    });
    question["because"] = json!(reason_words(asked.question.reason));
    question["reads"] = reads.collect();
    question["makes"] = makes.collect();
    question
}

pub(super) fn place(session: &Session, place: &StepPlace, step: u64) -> Json {
    json!(JsonStepPlace::numbered(session, step, place))
}

pub(super) fn found(way: Vec<Json>, answers: usize) -> Json {
    json!({ "kind": "found", "answers": answers, "first_wrong": way.first(), "way": way })
}

pub(super) fn beyond(answers: usize) -> Json {
    json!({ "kind": "beyond", "answers": answers })
}
