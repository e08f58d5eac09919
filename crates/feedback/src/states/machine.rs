//! From answer to answer: what each means in the state in which it was given, and what to ask about next.

use super::clarity::{self, Clarity};
use super::course::Course;
use super::patterns::{self, Pattern, Use};
use super::state::{Event, State, Transition};
use crate::answers::{Answer, Stale};
use crate::graph::{EffectId, Graph, StepId, Way};
use rustc_hash::{FxHashMap, FxHashSet};

/// What follows from all answers, by the method alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    pub state: State,
    /// One for each answer.
    pub transitions: Vec<Transition>,
    /// What to ask about next; `None` when the method does not know.
    pub next: Option<StepId>,
    /// Steps that were passed over because they are like sound ones.
    pub skipped: Vec<StepId>,
    /// Where details are inspected.
    pub gap: Option<Gap>,
}

/// A value that is right where it was made and wrong where it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    pub made: StepId,
    pub used: StepId,
}

/// How far to go back from a wrong value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// To the step that has written it.
    Writer,
    /// Over steps that only hand it on, to the one that has made it.
    Origin,
}

/// What a user has said of a step, as far as the method makes use of it.
#[derive(Clone, Debug)]
pub(super) enum Judged {
    Clean,
    /// It was given these wrong values, and is sound itself.
    Attributed(Vec<EffectId>),
    /// Wrong in another way; this led to it.
    Led(Option<EffectId>),
}

/// What is looked for while the user knows what to expect.
#[derive(Clone, Debug)]
enum Focus {
    Dominator(Option<StepId>),
    /// From the step that has used a wrong value back to the one that is asked about.
    Skipped(Vec<StepId>),
    /// Of such steps, one that is known to be wrong, and an earlier one that is known to be right.
    Halved {
        chain: Vec<StepId>,
        wrong: usize,
        right: usize,
    },
    Between(Gap, Option<StepId>),
}

pub(super) struct Machine<'g> {
    pub(super) graph: &'g Graph,
    pub(super) course: &'g dyn Course,
    pub(super) judged: FxHashMap<StepId, Judged>,
    stride: Stride,
    patterns: Vec<Pattern>,
    skipped: Vec<StepId>,
    /// What there is to come back to when something was unclear.
    focus: Focus,
    clarity: Option<Clarity>,
}

impl Standing {
    pub fn new(graph: &Graph, course: &dyn Course, answers: &[(StepId, Answer)], stride: Stride) -> Standing {
        let mut machine = Machine {
            graph,
            course,
            judged: FxHashMap::default(),
            stride,
            patterns: Vec::new(),
            skipped: Vec::new(),
            focus: Focus::Dominator(Some(graph.failure())),
            clarity: None,
        };
        let mut transitions = Vec::with_capacity(answers.len());
        for (step, answer) in answers {
            let from = machine.state();
            let event = machine.take(*step, answer);
            transitions.push(Transition { from, event, to: machine.state() });
        }
        let gap = match &machine.focus {
            Focus::Between(gap, _) => Some(*gap),
            _ => None,
        };
        Standing { state: machine.state(), transitions, next: machine.next(), gap, skipped: machine.skipped }
    }
}

impl Machine<'_> {
    fn state(&self) -> State {
        match (&self.clarity, &self.focus) {
            (Some(clarity), _) if clarity.is_partial => State::PartialClear,
            (Some(_), _) => State::Unclear,
            (None, Focus::Dominator(_)) => State::SimpleInference,
            (None, Focus::Skipped(_)) => State::Skip,
            (None, Focus::Halved { .. }) => State::BinarySearch,
            (None, Focus::Between(..)) => State::InspectDetails,
        }
    }

    fn next(&self) -> Option<StepId> {
        if let Some(clarity) = &self.clarity {
            return Some(clarity.next);
        }
        match &self.focus {
            Focus::Dominator(next) | Focus::Between(_, next) => *next,
            Focus::Skipped(chain) => chain.last().copied(),
            Focus::Halved { chain, wrong, right } => chain.get(usize::midpoint(*wrong, *right)).copied(),
        }
    }

    fn take(&mut self, step: StepId, answer: &Answer) -> Event {
        let judged = match answer {
            Answer::Unclear => {
                let before = self.clarity.take();
                self.clarity = Some(clarity::unclear(self, step, before));
                return Event::Unclear;
            }
            Answer::Correct => Judged::Clean,
            Answer::WrongValues { wrong, stale, .. } if !written(wrong, stale).is_empty() => {
                Judged::Attributed(written(wrong, stale))
            }
            Answer::WrongPath => Judged::Led(self.last_input(step, |way, _| way == Way::Control)),
            Answer::WrongSomehow { right, .. } | Answer::WrongValues { right, .. } => {
                let is_value = |way, from| matches!(way, Way::Value | Way::Address) && !right.contains(&from);
                Judged::Led(self.last_input(step, is_value))
            }
            Answer::WrongResult => Judged::Led(None),
        };
        let is_clean = matches!(judged, Judged::Clean);
        self.judged.insert(step, judged);
        self.learn(step);
        match (self.clarity.take(), is_clean) {
            (Some(before), true) => match clarity::clearer(self, step, before.unclear) {
                Some(clearer) => {
                    self.clarity = Some(clearer);
                    Event::CorrectStep
                }
                None => {
                    self.go_on_after_sound(step);
                    Event::ClearIndication
                }
            },
            (Some(_), false) => {
                self.focus = self.behind(step);
                Event::ClearIndication
            }
            (None, true) => self.go_on_after_sound(step),
            (None, false) => self.go_on_after_wrong(step),
        }
    }

    fn go_on_after_wrong(&mut self, step: StepId) -> Event {
        let leads_on = |chain: &[StepId], position: usize| match self.judged.get(&step) {
            Some(Judged::Attributed(wrong)) => {
                let next = chain.get(position + 1);
                wrong.iter().any(|&effect| Some(&self.graph.effect(effect).step) == next)
            }
            _ => false,
        };
        match &self.focus {
            Focus::Dominator(_) => {
                self.focus = self.behind(step);
                if let Focus::Dominator(Some(suspect)) = self.focus
                    && let Some(chain) = self.skip_from(step, suspect)
                {
                    self.skipped.extend(&chain[1..chain.len() - 1]);
                    self.focus = Focus::Skipped(chain);
                    return Event::PatternMatched;
                }
                Event::WrongStep
            }
            Focus::Skipped(chain) => match chain.iter().position(|&one| one == step) {
                Some(position) if leads_on(chain, position) => Event::PatternMatched,
                _ => {
                    self.focus = self.behind(step);
                    Event::PatternNotMatched
                }
            },
            Focus::Halved { chain, wrong, right } => match chain.iter().position(|&one| one == step) {
                Some(position) if leads_on(chain, position) => {
                    self.focus = self.halved(chain.clone(), position.max(*wrong), *right);
                    Event::PatternMatched
                }
                _ => {
                    self.focus = self.behind(step);
                    Event::PatternNotMatched
                }
            },
            Focus::Between(..) => {
                self.focus = self.behind(step);
                Event::WrongStep
            }
        }
    }

    fn go_on_after_sound(&mut self, step: StepId) -> Event {
        let place_in = |chain: &[StepId]| chain.iter().position(|&one| one == step).filter(|&position| position > 0);
        match &self.focus {
            Focus::Skipped(chain) => match place_in(chain) {
                Some(right) => {
                    self.focus = self.halved(chain.clone(), 0, right);
                    Event::OverSkip
                }
                None => Event::CorrectStep,
            },
            Focus::Halved { chain, wrong, right } => match place_in(chain) {
                Some(position) => {
                    self.focus = self.halved(chain.clone(), *wrong, position.min(*right));
                    Event::PatternMatched
                }
                None => Event::CorrectStep,
            },
            Focus::Between(gap, _) => {
                self.focus = self.between(*gap);
                Event::CorrectStep
            }
            Focus::Dominator(next) => {
                let was_next = *next == Some(step);
                let user = self.judged.keys().copied().filter(|&user| self.dominator(user) == Some(step)).min();
                if let Some(used) = user {
                    self.focus = self.between(Gap { made: step, used });
                } else if was_next {
                    self.focus = Focus::Dominator(None);
                }
                Event::CorrectStep
            }
        }
    }

    /// What gave a step what is wrong with it; if that is known to be right, what lies between.
    fn behind(&self, step: StepId) -> Focus {
        let mut used = step;
        let mut seen = FxHashSet::default();
        while seen.insert(used)
            && let Some(made) = self.dominator(used)
        {
            match self.judged.get(&made) {
                None => return Focus::Dominator(Some(made)),
                Some(Judged::Clean) => return self.between(Gap { made, used }),
                Some(_) => used = made,
            }
        }
        Focus::Dominator(None)
    }

    /// What gave a step what is wrong with it. Of several wrong values the one that was made first: the others may have
    /// been made of it.
    fn dominator(&self, step: StepId) -> Option<StepId> {
        let maker = |effect: EffectId| self.graph.effect(effect).step;
        match self.judged.get(&step)? {
            Judged::Clean => None,
            Judged::Attributed(wrong) => {
                let first = wrong.iter().copied().min_by_key(|&value| self.course.time(maker(value)))?;
                Some(match self.stride {
                    Stride::Writer => maker(first),
                    Stride::Origin => maker(self.graph.origin(first)),
                })
            }
            Judged::Led(from) => from.map(maker),
        }
    }

    fn last_input(&self, step: StepId, is_meant: impl Fn(Way, EffectId) -> bool) -> Option<EffectId> {
        let meant = self.graph.inputs_of(step).filter(|input| is_meant(input.way, input.from));
        meant.map(|input| input.from).max_by_key(|&from| self.course.time(self.graph.effect(from).step))
    }

    /// The way from a step that was sound, too, to one that got a wrong value from it is a pattern.
    fn learn(&mut self, step: StepId) {
        let Some(Judged::Attributed(own)) = self.judged.get(&step) else { return };
        let is_attributed = |step: StepId| matches!(self.judged.get(&step), Some(Judged::Attributed(_)));
        let maker = |value: EffectId| self.graph.effect(value).step;
        let mut uses: Vec<Use> = own.iter().map(|&value| Use { user: step, value }).collect();
        uses.retain(|used| is_attributed(maker(used.value)));
        for (&user, judged) in &self.judged {
            if let Judged::Attributed(wrong) = judged {
                uses.extend(wrong.iter().filter(|&&value| maker(value) == step).map(|&value| Use { user, value }));
            }
        }
        uses.sort_by_key(|used| (used.user, used.value));
        for used in uses {
            patterns::learn(self.course, &mut self.patterns, maker(used.value), used);
        }
    }

    /// From the step that used a wrong value over all that can be passed over; `None` when nothing can.
    fn skip_from(&mut self, user: StepId, suspect: StepId) -> Option<Vec<StepId>> {
        let Some(Judged::Attributed(wrong)) = self.judged.get(&user) else { return None };
        let value = wrong.iter().copied().find(|&value| self.graph.effect(value).step == suspect)?;
        let is_judged = |step: StepId| self.judged.contains_key(&step);
        let start = Use { user, value };
        let passed = patterns::passed_over(self.graph, self.course, &mut self.patterns, start, is_judged);
        (passed.len() > 1).then(|| [&[user], &passed[..]].concat())
    }

    fn halved(&self, chain: Vec<StepId>, wrong: usize, right: usize) -> Focus {
        if right > wrong + 1 {
            return Focus::Halved { chain, wrong, right };
        }
        self.between(Gap { made: chain[right], used: chain[wrong] })
    }

    /// The first step between the two that nothing was said of.
    fn between(&self, gap: Gap) -> Focus {
        let (made, used) = (self.course.time(gap.made), self.course.time(gap.used));
        let open = self.graph.steps().filter(|step| !self.judged.contains_key(step));
        let times = open.map(|step| (self.course.time(step), step));
        let next = times.filter(|(time, _)| (made + 1..used).contains(time)).min().map(|(_, step)| step);
        Focus::Between(gap, next)
    }
}

/// What has made the wrong values, as far as anything has.
fn written(wrong: &[EffectId], stale: &[Stale]) -> Vec<EffectId> {
    wrong.iter().copied().chain(stale.iter().filter_map(|one| one.written)).collect()
}
