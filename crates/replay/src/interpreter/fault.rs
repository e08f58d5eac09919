//! Exceptions that the replay cannot see coming: where they start.

use super::control::{check_offset_of, depth_of, exception_of, frames_lost_before};
use super::{Entry, Halting, ThreadReplay};
use crate::program::Guard;
use whydunit_trace::ObjectId;
use whydunit_trace::stream::{Control, ControlEvent};

/// What exceptions of the JVM itself an instruction can throw without a visible reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Of a recorded method that was found: only the stack can be too small.
    Call,
    StaticCall,
    New,
    StaticField,
    InstanceField,
    Cast,
    ArrayStore,
    Monitor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExceptionKind {
    StackOverflow,
    OutOfMemory,
    Linkage,
    ClassCast,
    ArrayStore,
    MonitorState,
    Other,
}

impl Fault {
    fn can_be(self, kind: ExceptionKind) -> bool {
        use ExceptionKind as Kind;
        match self {
            Fault::Call => kind == Kind::StackOverflow,
            Fault::StaticCall => matches!(kind, Kind::StackOverflow | Kind::Linkage),
            Fault::New => matches!(kind, Kind::OutOfMemory | Kind::Linkage),
            Fault::StaticField | Fault::InstanceField => kind == Kind::Linkage,
            Fault::Cast => matches!(kind, Kind::ClassCast | Kind::Linkage),
            Fault::ArrayStore => kind == Kind::ArrayStore,
            Fault::Monitor => kind == Kind::MonitorState,
        }
    }
}

impl ThreadReplay<'_> {
    /// Whether the exception at the head of the control stream starts at the current instruction of the top
    /// frame, which names `class` and whose slots are `held`.
    pub(super) fn starts_here(&mut self, fault: Fault, class: &str, held: &[u64]) -> Halting<bool> {
        let Some(exception) = self.control.head().and_then(|head| exception_of(head.event)) else {
            return Ok(false);
        };
        let was_interrupted = self.resumed_at == self.number;
        let kind = self.exception_kind(exception)?;
        let is_linked = kind == ExceptionKind::Linkage && self.is_linked(fault, class, exception, was_interrupted)?;
        let is_possible = fault.can_be(kind) || was_interrupted && self.can_come_of_interruption(kind);
        if is_linked || !is_possible {
            return Ok(false);
        }
        // Facts that were logged before it must be read before it.
        let facts_to_come = self.control.head().and_then(|head| check_offset_of(head.event));
        if self.checked_up_to.is_some() && self.checked_up_to != facts_to_come {
            return Ok(false);
        }
        // An exception that the frame holds was caught before and is thrown again by `athrow`.
        if held.contains(&u64::from(exception.0)) {
            return Ok(false);
        }
        self.run_fits_frames()
    }

    /// Whether what has interrupted the current instruction can have made it throw. A class that is initialised can still
    /// be refused, or have no room, but no exception of the program comes of it.
    fn can_come_of_interruption(&self, kind: ExceptionKind) -> bool {
        use ExceptionKind as Kind;
        self.initialised_at != self.number || matches!(kind, Kind::StackOverflow | Kind::OutOfMemory | Kind::Linkage)
    }

    /// Whether the call that logs the fact of the current instruction ran into a full stack.
    pub(super) fn fact_overflows(&mut self) -> Halting<bool> {
        let Some(head) = self.control.head() else {
            return Ok(false);
        };
        let Some(exception) = exception_of(head.event) else {
            return Ok(false);
        };
        Ok(self.checked_up_to == check_offset_of(head.event)
            && self.exception_kind(exception)? == ExceptionKind::StackOverflow
            && self.run_fits_frames()?)
    }

    /// Whether linkage cannot fail any more.
    fn is_linked(&mut self, fault: Fault, class: &str, exception: ObjectId, was_interrupted: bool) -> Halting<bool> {
        let Some(from) = self.frames.last().map(|frame| frame.code.definition) else {
            return Ok(false);
        };
        let is_of_initialisation = self.is_of_initialisation(exception)?;
        let loader = self.program.definition(from).map(|definition| definition.loader);
        let is_loaded = || {
            self.program.find_definition(from, class).is_some()
                || loader.is_some_and(|loader| self.program.classes().by_name(loader, class).is_some())
        };
        Ok(match fault {
            // What interrupted it may have failed to load the class.
            Fault::InstanceField | Fault::Cast => !was_interrupted && is_loaded(),
            _ => {
                !was_interrupted && self.program.is_own_superclass(from, class)
                    || is_of_initialisation && self.program.never_fails_to_initialise(from, class)
            }
        })
    }

    /// Whether an exception says that a class does not exist or could not be initialised.
    fn is_of_initialisation(&mut self, exception: ObjectId) -> Halting<bool> {
        let class = self.class_of(exception.0.into())?.and_then(|class| self.program.classes().get(class));
        Ok(class.is_some_and(|class| {
            matches!(&*class.name, "java/lang/NoClassDefFoundError" | "java/lang/ExceptionInInitializerError")
        }))
    }

    pub(super) fn exception_kind(&mut self, exception: ObjectId) -> Halting<ExceptionKind> {
        if self.last_exception.0 == exception {
            return Ok(self.last_exception.1);
        }
        let class = self.class_of(exception.0.into())?;
        let names = class.into_iter().flat_map(|class| self.program.classes().superclasses(class));
        let kind = names.into_iter().find_map(|class| {
            Some(match class.name.as_str() {
                "java/lang/StackOverflowError" => ExceptionKind::StackOverflow,
                "java/lang/VirtualMachineError" => ExceptionKind::OutOfMemory,
                "java/lang/LinkageError" => ExceptionKind::Linkage,
                "java/lang/ClassCastException" => ExceptionKind::ClassCast,
                "java/lang/ArrayStoreException" => ExceptionKind::ArrayStore,
                "java/lang/IllegalMonitorStateException" => ExceptionKind::MonitorState,
                _ => return None,
            })
        });
        let kind = kind.unwrap_or(ExceptionKind::Other);
        self.last_exception = (exception, kind);
        Ok(kind)
    }

    /// Whether the run of exception records at the head is what an exception leaves behind that starts in the
    /// top frame.
    fn run_fits_frames(&mut self) -> Halting<bool> {
        let length = self.run_length()?;
        let mut depth = self.frames.len();
        if depth < length {
            return Ok(false);
        }
        let Some(head) = self.control.head() else {
            return Ok(false);
        };
        let mut exception = exception_of(head.event);
        let mut next = 0;
        let mut lost = frames_lost_before(head.event);
        while let Some(above) = depth.checked_sub(1) {
            depth = above;
            let Some(frame) = self.frames.get(depth) else {
                return Ok(false);
            };
            let (code, pc, entry) = (frame.code, frame.pc, frame.entry);
            if lost > 0 {
                lost -= u32::from(code.guard(pc) != Guard::Nobody);
                continue;
            }
            let has_recorded_depth = next > 0 || depth_of(head.event).is_none_or(|recorded| recorded == depth + 1);
            let record = self.control.nth(next).map_err(|error| self.stream_halt(error))?;
            let record = record.filter(|r| r.offset == head.offset && exception_of(r.event) == exception);
            match record.map(|record| record.event) {
                Some(ControlEvent::Catch { method, handler, .. })
                    if method == code.id && code.handler_for(pc, handler).is_some() =>
                {
                    return Ok(has_recorded_depth);
                }
                Some(ControlEvent::Unwind { method, .. }) if method == code.id && code.guard(pc) != Guard::Nobody => {
                    if !has_recorded_depth {
                        return Ok(false);
                    }
                    next += 1;
                    let following = self.control.nth(next).map_err(|error| self.stream_halt(error))?;
                    let following = following.filter(|r| r.offset == head.offset);
                    lost = following.map_or(0, |r| frames_lost_before(r.event));
                    let goes_on = following.is_some_and(|r| lost > 0 || exception_of(r.event) == exception);
                    if entry == Entry::CallBack && !goes_on {
                        return Ok(true);
                    }
                    if let Some(following) = following
                        && (lost > 0 || self.is_replaced_in_handler(following.event, depth)?)
                    {
                        exception = exception_of(following.event);
                    }
                }
                None if entry == Entry::CallBack && next > 0 => return Ok(true),
                _ if code.guard(pc) == Guard::Nobody => {}
                _ => return Ok(false),
            }
        }
        Ok(false)
    }

    /// Whether the exception of a record struck in the handler that another one had come to, when this many frames are
    /// left: the call that notes the `catch` ran into a full stack, and left no record.
    pub(super) fn is_replaced_in_handler(&mut self, event: ControlEvent, frames: usize) -> Halting<bool> {
        let left = self.frames.get(..frames).unwrap_or_default();
        // Constructors before `super(…)` leave no record.
        let next = left.iter().rposition(|frame| frame.code.guard(frame.pc) != Guard::Nobody);
        let is_next = next.is_some_and(|next| depth_of(event) == Some(next + 1));
        let has_handler = next.and_then(|next| left.get(next)).is_some_and(|frame| frame.code.has_handler_at(frame.pc));
        match exception_of(event).filter(|_| is_next && has_handler) {
            Some(exception) => Ok(self.exception_kind(exception)? == ExceptionKind::StackOverflow),
            None => Ok(false),
        }
    }

    /// `unwind` records of one exception at the head.
    fn run_length(&mut self) -> Halting<usize> {
        let position = self.control.head_position();
        if self.run_length.0 == position {
            return Ok(self.run_length.1);
        }
        let head = self.control.head();
        let mut length = 0;
        loop {
            let record = self.control.nth(length).map_err(|error| self.stream_halt(error))?;
            let belongs = |r: &Control| {
                let is_same =
                    |h: Control| exception_of(h.event) == exception_of(r.event) || frames_lost_before(r.event) > 0;
                head.is_some_and(|h| h.offset == r.offset && is_same(h))
                    && matches!(r.event, ControlEvent::Unwind { .. })
            };
            if !record.as_ref().is_some_and(belongs) {
                break;
            }
            length += 1;
        }
        self.run_length = (position, length);
        Ok(length)
    }
}
