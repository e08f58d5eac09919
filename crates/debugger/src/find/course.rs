//! What a search asks about the run beyond the graph: looked up when it is asked for, and kept.

use super::background::Background;
use crate::causes::{Causes, StepPlace};
use crate::nesting::{Nesting, Visit as RunVisit};
use crate::numbers::StepNumbers;
use crate::session::SessionError;
use crate::state::Moments;
use rustc_hash::{FxHashMap, FxHasher};
use std::cell::{OnceCell, RefCell};
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use whydunit_feedback::{CodeLine, Course, EffectId, StepId, VariableId, Visit};
use whydunit_replay::program::{MethodIndex, Op};
use whydunit_slices::{Executed, Place};
use whydunit_trace::ThreadId;

/// Steps of the run between two that are compared with others, at most.
const LONGEST: u64 = 20_000;

/// Visits are looked up this many steps at a time.
const PART_STEPS: u64 = 4096;

/// Calls and loops around a step that are not in the graph.
const MOST_AROUND: usize = 40;

/// Steps of a thread that are looked up at once.
type Part = (ThreadId, u64);

/// What was looked up.
#[derive(Debug, Default)]
pub(super) struct Known {
    times: OnceCell<Vec<u64>>,
    executed: OnceCell<Vec<Option<Executed>>>,
    steps: OnceCell<FxHashMap<(ThreadId, u64), StepId>>,
    nestings: RefCell<FxHashMap<(ThreadId, u64), Option<Nesting>>>,
    visits: RefCell<FxHashMap<Part, Rc<Vec<RunVisit>>>>,
    heads: RefCell<FxHashMap<MethodIndex, Rc<Vec<u32>>>>,
}

impl Known {
    /// The graph has grown. What is known of the run stays.
    pub(super) fn forget_graph(&mut self) {
        (self.times, self.executed, self.steps) = Default::default();
    }
}

pub(super) struct RunCourse<'f, 's> {
    pub(super) causes: &'f Causes<'s>,
    pub(super) moments: &'s Moments,
    pub(super) background: &'f Background,
    pub(super) known: &'f Known,
}

impl Course for RunCourse<'_, '_> {
    fn time(&self, step: StepId) -> u64 {
        let times = self.known.times.get_or_init(|| {
            let mut numbers = StepNumbers::new(self.moments);
            let mut time = |place: &StepPlace| numbers.number(place.thread, place.step).ok().flatten();
            self.background.seen.places.iter().map(|place| time(place).unwrap_or(place.step)).collect()
        });
        times[step.0 as usize]
    }

    fn level(&self, step: StepId) -> u32 {
        self.background.graph.step(step).level
    }

    fn parent(&self, step: StepId) -> Option<StepId> {
        let steps = self.known.steps.get_or_init(|| {
            let key = |place: &StepPlace| (place.thread, place.step);
            self.background.seen.places.iter().map(key).zip((0..).map(StepId)).collect()
        });
        let StepPlace { thread, step: number, .. } = *self.background.place(step);
        let mut at = number;
        for _ in 0..MOST_AROUND {
            at = self.nesting(thread, at)?.parent?;
            if let Some(&known) = steps.get(&(thread, at)) {
                return Some(known);
            }
        }
        None
    }

    fn path(&self, from: StepId, to: StepId) -> Option<Vec<Visit>> {
        let thread = self.background.place(from).thread;
        let (start, end) = (self.time(from), self.time(to));
        if thread != self.background.place(to).thread || start > end || end - start > LONGEST {
            return None;
        }
        let mut path = Vec::new();
        for part in start / PART_STEPS..=end / PART_STEPS {
            let visits = self.visits(thread, part).ok()?;
            let meant = visits.iter().filter(|visit| (start..=end).contains(&visit.step));
            path.extend(meant.map(|visit| self.visit(visit)));
        }
        Some(path)
    }

    fn variable(&self, effect: EffectId) -> VariableId {
        let executed = self.known.executed.get_or_init(|| {
            let mut executed = vec![None; self.background.graph.effects()];
            self.background.seen.effects.iter().for_each(|(&one, id)| executed[id.0 as usize] = Some(one));
            executed
        });
        let mut hasher = FxHasher::default();
        match executed[effect.0 as usize].and_then(|one| self.causes.dependences().describe(one).ok().flatten()) {
            None => effect.0.hash(&mut hasher),
            Some(found) => match found.place {
                Some(Place::Static(field) | Place::Field(_, field)) => ("field", field).hash(&mut hasher),
                _ => {
                    let (method, pc) = (found.frame.method, found.node.pc());
                    let code = self.causes.session().program().code(method).ok();
                    match code.and_then(|code| code.ops.get(pc as usize)) {
                        Some(Op::Store { local, .. } | Op::StoreWide { local, .. } | Op::Increment { local, .. }) => {
                            (method, "local", *local).hash(&mut hasher)
                        }
                        _ => (method, "made at", pc, found.node.argument()).hash(&mut hasher),
                    }
                }
            },
        }
        VariableId(hasher.finish())
    }
}

impl RunCourse<'_, '_> {
    fn nesting(&self, thread: ThreadId, step: u64) -> Option<Nesting> {
        if let Some(known) = self.known.nestings.borrow().get(&(thread, step)) {
            return *known;
        }
        let found = self.causes.session().nesting(self.moments, thread, step).ok().flatten();
        self.known.nestings.borrow_mut().insert((thread, step), found);
        found
    }

    fn visits(&self, thread: ThreadId, part: u64) -> Result<Rc<Vec<RunVisit>>, SessionError> {
        if let Some(known) = self.known.visits.borrow().get(&(thread, part)) {
            return Ok(Rc::clone(known));
        }
        let steps = (part * PART_STEPS).max(1)..=part * PART_STEPS + PART_STEPS - 1;
        let visits = self.causes.session().visits(thread, steps, PART_STEPS as usize)?.unwrap_or_default();
        let visits = Rc::new(visits);
        self.known.visits.borrow_mut().insert((thread, part), Rc::clone(&visits));
        Ok(visits)
    }

    fn visit(&self, visit: &RunVisit) -> Visit {
        let mut hasher = FxHasher::default();
        (visit.method, visit.line).hash(&mut hasher);
        let is_head = visit.line.is_some_and(|line| self.heads(visit.method).contains(&line));
        Visit { line: CodeLine(hasher.finish()), is_head }
    }

    /// Lines in which loops of a method start.
    fn heads(&self, method: MethodIndex) -> Rc<Vec<u32>> {
        if let Some(known) = self.known.heads.borrow().get(&method) {
            return Rc::clone(known);
        }
        let session = self.causes.session();
        let heads = session.program().code(method).map_or_else(
            |_| Vec::new(),
            |code| session.flows().of(code).loops().iter().filter_map(|one| code.line(one.header)).collect(),
        );
        let heads = Rc::new(heads);
        self.known.heads.borrow_mut().insert(method, Rc::clone(&heads));
        heads
    }
}
