//! Two runs side by side, with names for what differs.

use crate::causes::StepPlace;
use crate::compared::{name_of_call, value_name};
use crate::session::{Session, SessionError};
use rustc_hash::FxHashSet;
use whydunit_alignment::{
    CompareError, ComparedThread, Difference, Filters, Group, Ignored, Kind, Pair, Point, Report, Run, Side, compare,
};
use whydunit_replay::Value;
use whydunit_replay::naming::simple_name;
use whydunit_replay::program::{MethodCode, MethodIndex, Pc};
use whydunit_trace::ThreadId;

/// What a comparison of two runs has found.
#[derive(Debug)]
pub struct Diff<'s> {
    sessions: Pair<&'s Session>,
    report: Report,
}

#[derive(Debug, thiserror::Error)]
pub enum DiffError {
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The classes that each started with, if it is known.
    #[error("the runs are of different programs")]
    DifferentPrograms { started: Pair<Option<String>> },
    /// When each step is judged.
    #[error("so many values differ that not all of them can be kept")]
    TooManyDifferences,
}

impl From<CompareError> for DiffError {
    fn from(error: CompareError) -> DiffError {
        match error {
            CompareError::Replay(error) => DiffError::Session(error.into()),
            CompareError::Objects(error) => DiffError::Session(error.into()),
            CompareError::TooManyDifferences => DiffError::TooManyDifferences,
        }
    }
}

/// A difference, with others of the same kind at the same instruction.
#[derive(Clone, Debug)]
pub struct DifferenceView<'d> {
    pub group: &'d Group,
    /// What differs: `total`, `Cart.total`, `the condition`.
    pub what: String,
    pub sides: Pair<SideView>,
    /// The nearest first.
    pub callers: Vec<Pair<StepPlace>>,
}

#[derive(Clone, Debug)]
pub struct SideView {
    /// `None` where no recorded method runs.
    pub place: Option<StepPlace>,
    /// The value, or what the run does.
    pub text: String,
    pub value: Option<Value>,
    /// Where the method goes on after a decision.
    pub to_line: Option<u32>,
}

impl<'s> Diff<'s> {
    /// Compares all threads of two runs. `progress` is told how many instructions were replayed since it was last
    /// called.
    pub fn new(sessions: Pair<&'s Session>, filters: &Filters, progress: &dyn Fn(u64)) -> Result<Diff<'s>, DiffError> {
        let names = sessions.map(|session| {
            let definitions = session.program().definitions();
            definitions.map(|(_, definition)| definition.name.as_str()).collect::<FxHashSet<&str>>()
        });
        if names.left.is_disjoint(&names.right) && !(names.left.is_empty() && names.right.is_empty()) {
            return Err(DiffError::DifferentPrograms { started: Pair::default() });
        }
        let runs = sessions.map(|session| Run { program: session.program(), objects: session.objects() });
        let diff = Diff { sessions, report: compare(runs, filters, progress, None)? };
        match diff.different_mains() {
            Some(started) => Err(DiffError::DifferentPrograms { started: started.map(Some) }),
            None => Ok(diff),
        }
    }

    /// The classes whose `main` each run has started, if these differ.
    fn different_mains(&self) -> Option<Pair<String>> {
        let first = self.report.first()?;
        let Kind::CallBack { methods: Pair { left: Some(left), right: Some(right) } } = first.kind else { return None };
        let is_main = |session: &Session, method: MethodIndex| {
            session.program().method(method).is_some_and(|(_, member)| &*member.name == "main")
        };
        let is_start = first.at == Pair::default() && first.callers.is_empty();
        (is_start && is_main(self.sessions.left, left) && is_main(self.sessions.right, right))
            .then(|| Pair { left: self.sessions.left.method_name(left), right: self.sessions.right.method_name(right) })
    }

    /// Whether nothing differs.
    pub fn is_same(&self) -> bool {
        self.report.is_same()
    }

    pub fn threads(&self) -> &[ComparedThread] {
        &self.report.threads
    }

    /// Results that differ and were not to be compared.
    pub fn ignored(&self) -> impl Iterator<Item = (String, u64)> {
        let name = |ignored: &Ignored| (format!("{}.{}", simple_name(&ignored.class), ignored.name), ignored.count);
        self.report.ignored.iter().map(name)
    }

    /// Methods that have other code in the other run, and whether they were aligned.
    pub fn changed(&self) -> impl Iterator<Item = (String, bool)> {
        let changed = self.report.changed.iter();
        changed.map(|changed| (self.sessions.left.method_name(changed.methods.left), changed.is_aligned))
    }

    /// In the order in which they were first met.
    pub fn differences(&self) -> impl Iterator<Item = DifferenceView<'_>> {
        self.report.groups.iter().map(|group| self.view(group))
    }

    fn view<'d>(&self, group: &'d Group) -> DifferenceView<'d> {
        let difference = &group.first;
        let callers = difference.callers.iter().map(|points| Pair {
            left: self.step_place(Side::Left, difference.threads, points.left),
            right: self.step_place(Side::Right, difference.threads, points.right),
        });
        let sides = Pair { left: self.side(Side::Left, difference), right: self.side(Side::Right, difference) };
        DifferenceView { group, what: self.what(difference), callers: callers.collect(), sides }
    }

    fn code(&self, side: Side, method: MethodIndex) -> Option<&MethodCode> {
        self.sessions[side].program().code(method).ok()
    }

    fn step_place(&self, side: Side, threads: Pair<ThreadId>, point: Point) -> StepPlace {
        let line = self.code(side, point.method).and_then(|code| code.line(point.pc));
        StepPlace { thread: threads[side], step: point.step, method: point.method, line }
    }

    fn side(&self, side: Side, difference: &Difference) -> SideView {
        let session = self.sessions[side];
        let point = difference.at[side];
        let code = point.and_then(|point| self.code(side, point.method));
        let pc = point.map_or(0, |point| point.pc);
        let line = |to: Pc| code.and_then(|code| code.line(to));
        let to_line = match &difference.kind {
            Kind::Branch { to, .. } | Kind::Switch { to, .. } => line(to[side]),
            Kind::Way { to } => to[side].and_then(line),
            _ => None,
        };
        let goes_on = |text: String| match to_line {
            Some(line) => format!("{text}, goes on in line {line}"),
            None => text,
        };
        let mut value = None;
        let text = match &difference.kind {
            Kind::Branch { compared, to } => goes_on(
                code.map_or_else(String::new, |code| session.condition(code, pc, &compared[side], to[side] != pc + 1)),
            ),
            Kind::Switch { value: switched, .. } => {
                value = Some(switched[side]);
                goes_on(session.words(switched[side]))
            }
            Kind::Target { methods } => match methods[side] {
                Some(method) => format!("calls {}", session.method_name(method)),
                None => "calls a method that is not recorded".to_owned(),
            },
            Kind::CallBack { methods } => match methods[side] {
                Some(method) => format!("calls {}", session.method_name(method)),
                None => "calls nothing".to_owned(),
            },
            Kind::Exception { thrown } => match thrown[side] {
                // The log does not tell of all which they are.
                Some(Value::Null) => "throws an exception".to_owned(),
                Some(exception) => {
                    value = Some(exception);
                    format!("throws {}", session.words(exception))
                }
                None => "throws nothing".to_owned(),
            },
            Kind::End { ended } if *ended == side => "ends".to_owned(),
            Kind::End { .. } => "goes on".to_owned(),
            Kind::Code { only } if *only == side => "runs it".to_owned(),
            Kind::Code { .. } => "does not have it".to_owned(),
            Kind::Way { to } => match (to_line, to[side]) {
                (Some(line), _) => format!("goes on in line {line}"),
                (None, Some(_)) => "goes on".to_owned(),
                (None, None) => "leaves the method".to_owned(),
            },
            Kind::Lost => "does something else".to_owned(),
            Kind::Value { values, .. } => {
                value = Some(values[side]);
                session.words(values[side])
            }
        };
        let place = point.map(|point| self.step_place(side, difference.threads, point));
        SideView { place, text, value, to_line }
    }

    fn what(&self, difference: &Difference) -> String {
        let point = difference.at.left;
        let code = point.and_then(|point| self.code(Side::Left, point.method));
        let pc = point.map_or(0, |point| point.pc);
        let call = || {
            let call = code.and_then(|code| code.call_at(pc));
            call.map_or_else(|| "a call".to_owned(), name_of_call)
        };
        match &difference.kind {
            Kind::Branch { .. } => "the condition".to_owned(),
            Kind::Switch { .. } => "the switch".to_owned(),
            Kind::Target { .. } => format!("the method that {} runs", call()),
            Kind::CallBack { .. } => "what unrecorded code calls".to_owned(),
            Kind::Exception { .. } => "an exception".to_owned(),
            Kind::End { .. } => "the end".to_owned(),
            Kind::Code { .. } => "changed code".to_owned(),
            Kind::Way { .. } => "where changed code leads".to_owned(),
            Kind::Lost => "the way on".to_owned(),
            Kind::Value { what, .. } => value_name(what, code, pc),
        }
    }
}
