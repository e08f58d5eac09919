//! The tree as JSON. Field names are stable: new ones may come, none changes.

use crate::commands::events_json::details;
use crate::context::{Context, Outcome};
use crate::error::Result;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use whydunit_debugger::{Fold, Left, Node, NodeKind, Session};

#[derive(Serialize)]
struct JsonNode<'n> {
    kind: &'static str,
    thread: u32,
    step: Option<u64>,
    text: &'n str,
    file: Option<&'n str>,
    line: Option<u32>,
    /// It has something in it that is not shown.
    folded: bool,
    /// It belongs to the step that was asked for.
    focus: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    iteration: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    iterations: Option<u64>,
    /// How many lines, iterations or calls are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<&'static str>,
    #[serde(flatten)]
    details: Map<String, Json>,
    children: Vec<JsonNode<'n>>,
}

pub(super) fn print(context: &Context, session: &Session, roots: &[Node]) -> Result<Outcome> {
    let nodes: Vec<JsonNode<'_>> = roots.iter().map(|root| node_json(session, root)).collect();
    context.print_json(&nodes)?;
    let has_steps = roots.iter().any(|root| !root.children.is_empty());
    Ok(if has_steps { Outcome::Done } else { Outcome::Negative })
}

fn node_json<'n>(session: &'n Session, node: &'n Node) -> JsonNode<'n> {
    let (iteration, iterations) = match node.kind {
        NodeKind::Iteration { number, of } => (number, of),
        _ => (None, None),
    };
    let (event, details) = match &node.event {
        Some(event) => {
            let (name, details) = details(session, &event.kind);
            (Some(name), details)
        }
        None => (None, Map::new()),
    };
    JsonNode {
        kind: match node.kind {
            NodeKind::Thread => "thread",
            NodeKind::Call => "call",
            NodeKind::UnrecordedCall => "unrecorded_call",
            NodeKind::Event => "event",
            NodeKind::Iteration { .. } => "iteration",
            NodeKind::More { what: Left::Lines, .. } => "more",
            NodeKind::More { what: Left::Iterations, .. } => "more_iterations",
            NodeKind::More { what: Left::Calls, .. } => "more_calls",
        },
        thread: node.thread.0,
        step: node.step,
        text: &node.text,
        file: node.method.and_then(|method| session.source_file(method)),
        line: node.line,
        folded: node.fold == Fold::Folded,
        focus: node.is_focus,
        iteration,
        iterations,
        left_out: match node.kind {
            NodeKind::More { count, .. } => count,
            _ => None,
        },
        event,
        details,
        children: node.children.iter().map(|child| node_json(session, child)).collect(),
    }
}
