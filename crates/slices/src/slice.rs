//! Backward dynamic slices: everything that a value or a decision was made of.

use crate::graph::{Node, NodeId, Role};
use crate::potential::{Sweep, object_of};
use crate::stretch::Stretch;
use crate::thread::{Executed, ThreadDependences};
use crate::wants::{Answer, Unknown, Want, may_answer};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use whydunit_replay::ReplayError;
use whydunit_replay::program::{MethodIndex, Pc};

/// What belongs to a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceKind {
    /// What decided that an instruction of the slice ran.
    pub control: bool,
    /// What says from where in the heap a value is read or where it is written.
    pub addresses: bool,
    /// What could have given a variable another value, and did not: branches that went another way, writes that went
    /// elsewhere. Only together with the other two.
    pub potential: bool,
}

impl SliceKind {
    pub const FULL: SliceKind = SliceKind { control: true, addresses: true, potential: true };
    /// Only what happened.
    pub const ACTUAL: SliceKind = SliceKind { control: true, addresses: true, potential: false };
    /// Only the values themselves.
    pub const THIN: SliceKind = SliceKind { control: false, addresses: false, potential: false };
}

/// The steps of one thread that a value was made of.
#[derive(Clone, Debug, Default)]
pub struct Slice {
    /// By step: the method of its frame and which of its instructions belong to the slice.
    pub steps: BTreeMap<u64, SliceStep>,
    /// Where the slice ends because nothing is known.
    pub unknown: BTreeSet<Unknown>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceStep {
    pub method: MethodIndex,
    pub depth: u32,
    /// In the order of the code.
    pub instructions: BTreeSet<Pc>,
    /// What the step could have changed and did not.
    pub could_have_changed: BTreeSet<Changeable>,
}

/// A variable that an instruction could have given another value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Changeable {
    /// A slot of its own frame.
    Local(u16),
    /// Number in the program.
    Field(u32),
    /// Of an array.
    Element,
    /// What unrecorded code keeps in an object.
    Content,
}

impl Slice {
    pub(crate) fn add(&mut self, stretch: &Stretch<'_>, node: &Node) {
        let Some(frame) = stretch.frame(node.frame) else { return };
        let step = self.steps.entry(node.step).or_insert_with(|| SliceStep {
            method: frame.method,
            depth: frame.depth,
            instructions: BTreeSet::new(),
            could_have_changed: BTreeSet::new(),
        });
        step.instructions.insert(node.pc());
    }

    pub(crate) fn note_changeable(&mut self, step: u64, changeable: Changeable) {
        if let Some(step) = self.steps.get_mut(&step) {
            step.could_have_changed.insert(changeable);
        }
    }
}

impl ThreadDependences<'_> {
    /// The slice of some instructions of the thread, themselves included. `progress` is told of each stretch that was
    /// looked at.
    pub fn slice(
        &self,
        criterion: &[Executed],
        kind: SliceKind,
        progress: &mut dyn FnMut(),
    ) -> Result<Slice, ReplayError> {
        let mut slice = Slice::default();
        let mut seeds: BTreeMap<usize, Vec<NodeId>> = BTreeMap::new();
        for executed in criterion {
            seeds.entry(executed.segment).or_default().push(executed.node);
        }
        let mut wants: FxHashSet<Want> = FxHashSet::default();
        let Some(&last) = seeds.keys().next_back() else { return Ok(slice) };
        let mut behind = None;
        for segment in (0..=last).rev() {
            let start = self.index().checkpoint(segment)?;
            let end = match behind.take() {
                Some(end) => Some(end),
                None if segment + 1 < self.index().checkpoints() => Some(self.index().checkpoint(segment + 1)?),
                None => None,
            };
            let mut nodes = seeds.remove(&segment).unwrap_or_default();
            let summary = self.index().summary(segment)?;
            let answerable: Vec<Want> = wants
                .iter()
                .copied()
                .filter(|&want| may_answer(self.program(), want, &start, end.as_ref(), &summary))
                .collect();
            behind = Some(start);
            let is_passed_over = nodes.is_empty() && answerable.is_empty() && (!kind.potential || wants.is_empty());
            if is_passed_over {
                if seeds.is_empty() && wants.is_empty() {
                    break;
                }
                continue;
            }
            let stretch = self.stretch(segment)?;
            progress();
            let mut passed_on = Vec::new();
            let mut take = |answer: Answer, nodes: &mut Vec<NodeId>, slice: &mut Slice| match answer {
                Answer::Node(node) => nodes.push(node),
                Answer::Before(wants) => passed_on.extend(wants),
                Answer::Unknown(Unknown::Nothing) => {}
                Answer::Unknown(unknown) => {
                    slice.unknown.insert(unknown);
                }
            };
            let answers: Vec<(Want, Answer)> =
                answerable.into_iter().map(|want| (want, stretch.answer(want))).collect();
            answers.iter().for_each(|(want, _)| {
                wants.remove(want);
            });
            if kind.potential {
                let mut sweep = Sweep::new(self.program(), self.objects(), self.flows(), &stretch);
                wants.iter().for_each(|&want| sweep.open_want(want, None));
                answers.iter().for_each(|(want, answer)| sweep.open_want(*want, Some(answer)));
                answers.into_iter().for_each(|(_, answer)| take(answer, &mut nodes, &mut slice));
                sweep.run(nodes, &mut slice, &mut take);
                wants.extend(passed_on);
                // Nobody has written anything of an object before it was made.
                let is_before = |want: &Want| object_of(*want).is_none_or(|object| !sweep.made.contains(&object));
                slice.unknown.extend(wants.extract_if(|want| !is_before(want)).map(Want::unanswered));
            } else {
                answers.into_iter().for_each(|(_, answer)| take(answer, &mut nodes, &mut slice));
                follow(&stretch, nodes, kind, &mut slice, &mut take);
                wants.extend(passed_on);
            }
        }
        slice.unknown.extend(wants.into_iter().map(Want::unanswered).filter(|unknown| *unknown != Unknown::Nothing));
        Ok(slice)
    }
}

/// Adds what the instructions of a stretch depend on.
fn follow(
    stretch: &Stretch<'_>,
    seeds: Vec<NodeId>,
    kind: SliceKind,
    slice: &mut Slice,
    take: &mut impl FnMut(Answer, &mut Vec<NodeId>, &mut Slice),
) {
    // With each instruction the one that needs it, which comes later: a call-back depends on its call, but not on what
    // later call-backs give to the call.
    let mut open: Vec<(NodeId, NodeId)> = seeds.into_iter().map(|seed| (seed, LAST)).collect();
    let mut seen: FxHashMap<NodeId, NodeId> = FxHashMap::default();
    let mut found = Vec::new();
    while let Some((id, needed_by)) = open.pop() {
        if seen.get(&id).is_some_and(|&before| before >= needed_by) {
            continue;
        }
        let Some(node) = stretch.node(id) else { continue };
        slice.add(stretch, node);
        let mut has_later = false;
        for input in stretch.inputs(id).iter().filter(|input| kind.addresses || input.role == Role::Value) {
            match stretch.meaning(input.origin) {
                Answer::Node(later) if later > id => {
                    has_later = true;
                    found.extend((later < needed_by).then_some(later));
                }
                answer => take(answer, &mut found, slice),
            }
        }
        if kind.control {
            take(stretch.meaning(node.control), &mut found, slice);
        }
        seen.insert(id, if has_later { needed_by } else { LAST });
        open.extend(found.drain(..).map(|one| (one, if one < id { id } else { needed_by })));
    }
}

/// Later than all instructions.
const LAST: NodeId = NodeId(u32::MAX);
