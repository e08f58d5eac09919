//! What threads could have written while another needed it.

use crate::dependences::{Found, Position};
use crate::graph::NodeId;
use crate::potential::{Bits, Key, Names, NeededElsewhere, Standing, Window};
use crate::slice::Slicer;
use crate::stretch::Stretch;
use crate::wants::Want;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use whydunit_replay::ReplayError;
use whydunit_trace::ThreadId;

impl Slicer<'_, '_> {
    /// Keys were needed while a stretch ran, each from an instruction to another.
    pub(crate) fn note_windows(
        &mut self,
        at: Position,
        stretch: &Stretch<'_>,
        times: Vec<(Key, Range<u32>)>,
    ) -> Result<(), ReplayError> {
        if self.dependences.threads.len() == 1 {
            return Ok(());
        }
        let all = self.dependences.index(at.thread)?.sequences_of(at.segment)?;
        for (key, Range { start, end }) in times {
            let end = match (end as usize) < stretch.len() {
                true => stretch.sequence_of(self.dependences.program, NodeId(end)),
                false => all.end,
            };
            let start = match start {
                0 => all.start,
                start => stretch.sequence_after(start),
            };
            self.windows.add(Window { thread: at.thread, key, sequences: start..end });
        }
        Ok(())
    }

    /// Places are needed while the stretches between one and an earlier one run.
    pub(crate) fn note_standing(&mut self, at: Position, since: usize, standing: &Standing) -> Result<(), ReplayError> {
        if self.dependences.threads.len() > 1 && since < at.segment {
            let index = self.dependences.index(at.thread)?;
            let sequences = index.sequences_of(since)?.start..index.sequences_of(at.segment)?.start;
            for key in standing.open_keys() {
                self.windows.add(Window { thread: at.thread, key, sequences: sequences.clone() });
            }
        }
        Ok(())
    }

    /// What a thread wants of the time before its first step was needed since another has written it.
    pub(crate) fn needed_before_thread(
        &mut self,
        thread: ThreadId,
        want: Want,
        found: Found,
    ) -> Result<(), ReplayError> {
        let Some(names) = self.names.clone().filter(|_| self.dependences.threads.len() > 1) else { return Ok(()) };
        let end = self.dependences.index(thread)?.sequence_after(0)?.unwrap_or_default();
        let start = match found {
            Ok(writer) => self.dependences.sequence_of(writer)?,
            Err(_) => 0,
        };
        self.note_needed(&names, thread, want, start..end);
        Ok(())
    }

    /// A thread needs what is wanted while its last sequence number is one of these.
    pub(crate) fn note_needed(&mut self, names: &Names<'_>, thread: ThreadId, want: Want, sequences: Range<u64>) {
        if self.dependences.threads.len() > 1 {
            names.for_each_key(want, |key| self.windows.add(Window { thread, key, sequences: sequences.clone() }));
        }
    }

    /// Opens the stretches of other threads that could have written what was needed meanwhile.
    pub(crate) fn open_elsewhere(&mut self) -> Result<(), ReplayError> {
        let fresh: Rc<[Window]> = self.windows.take_fresh().into();
        let Some(names) = self.names.clone().filter(|_| !fresh.is_empty()) else { return Ok(()) };
        let dependences = self.dependences;
        for (&thread, index) in &dependences.threads {
            let mut by_segment: BTreeMap<usize, Bits> = BTreeMap::new();
            for window in fresh.iter().filter(|window| window.thread != thread) {
                for segment in index.segments_between(&window.sequences)? {
                    let keys = by_segment.entry(segment).or_insert_with(|| Bits::new(&names.may_write.keys));
                    keys.insert(window.key);
                }
            }
            for (segment, keys) in by_segment {
                let at = Position { thread, segment };
                if self.could_write(&names, &keys, at)? {
                    self.level(at)?.elsewhere.push(Rc::clone(&fresh));
                }
            }
        }
        Ok(())
    }
}

impl Stretch<'_> {
    /// What other threads need, by the instructions of the stretch that run meanwhile.
    pub(crate) fn needed_elsewhere(
        &self,
        thread: ThreadId,
        names: &Names<'_>,
        windows: &[Rc<[Window]>],
    ) -> NeededElsewhere {
        let of_others = windows.iter().flat_map(|windows| windows.iter()).filter(|window| window.thread != thread);
        let since = |sequence| self.first_since(sequence);
        let needed: Vec<(Key, Range<u32>)> = of_others
            .map(|Window { key, sequences, .. }| (*key, since(sequences.start)..since(sequences.end)))
            .filter(|(_, times)| !times.is_empty())
            .collect();
        NeededElsewhere::new(&names.may_write.keys, &needed)
    }

    /// The first instruction that runs when the thread has taken a sequence number or a later one.
    pub(crate) fn first_since(&self, sequence: u64) -> u32 {
        if sequence <= self.sequence_after(0) {
            return 0;
        }
        self.meeting_since(sequence).map_or(self.len() as u32, |meeting| meeting.before)
    }
}
