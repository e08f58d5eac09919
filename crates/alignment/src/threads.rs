//! Which thread of one run is which of the other.

use crate::side::{Pair, Side};
use std::collections::BTreeMap;
use whydunit_trace::ThreadId;
use whydunit_trace::block::BlockKind;
use whydunit_trace::reader::Recording;

/// Threads of the same name in the order of their start; then those whose names differ only in numbers. The rest is alone.
pub(crate) fn matched(recordings: Pair<&Recording>) -> Vec<Pair<Option<ThreadId>>> {
    let mut open = recordings.map(threads_of);
    let mut found: Vec<Pair<Option<ThreadId>>> = Vec::new();
    let without_digits = |name: &str| name.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    let names: [&dyn Fn(&str) -> String; 2] = [&str::to_owned, &without_digits];
    for name_of in names {
        let mut by_name: BTreeMap<String, Vec<ThreadId>> = BTreeMap::new();
        for (thread, name) in open.right.iter().rev() {
            by_name.entry(name_of(name)).or_default().push(*thread);
        }
        open.left.retain(|(left, name)| {
            let right = by_name.get_mut(&name_of(name)).and_then(Vec::pop);
            if right.is_some() {
                found.push(Pair { left: Some(*left), right });
            }
            right.is_none()
        });
        open.right.retain(|(right, _)| found.iter().all(|pair| pair.right != Some(*right)));
    }
    for side in Side::BOTH {
        found.extend(open[side].iter().map(|&(thread, _)| {
            let mut pair = Pair::default();
            pair[side] = Some(thread);
            pair
        }));
    }
    found.sort_by_key(|pair| (pair.left.is_none(), pair.left, pair.right));
    found
}

/// Those that ran something.
fn threads_of(recording: &Recording) -> Vec<(ThreadId, String)> {
    let has_run = recording.threads.iter().filter(|(_, streams)| streams.raw_size(BlockKind::Control) > 0);
    has_run
        .map(|(&thread, streams)| (thread, streams.info.as_ref().map_or_else(String::new, |info| info.name.clone())))
        .collect()
}
