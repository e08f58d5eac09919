//! Frames, and the identity of fresh objects in them.

use super::{Entry, Observer, TEMPORARY, ThreadReplay};
use crate::program::{MethodCode, Pc};

#[derive(Clone, Debug)]
pub struct Frame<'p> {
    pub code: &'p MethodCode,
    /// The next instruction; in frames below the topmost one, the call that is under way.
    pub pc: Pc,
    pub entry: Entry,
    /// Slots in use. Arguments of a recorded call that is under way belong to the callee.
    pub(super) top: u32,
    /// Where the slots start in the stack.
    pub(super) base: usize,
    /// The caller's token was there: neither arguments nor result are in the log.
    pub(super) is_token_seen: bool,
    /// `this` of a constructor, 0 in other methods.
    pub(super) this: u64,
    /// A class loader was called while an exception looked for its handler.
    pub(crate) is_unwinding: bool,
}

impl ThreadReplay<'_> {
    /// Puts an object's id where its temporary reference is: in the constructors under way and in the frame
    /// of the `new`.
    pub(super) fn identify<O: Observer>(&mut self, stack: &mut [u64], observer: &mut O, temporary: u64, object: u64) {
        debug_assert!(temporary & TEMPORARY != 0);
        for frame in self.frames.iter_mut().rev() {
            let types = &frame.code.types;
            let end = frame.base + frame.top as usize;
            for (slot, value) in stack.get_mut(frame.base..end).unwrap_or_default().iter_mut().enumerate() {
                if *value == temporary && types.is_reference(frame.pc, slot) {
                    *value = object;
                }
            }
            let is_constructing = frame.this == temporary;
            if is_constructing {
                frame.this = object;
            }
            if !is_constructing || frame.entry == Entry::CallBack {
                break;
            }
        }
        self.late.remove(&temporary);
        observer.identified(temporary, object);
    }
}
