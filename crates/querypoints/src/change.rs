//! The last change of a variable, field or element.

use crate::answer::{Happened, Missing, Unwritten};
use crate::chain::{Evaluator, Place, QueryError, because, unknown_name};
use crate::condition::{Datum, NotKnown, Scope, class_name, evaluate};
use crate::scope::{Carried, SightScope, Target};
use crate::syntax::Expression;
use whydunit_debugger::{
    Around, Direction, Found, Known, Moment, PossibleChange, Query, SearchPlan, Sight, Spot, StepPlace, UnknownName,
    Value, is_same,
};

type Placed = Result<Result<Place, Missing>, QueryError>;

/// The last change of `P(n):x.y` before `P`.
pub(crate) fn last_change(evaluator: &Evaluator<'_>, name: &str, of: &Expression) -> Placed {
    let Expression::At { point: Some(point), frame, path } = of else {
        return Ok(Err(because("a change is looked for from a point")));
    };
    let Some(known) = evaluator.points.get(point) else { return Ok(Err(because(format!("there is no {point}")))) };
    let scope = SightScope::new(evaluator.session, evaluator.moments, &known.sight);
    let scope = scope.with(known.carried, &evaluator.points).in_frame(*frame);
    let target = scope.and_then(|scope| Ok((scope, target(path, &scope)?)));
    match target {
        Ok((scope, Target::Local { slot })) => local(evaluator, &scope, path, slot),
        Ok((_, Target::Heap(spot))) => heap(evaluator, &known.sight, &spot),
        Err(NotKnown::Session(error)) => Err(error.into()),
        Err(NotKnown::NoSuchName { name: unknown, known }) => {
            let problem = format!("there is no `{unknown}` at {point}");
            Err(unknown_name(name, UnknownName::nearest(problem, &unknown, known)))
        }
        Err(why) => Ok(Err(because(why.to_string()))),
    }
}

fn target(path: &Expression, scope: &SightScope<'_>) -> Result<Target, NotKnown> {
    let object = |of: &Expression| match evaluate(of, scope)? {
        Datum::Value(Value::Ref(object)) => Ok(object),
        Datum::Value(Value::Null) => Err(NotKnown::Wrong(format!("{of} is null"))),
        _ => Err(NotKnown::NotRecorded(of.to_string())),
    };
    match path {
        Expression::Name(name) => scope.target(name),
        Expression::Field(of, name) => match object(of) {
            Ok(array) if name == "length" && scope.length(array).is_some() => {
                Err(NotKnown::Wrong("the length of an array never changes".to_owned()))
            }
            Ok(object) => scope.target_in(object, name),
            Err(NotKnown::NoSuchName { name: unknown, known }) => {
                let method = scope.sight.state.frames.get(scope.frame_position()).map(|frame| frame.method);
                let class = class_name(of).zip(method);
                let found = class.and_then(|(class, method)| scope.session.static_field(method, &class, name));
                found
                    .map(|found| Target::Heap(Spot::Static(found.field)))
                    .ok_or(NotKnown::NoSuchName { name: unknown, known })
            }
            Err(other) => Err(other),
        },
        Expression::Element(of, index) => {
            let array = object(of)?;
            match evaluate(index, scope)? {
                Datum::Value(Value::Int(index)) => Ok(Target::Heap(Spot::Element(array, index))),
                _ => Err(NotKnown::Wrong(format!("{index} is not the index of an element"))),
            }
        }
        _ => Err(NotKnown::Wrong(format!("{path} is not a variable, field or element"))),
    }
}

fn local(evaluator: &Evaluator<'_>, scope: &SightScope<'_>, path: &Expression, slot: u16) -> Placed {
    let (session, moments) = (evaluator.session, evaluator.moments);
    let moment = scope.sight.moment;
    let depth = scope.frame_position();
    let Some(frame) = scope.sight.state.frames.get(depth) else { return Ok(Err(because("there is no frame"))) };
    let Some(entered) = session.start_of(moments, moment.thread, frame.entered)? else {
        return Ok(Err(because("the start of the method is not known")));
    };
    // The call, which comes before the first instruction of the frame.
    let call = Moment { instruction: entered.instruction.saturating_sub(1), ..entered };
    let plan = SearchPlan {
        queries: vec![Query::Local { method: frame.method, slot }],
        direction: Direction::Backwards,
        after: Some(call),
        before: Some(moment),
        thread: Some(moment.thread),
    };
    let like = frame.locals.iter().find(|local| local.slot == slot).map(|local| local.value);
    let what = path.to_string();
    let mut search = session.search(moments, plan)?;
    while let Some(found) = search.next_found()? {
        // The same method may have been called from this frame.
        if found.hit.depth as usize != depth {
            continue;
        }
        let value = found.hit.value.map(|value| whydunit_debugger::like(value, like));
        let sight = session.sight(moments, found.moment, usize::MAX)?;
        let before = sight.as_ref().and_then(|sight| sight.state.frames.get(depth));
        let old = before.and_then(|frame| frame.locals.iter().find(|local| local.slot == slot)).filter(|old| {
            // Another variable may have been there.
            old.name.as_deref() == Some(what.as_str())
        });
        let hit = &found.hit;
        let place = StepPlace { thread: hit.thread, step: hit.step, method: hit.method, line: hit.line };
        let old = old.map(|old| old.value);
        let happened = Happened::Changed { what, owner: None, index: None, old, value };
        let carried = Carried { value, ..Carried::default() };
        return Ok(Ok(Place { moment: found.moment, place, happened, carried, notes: Vec::new() }));
    }
    if !session.is_parameter(frame.method, slot) {
        return Ok(Err(because(format!("{what} was not set in this call of the method before"))));
    }
    let carried = Carried { value: like, ..Carried::default() };
    let caller = depth.checked_sub(1).and_then(|below| scope.sight.state.frames.get(below));
    let happened = Happened::Passed { what, value: like };
    match caller.filter(|_| !frame.is_call_back) {
        Some(caller) => {
            let place =
                StepPlace { thread: moment.thread, step: caller.step, method: caller.method, line: caller.line };
            let latest = frame.entered.saturating_sub(1).max(1);
            let order = moments.rank(moment.thread, latest, call.instruction)?;
            Ok(Ok(Place { moment: Moment { latest, order, ..call }, place, happened, carried, notes: Vec::new() }))
        }
        None => {
            let line = session.state(moments, moment.thread, frame.entered)?.and_then(|s| s.frames.last()?.line);
            let place = StepPlace { thread: moment.thread, step: frame.entered, method: frame.method, line };
            let notes = vec!["the value was given by code that is not recorded".to_owned()];
            Ok(Ok(Place { moment: entered, place, happened, carried, notes }))
        }
    }
}

fn heap(evaluator: &Evaluator<'_>, sight: &Sight, spot: &Spot) -> Placed {
    let (session, moments) = (evaluator.session, evaluator.moments);
    let moment = sight.moment;
    let plan = SearchPlan {
        queries: vec![session.writes_of(spot)],
        direction: Direction::Backwards,
        after: None,
        before: Some(moment),
        thread: None,
    };
    let found = session.search(moments, plan)?.next_found()?;
    let around = session.held_around(moments, sight, spot)?;
    let what = session.name_of_spot(spot);
    let (owner, index) = match spot {
        Spot::Static(_) => (None, None),
        Spot::Field(object, _) => (Some(Value::Ref(*object)), None),
        Spot::Element(array, index) => (Some(Value::Ref(*array)), Some(*index)),
    };
    let value_of = |found: &Found| found.hit.value.map(|value| session.typed_element(owner, index, value));
    let possible = session.possible_change_before(moments, &moment, spot)?;
    let is_since = |change: &PossibleChange| found.as_ref().is_none_or(|found| found.moment.is_before(&change.moment));
    if let Some(PossibleChange { hit, moment, call, .. }) = possible.filter(is_since) {
        let mut notes = vec![format!("{call} may have changed it: its code is not recorded")];
        if let Some(found) = &found {
            let step = moments.global_step(found.hit.thread, found.hit.step)?.unwrap_or_default();
            let words = value_of(found).map_or_else(|| "?".to_owned(), |value| session.words(value));
            notes.push(format!("recorded code wrote it last in step {step}: {words}"));
        }
        let value = around.told().known().map(|known| known.value);
        let place = StepPlace { thread: hit.thread, step: hit.step, method: hit.method, line: hit.line };
        let happened = Happened::MayHaveChanged { what, owner, index, call, value };
        let carried = Carried { owner, value, index, exception: None };
        return Ok(Ok(Place { moment, place, happened, carried, notes }));
    }
    let Around { before, later, .. } = around;
    let Some(found) = found else {
        let held = before.or(later);
        let why = match held {
            Some(held) => format!(
                "{what} was not written by recorded code before; step {} reads {} there",
                held.step,
                session.words(held.value)
            ),
            None => format!("{what} was not written by recorded code before"),
        };
        let unwritten = Unwritten { what, read_in: held.map(|held| held.step) };
        return Ok(Err(Missing { unwritten: Some(unwritten), ..because(why) }));
    };
    let value = value_of(&found);
    let mut notes = Vec::new();
    let differs = |held: &Known| value.is_some_and(|value| !is_same(value, held.value));
    if let Some(held) = [before, later].into_iter().flatten().find(differs) {
        let words = session.words(held.value);
        notes.push(format!("code that is not recorded has changed it since: step {} reads {words}", held.step));
    }
    let hit = &found.hit;
    let place = StepPlace { thread: hit.thread, step: hit.step, method: hit.method, line: hit.line };
    let old = old_value_of(evaluator, &found, spot)?;
    let happened = Happened::Changed { what, owner, index, old, value };
    let carried = Carried { owner, value, index, exception: None };
    Ok(Ok(Place { moment: found.moment, place, happened, carried, notes }))
}

/// What was there before a field or element was written.
pub(crate) fn old_value(
    evaluator: &Evaluator<'_>,
    found: &Found,
    queries: &[Query],
) -> Result<Option<Value>, QueryError> {
    match found.spot(queries) {
        Some(spot) => old_value_of(evaluator, found, &spot),
        None => Ok(None),
    }
}

fn old_value_of(evaluator: &Evaluator<'_>, found: &Found, spot: &Spot) -> Result<Option<Value>, QueryError> {
    let (session, moments) = (evaluator.session, evaluator.moments);
    let Some(sight) = session.sight(moments, found.moment, 1)? else { return Ok(None) };
    Ok(session.held_around(moments, &sight, spot)?.told().known().map(|held| held.value))
}
