//! Ways through the code that were sound, and others that are like them.

use super::course::{CodeLine, Course, VariableId, Visit};
use crate::graph::{EffectId, Graph, StepId, Way};

/// Steps that are passed over at once.
const MOST_SKIPPED: usize = 500;

/// A way through the code with repeated iterations told once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathKey(Vec<CodeLine>);

/// Ways that a wrong value took through sound code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    key: PathKey,
    /// What was wrong at the end of the way that gave the pattern.
    cause: VariableId,
}

impl PathKey {
    pub(crate) fn between(course: &dyn Course, from: StepId, to: StepId) -> Option<PathKey> {
        course.path(from, to).map(|visits| PathKey::of(&visits))
    }

    /// An iteration that goes the way of the one before it is left out. Whether it does is known when the next one starts.
    /// A line that is visited twice at once, as that of `for (…; i < n; i++)` is, counts once.
    pub(super) fn of(visits: &[Visit]) -> PathKey {
        let mut key: Vec<CodeLine> = Vec::with_capacity(visits.len());
        for visit in visits {
            if key.last() == Some(&visit.line) {
                continue;
            }
            if visit.is_head
                && let Some(start) = key.iter().rposition(|&line| line == visit.line)
            {
                let length = key.len() - start;
                if start >= length && key[start - length..start] == key[start..] {
                    key.truncate(start);
                }
            }
            key.push(visit.line);
        }
        PathKey(key)
    }
}

impl Pattern {
    /// The pattern of the way from one step to another that has got a wrong value from it.
    fn new(course: &dyn Course, from: StepId, to: StepId, cause: VariableId) -> Option<Pattern> {
        Some(Pattern { key: PathKey::between(course, from, to)?, cause })
    }
}

/// A step that has used a value, and what made that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    pub(crate) user: StepId,
    pub(crate) value: EffectId,
}

/// Goes back from what made a value as long as the way to it is like one of the patterns: all steps on that way, the
/// latest first, ending with the first one of which that cannot be said. A step that is passed over is taken for sound, so
/// that the way from it to its user is a pattern, too.
pub(crate) fn passed_over(
    graph: &Graph,
    course: &dyn Course,
    patterns: &mut Vec<Pattern>,
    start: Use,
    is_judged: impl Fn(StepId) -> bool,
) -> Vec<StepId> {
    let mut current = start;
    let mut chain = vec![graph.effect(start.value).step];
    while chain.len() <= MOST_SKIPPED {
        let maker = graph.effect(current.value).step;
        let Some(before) = like_before(graph, course, patterns, maker) else { break };
        let next = graph.effect(before).step;
        if is_judged(next) {
            break;
        }
        learn(course, patterns, maker, current);
        chain.push(next);
        current = Use { user: maker, value: before };
    }
    chain
}

/// Notes the way from a sound step to one that was given a wrong value by it.
pub(crate) fn learn(course: &dyn Course, patterns: &mut Vec<Pattern>, maker: StepId, used: Use) {
    if let Some(pattern) = Pattern::new(course, maker, used.user, course.variable(used.value))
        && !patterns.contains(&pattern)
    {
        patterns.push(pattern);
    }
}

/// What gave a step a value on a way like one of the patterns.
fn like_before(graph: &Graph, course: &dyn Course, patterns: &[Pattern], step: StepId) -> Option<EffectId> {
    let mut values = graph.inputs_of(step).filter(|input| matches!(input.way, Way::Value | Way::Address));
    let found = values.find(|input| {
        let from = graph.effect(input.from).step;
        let cause = course.variable(input.from);
        let mut likely = patterns.iter().filter(|pattern| pattern.cause == cause).peekable();
        likely.peek().is_some()
            && course.time(from) < course.time(step)
            && PathKey::between(course, from, step).is_some_and(|key| likely.any(|pattern| pattern.key == key))
    });
    found.map(|input| input.from)
}
