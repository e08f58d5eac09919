//! The states at many events, with one replay for those of a segment.

use crate::numbers::StepNumbers;
use crate::search::{Batch, Moment, Noted, Sight, SightSource};
use crate::session::{Session, SessionError};
use crate::state::Moments;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use whydunit_replay::ReplayError;
use whydunit_replay::events::{Event, EventKind};
use whydunit_replay::index::Stop;
use whydunit_trace::ThreadId;

impl Session {
    /// The state just before each event, of so many of the newest frames; for the entry of a method, that at its start.
    /// `None` where it is not known.
    pub fn sights(
        &self,
        moments: &Moments,
        events: &[&Event],
        frames: usize,
        noted: &Noted,
    ) -> Result<Vec<Option<Sight>>, SessionError> {
        let mut groups: BTreeMap<(ThreadId, usize), Vec<usize>> = BTreeMap::new();
        for (position, event) in events.iter().enumerate() {
            if let Some(index) = moments.thread_index(event.thread) {
                let segment = index.segment_of_instruction(event.number);
                groups.entry((event.thread, segment)).or_default().push(position);
            }
        }
        let mut sights = vec![None; events.len()];
        let mut numbers = StepNumbers::new(moments);
        for ((thread, segment), mut group) in groups {
            let Some(index) = moments.thread_index(thread) else { continue };
            group.sort_by_key(|&position| events.get(position).map(|event| event.number));
            let events: Vec<(usize, &Event)> = group.iter().filter_map(|&at| Some((at, *events.get(at)?))).collect();
            let stops: Vec<Stop> = events.iter().map(|(_, event)| stop(event)).collect();
            let looked = self.look(index, segment, &stops, frames, noted)?;
            let states = looked.states.clone();
            let batch = Rc::new(Batch { thread, segment, stops, looked: OnceCell::from(looked) });
            for ((position, event), state) in events.into_iter().zip(states) {
                let instruction = event.number + u64::from(is_entry(event));
                let order = numbers.rank(thread, event.latest, instruction).map_err(ReplayError::from)?;
                let order = order.unwrap_or_default();
                let moment = Moment { thread, instruction, latest: event.latest, order };
                let source = SightSource::Batch(Rc::clone(&batch));
                if let (Some(state), Some(sight)) = (state, sights.get_mut(position)) {
                    *sight = Some(Sight { moment, state, source });
                }
            }
        }
        Ok(sights)
    }
}

fn stop(event: &Event) -> Stop {
    if is_entry(event) { Stop::Step(event.step) } else { Stop::Instruction(event.number) }
}

fn is_entry(event: &Event) -> bool {
    matches!(event.kind, EventKind::Enter { .. })
}
