//! What happens at an instruction at which a control record stands, or that fails.

use super::control::Number;
use super::fault::Fault;
use super::{Halt, Halting, Observer, Phase, ThreadReplay, When};
use crate::program::{Call, CallKind, DefinitionIndex, Guard, MethodCode, Pc};
use whydunit_classfile::access;
use whydunit_trace::plan::Handshake;
use whydunit_trace::record::Class;
use whydunit_trace::stream::{Content, ControlEvent, Place, StreamError};
use whydunit_trace::{MethodId, ObjectId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// Run the instruction.
    Proceed,
    /// First run the method of the `enter` record at the head.
    CallBack,
    /// The instruction throws.
    Throw,
}

/// A class loader that is asked for a class.
#[derive(Debug)]
struct AskedLoader<'p> {
    /// Internal name of the loader's class.
    class: &'p str,
    /// Internal name of the class that it is asked for.
    wanted: String,
}

/// What happens at a call of a recorded method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallDecision {
    AsAnywhere(Decision),
    /// The `enter` record at the head is that of the called method.
    Enter,
}

impl<'p> ThreadReplay<'p> {
    /// The record that stands at the current offset.
    pub(super) fn event_here<O: Observer>(&mut self, observer: &mut O) -> Halting<Option<ControlEvent>> {
        let offset = self.values.offset();
        // Nobody has taken these where they were expected: they belong to what came before the last value.
        while let Some(number) = self.control.number().filter(|number| number.offset < offset) {
            self.take_number(observer, number.offset, Phase::Start)?;
        }
        match self.control.head() {
            Some(head) if head.offset == offset => Ok(Some(head.event)),
            Some(head) if head.offset < offset => {
                Err(self.diverged(format!("passed by a record {:?} of offset {}", head.event, head.offset)))
            }
            _ => Ok(None),
        }
    }

    /// The recorder takes a sequence number here. A thread that has come no further waits here for ever.
    pub(super) fn meet<O: Observer>(&mut self, observer: &mut O, phase: Phase) -> Halting<()> {
        self.take_changes(observer)?;
        let offset = self.values.offset();
        while let Some(number) = self.take_number(observer, offset, phase)? {
            if number.offset == offset {
                return Ok(());
            }
        }
        if self.is_log_exhausted() { Err(Halt::EndOfLog) } else { Ok(()) }
    }

    /// The numbers of changes of classes that come next: unrecorded code has made them.
    pub(super) fn take_changes<O: Observer>(&mut self, observer: &mut O) -> Halting<()> {
        let offset = self.values.offset();
        while let Some(number) = self.control.number()
            && number.offset <= offset
            && self.program.is_change(number.sequence)
        {
            self.take_number(observer, offset, Phase::Start)?;
        }
        Ok(())
    }

    /// Goes on to the record after the one at the head, which came after all numbers before it.
    pub(super) fn advance_control<O: Observer>(&mut self, observer: &mut O) -> Halting<()> {
        self.take_numbers(observer)?;
        self.control.advance().map_err(|error| self.stream_halt(error))
    }

    /// All numbers before the record at the head.
    pub(super) fn take_numbers<O: Observer>(&mut self, observer: &mut O) -> Halting<()> {
        while self.take_number(observer, u64::MAX, Phase::Start)?.is_some() {}
        Ok(())
    }

    fn take_number<O: Observer>(&mut self, observer: &mut O, offset: u64, phase: Phase) -> Halting<Option<Number>> {
        let taken = self.control.take_number(offset).map_err(|error| self.stream_halt(error))?;
        if let Some(number) = taken {
            self.sequence = number.sequence;
            observer.synchronised(number.sequence, When { instruction: self.number, phase });
        }
        Ok(taken)
    }

    /// For instructions that take a value from the log. `fails`: the replay sees that it throws.
    pub(super) fn decide_value<O: Observer>(
        &mut self,
        observer: &mut O,
        code: &MethodCode,
        pc: Pc,
        fails: bool,
    ) -> Halting<Decision> {
        Ok(match self.event_here(observer)? {
            // Nobody sees the exception: the record belongs to what comes after it.
            Some(ControlEvent::Enter { .. }) if fails && code.guard(pc) == Guard::Nobody => Decision::Throw,
            Some(ControlEvent::Enter { .. }) => Decision::CallBack,
            Some(_) => Decision::Throw,
            None if fails => Decision::Throw,
            None => Decision::Proceed,
        })
    }

    /// For instructions that name a class and take no value from the log.
    pub(super) fn decide_named<O: Observer>(
        &mut self,
        observer: &mut O,
        class: &str,
        fault: Fault,
        held: &[u64],
    ) -> Halting<Decision> {
        Ok(match self.event_here(observer)? {
            Some(ControlEvent::Enter { place: Some(place), .. }) => self.decide_place(place),
            Some(ControlEvent::Enter { method, .. }) if self.is_call_of_the_jvm(method, class, fault)? => {
                Decision::CallBack
            }
            Some(ControlEvent::Enter { .. }) | None => Decision::Proceed,
            Some(_) if self.starts_here(fault, class, held)? => Decision::Throw,
            Some(_) => Decision::Proceed,
        })
    }

    /// For instructions that take no value from the log, when the recording tells which one was interrupted.
    pub(super) fn decide_place(&self, place: Place) -> Decision {
        let is_here = self.frames.len() == place.depth as usize
            && self.frames.last().is_some_and(|frame| {
                frame.code.addresses.get(frame.pc as usize).is_some_and(|&address| address + 1 == place.site)
            });
        if is_here { Decision::CallBack } else { Decision::Proceed }
    }

    /// For calls of recorded methods.
    pub(super) fn decide_call<O: Observer>(
        &mut self,
        observer: &mut O,
        call: &Call,
        callee: MethodId,
        is_direct: bool,
        held: &[u64],
    ) -> Halting<CallDecision> {
        let event = self.event_here(observer)?;
        let class = &*call.owner;
        let fault = if call.kind == CallKind::Static { Fault::StaticCall } else { Fault::Call };
        if is_direct {
            return Ok(CallDecision::AsAnywhere(match event {
                Some(ControlEvent::Enter { place: Some(place), .. }) => self.decide_place(place),
                Some(ControlEvent::Enter { pending, .. })
                    if pending == call.token && call.handshake == Handshake::Method =>
                {
                    Decision::CallBack
                }
                // The receiver's class is loaded and initialised, but the class that the call names may have
                // come from another loader than the caller's.
                Some(ControlEvent::Enter { method, .. })
                    if call.handshake != Handshake::Method && self.is_loader_asked(method, class)? =>
                {
                    Decision::CallBack
                }
                Some(ControlEvent::Enter { .. }) | None => Decision::Proceed,
                Some(_) if self.starts_here(fault, class, held)? => Decision::Throw,
                Some(_) => Decision::Proceed,
            }));
        }
        match event {
            Some(ControlEvent::Enter { method, .. }) if method == callee => Ok(CallDecision::Enter),
            Some(ControlEvent::Enter { .. }) => Ok(CallDecision::AsAnywhere(Decision::CallBack)),
            Some(_) => Ok(CallDecision::AsAnywhere(Decision::Throw)),
            None if self.is_log_exhausted() => Err(Halt::EndOfLog),
            None => Err(self.diverged("the called method should have logged its entry")),
        }
    }

    /// Whether the JVM itself calls this method when an instruction names this class: a static initialiser,
    /// or a class loader that is asked for the class.
    fn is_call_of_the_jvm(&mut self, method: MethodId, class: &str, fault: Fault) -> Halting<bool> {
        let Some(index) = self.program.method_index(method) else {
            return Err(self.diverged(format!("there is no method {method}")));
        };
        let Ok(code) = self.program.code(index) else {
            return Ok(false);
        };
        if &*code.name == "<clinit>" {
            let can_initialise = !matches!(fault, Fault::Cast | Fault::InstanceField);
            return Ok(can_initialise && self.may_initialise(code, class));
        }
        let Some(asked) = self.asked_loader(method)? else {
            return Ok(false);
        };
        let is_linking = matches!(fault, Fault::New | Fault::StaticField);
        Ok(self.is_asked_for(&asked, class) || is_linking && self.is_asked_by(&asked, class))
    }

    /// Whether a class loader of the program's own is asked for a class: by the JVM, or on its behalf by the
    /// JDK's part of the loader.
    fn is_loader_asked(&mut self, method: MethodId, class: &str) -> Halting<bool> {
        let asked = self.asked_loader(method)?;
        Ok(asked.is_some_and(|asked| self.is_asked_for(&asked, class)))
    }

    /// Which loader is asked for what, if the method at the head is one of a class loader that takes a name.
    fn asked_loader(&mut self, method: MethodId) -> Halting<Option<AskedLoader<'p>>> {
        let Some(index) = self.program.method_index(method) else {
            return Err(self.diverged(format!("there is no method {method}")));
        };
        let Ok(code) = self.program.code(index) else {
            return Ok(None);
        };
        let has_receiver = code.access & access::STATIC == 0 && !code.is_constructor;
        if !has_receiver
            || !code.descriptor.starts_with("(Ljava/lang/String;")
            || !self.program.is_class_loader(code.definition)
        {
            return Ok(None);
        }
        let Some((loader, name)) = self.peek_arguments()? else {
            return Ok(None);
        };
        let class = self.class_of(loader.0.into())?.and_then(|class| self.program.classes().get(class));
        match self.objects.table().content(name) {
            Ok(Some(Content::String { beginning, .. })) => {
                Ok(class.map(|class| AskedLoader { class: &class.name, wanted: beginning.replace('.', "/") }))
            }
            Ok(_) => Ok(None),
            Err(error) => Err(self.stream_halt(error)),
        }
    }

    /// Whether code of the top frame needs the named class and gets its classes from this loader.
    fn is_asked_for(&self, asked: &AskedLoader<'_>, class: &str) -> bool {
        let element = class.trim_start_matches('[');
        let element = element.strip_prefix('L').and_then(|e| e.strip_suffix(';')).unwrap_or(element);
        let from = self.frames.last().map(|frame| frame.code.definition);
        asked.wanted == element && from.is_some_and(|from| self.gets_classes_from(from, asked))
    }

    /// Whether the named class may be what asks: it is verified before it is first used, which can need the classes
    /// that it mentions.
    fn is_asked_by(&self, asked: &AskedLoader<'_>, class: &str) -> bool {
        let Some(from) = self.frames.last().map(|frame| frame.code.definition) else {
            return false;
        };
        !self.program.is_own_superclass(from, class)
            && self.program.find_definition(from, class).is_some_and(|named| {
                self.gets_classes_from(named, asked) && self.program.mentions(named, &asked.wanted)
            })
    }

    fn gets_classes_from(&self, definition: DefinitionIndex, asked: &AskedLoader<'_>) -> bool {
        let Some(own) = self.program.definition(definition) else {
            return false;
        };
        let loaders = &self.program.recording().loaders;
        let mut delegation = self.program.classes().delegation(own.loader);
        delegation.any(|id| loaders.iter().any(|loader| loader.id == id && loader.class_name == asked.class))
    }

    /// The receiver and the first parameter in the log of a method that is about to be entered; `None` when the
    /// log ends with its entry.
    fn peek_arguments(&mut self) -> Halting<Option<(ObjectId, ObjectId)>> {
        let start = self.values.offset();
        let read = self.values.u32().and_then(|this| Ok((ObjectId(this), ObjectId(self.values.u32()?))));
        self.values.seek(start).map_err(|error| self.stream_halt(error))?;
        match read {
            Ok(arguments) => Ok(Some(arguments)),
            Err(StreamError::End) => Ok(None),
            Err(error) => Err(self.stream_halt(error)),
        }
    }

    /// Whether the class of `code`, which is about to be initialised, is initialised because an instruction needs
    /// the named class.
    fn may_initialise(&self, code: &MethodCode, class: &str) -> bool {
        let Some(from) = self.frames.last().map(|frame| frame.code.definition) else {
            return false;
        };
        // Code of a class runs when the class and its superclasses are initialised, or about to be by this thread.
        if self.program.is_own_superclass(from, class) {
            return false;
        }
        if let Some(named) = self.program.find_definition(from, class) {
            return self.program.initialises(named, code.definition);
        }
        let Some(definition) = self.program.definition(code.definition) else {
            return false;
        };
        let loader = self.program.definition(from).map(|d| d.loader);
        let named = loader.and_then(|loader| self.program.classes().by_name(loader, class));
        let is_this = |c: &&Class| c.definition == Some(definition.id);
        named.is_some_and(|c| self.program.classes().supertypes(c.id).iter().any(is_this))
    }
}
