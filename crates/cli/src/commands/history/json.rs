//! An object's history as lines of JSON, the summary first. Field names are stable: new ones may come, none changes.

use super::word;
use crate::commands::found;
use crate::commands::place_json::JsonPlace;
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};
use whydunit_debugger::{History, Occurrence, Session};

pub(super) fn print(out: &mut impl Write, session: &Session, name: &str, answer: &History) -> io::Result<()> {
    let place = |found: &Option<Occurrence>| {
        found
            .as_ref()
            .map(|found| json!({ "step": found.step, "place": JsonPlace::new(&found.place), "text": found.text }))
    };
    let counts: Map<String, Json> =
        answer.counts.iter().map(|(what, count)| (word(*what).to_owned(), json!(count))).collect();
    let summary = json!({
        "object": name,
        "class": answer.class,
        "made": place(&answer.made),
        "first_met": place(&answer.met),
        "last_change": place(&answer.last_change),
        "may_have_changed": answer
            .may_have_changed
            .as_ref()
            .map(|change| json!({ "step": change.step, "call": change.call })),
        "counts": counts,
        "left_out": answer.left_out,
    });
    line(out, &summary)?;
    for doing in answer.first.iter().chain(&answer.last) {
        let mut fields = found::json(session, &doing.found);
        fields.insert("use".to_owned(), json!(word(doing.what)));
        line(out, &Json::Object(fields))?;
    }
    Ok(())
}

fn line(out: &mut impl Write, value: &Json) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
    out.write_all(b"\n")
}
