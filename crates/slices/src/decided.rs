//! What decided that a frame came to an instruction, as far as a stretch knows.

use crate::graph::{NodeId, Origin, OriginKind};
use crate::live_frames::LiveFrame;
use crate::shape::Deciding;
use whydunit_replay::program::Pc;

/// What is known of what decided that a frame came to an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decided {
    By(Origin),
    /// It runs whenever the method is entered.
    ByEntry,
    /// Nothing that decides it has run in this stretch.
    Unknown,
}

/// The last of what an instruction is control dependent on.
pub(crate) fn decision(frame: &LiveFrame<'_>, decisions: &[Origin], pc: Pc) -> Decided {
    let deciders = frame.shape.deciders(pc);
    if deciders.is_empty() {
        return Decided::ByEntry;
    }
    let mut latest: Option<NodeId> = None;
    let mut has_entry = false;
    for decider in deciders {
        let origin = match decider {
            Deciding::Entry => {
                has_entry = true;
                frame.caught
            }
            Deciding::Branch(number) => {
                decisions.get(frame.first_decision + usize::from(*number)).copied().unwrap_or(Origin::NONE)
            }
        };
        if let OriginKind::Node(node) = origin.kind() {
            latest = latest.max(Some(node));
        }
    }
    match latest {
        Some(node) => Decided::By(Origin::node(node)),
        None if has_entry && !frame.is_older => Decided::ByEntry,
        None => Decided::Unknown,
    }
}
