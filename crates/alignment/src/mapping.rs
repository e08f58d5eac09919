//! Which instruction of a method is which in another version of it.

mod edited;
mod gaps;
mod keys;
pub(crate) mod subsequence;

use crate::side::{Pair, Side};
use rustc_hash::FxHashMap;
use whydunit_replay::Program;
use whydunit_replay::program::{MethodCode, Pc};

/// Insertions and deletions that are looked for. What needs more of them is another method.
const MOST_CHANGES: usize = 2000;

/// The instructions of two versions of a method that correspond, in the same order in both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    partners: Pair<Box<[Option<Pc>]>>,
}

impl Mapping {
    /// `None` when less than half of the method is left.
    pub fn of(programs: Pair<&Program>, code: Pair<&MethodCode>) -> Option<Mapping> {
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        let mut numbered = |side: Side| -> Vec<u32> {
            let keys = keys::of(programs[side], code[side]).into_iter();
            let number = |key: String| {
                let next = numbers.len() as u32;
                *numbers.entry(key).or_insert(next)
            };
            keys.map(number).collect()
        };
        let keys = Pair { left: numbered(Side::Left), right: numbered(Side::Right) };
        let lengths = keys.as_ref().map(Vec::len);
        let most = lengths.left.min(lengths.right).min(MOST_CHANGES);
        let mut pairs = subsequence::longest(&keys.left, &keys.right, most)?;
        for side in Side::BOTH {
            gaps::move_to_statements(&mut pairs, side, &keys[side], code[side]);
        }
        pairs.extend(edited::pairs(&pairs, code));
        pairs.sort_unstable_by_key(|pair| pair.left);
        Some(Mapping::of_pairs(lengths, &pairs))
    }

    fn of_pairs(lengths: Pair<usize>, pairs: &[Pair<Pc>]) -> Mapping {
        let mut partners = lengths.map(|length| vec![None; length].into_boxed_slice());
        for pair in pairs {
            partners.left[pair.left as usize] = Some(pair.right);
            partners.right[pair.right as usize] = Some(pair.left);
        }
        Mapping { partners }
    }

    /// The corresponding instruction of the other side.
    #[inline]
    pub fn partner(&self, side: Side, pc: Pc) -> Option<Pc> {
        self.partners[side].get(pc as usize).copied().flatten()
    }

    #[inline]
    pub(crate) fn corresponds(&self, left: Pc, right: Pc) -> bool {
        self.partner(Side::Left, left) == Some(right)
    }

    /// The first of the instructions around one without a partner that have none either.
    pub(crate) fn gap(&self, side: Side, pc: Pc) -> Pc {
        let is_alone = |pc: &Pc| self.partner(side, *pc).is_none();
        (0..pc).rev().take_while(is_alone).last().unwrap_or(pc)
    }

    /// Where a gap starts, and where it ends: instructions that both sides have to look at, because control may come
    /// together there.
    pub(crate) fn is_edge(&self, side: Side, pc: Pc) -> bool {
        let is_alone = |pc: Pc| self.partner(side, pc).is_none();
        let has_gap_before = pc.checked_sub(1).is_some_and(is_alone);
        if is_alone(pc) {
            return !has_gap_before;
        }
        let partner_before = self.partner(side, pc).and_then(|partner| partner.checked_sub(1));
        has_gap_before || partner_before.is_some_and(|before| self.partner(side.other(), before).is_none())
    }
}
