//! The way of an exception through recorded frames.

use super::control::frames_lost_before;
use super::{At, Entry, Halt, Halting, Observer, Phase, TEMPORARY, ThreadReplay};
use crate::program::{Guard, MethodCode};
use whydunit_trace::ObjectId;
use whydunit_trace::stream::ControlEvent;

impl<'p> ThreadReplay<'p> {
    /// The top frame's current instruction throws; `thrown` is the reference if the replay knows it.
    pub(super) fn throw<O: Observer>(
        &mut self,
        stack: &mut Vec<u64>,
        observer: &mut O,
        thrown: Option<u64>,
    ) -> Halting<()> {
        if let Some(frame) = self.frames.last() {
            let depth = self.frames.len() as u32 - 1;
            observer.thrown(At { code: frame.code, pc: frame.pc, number: self.number, depth });
        }
        self.unwind(stack, observer, thrown)
    }

    /// Takes frames away until one handles the exception or unrecorded code gets it.
    pub(super) fn unwind<O: Observer>(
        &mut self,
        stack: &mut Vec<u64>,
        observer: &mut O,
        mut thrown: Option<u64>,
    ) -> Halting<()> {
        if let Some(event) = self.event_here(observer)? {
            self.pop_lost_frames(observer, frames_lost_before(event), &mut thrown);
        }
        while let Some(frame) = self.frames.last() {
            let (code, pc, entry) = (frame.code, frame.pc, frame.entry);
            let at = At { code, pc, number: self.number, depth: self.frames.len() as u32 - 1 };
            let guard = code.guard(pc);
            match self.event_here(observer)? {
                Some(ControlEvent::Catch { exception, method, handler, .. }) if method == code.id => {
                    if let Some(target) = code.handler_for(pc, handler) {
                        self.expect_exception(stack, observer, &mut thrown, exception)?;
                        self.advance_control(observer)?;
                        return self.enter_handler(stack, observer, target, exception);
                    }
                    if guard != Guard::Nobody {
                        return Err(self.diverged(format!("handler {handler} does not cover the instruction")));
                    }
                    observer.unwound(at, thrown.unwrap_or_default());
                }
                Some(ControlEvent::Unwind { exception, method, .. }) if method == code.id && guard != Guard::Nobody => {
                    self.expect_exception(stack, observer, &mut thrown, exception)?;
                    self.advance_control(observer)?;
                    observer.unwound(at, u64::from(exception.0));
                    self.frames.pop();
                    if entry == Entry::CallBack {
                        return self.resume(stack, observer);
                    }
                    if let Some(event) = self.event_here(observer)? {
                        self.pop_lost_frames(observer, frames_lost_before(event), &mut thrown);
                    }
                    continue;
                }
                // A class loader looks for the class of a handler.
                Some(ControlEvent::Enter { .. }) if guard != Guard::Nobody && code.has_handler_at(pc) => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.is_unwinding = true;
                    }
                    return self.call_back(stack, observer);
                }
                _ if guard == Guard::Nobody => observer.unwound(at, thrown.unwrap_or_default()),
                None if self.is_log_exhausted() => return Err(Halt::EndOfLog),
                event => return Err(self.diverged(format!("an exception is thrown, but the log has {event:?}"))),
            }
            self.frames.pop();
            if entry == Entry::CallBack {
                return self.resume(stack, observer);
            }
        }
        Ok(())
    }

    /// Takes the frames away that an exception left without a record. What they passed on may be another
    /// exception than the one they got.
    fn pop_lost_frames<O: Observer>(&mut self, observer: &mut O, mut lost: u32, thrown: &mut Option<u64>) {
        if lost > 0 {
            *thrown = None;
        }
        while lost > 0
            && let Some(frame) = self.frames.pop()
        {
            lost -= u32::from(frame.code.guard(frame.pc) != Guard::Nobody);
            let depth = self.frames.len() as u32;
            observer.unwound(At { code: frame.code, pc: frame.pc, number: self.number, depth }, 0);
        }
    }

    fn enter_handler<O: Observer>(
        &mut self,
        stack: &mut [u64],
        observer: &mut O,
        target: u32,
        exception: ObjectId,
    ) -> Halting<()> {
        let depth = self.frames.len() as u32 - 1;
        let number = self.number;
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        frame.pc = target;
        frame.top = u32::from(frame.code.max_locals) + 1;
        let slot = frame.base + usize::from(frame.code.max_locals);
        if let Some(slot) = stack.get_mut(slot) {
            *slot = u64::from(exception.0);
        }
        let code = frame.code;
        observer.caught(At { code, pc: target, number, depth }, u64::from(exception.0));
        if code.meets(target).as_handler {
            self.meet(observer, Phase::End)?;
        }
        Ok(())
    }

    fn expect_exception<O: Observer>(
        &mut self,
        stack: &mut [u64],
        observer: &mut O,
        thrown: &mut Option<u64>,
        exception: ObjectId,
    ) -> Halting<()> {
        let logged = u64::from(exception.0);
        match *thrown {
            Some(known) if known == logged => {}
            Some(known) if known & TEMPORARY != 0 => self.identify(stack, observer, known, logged),
            Some(_) if self.is_replaced_at_top()? => {}
            Some(known) => return Err(self.diverged(format!("exception {known} is thrown, the log has {logged}"))),
            None => {}
        }
        *thrown = Some(logged);
        Ok(())
    }

    fn is_replaced_at_top(&mut self) -> Halting<bool> {
        match self.control.head() {
            Some(head) => self.is_replaced_in_handler(head.event, self.frames.len()),
            None => Ok(false),
        }
    }

    /// A call-back has come to its end.
    pub(super) fn resume_after<O: Observer>(
        &mut self,
        stack: &mut Vec<u64>,
        observer: &mut O,
        called: &MethodCode,
    ) -> Halting<()> {
        self.resume(stack, observer)?;
        if &*called.name == "<clinit>" {
            self.initialised_at = self.resumed_at;
        }
        Ok(())
    }

    /// A call-back is over: the instruction that it interrupted goes on.
    pub(super) fn resume<O: Observer>(&mut self, stack: &mut Vec<u64>, observer: &mut O) -> Halting<()> {
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        if frame.is_unwinding {
            frame.is_unwinding = false;
            return self.unwind(stack, observer, None);
        }
        self.resumed_at = self.number + 1;
        Ok(())
    }
}
