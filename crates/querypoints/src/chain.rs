//! A chain of points, one after the other.

use crate::answer::{Answer, Collected, Frame, Happened, Instance, Located, Miss, Missing};
use crate::change;
use crate::condition::{self, Datum, NotKnown};
use crate::patterns::{Pattern, PatternError};
use crate::scope::{Carried, Known, Points, SightScope};
use crate::syntax::{Chain, Constraint, Definition, EventPattern, Expression, Item, Pick, PointExpression, Relation};
use std::collections::{BTreeMap, BTreeSet};
use whydunit_debugger::{
    Direction, Found, Moment, Moments, Noted, SearchPlan, Session, SessionError, Sight, StepPlace, Unknown,
    UnknownName, Value,
};

/// Events that are shown when there is no such point.
const NEAREST: usize = 3;

/// What is wrong with a chain.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// In the definition of a point.
    #[error("{point}: {problem}")]
    Wrong { point: String, problem: String, nearest: Vec<String> },
    /// In a condition that belongs to no point.
    #[error("{problem}")]
    UnknownName { problem: String, nearest: Vec<String> },
    #[error(transparent)]
    Session(#[from] SessionError),
}

/// Finds the points of a chain in a run. `progress` is told how many instructions were searched since it was last called.
pub fn evaluate(
    session: &Session,
    moments: &Moments,
    chain: &Chain,
    progress: &dyn Fn(u64),
) -> Result<Answer, QueryError> {
    check_names(chain)?;
    let mut shown: BTreeMap<&str, Vec<&Expression>> = BTreeMap::new();
    for item in &chain.items {
        match item {
            Item::Define(definition) => shown.entry(&definition.name).or_default().extend(&definition.with),
            Item::Show { point, data } => shown.entry(point).or_default().extend(data),
        }
    }
    let mut evaluator = Evaluator::new(session, moments, progress);
    let mut points = Vec::new();
    for item in &chain.items {
        if let Item::Define(definition) = item {
            let data = shown.get(definition.name.as_str()).map(Vec::as_slice).unwrap_or_default();
            points.push(evaluator.locate(definition, data)?);
        }
    }
    Ok(Answer { points })
}

fn wrong(point: &str, problem: impl Into<String>) -> QueryError {
    QueryError::Wrong { point: point.to_owned(), problem: problem.into(), nearest: Vec::new() }
}

/// Each name is defined once, and before it is used.
fn check_names(chain: &Chain) -> Result<(), QueryError> {
    let mut defined: BTreeSet<&str> = BTreeSet::new();
    for item in &chain.items {
        let (name, used) = match item {
            Item::Define(definition) => (&definition.name, used_points(definition)),
            Item::Show { point, data } => {
                let mut used = BTreeSet::from([point.as_str()]);
                data.iter().for_each(|one| points_in(one, &mut used));
                (point, used)
            }
        };
        if let Some(unknown) = used.into_iter().find(|used| !defined.contains(used)) {
            let problem = format!("no point is called `{unknown}` before this");
            let nearest = defined.iter().map(|&name| name.to_owned()).collect();
            return Err(QueryError::Wrong { point: name.clone(), problem, nearest });
        }
        if let Item::Define(definition) = item
            && !defined.insert(&definition.name)
        {
            return Err(wrong(&definition.name, "the name is taken by a point before this"));
        }
    }
    Ok(())
}

fn used_points(definition: &Definition) -> BTreeSet<&str> {
    let mut used = BTreeSet::new();
    let (condition, constraints) = match &definition.point {
        PointExpression::Event { condition, constraints, .. } => (condition, constraints.as_slice()),
        PointExpression::Relative { point, condition, constraints, .. } => {
            used.insert(point.as_str());
            (condition, constraints.as_slice())
        }
        PointExpression::LastChange(of) => {
            points_in(of, &mut used);
            (&None, [].as_slice())
        }
        PointExpression::LastCondition(point) => {
            used.insert(point.as_str());
            (&None, [].as_slice())
        }
    };
    for constraint in constraints {
        match constraint {
            Constraint::Before(point) | Constraint::MayAffect(point) => drop(used.insert(point)),
            Constraint::Same(one, other) => {
                points_in(one, &mut used);
                points_in(other, &mut used);
            }
        }
    }
    condition.iter().chain(&definition.with).for_each(|one| points_in(one, &mut used));
    used
}

fn points_in<'e>(expression: &'e Expression, used: &mut BTreeSet<&'e str>) {
    visit(expression, &mut |one| {
        if let Expression::At { point: Some(point), .. } = one {
            used.insert(point);
        }
    });
}

/// Shows an expression and all that is in it.
fn visit<'e>(expression: &'e Expression, show: &mut dyn FnMut(&'e Expression)) {
    show(expression);
    match expression {
        Expression::At { path, .. } => visit(path, show),
        Expression::Field(of, _) | Expression::Unary(_, of) | Expression::InstanceOf(of, _) => visit(of, show),
        Expression::Element(one, other) | Expression::Binary(_, one, other) => {
            visit(one, show);
            visit(other, show);
        }
        Expression::Call(of, _, arguments) => {
            visit(of, show);
            arguments.iter().for_each(|argument| visit(argument, show));
        }
        _ => {}
    }
}

/// Which events of a kind are asked for.
struct Asked<'q> {
    event: &'q EventPattern,
    direction: Direction,
    /// How many to pass over.
    skip: u64,
    after: Option<Moment>,
    before: Option<Moment>,
    condition: Option<&'q Expression>,
    constraints: &'q [Constraint],
}

pub(crate) struct Evaluator<'s> {
    pub(crate) session: &'s Session,
    pub(crate) moments: &'s Moments,
    progress: &'s dyn Fn(u64),
    pub(crate) points: Points,
    /// Points that have no instance.
    missing: BTreeSet<String>,
}

/// Where a point is, before the data is collected.
pub(crate) struct Place {
    pub(crate) moment: Moment,
    pub(crate) place: StepPlace,
    pub(crate) happened: Happened,
    pub(crate) carried: Carried,
    pub(crate) notes: Vec<String>,
}

/// The events that were looked at in vain.
#[derive(Default)]
struct Tally {
    candidates: u64,
    failed: Vec<(String, u64)>,
    nearest: Vec<Miss>,
    unknown: u64,
    why_unknown: Option<String>,
    /// All had a name in the condition that they do not know.
    unknown_name: Option<(String, Vec<String>)>,
    evaluated: u64,
}

type Placing = Result<Place, Missing>;

impl<'s> Evaluator<'s> {
    pub(crate) fn new(session: &'s Session, moments: &'s Moments, progress: &'s dyn Fn(u64)) -> Evaluator<'s> {
        Evaluator { session, moments, progress, points: Points::new(), missing: BTreeSet::new() }
    }

    fn locate(&mut self, definition: &Definition, data: &[&Expression]) -> Result<Located, QueryError> {
        let mut tally = Tally::default();
        let found = self.find(definition, &mut tally)?;
        let outcome = match found {
            Ok(place) => Ok(self.instance(&definition.name, place, data)?),
            Err(missing) => {
                self.missing.insert(definition.name.clone());
                Err(missing)
            }
        };
        Ok(Located {
            name: definition.name.clone(),
            definition: definition.point.to_string(),
            outcome,
            unknown: tally.unknown,
            why_unknown: tally.why_unknown,
        })
    }

    fn find(&self, definition: &Definition, tally: &mut Tally) -> Result<Placing, QueryError> {
        if let Some(missing) = used_points(definition).into_iter().find(|used| self.missing.contains(*used)) {
            return Ok(Err(because(format!("there is no {missing}"))));
        }
        let name = &definition.name;
        match &definition.point {
            PointExpression::Event { event, index, condition, constraints } => {
                let direction = if *index < 0 { Direction::Backwards } else { Direction::Forwards };
                let skip = if *index < 0 { index.unsigned_abs() - 1 } else { index.unsigned_abs() };
                let condition = condition.as_ref();
                let asked = Asked { event, direction, skip, after: None, before: None, condition, constraints };
                self.search(name, asked, tally)
            }
            PointExpression::Relative { pick, event, relation, point, condition, constraints } => {
                let direction = match pick {
                    Pick::First | Pick::Next => Direction::Forwards,
                    Pick::Last => Direction::Backwards,
                };
                let moment = self.points.get(point).map(|known| known.sight.moment);
                let (after, before) = match relation {
                    Relation::After => (moment, None),
                    Relation::Before => (None, moment),
                };
                let condition = condition.as_ref();
                self.search(name, Asked { event, direction, skip: 0, after, before, condition, constraints }, tally)
            }
            PointExpression::LastChange(of) => change::last_change(self, name, of),
            PointExpression::LastCondition(point) => self.last_condition(point),
        }
    }

    fn search(&self, name: &str, asked: Asked<'_>, tally: &mut Tally) -> Result<Placing, QueryError> {
        let pattern = Pattern::new(self.session, self.moments, asked.event).map_err(|error| match error {
            PatternError::Name(unknown) => unknown_name(name, unknown),
            PatternError::Session(error) => error.into(),
        })?;
        let mut before = asked.before;
        for constraint in asked.constraints {
            if let Constraint::Before(point) = constraint
                && let Some(known) = self.points.get(point)
                && before.is_none_or(|before| known.sight.moment.is_before(&before))
            {
                before = Some(known.sight.moment);
            }
        }
        let wants = Wants::of(&asked);
        let (after, direction) = (asked.after, asked.direction);
        let plan = SearchPlan { queries: pattern.queries.clone(), direction, after, before, thread: None };
        let mut search = self.session.search(self.moments, plan)?;
        let mut left = asked.skip;
        while let Some(found) = search.next_found()? {
            (self.progress)(search.take_passed());
            let failed = match pattern.accepts(self.session, &found.hit) {
                Some(true) => self.failed(&asked, &wants, &pattern, &found, tally)?,
                Some(false) => continue,
                None => {
                    tally.unknown += 1;
                    tally.why_unknown.get_or_insert_with(|| "the exception is not known".to_owned());
                    Some("the exception is not known".to_owned())
                }
            };
            tally.candidates += 1;
            match failed {
                None if left == 0 => return Ok(Ok(self.place_of(&found, &pattern)?)),
                None => left -= 1,
                Some(failed) => self.note(&found, failed, tally)?,
            }
        }
        if let Some((unknown, known)) = tally.unknown_name.take()
            && tally.unknown == tally.evaluated
        {
            let problem = format!("there is no `{unknown}` at `{}`", asked.event);
            return Err(unknown_name(name, UnknownName::nearest(problem, &unknown, known)));
        }
        let passed = asked.skip - left;
        let why = match (tally.candidates, passed) {
            (0, _) if asked.after.is_some() || before.is_some() => "no such event there".to_owned(),
            (0, _) => "it never happened".to_owned(),
            (candidates, 0) => format!("none of {candidates} such events meets all conditions"),
            (_, passed) => format!("there are only {passed}"),
        };
        let (failed, nearest) = (std::mem::take(&mut tally.failed), std::mem::take(&mut tally.nearest));
        Ok(Err(Missing { why, candidates: tally.candidates, failed, nearest, unwritten: None }))
    }

    /// What an event fails of what is asked for.
    fn failed(
        &self,
        asked: &Asked<'_>,
        wants: &Wants,
        pattern: &Pattern<'_>,
        found: &Found,
        tally: &mut Tally,
    ) -> Result<Option<String>, QueryError> {
        if !wants.anything {
            return Ok(None);
        }
        let Some(sight) = found.sight(self.session, self.moments, wants.frames, &wants.noted)? else {
            tally.unknown += 1;
            return Ok(Some("the state there is not known".to_owned()));
        };
        let carried = pattern.carried(self.session, &found.hit);
        let scope = SightScope::new(self.session, self.moments, &sight).with(carried, &self.points);
        tally.evaluated += 1;
        let mut unknown = |why: NotKnown, what: String| -> Result<Option<String>, QueryError> {
            tally.unknown += 1;
            match why {
                NotKnown::Session(error) => return Err(error.into()),
                NotKnown::NoSuchName { name, known } => drop(tally.unknown_name.get_or_insert((name, known))),
                ref other => drop(tally.why_unknown.get_or_insert_with(|| other.to_string())),
            }
            Ok(Some(what))
        };
        if let Some(condition) = asked.condition {
            match condition::holds(condition, &scope) {
                Ok(true) => {}
                Ok(false) => return Ok(Some(format!("not {condition}"))),
                Err(why) => {
                    let what = format!("not known whether {condition}: {why}");
                    return unknown(why, what);
                }
            }
        }
        for constraint in asked.constraints {
            let is_met = match constraint {
                Constraint::Before(_) => Ok(true),
                Constraint::MayAffect(point) => Ok(self.may_affect(&sight, point)),
                Constraint::Same(one, other) => same(one, other, &scope),
            };
            match is_met {
                Ok(true) => {}
                Ok(false) => return Ok(Some(format!("not {constraint}"))),
                Err(why) => {
                    let what = format!("not known whether {constraint}: {why}");
                    return unknown(why, what);
                }
            }
        }
        Ok(None)
    }

    /// Whether the methods on the stack are the oldest of those on the stack of a point.
    fn may_affect(&self, sight: &Sight, point: &str) -> bool {
        let Some(known) = self.points.get(point) else { return false };
        let (own, other) = (&sight.state.frames, &known.sight.state.frames);
        own.len() <= other.len() && own.iter().zip(other).all(|(own, other)| own.method == other.method)
    }

    fn note(&self, found: &Found, failed: String, tally: &mut Tally) -> Result<(), QueryError> {
        match tally.failed.iter_mut().find(|(known, _)| *known == failed) {
            Some((_, count)) => *count += 1,
            None => tally.failed.push((failed.clone(), 1)),
        }
        if tally.nearest.len() < NEAREST {
            let place = self.step_place(found);
            tally.nearest.push(Miss { step: self.number(&place)?, place, failed });
        }
        Ok(())
    }

    fn step_place(&self, found: &Found) -> StepPlace {
        let hit = &found.hit;
        StepPlace { thread: hit.thread, step: hit.step, method: hit.method, line: hit.line }
    }

    pub(crate) fn number(&self, place: &StepPlace) -> Result<u64, QueryError> {
        Ok(self.moments.global_step(place.thread, place.step)?.unwrap_or(place.step))
    }

    fn place_of(&self, found: &Found, pattern: &Pattern<'_>) -> Result<Place, QueryError> {
        let happened = pattern.happened(self.session, &found.hit);
        let happened = match happened {
            Happened::Changed { what, owner, index, value, .. } => {
                let old = change::old_value(self, found, &pattern.queries)?;
                Happened::Changed { what, owner, index, old, value }
            }
            other => other,
        };
        Ok(Place {
            moment: found.moment,
            place: self.step_place(found),
            happened,
            carried: pattern.carried(self.session, &found.hit),
            notes: Vec::new(),
        })
    }

    fn last_condition(&self, point: &str) -> Result<Placing, QueryError> {
        let Some(known) = self.points.get(point) else { return Ok(Err(because(format!("there is no {point}")))) };
        let sight = &known.sight;
        let moment = sight.moment;
        let Some(frame) = sight.state.frames.last() else { return Ok(Err(because("the stack is not known"))) };
        let causes = self.session.causes(self.moments, moment.thread);
        let Some(causes) = causes else { return Ok(Err(because("the thread is not known"))) };
        let cause = match causes.condition(frame.step, Some(frame.address))? {
            Ok(cause) => cause,
            Err(Unknown::Outside | Unknown::Given(_) | Unknown::Function(_)) => {
                return Ok(Err(because("no condition led there: the code was called by code that is not recorded")));
            }
            Err(_) => return Ok(Err(because("what decided it is not known"))),
        };
        let place = cause.place;
        let Some(start) = self.session.start_of(self.moments, place.thread, place.step)? else {
            return Ok(Err(because("what decided it is not known")));
        };
        let happened = Happened::Decided { what: cause.what.clone() };
        Ok(Ok(Place { moment: start, place, happened, carried: Carried::default(), notes: Vec::new() }))
    }

    /// Collects the data of a point.
    fn instance(&mut self, name: &str, place: Place, data: &[&Expression]) -> Result<Instance, QueryError> {
        let Place { moment, place, happened, carried, notes } = place;
        let sight = self.session.sight(self.moments, moment, usize::MAX)?;
        let Some(sight) = sight else { return Err(wrong(name, "the state at the point cannot be replayed")) };
        let scope = SightScope::new(self.session, self.moments, &sight).with(carried, &self.points);
        let mut collected = Vec::new();
        for expression in data {
            let value = match condition::evaluate(expression, &scope) {
                Ok(datum) => Ok(datum),
                Err(NotKnown::Session(error)) => return Err(error.into()),
                Err(NotKnown::NoSuchName { name: unknown, known }) => {
                    let problem = format!("there is no `{unknown}` at {name}");
                    return Err(unknown_name(name, UnknownName::nearest(problem, &unknown, known)));
                }
                Err(why) => Err(why.to_string()),
            };
            collected.push(Collected { expression: expression.to_string(), value });
        }
        let mut stack = Vec::new();
        for frame in sight.state.frames.iter().rev() {
            let place = StepPlace { thread: moment.thread, step: frame.step, method: frame.method, line: frame.line };
            stack.push(Frame { step: self.number(&place)?, place, is_call_back: frame.is_call_back });
        }
        let step = self.number(&place)?;
        self.points.insert(name.to_owned(), Known { sight, carried });
        Ok(Instance { moment, step, place, happened, data: collected, stack, notes })
    }
}

pub(crate) fn because(why: impl Into<String>) -> Missing {
    Missing { why: why.into(), candidates: 0, failed: Vec::new(), nearest: Vec::new(), unwritten: None }
}

pub(crate) fn unknown_name(point: &str, unknown: UnknownName) -> QueryError {
    QueryError::Wrong { point: point.to_owned(), problem: unknown.problem, nearest: unknown.nearest }
}

/// Whether two references mean the same object; `null` is none.
fn same(one: &Expression, other: &Expression, scope: &SightScope<'_>) -> Result<bool, NotKnown> {
    let value = |expression: &Expression| match condition::evaluate(expression, scope)? {
        Datum::Value(value) => Ok(value),
        Datum::Text(_) => Err(NotKnown::Wrong(format!("{expression} is not an object"))),
    };
    let (left, right) = (value(one)?, value(other)?);
    Ok(left == right && left != Value::Null)
}

/// What has to be looked at for each event.
pub(crate) struct Wants {
    anything: bool,
    pub(crate) frames: usize,
    pub(crate) noted: Noted,
}

impl Wants {
    pub(crate) fn of_condition(condition: &Expression) -> Wants {
        let mut wants = Wants { anything: true, frames: 1, noted: Noted::All };
        wants.look_for(&[condition]);
        wants
    }

    fn of(asked: &Asked<'_>) -> Wants {
        let mut wants = Wants { anything: asked.condition.is_some(), frames: 1, noted: Noted::All };
        let mut expressions: Vec<&Expression> = asked.condition.into_iter().collect();
        for constraint in asked.constraints {
            match constraint {
                Constraint::Before(_) => {}
                Constraint::MayAffect(_) => (wants.anything, wants.frames) = (true, usize::MAX),
                Constraint::Same(one, other) => {
                    wants.anything = true;
                    expressions.extend([one, other]);
                }
            }
        }
        wants.look_for(&expressions);
        wants
    }

    fn look_for(&mut self, expressions: &[&Expression]) {
        let (mut fields, mut elements): (Vec<Box<str>>, bool) = (Vec::new(), false);
        for expression in expressions {
            visit(expression, &mut |one| match one {
                Expression::Name(name) | Expression::Field(_, name) => fields.push(name.as_str().into()),
                Expression::Element(..) => elements = true,
                Expression::At { point: None, frame, .. } if *frame != 0 => self.frames = usize::MAX,
                _ => {}
            });
        }
        self.noted = Noted::Some { fields, elements };
    }
}
