//! Instructions that only one side has are moved to where a statement starts, where there is a choice.

use crate::side::{Pair, Side};
use whydunit_replay::program::{MethodCode, Pc};

/// Of `a b a b` one `a b` is left: whether `a b` or `b a` is gone cannot be told from the instructions alone, but
/// programs are changed statement by statement.
pub(super) fn move_to_statements(pairs: &mut [Pair<Pc>], side: Side, keys: &[u32], code: &MethodCode) {
    for next in 0..=pairs.len() {
        let start = next.checked_sub(1).map_or(0, |last| pairs[last][side] + 1);
        let end = pairs.get(next).map_or(keys.len() as Pc, |pair| pair[side]);
        let other = side.other();
        let is_pure = match (next.checked_sub(1), pairs.get(next)) {
            (Some(last), Some(pair)) => pairs[last][other] + 1 == pair[other],
            (None, Some(pair)) => pair[other] == 0,
            (_, None) => false,
        };
        if start == end || !is_pure {
            continue;
        }
        let is_equal = |a: Pc, b: Pc| keys.get(a as usize) == keys.get(b as usize);
        let own = |number: usize| pairs.get(number).map(|pair| pair[side]);
        // Mapped instructions that could come after the gap instead of before it, and the other way round.
        let up = (1..=next).take_while(|&by| {
            let by_pc = by as Pc;
            own(next - by) == start.checked_sub(by_pc) && is_equal(start - by_pc, end - by_pc)
        });
        let up = up.count();
        let down = (0..pairs.len() - next)
            .take_while(|&by| own(next + by) == Some(end + by as Pc) && is_equal(start + by as Pc, end + by as Pc));
        let down = down.count();
        let (start, end) = (start as usize, end as usize);
        let best = (start - up..=start + down).rev().max_by_key(|&at| quality(code, at as Pc));
        let Some(best) = best.filter(|&best| quality(code, best as Pc) > quality(code, start as Pc)) else { continue };
        if best < start {
            for by in 1..=start - best {
                pairs[next - by][side] = (end - by) as Pc;
            }
        } else {
            for by in 0..best - start {
                pairs[next + by][side] = (start + by) as Pc;
            }
        }
    }
}

/// A statement starts with an empty stack, mostly in a line of its own.
fn quality(code: &MethodCode, pc: Pc) -> u8 {
    let is_empty = code.types.before(pc).len() <= usize::from(code.max_locals);
    let is_new_line = pc.checked_sub(1).is_none_or(|before| code.line(before) != code.line(pc));
    u8::from(is_empty) * 2 + u8::from(is_new_line)
}
