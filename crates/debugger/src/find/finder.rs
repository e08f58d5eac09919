//! A search for the first wrong step, step by step of a run.

use super::background::Background;
use super::course::{Known, RunCourse};
use super::explore::Origin;
use super::inside::When;
use super::missing::MissingCode;
use super::parts::Part;
use super::pointing::Inside;
use super::telling::{Condition, WayStep};
use super::tested::OtherTests;
use crate::causes::{CauseKind, Causes, Ingredient, StepCauses, StepPlace, Throw};
use crate::names::UnknownName;
use crate::session::{Session, SessionError};
use crate::state::Moments;
use whydunit_feedback::{
    Answer, BugKind, Contradiction, Course, EffectId, Gap, Policy, Prospect, Question, Search, Stale, State, StepId,
    Verdict,
};
use whydunit_replay::Value;
use whydunit_slices::{Place, Role, Unknown};
use whydunit_trace::{ObjectId, ThreadId};

#[derive(Debug)]
pub struct Finder<'s> {
    pub(super) causes: Causes<'s>,
    pub(super) moments: &'s Moments,
    others: OtherTests,
    pub(super) background: Background,
    /// What has joined it, in this order.
    growths: Vec<Growth>,
    /// Without that.
    first_background: Option<Box<Background>>,
    search: Search,
    known: Known,
}

/// What a user says about a step. Values are counted from 0, as the step lists what it reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Correct,
    /// These values are wrong, the others are right.
    Wrong(Vec<usize>),
    /// What is in objects is wrong: in those that the step reads, or in what it makes of right ones.
    WrongInside(Vec<Inside>),
    /// What it reads is right, what it makes of it is not.
    WrongResult,
    WrongPath,
    /// Something that it makes is wrong, but neither its line nor what it is seen to read.
    WrongSomehow,
    Unclear,
}

/// What comes next.
#[derive(Debug)]
pub enum Asked {
    Step(Box<AskedStep>),
    Found(FoundStep),
    Missing(Box<MissingCode>),
    /// What is wrong lies further back than was looked at.
    Beyond,
}

/// A step to judge.
#[derive(Debug)]
pub struct AskedStep {
    pub question: Question,
    pub step: StepCauses,
    /// The values that it reads, then what is in objects that it reads, as far as that led to the failure.
    pub reads: Vec<Ingredient>,
    /// How many of them it reads itself.
    pub own_reads: usize,
    /// Of the others.
    stale: Vec<Stale>,
    /// What decided that it ran.
    pub condition: Option<Condition>,
    pub state: State,
    /// Lines that are likely to be the wrong one.
    pub lines_left: usize,
    /// Steps that the last answer has passed over, as they are like sound ones.
    pub skipped: Vec<StepPlace>,
    /// By the answers, nothing that ran has made a value wrong.
    pub missing: Option<Gap>,
}

/// The end of a search.
#[derive(Debug)]
pub struct FoundStep {
    /// From the first wrong step to the failure.
    pub way: Vec<WayStep>,
    pub kind: Option<BugKind>,
}

/// Something that a step reads, and what gave it its value, as far as that was looked at.
#[derive(Clone, Debug)]
pub struct SourcedRead {
    pub read: Ingredient,
    pub source: Option<EffectId>,
    /// Of what is in an object that the step reads.
    pub part: Option<SourcedPart>,
}

#[derive(Clone, Debug)]
pub struct SourcedPart {
    pub holder: ObjectId,
    pub place: Place,
    pub stale: Stale,
}

impl<'s> Finder<'s> {
    /// `None` when the thread has no such step.
    pub fn new(
        session: &'s Session,
        moments: &'s Moments,
        thread: ThreadId,
        step: u64,
        others: OtherTests,
    ) -> Result<Option<Finder<'s>>, SessionError> {
        let Some(causes) = session.causes(moments, thread) else { return Ok(None) };
        let Some(background) = causes.background(thread, step, &others)? else { return Ok(None) };
        let search = Search::new(background.graph.clone());
        Ok(Some(Finder {
            causes,
            moments,
            others,
            background,
            growths: Vec::new(),
            first_background: None,
            search,
            known: Known::default(),
        }))
    }

    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Finder<'s> {
        Finder { search: self.search.with_policy(policy), ..self }
    }

    pub fn search(&self) -> &Search {
        &self.search
    }

    pub fn place(&self, step: StepId) -> &StepPlace {
        self.background.place(step)
    }

    /// The last step of the same thread that a step has called, or itself.
    pub fn end(&self, step: StepId) -> Option<u64> {
        let until = self.background.graph.step(step).until;
        let (thread, end) = self.moments.local_step(until).ok().flatten()?;
        (thread == self.place(step).thread).then_some(end)
    }

    /// What a search asks about the run beyond the graph.
    pub fn course(&self) -> impl Course {
        RunCourse { causes: &self.causes, moments: self.moments, background: &self.background, known: &self.known }
    }

    pub fn next(&self) -> Result<Asked, SessionError> {
        let prospect = self.search.next(&self.course());
        Ok(match &prospect.verdict {
            Verdict::Found(finding) => {
                let kind = match finding.kind {
                    // What the failure's graph does not have, a step may read all the same.
                    Some(BugKind::WrongInitialisation) if self.reads_something(&finding.way)? => None,
                    kind => kind,
                };
                Asked::Found(FoundStep { way: self.way(&finding.way)?, kind })
            }
            Verdict::Missing(gap) => Asked::Missing(Box::new(self.missing(*gap)?)),
            Verdict::Beyond => Asked::Beyond,
            Verdict::Ask(question) => match self.asked(*question, &prospect)? {
                Some(asked) => Asked::Step(Box::new(asked)),
                None => Asked::Beyond,
            },
        })
    }

    /// Whether the first step of a way takes anything from elsewhere.
    fn reads_something(&self, way: &[StepId]) -> Result<bool, SessionError> {
        let first = way.first().map(|&step| self.step(step)).transpose()?.flatten();
        let is_read = |one: &Ingredient| self.is_seen(one) && !is_of_the_line(one);
        Ok(first.is_some_and(|first| first.ingredients.iter().any(is_read)))
    }

    fn asked(&self, question: Question, prospect: &Prospect) -> Result<Option<AskedStep>, SessionError> {
        let Some(mut step) = self.step(question.step)? else { return Ok(None) };
        for branch in step.effects.iter_mut().filter(|effect| effect.kind == CauseKind::Branch) {
            if let Some(decided) = self.causes.decided(branch)? {
                branch.what = decided.text;
            }
        }
        let mut reads: Vec<Ingredient> = step.ingredients.iter().filter(|one| self.is_shown(one)).cloned().collect();
        let own_reads = reads.len();
        let (parts, stale): (Vec<_>, Vec<_>) =
            self.parts(question.step, &step)?.into_iter().map(|part| (part.read, part.stale)).unzip();
        reads.extend(parts);
        let condition = match &step.decided_by {
            Ok(cause) => Some(self.condition(cause.clone())?),
            Err(_) => None,
        };
        let was_skipped = prospect.standing.state == State::Skip;
        let skipped = prospect.standing.skipped.iter().filter(|_| was_skipped);
        Ok(Some(AskedStep {
            question,
            reads,
            own_reads,
            stale,
            condition,
            state: prospect.standing.state,
            lines_left: prospect.lines_left,
            skipped: skipped.map(|&step| *self.place(step)).collect(),
            missing: prospect.missing,
            step,
        }))
    }

    pub(super) fn step(&self, step: StepId) -> Result<Option<StepCauses>, SessionError> {
        let place = self.background.place(step);
        self.causes.of_step_in(place.thread, place.step)
    }

    /// What a step reads; `None` when there is no such step.
    pub fn reads(&self, step: StepId) -> Result<Option<Vec<SourcedRead>>, SessionError> {
        let Some(causes) = self.step(step)? else { return Ok(None) };
        let parts = self.parts(step, &causes)?;
        let own = causes.ingredients.into_iter().filter(|one| self.is_seen(one));
        let own = own.map(|read| SourcedRead { source: self.background.source(&read), read, part: None });
        let parts = parts.into_iter().map(|part| SourcedRead {
            read: part.read,
            source: None,
            part: Some(SourcedPart { holder: part.holder, place: part.place, stale: part.stale }),
        });
        Ok(Some(own.chain(parts).collect()))
    }

    /// The exception that a step ends with, whether it throws it or lets it pass.
    pub fn exception(&self, step: StepId) -> Result<Option<Value>, SessionError> {
        Ok(self.threw(step)?.and_then(|threw| threw.exception))
    }

    /// How it came to that.
    pub fn threw(&self, step: StepId) -> Result<Option<Throw>, SessionError> {
        Ok(self.step(step)?.and_then(|causes| causes.threw))
    }

    /// People see values, and the positions and keys that they were found by; which object is meant is seldom the question.
    fn is_seen(&self, read: &Ingredient) -> bool {
        (read.role == Role::Value || read.is_position) && !self.is_constant_of_the_platform(read)
    }

    /// It is listed with the step.
    pub(super) fn is_shown(&self, read: &Ingredient) -> bool {
        self.is_seen(read) && !is_of_the_line(read)
    }

    /// Such as `System.out`, which recorded code cannot write: programs seldom have it wrong.
    fn is_constant_of_the_platform(&self, read: &Ingredient) -> bool {
        let Err(Unknown::NotWritten(Place::Static(number))) = read.source else { return false };
        let field = self.causes.session().program().field(number);
        field.is_some_and(|field| field.owner.starts_with("java/") || field.owner.starts_with("javax/"))
    }

    /// What was in the objects that a step reads, before it.
    fn parts(&self, step: StepId, causes: &StepCauses) -> Result<Vec<Part>, SessionError> {
        let Background { seen, graph } = &self.background;
        seen.parts.behind(&self.causes, graph, &causes.ingredients, self.background.before(step))
    }

    /// What the user has pointed at, with who has written it.
    fn pointed_at(&mut self, asked: &AskedStep, at: &[Inside]) -> Result<Result<Pointed, UnknownName>, SessionError> {
        // What was wrong when the step started makes the rest wrong.
        let when = at.iter().map(|one| one.when).min().unwrap_or(When::Before);
        let mut spots = Vec::new();
        for one in at.iter().filter(|one| one.when == when) {
            match self.spot(asked, one)? {
                Ok(spot) => spots.push(spot),
                Err(unknown) => return Ok(Err(unknown)),
            }
        }
        Ok(Ok(Pointed { when, stale: self.point_at(asked.question.step, when, &spots)? }))
    }

    /// Takes an answer to a question; the contradiction with an earlier one, if it is one. An answer that points at nothing
    /// is not taken.
    pub fn reply(
        &mut self,
        asked: &AskedStep,
        reply: &Reply,
    ) -> Result<Result<Option<Contradiction>, UnknownName>, SessionError> {
        let own = asked.own_reads;
        let answer = match reply {
            Reply::Correct => Answer::Correct,
            Reply::WrongResult => Answer::WrongResult,
            Reply::WrongPath => Answer::WrongPath,
            Reply::Unclear => Answer::Unclear,
            Reply::WrongInside(at) => {
                let right = self.sources(asked, |number| number < own);
                match self.pointed_at(asked, at)? {
                    Ok(Pointed { when: When::Before, stale }) => {
                        Answer::WrongValues { wrong: Vec::new(), stale, right }
                    }
                    Ok(Pointed { when: When::After, stale }) => Answer::WrongSomehow { right, stale },
                    Err(unknown) => return Ok(Err(unknown)),
                }
            }
            Reply::WrongSomehow => {
                Answer::WrongSomehow { right: self.sources(asked, |number| number < own), stale: Vec::new() }
            }
            Reply::Wrong(numbers) => {
                // What is in an object is told only of objects that are the right ones, and not everyone looks at it.
                let is_own_wrong = numbers.iter().any(|&number| number < own);
                let of_part = |number: &usize| asked.stale.get(number.checked_sub(own)?).cloned();
                let stale = numbers.iter().filter(|_| !is_own_wrong).filter_map(of_part);
                let stale = stale.collect();
                let mut wrong = Vec::new();
                for &number in numbers.iter().filter(|&&number| number < own) {
                    if let Some(read) = asked.reads.get(number) {
                        wrong.extend(self.source_of(read)?);
                    }
                }
                let right = self.sources(asked, |number| !numbers.contains(&number) && number < own);
                Answer::WrongValues { wrong, stale, right }
            }
        };
        Ok(Ok(self.search.answer(asked.question.step, answer)))
    }

    /// The graph has these, too, and what is behind them.
    pub(super) fn learn(&mut self, origins: &[Origin]) -> Result<Vec<Stale>, SessionError> {
        if origins.is_empty() {
            return Ok(Vec::new());
        }
        self.first_background.get_or_insert_with(|| Box::new(self.background.clone()));
        self.growths.push(Growth { answers: self.search.answers().len(), origins: origins.to_vec() });
        let stale = self.causes.add_to(&mut self.background, &self.others, origins)?;
        self.show_growth();
        Ok(stale)
    }

    fn show_growth(&mut self) {
        self.search.grow(self.background.graph.clone());
        self.known.forget_graph();
    }

    /// What gave some of the values that a step reads.
    fn sources(&self, asked: &AskedStep, is_meant: impl Fn(usize) -> bool) -> Vec<EffectId> {
        let meant = asked.reads.iter().enumerate().filter(|(number, _)| is_meant(*number));
        meant.filter_map(|(_, read)| self.background.source(read)).collect()
    }

    /// Forgets the answers from a position on, and what has joined the graph for them.
    pub fn back_to(&mut self, position: usize) -> Result<(), SessionError> {
        self.search.back_to(position);
        let left = self.growths.partition_point(|growth| growth.answers < position);
        let Some(first) = self.first_background.as_ref().filter(|_| left < self.growths.len()) else { return Ok(()) };
        self.background = (**first).clone();
        self.growths.truncate(left);
        for Growth { origins, .. } in &self.growths {
            self.causes.add_to(&mut self.background, &self.others, origins)?;
        }
        self.show_growth();
        Ok(())
    }
}

/// What has joined the graph for an answer.
#[derive(Debug)]
struct Growth {
    /// How many answers there were before that one.
    answers: usize,
    origins: Vec<Origin>,
}

struct Pointed {
    when: When,
    stale: Vec<Stale>,
}

/// Constants and new objects are written in the line itself, even if that takes several visits. A field that nobody has
/// written comes from what made its object, too, but has a name of its own.
fn is_of_the_line(read: &Ingredient) -> bool {
    read.source.as_ref().is_ok_and(|source| match source.kind {
        CauseKind::Constant | CauseKind::New => read.name == source.what,
        CauseKind::Call | CauseKind::Unrecorded => read.name == source.what && read.name.starts_with("new "),
        _ => false,
    })
}
