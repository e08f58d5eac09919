//! From one step to another: along a thread, over calls, out of them, and to where a line or a method runs.

use crate::causes::CodeLine;
use crate::numbers::StepNumbers;
use crate::search::{Direction, Moment, SearchPlan};
use crate::session::{Session, SessionError};
use crate::state::Moments;
use std::ops::ControlFlow;
use whydunit_replay::ReplayError;
use whydunit_replay::events::{Event, EventKind};
use whydunit_replay::index::{Query, ThreadIndex, Walk};
use whydunit_replay::program::MethodIndex;
use whydunit_replay::state::State;
use whydunit_trace::ThreadId;

/// A way to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// To the thread's next step, into calls.
    Into,
    /// To the next step of the same call, or of a caller when it ends.
    Over,
    /// To the next step of the caller.
    Out,
    /// To the thread's previous step, into calls.
    Back,
    /// To the previous step of the same call, or to the one that made it.
    BackOver,
    /// To the step that made the call.
    Caller,
}

/// Where a motion leads. Steps are numbered over all threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    At(u64),
    /// The thread has no later step.
    End,
    /// The thread has no earlier step.
    Start,
    /// No recorded code made the call.
    NoCaller,
    /// There is no step to go from.
    NoSuchStep,
}

/// What runs at a place that people name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Line(CodeLine),
    /// Entries of these.
    Methods(Vec<MethodIndex>),
}

impl Session {
    pub fn go(&self, moments: &Moments, from: u64, motion: Motion) -> Result<Arrival, SessionError> {
        let Some((thread, step)) = moments.local_step(from)? else { return Ok(Arrival::NoSuchStep) };
        let arrived = match motion {
            Motion::Into => Ok(step + 1),
            Motion::Back => step.checked_sub(1).filter(|&step| step > 0).ok_or(Arrival::Start),
            Motion::Over | Motion::Out | Motion::BackOver | Motion::Caller => {
                let (Some(state), Some(index)) = (self.state(moments, thread, step)?, moments.thread_index(thread))
                else {
                    return Ok(Arrival::NoSuchStep);
                };
                match motion {
                    Motion::Over => self.step_over(index, &state)?.ok_or(Arrival::End),
                    Motion::Out => self.step_out(index, &state)?.ok_or(Arrival::End),
                    Motion::BackOver => self.step_back_over(moments, &state)?.ok_or(Arrival::Start),
                    _ => caller_of(&state).ok_or(Arrival::NoCaller),
                }
            }
        };
        Ok(match arrived {
            Ok(step) => moments.global_step(thread, step)?.map_or(Arrival::End, Arrival::At),
            Err(nowhere) => nowhere,
        })
    }

    fn step_over(&self, index: &ThreadIndex, state: &State) -> Result<Option<u64>, SessionError> {
        let depth = deepest(state);
        let mut found = None;
        self.follow_frames(index, state.step, depth, &mut |event| match event.kind {
            EventKind::Step if event.depth == depth && event.step != state.step => {
                found = Some(event.step);
                ControlFlow::Break(())
            }
            EventKind::Return { .. } | EventKind::Unwind { .. } if event.depth == depth => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })?;
        match found {
            Some(step) => Ok(Some(step)),
            None => self.step_out(index, state),
        }
    }

    /// Calls that the caller makes before its next step are passed over.
    fn step_out(&self, index: &ThreadIndex, state: &State) -> Result<Option<u64>, SessionError> {
        let Some(mut depth) = deepest(state).checked_sub(1) else {
            let end = index.end_of_call(self.program(), self.objects(), state.step, 0)?;
            return Ok(end.map(|end| end.latest + 1));
        };
        let mut found = None;
        let mut is_in_thread = true;
        self.follow_frames(index, state.step, depth, &mut |event| {
            match event.kind {
                EventKind::Step if event.step > state.step && (event.depth == depth || !is_in_thread) => {
                    found = Some(event.step);
                    return ControlFlow::Break(());
                }
                EventKind::Return { .. } | EventKind::Unwind { .. } if event.depth == depth => match depth {
                    0 => is_in_thread = false,
                    _ => depth -= 1,
                },
                _ => {}
            }
            ControlFlow::Continue(())
        })?;
        Ok(found)
    }

    /// Shows what the frames up to a depth do from a step on.
    fn follow_frames(
        &self,
        index: &ThreadIndex,
        from: u64,
        deepest: u32,
        visit: &mut dyn FnMut(&Event) -> ControlFlow<()>,
    ) -> Result<(), SessionError> {
        let walk = Walk { from, deepest, lowest: Some(deepest), budget: u64::MAX, marks: &|_| None };
        index.walk(self.program(), self.objects(), &walk, visit)?;
        Ok(())
    }

    fn step_back_over(&self, moments: &Moments, state: &State) -> Result<Option<u64>, SessionError> {
        let Some(before) = state.step.checked_sub(1).filter(|&step| step > 0) else { return Ok(None) };
        let is_first = state.frames.last().is_none_or(|frame| frame.entered == state.step);
        if is_first {
            return Ok(Some(caller_of(state).unwrap_or(before)));
        }
        // The frame was there then, whatever it had called.
        let earlier = self.state(moments, state.thread, before)?;
        let same = earlier.as_ref().and_then(|earlier| earlier.frames.get(deepest(state) as usize));
        Ok(Some(same.map_or(before, |frame| frame.step)))
    }

    /// `Cart.java:31`, or `Cart.add` for entries of a method. A line alone is one of the file that `near` is in.
    pub fn find_target(&self, asked: &str, near: Option<&str>) -> Result<Target, crate::UnknownName> {
        let is_line = |text: &str| text.chars().all(|c| c.is_ascii_digit());
        match (asked.rsplit_once(':'), near) {
            (None, Some(file)) if is_line(asked) => Ok(Target::Line(self.find_code_line(&format!("{file}:{asked}"))?)),
            (None, _) if !is_line(asked) => Ok(Target::Methods(self.find_methods(asked)?.into_iter().collect())),
            _ => Ok(Target::Line(self.find_code_line(asked)?)),
        }
    }

    /// The nearest step, in the order of all threads, that runs a target.
    pub fn go_to(
        &self,
        moments: &Moments,
        from: u64,
        target: &Target,
        direction: Direction,
    ) -> Result<Option<u64>, SessionError> {
        let Some((thread, step)) = moments.local_step(from)? else { return Ok(None) };
        let Some(here) = self.start_of(moments, thread, step)? else { return Ok(None) };
        let queries = match target {
            Target::Line(CodeLine { methods, line }) => {
                vec![Query::Line { methods: methods.clone(), line: u16::try_from(*line).unwrap_or_default() }]
            }
            Target::Methods(methods) => methods.iter().map(|&method| Query::Entry(method)).collect(),
        };
        let (after, before) = match direction {
            Direction::Forwards => (Some(here), None),
            Direction::Backwards => (None, Some(here)),
        };
        let mut search = self.search(moments, SearchPlan { queries, direction, after, before, thread: None })?;
        while let Some(found) = search.next_found()? {
            let number = moments.global_step(found.hit.thread, found.hit.step)?;
            if let Some(number) = number.filter(|&number| is_beyond(number, &here, direction)) {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// The step in which a thread is when another one starts a step; its first one if it has not started.
    pub fn step_meanwhile(
        &self,
        moments: &Moments,
        thread: ThreadId,
        number: u64,
    ) -> Result<Option<u64>, SessionError> {
        let numbers = StepNumbers::new(moments);
        let next = numbers.first_step_from(thread, number.saturating_add(1)).map_err(ReplayError::from)?;
        moments.global_step(thread, next.saturating_sub(1).max(1))
    }
}

/// The entry of a method comes just before its first step, which may be the one to go from.
fn is_beyond(number: u64, here: &Moment, direction: Direction) -> bool {
    match direction {
        Direction::Forwards => number > here.order.steps,
        Direction::Backwards => number < here.order.steps,
    }
}

fn deepest(state: &State) -> u32 {
    (state.frames.len() as u32).saturating_sub(1)
}

fn caller_of(state: &State) -> Option<u64> {
    state.frames.iter().rev().nth(1).map(|frame| frame.step)
}
