//! What other threads have written before a thread took its first step.

use crate::dependences::{Dependences, Executed, Found};
use crate::graph::Place;
use crate::rivals::Contested;
use crate::slice::Asker;
use crate::wants::{Unknown, Want};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use whydunit_replay::ReplayError;
use whydunit_trace::{ObjectId, ThreadId};

/// Objects that came from unrecorded code of which it is looked for where they were handed to it. Each may take a look
/// at the whole run.
const MOST_HANDED: usize = 100;

impl Dependences<'_> {
    /// Answers to what a thread has asked for and none of its stretches knows.
    pub(crate) fn before_thread(
        &self,
        thread: ThreadId,
        mut wants: Vec<(Want, Asker)>,
    ) -> Result<Vec<(Want, Asker, Found)>, ReplayError> {
        // Those who ask in the same stretch one after the other, so that it is recorded once.
        wants.sort_by_key(|(_, asker)| Reverse(asker.executed));
        let mut found = Vec::new();
        let first = self.index(thread)?.sequence_after(0)?.unwrap_or_default();
        let (mut askers, mut contested) = (Vec::new(), Vec::new());
        for (want, asker) in wants {
            let place = match want {
                Want::Written(place @ Place::Captured(_)) => {
                    let made = self.in_all_threads(asker.executed, asker.origin, Err(Unknown::NotWritten(place)))?;
                    found.push((want, asker, made));
                    continue;
                }
                Want::Written(place) => place,
                _ => {
                    found.push((want, asker, Err(want.unanswered())));
                    continue;
                }
            };
            askers.push(asker);
            contested.push(Contested { thread, sequences: 0..first, place, held: asker.held, best: None });
        }
        self.settle_all(contested.iter_mut().collect())?;
        let mut handed: FxHashSet<(Executed, ObjectId)> = FxHashSet::default();
        for (Contested { place, best, .. }, asker) in contested.into_iter().zip(askers) {
            let written = match (best, place) {
                (Some((_, executed)), _) => Ok(executed),
                (None, Place::Item(_, item))
                    if handed.contains(&(asker.executed, item)) || handed.len() < MOST_HANDED =>
                {
                    handed.insert((asker.executed, item));
                    self.in_all_threads(asker.executed, asker.origin, Err(Unknown::NotWritten(place)))?
                }
                (None, Place::Item(..)) => self.contents_behind(asker.executed, place)?,
                // It was looked for without the key as well.
                (None, Place::Entry(..)) => Err(Unknown::Nothing),
                (None, _) => Err(Unknown::NotWritten(place)),
            };
            found.push((Want::Written(place), asker, written));
        }
        Ok(found)
    }
}
