//! Calls: finding the target, entering it, and taking its result.

use super::decide::Decision;
use super::{At, Entry, Frame, Halt, Halting, Observer, Phase, Site, TEMPORARY, ThreadReplay, is_same};
use crate::program::{Call, CallKind, CallSite, MethodCode, MethodIndex, Target};
use whydunit_trace::kind::NOTHING_MARK;
use whydunit_trace::plan::{After, Handshake};
use whydunit_trace::stream::ControlEvent;
use whydunit_trace::{ClassId, LogKind, MethodId, ObjectId};

/// More frames than any JVM has: the replay went astray.
const MAX_DEPTH: usize = 1 << 24;

impl<'p> ThreadReplay<'p> {
    /// What a call site runs for this receiver, which is not null, if it did the last time; the receiver is 0 when
    /// it does not matter.
    #[inline(always)]
    pub(super) fn known_site(&self, called: CallSite, receiver: u64) -> Option<Site<'p>> {
        let class = match called.kind {
            CallKind::Virtual => self.objects.recent_class(ObjectId(receiver as u32))?.0,
            _ => 0,
        };
        self.sites.get(called.number as usize).copied().filter(|site| site.class == class)
    }

    #[cold]
    pub(super) fn find_site(&mut self, code: &'p MethodCode, call: &'p Call, receiver: u64) -> Halting<Site<'p>> {
        let class = if call.kind != CallKind::Virtual {
            0
        } else if receiver & TEMPORARY == 0 {
            match self.class_of(receiver)? {
                Some(class) => class.0,
                None => return Err(self.unknown_object(receiver)),
            }
        } else {
            return self.late_site(code, call, receiver);
        };
        let index = call.site as usize;
        if let Some(site) = self.sites.get(index).copied().filter(|site| site.class == class) {
            return Ok(site);
        }
        if let Some(site) = self.varying_sites.get(call.site, class) {
            self.sites[index] = site;
            return Ok(site);
        }
        let target = if call.kind == CallKind::Virtual {
            match self.program.dispatch(code.definition, call, ClassId(class)) {
                Some(target) => target,
                None => return Err(self.diverged(format!("class {} is not in the recording", ClassId(class)))),
            }
        } else {
            self.program.fixed_target(code.definition, call)
        };
        let site = self.site_of(call, class, target)?;
        if index >= self.sites.len() {
            self.sites.resize(index + 64, Site::UNKNOWN);
        }
        self.sites[index] = site;
        self.varying_sites.insert(call.site, site);
        Ok(site)
    }

    fn site_of(&self, call: &Call, class: u32, target: Target) -> Halting<Site<'p>> {
        let Target::Recorded(index) = target else {
            return Ok(Site { class, target: None, has_handshake: false, changed_after: u64::MAX });
        };
        let callee = self.decoded(index)?;
        let has_handshake = self.program.flags().handshake
            && match call.handshake {
                Handshake::None => false,
                Handshake::Receiver => true,
                Handshake::Method => self.program.is_named_owner(call, callee.definition),
            };
        Ok(Site { class, target: Some(callee), has_handshake, changed_after: callee.changed_after })
    }

    /// The receiver is known by its `new` only.
    #[cold]
    fn late_site(&mut self, code: &'p MethodCode, call: &'p Call, receiver: u64) -> Halting<Site<'p>> {
        let name = *self.late.get(&receiver).unwrap_or(&&*call.owner);
        let loader = self.program.definition(code.definition).map(|d| d.loader);
        let class = loader.and_then(|loader| self.program.classes().by_name(loader, name));
        let target = class.and_then(|class| self.program.dispatch(code.definition, call, class.id));
        match target {
            Some(target) => self.site_of(call, 0, target),
            None => Err(self.diverged(format!("class {name} is not in the recording"))),
        }
    }

    fn decoded(&self, index: MethodIndex) -> Halting<&'p MethodCode> {
        self.program.code(index).map_err(|error| {
            self.diverged(format!("method {} cannot be decoded: {error:?}", self.program.method_name(index)))
        })
    }

    /// Starts a recorded method on the arguments that are on top of the stack, from `base` on.
    #[inline(always)]
    pub(super) fn push_frame<O: Observer>(
        &mut self,
        stack: &mut Vec<u64>,
        observer: &mut O,
        callee: &'p MethodCode,
        base: usize,
        entry: Entry,
        is_token_seen: bool,
    ) -> Halting<()> {
        let end = base + usize::from(callee.slots);
        if self.frames.len() >= MAX_DEPTH {
            return Err(self.diverged("the stack is deeper than any JVM allows"));
        }
        if stack.len() < end {
            stack.resize(end.next_power_of_two().max(1 << 12), 0);
        }
        let this = if callee.is_constructor { stack[base] } else { 0 };
        self.frames.push(Frame {
            code: callee,
            pc: 0,
            entry,
            is_token_seen,
            top: u32::from(callee.max_locals),
            base,
            this,
            is_unwinding: false,
        });
        let at = At { code: callee, pc: 0, number: self.number, depth: self.frames.len() as u32 - 1 };
        observer.entered(at, &stack[base..base + usize::from(callee.argument_slots)], entry);
        if callee.is_synchronized {
            self.meet(observer, Phase::End)?;
        }
        Ok(())
    }

    /// Runs the method of the `enter` record at the head as a call from unrecorded code.
    pub(super) fn call_back<O: Observer>(&mut self, stack: &mut Vec<u64>, observer: &mut O) -> Halting<()> {
        let base = self.frames.last().map_or(0, |frame| frame.base + frame.top as usize);
        let Some(callee) = self.take_enter(stack, observer, base)? else {
            return self.resume(stack, observer);
        };
        self.push_frame(stack, observer, callee, base, Entry::CallBack, false)
    }

    /// Takes an `enter` record and its arguments, which go to the stack from `base` on; `None` when an
    /// exception struck before they were complete.
    fn take_enter<O: Observer>(
        &mut self,
        stack: &mut Vec<u64>,
        observer: &mut O,
        base: usize,
    ) -> Halting<Option<&'p MethodCode>> {
        let Some(ControlEvent::Enter { method, .. }) = self.control.head().map(|head| head.event) else {
            return Err(self.diverged("an entry is missing"));
        };
        let callee = self.entered_method(method)?;
        self.advance_control(observer)?;
        let start = self.values.offset();
        if self.control.next_at() < start + callee.logged_bytes {
            let next = self.control.next_at();
            self.values.seek(next).map_err(|error| self.stream_halt(error))?;
            return Ok(None);
        }
        let end = base + usize::from(callee.slots);
        if stack.len() < end {
            stack.resize(end.next_power_of_two().max(1 << 12), 0);
        }
        let mut slot = base;
        if callee.is_constructor {
            stack[slot] = self.fresh_reference();
            slot += 1;
        }
        for &kind in &callee.logged_arguments {
            stack[slot] = self.read(kind).map_err(|error| self.stream_halt(error))?;
            slot += usize::from(kind.slots());
        }
        Ok(Some(callee))
    }

    fn entered_method(&self, method: MethodId) -> Halting<&'p MethodCode> {
        match self.program.method_index(method) {
            Some(index) => self.decoded(index),
            None => Err(self.diverged(format!("there is no method {method}"))),
        }
    }

    /// Enters the called method by its `enter` record: its arguments must be those on the stack.
    pub(super) fn enter_by_record<O: Observer>(
        &mut self,
        stack: &mut Vec<u64>,
        observer: &mut O,
        arguments: usize,
    ) -> Halting<()> {
        let Some((above, caller_pc)) = self.frames.last().map(|f| (f.base + f.top as usize, f.pc)) else {
            return Err(self.diverged("there is no caller"));
        };
        let Some(callee) = self.take_enter(stack, observer, above)? else {
            return self.throw(stack, observer, None);
        };
        let base = above - arguments;
        let mut slot = usize::from(callee.is_constructor);
        for &kind in &callee.logged_arguments {
            let (known, logged) = (stack[base + slot], stack[above + slot]);
            if kind == LogKind::Reference && known & TEMPORARY != 0 && logged & TEMPORARY == 0 {
                self.identify(stack, observer, known, logged);
            } else if !is_same(kind, known, logged) {
                return Err(self.diverged(format!(
                    "argument slot {slot} of {} is {known:#x}, logged as {logged:#x} (call at {caller_pc})",
                    self.program.method_name(callee.index)
                )));
            }
            slot += usize::from(kind.slots());
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.top -= arguments as u32;
        }
        self.push_frame(stack, observer, callee, base, Entry::Direct, false)
    }

    /// The call that the topmost frame is at has come to its end.
    #[inline(always)]
    fn meet_after_call<O: Observer>(&mut self, observer: &mut O) -> Halting<()> {
        match self.frames.last() {
            Some(caller) if caller.code.has_meetings && caller.code.meets(caller.pc).after => {
                self.meet(observer, Phase::End)
            }
            _ => Ok(()),
        }
    }

    /// A callee that saw its caller's token has returned `bits`.
    #[inline(always)]
    pub(super) fn complete_direct_call<O: Observer>(
        &mut self,
        stack: &mut [u64],
        observer: &mut O,
        result: LogKind,
        bits: u64,
    ) -> Halting<()> {
        self.meet_after_call(observer)?;
        self.finish_call(stack, result, bits)
    }

    /// Puts the result on the stack of the caller, which is at the call and whose arguments are gone.
    #[inline(always)]
    pub(super) fn finish_call(&mut self, stack: &mut [u64], result: LogKind, bits: u64) -> Halting<()> {
        let Some(frame) = self.frames.last_mut() else {
            return Err(self.diverged("there is no caller"));
        };
        if result != LogKind::Nothing {
            if let Some(slot) = stack.get_mut(frame.base + frame.top as usize) {
                *slot = bits;
            }
            frame.top += u32::from(result.slots());
        }
        frame.pc += 1;
        Ok(())
    }

    /// A recorded callee that did not see the caller's token returned `bits`: the log has it again.
    pub(super) fn complete_logged_call<O: Observer>(
        &mut self,
        stack: &mut Vec<u64>,
        observer: &mut O,
        bits: u64,
    ) -> Halting<()> {
        let Some(frame) = self.frames.last() else {
            return Err(self.diverged("there is no caller"));
        };
        let (code, pc) = (frame.code, frame.pc);
        let Some(call) = code.call_at(pc) else {
            return Err(self.diverged("the caller is not at a call"));
        };
        self.meet_after_call(observer)?;
        if call.after != After::Nothing
            && self.is_at_control()
            && self.decide_value(observer, code, pc, false)? != Decision::Proceed
        {
            return self.throw(stack, observer, None);
        }
        let bits = match call.after {
            After::Nothing => bits,
            After::Value(kind) => {
                let logged = self.read(kind).map_err(|error| self.stream_halt(error))?;
                self.expect_result(stack, observer, kind, bits, logged)?;
                logged
            }
            After::This | After::Fresh => {
                self.take_identity(stack, observer, call.after)?;
                0
            }
        };
        self.finish_call(stack, call.result, bits)
    }

    fn expect_result<O: Observer>(
        &mut self,
        stack: &mut [u64],
        observer: &mut O,
        kind: LogKind,
        bits: u64,
        logged: u64,
    ) -> Halting<()> {
        if kind == LogKind::Nothing {
            return self.expect_mark(logged);
        }
        if kind == LogKind::Reference && bits & TEMPORARY != 0 {
            self.identify(stack, observer, bits, logged);
        } else if !is_same(kind, bits, logged) {
            return Err(self.diverged(format!("the call returned {bits:#x}, logged is {logged:#x}")));
        }
        Ok(())
    }

    fn expect_mark(&self, logged: u64) -> Halting<()> {
        if logged == u64::from(NOTHING_MARK) {
            return Ok(());
        }
        Err(self.diverged(format!("the log has {logged:#x} where a call without result ends")))
    }

    /// The id of a constructed object comes next in the log.
    fn take_identity<O: Observer>(&mut self, stack: &mut [u64], observer: &mut O, after: After) -> Halting<()> {
        let logged = self.read(LogKind::Reference).map_err(|error| self.stream_halt(error))?;
        let Some(frame) = self.frames.last() else {
            return Ok(());
        };
        let known = match after {
            After::This => frame.this,
            _ => (frame.base + frame.top as usize).checked_sub(1).and_then(|s| stack.get(s)).copied().unwrap_or(0),
        };
        if known & TEMPORARY != 0 && logged & TEMPORARY == 0 {
            self.identify(stack, observer, known, logged);
        } else if known != logged {
            return Err(self.diverged(format!("the constructed object is {known:#x}, logged as {logged:#x}")));
        }
        Ok(())
    }

    /// A call of a method whose class another agent has changed: that agent's code decides whether the method
    /// runs, which then logs its entry, or something else does.
    #[cold]
    pub(super) fn call_of_changed<O: Observer>(
        &mut self,
        stack: &mut Vec<u64>,
        observer: &mut O,
        code: &'p MethodCode,
        call: &'p Call,
        callee: &MethodCode,
    ) -> Halting<()> {
        match self.event_here(observer)? {
            Some(ControlEvent::Enter { method, .. }) if self.program.is_replacement(method, callee) => {
                self.enter_by_record(stack, observer, usize::from(call.argument_slots))
            }
            _ => self.unrecorded_call(stack, observer, code, call),
        }
    }

    /// A call into unrecorded code: call-backs, then an exception or the result.
    pub(super) fn unrecorded_call<O: Observer>(
        &mut self,
        stack: &mut Vec<u64>,
        observer: &mut O,
        code: &'p MethodCode,
        call: &'p Call,
    ) -> Halting<()> {
        let Some((base, top, pc)) = self.frames.last().map(|f| (f.base, f.top as usize, f.pc)) else {
            return Err(self.diverged("there is no caller"));
        };
        let first = base + top - usize::from(call.argument_slots);
        if self.resumed_at != self.number {
            let at = At { code, pc, number: self.number, depth: self.frames.len() as u32 - 1 };
            observer.calling(at, call, &stack[first..base + top]);
        }
        if self.is_at_control() {
            match self.decide_value(observer, code, pc, false)? {
                Decision::Proceed => {}
                Decision::CallBack => return self.call_back(stack, observer),
                Decision::Throw => return self.throw(stack, observer, None),
            }
        }
        if self.is_at_control() {
            self.take_changes(observer)?;
        }
        self.meet_after_call(observer)?;
        let receiver = stack.get(first).copied().unwrap_or_default();
        if let Some(frame) = self.frames.last_mut() {
            frame.top -= u32::from(call.argument_slots);
        }
        let bits = match call.after {
            After::Value(LogKind::Nothing) => {
                let mark = self.read(LogKind::Nothing).map_err(|error| self.stream_halt(error))?;
                self.expect_mark(mark)?;
                if call.kind == CallKind::Constructor && receiver & TEMPORARY != 0 {
                    self.late.insert(receiver, &call.owner);
                }
                0
            }
            After::Value(kind) => self.read(kind).map_err(|error| self.stream_halt(error))?,
            After::This | After::Fresh => {
                self.take_identity(stack, observer, call.after)?;
                0
            }
            After::Nothing => return Err(self.diverged("the target of an inner call is not recorded")),
        };
        let at = At { code, pc, number: self.number, depth: self.frames.len() as u32 - 1 };
        observer.called(at, call, bits);
        self.finish_call(stack, call.result, bits)
    }

    /// Unrecorded code below all frames: the next `enter` record starts a frame. `false` at the end.
    pub(super) fn start_next<O: Observer>(&mut self, stack: &mut Vec<u64>, observer: &mut O) -> Halting<bool> {
        match self.event_here(observer)? {
            Some(ControlEvent::Enter { .. }) => self.call_back(stack, observer).map(|()| true),
            None if self.values.is_at_end() => {
                self.take_numbers(observer)?;
                if self.is_log_exhausted() { Ok(false) } else { Err(Halt::EndOfLog) }
            }
            event => Err(self.diverged(format!("no recorded method runs, but the log goes on ({event:?})"))),
        }
    }
}
