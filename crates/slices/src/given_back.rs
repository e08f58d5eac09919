//! What comes out of unrecorded code: results, exceptions, and what call-backs are given.

use crate::elsewhere::KEPT;
use crate::graph::{About, FrameId, Input, Need, Node, NodeId, Origin, OriginKind, Place, Role};
use crate::outside::Given;
use crate::recorder::Recorder;
use crate::shelves::{is_getter, is_only_getter, is_refused, is_undone};
use whydunit_replay::interpreter::At;
use whydunit_replay::program::{Call, CallKind, MethodCode, Op};
use whydunit_replay::unrecorded::{is_value, is_view};
use whydunit_trace::stream::Content;
use whydunit_trace::{LogKind, ObjectId};

/// Values that call-backs have returned among which one is looked for that another gets: those of a pipeline come soon.
const MOST_RETURNED: usize = 16;

/// Whether an argument is a task whose result a call gives back.
fn is_task_run(call: &Call, slot: u16) -> bool {
    slot == 1 && (&*call.owner, &*call.name) == ("java/util/concurrent/ForkJoinPool", "invoke")
}

impl Recorder<'_> {
    /// A call into unrecorded code is over: its result, or its exception, is made of what it was given.
    pub(crate) fn finish_call(&mut self) {
        self.note_keepers();
        let Some(frame) = self.frames.last_mut() else { return };
        let passed = std::mem::take(&mut frame.passed);
        let written = std::mem::take(&mut frame.written);
        let OriginKind::Node(node) = frame.pending.kind() else { return };
        for &origin in &passed {
            self.add_input(node, origin, Role::Value);
        }
        // What it changes, it may change after its call-backs have; what these gave it, it may have kept.
        let kept = self.objects_of(&passed);
        for shelf in written {
            // A constructor's object has got its id by now.
            let shelf = self.heap.identity(shelf);
            self.change_contents(shelf, node);
            for &(object, origin) in &kept {
                self.heap.note_item(shelf, object, origin);
            }
        }
    }

    /// The objects that call-backs have given back.
    fn objects_of(&self, passed: &[Origin]) -> Vec<(ObjectId, Origin)> {
        let objects = passed.iter().filter(|origin| !self.gives_back_number(**origin));
        let objects = objects.filter_map(|&origin| Some((self.bits_of(origin).filter(|bits| *bits != 0)?, origin)));
        objects.map(|(bits, origin)| (ObjectId(bits as u32), origin)).collect()
    }

    /// A call has changed an object.
    fn change_contents(&mut self, shelf: ObjectId, by: NodeId) {
        self.heap.note_content(shelf, Origin::node(by));
        self.keep_change(Place::Content(shelf), Origin::node(by));
    }

    /// A call into unrecorded code gives something back.
    pub(crate) fn take_result(&mut self, call: &Call, bits: u64) {
        let Some(frame) = self.frames.last() else { return };
        let OriginKind::Node(node) = frame.pending.kind() else { return self.finish_call() };
        if is_refused(call, bits) {
            self.take_back_items();
        }
        if call.result != LogKind::Reference || bits == 0 {
            return self.finish_call();
        }
        let result = ObjectId(bits as u32);
        self.note_function(result);
        self.note_collected(call);
        let Some(frame) = self.frames.last() else { return };
        let (given, read, written) = (frame.given.clone(), frame.read.clone(), frame.written.clone());
        let passed = frame.passed.clone();
        self.finish_call();
        let name = self.library.method(call);
        let receiver = given.first().filter(|given| given.slot == 0).map(|given| given.object);
        let shelf = receiver.filter(|receiver| is_getter(&name) && read.contains(receiver));
        let shelf =
            shelf.or_else(|| given.iter().find(|given| is_task_run(call, given.slot)).map(|given| given.object));
        let mut found: Vec<Origin> = Vec::new();
        // What says which element is meant is no element, even if it is the same object.
        if shelf.is_none() || !is_only_getter(&name) {
            found.extend(given.iter().filter(|given| given.object == result).map(|given| given.origin));
        }
        found.extend(passed.iter().copied().filter(|&origin| self.bits_of(origin) == Some(bits)));
        // Equal numbers are often one object: it may be what was asked with, or what was put in.
        if let Some(shelf) = shelf.filter(|&shelf| !found.is_empty() && self.heap.item(shelf, result).is_ok()) {
            let held = self.holders(node, call, shelf, result);
            found.splice(0..0, held);
        }
        if let Some(shelf) = shelf.filter(|_| found.is_empty()) {
            found = self.holders(node, call, shelf, result);
            self.note_shown(shelf, result);
        }
        if let Some(&original) = given.first().filter(|given| given.slot == 0 && found.is_empty()) {
            self.take_clone(node, call, original, result);
        }
        if found.is_empty() {
            self.note_new_shelf(result, node, &given, &passed);
            if let Some(viewed) = given.first().filter(|_| is_view(&name)) {
                self.heap.view(result, viewed.object);
            }
        } else {
            self.keep_change_apart(node, &written);
            self.replace_values(node, &found);
        }
    }

    /// What a collector's supplier has made is filled from the stream, whatever it is called by. Of suppliers that have
    /// captured something it is not known that they are such.
    fn note_collected(&mut self, call: &Call) {
        let is_collecting = call.owner.starts_with("java/util/stream/") && &*call.name == "collect";
        let Some(frame) = self.frames.last().filter(|_| is_collecting) else { return };
        let is_supplied = |origin: &Origin| {
            let OriginKind::Node(node) = origin.kind() else { return false };
            let node = self.graph.nodes.get(node.0 as usize);
            let frame = node.and_then(|node| self.graph.frames.get(node.frame.0 as usize));
            frame.and_then(|frame| self.program.code(frame.method).ok()).is_some_and(|code| code.argument_slots == 0)
        };
        let supplied =
            frame.passed.iter().filter(|origin| is_supplied(origin)).filter_map(|&origin| self.bits_of(origin));
        let mut filled: Vec<ObjectId> = supplied.filter(|&bits| bits != 0).map(|bits| ObjectId(bits as u32)).collect();
        filled.retain(|&object| self.library.has_content(object));
        let stream = frame.given.first().filter(|given| given.slot == 0).map(|given| given.object);
        for &object in &filled {
            stream.into_iter().for_each(|stream| self.heap.link(object, stream));
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.written.extend(filled);
        }
    }

    /// What nobody has put in is made of what is viewed, and an entry of a map changes the map.
    fn note_shown(&mut self, shelf: ObjectId, shown: ObjectId) {
        if self.heap.item(shelf, shown).is_ok() {
            return;
        }
        // Where entries of several maps are together, it is not known whose it is.
        let has_one_source = self.heap.has_one_source(shelf);
        let most = if has_one_source { 1 } else { usize::MAX };
        let sources = self.heap.sources(shelf);
        // A map that shows an entry to a function shows one of its own.
        let own = usize::from(sources.len() > 1 || !self.library.is_entry(shown));
        for source in sources.into_iter().skip(own).take(most) {
            self.heap.link(shown, source);
            if has_one_source && self.library.is_entry(shown) {
                self.heap.view(shown, source);
            }
        }
    }

    /// What a call gives back is made of less than what it has changed: `builder.append(text)` is the builder.
    fn keep_change_apart(&mut self, call: NodeId, written: &[ObjectId]) {
        let Some(&node) = self.graph.nodes.get(call.0 as usize) else { return };
        for &shelf in written {
            let shelf = self.heap.identity(shelf);
            let about = About::place(self.graph.places.len());
            self.graph.places.push(Place::Content(shelf));
            let change = NodeId(self.graph.nodes.len() as u32);
            self.graph.nodes.push(node.into_change(about));
            self.graph.share_contents(call, change);
            self.graph.elements_read.share(call, change);
            self.change_contents(shelf, change);
        }
    }

    /// A call into unrecorded code throws an exception.
    pub(crate) fn take_exception(&mut self) {
        let call = self.frames.last().and_then(|frame| self.program.code(frame.method).ok()?.call_at(frame.pc?));
        if call.is_some_and(|call| is_undone(&self.library.method(call))) {
            self.take_back_items();
        }
        self.finish_call();
    }

    /// An object that never changes is what its constructor was given.
    pub(crate) fn take_made(&mut self, at: At<'_>, call: &Call) {
        if call.kind != CallKind::Constructor || !is_value(&call.owner) {
            return;
        }
        let slots = usize::from(call.argument_slots);
        let new = at.code.origin(at.pc, slots).filter(|&pc| matches!(at.code.ops.get(pc as usize), Some(Op::New(_))));
        let Some(frame) = self.frames.last().filter(|_| new.is_some() && at.code.origin(at.pc, slots + 1) == new)
        else {
            return;
        };
        let (pending, top) = (frame.pending, self.top_of(frame));
        if let Some(made) = frame.given.first().filter(|given| given.slot == 0).map(|given| given.object) {
            self.set_bits(pending, u64::from(made.0));
            self.set_slot(top.saturating_sub(slots + 1), pending);
        }
    }

    /// Nothing was put where a call was asked to put it.
    fn take_back_items(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        for (place, before) in std::mem::take(&mut frame.put).into_iter().rev() {
            self.heap.put_back(place, before);
        }
    }

    /// An object that the call has made, or that was hidden until now: its items may be what the call was given, what
    /// is in that, and what call-backs gave it.
    fn note_new_shelf(&mut self, shelf: ObjectId, call: NodeId, given: &[Given], passed: &[Origin]) {
        for given in given.iter().filter(|given| given.object != shelf) {
            self.heap.link(shelf, given.object);
            let passing = self.pass_item(Origin::node(call), given);
            self.heap.note_item(shelf, given.object, passing);
        }
        for (object, origin) in self.objects_of(passed) {
            self.heap.note_item(shelf, object, origin);
        }
    }

    /// The result is one of the values that were given, and not made of the others.
    fn replace_values(&mut self, node: NodeId, found: &[Origin]) {
        let inputs: Vec<Input> = self.graph.inputs_of(node).to_vec();
        let others = inputs.into_iter().filter(|input| !found.contains(&input.origin));
        let others: Vec<Input> = others.map(|input| Input { role: Role::Address, ..input }).collect();
        let values = found.iter().map(|&origin| Input { origin, role: Role::Value });
        let inputs: Vec<Input> =
            others.into_iter().chain(values).filter(|input| input.origin != Origin::NONE).collect();
        if let Some(node) = self.graph.nodes.get_mut(node.0 as usize) {
            node.first_input = self.graph.inputs.len() as u32;
            node.inputs = inputs.len() as u32;
        }
        self.graph.inputs.extend(inputs);
        self.graph.elements_read.make_addresses(node);
    }

    /// Who may have put an item into an object.
    pub(crate) fn putters(&mut self, reader: NodeId, shelf: ObjectId, item: ObjectId) -> Vec<Origin> {
        match self.heap.item(shelf, item) {
            Ok(origin) => {
                self.graph.looked.push((reader, origin, Place::Item(shelf, item)));
                vec![origin]
            }
            Err(places) => places.into_iter().map(|place| self.graph.need(Need::Written(place))).collect(),
        }
    }

    fn bits_of(&self, origin: Origin) -> Option<u64> {
        match origin.kind() {
            OriginKind::Node(node) => self.graph.nodes.get(node.0 as usize).map(|node| node.bits),
            OriginKind::None | OriginKind::Before(_) => None,
        }
    }

    /// An argument that unrecorded code gives to a call-back: it was given to that code before, or the code made it.
    pub(crate) fn callback_argument(&mut self, callee: &MethodCode, slot: usize, bits: u64, call: Origin) -> Origin {
        let item = Some(ObjectId(bits as u32)).filter(|_| bits != 0 && callee.types.is_reference(0, slot));
        let Some(frame) = self.frames.last() else {
            return item.map_or(call, |item| self.graph.need(Need::Given(item)));
        };
        let OriginKind::Node(node) = call.kind() else { return call };
        let given = frame.given.iter().find(|given| Some(given.object) == item).map(|given| given.origin);
        let shelf = frame.read.first().copied();
        let Some(&outer) = self.graph.nodes.get(node.0 as usize) else { return call };
        let passing = NodeId(self.graph.nodes.len() as u32);
        let value = |origin: Origin| Input { origin, role: Role::Value };
        let inputs: Vec<Input> = match (given, item, shelf) {
            (Some(origin), ..) => vec![value(origin)],
            (None, Some(item), Some(shelf)) => {
                self.note_shown(shelf, item);
                let is_known = self.heap.item(shelf, item).is_ok();
                let boxed = self.returned_unboxed(item).filter(|_| !is_known);
                self.putters(passing, shelf, item).into_iter().chain(boxed).map(value).collect()
            }
            (None, Some(_), None) => return call,
            (None, None, _) => self.given_so_far(node, bits),
        };
        let mut passed = Node::new(outer.step, outer.pc(), Some(slot as u16), outer.frame, outer.control);
        passed.about = About::callee(FrameId(self.graph.frames.len() as u32));
        passed.bits = bits;
        self.graph.nodes.push(passed);
        for Input { origin, role } in inputs {
            self.add_input(passing, origin, role);
        }
        self.add_input(passing, call, Role::Address);
        // It may be from the contents that the call reads; another thread may have changed these.
        if item.is_none() {
            self.graph.share_contents(node, passing);
        }
        Origin::node(passing)
    }

    /// A call-back that has just returned the number that an object stands for: a reference to such a method leaves the boxing
    /// to the platform. Of small numbers, which predicates and comparators return, too, that says nothing.
    fn returned_unboxed(&self, item: ObjectId) -> Option<Origin> {
        let Some(Content::Boxed { bits }) = self.library.content(item) else { return None };
        if KEPT.contains(&(bits as i64)) || KEPT.contains(&i64::from(bits as i32)) {
            return None;
        }
        let returned = self.frames.last()?.passed.iter().rev().take(MOST_RETURNED);
        returned.copied().find(|origin| self.bits_of(*origin) == Some(bits) && self.gives_back_number(*origin))
    }

    fn gives_back_number(&self, returned: Origin) -> bool {
        let OriginKind::Node(node) = returned.kind() else { return false };
        let Some(node) = self.graph.nodes.get(node.0 as usize) else { return false };
        let frame = self.graph.frames.get(node.frame.0 as usize);
        let code = frame.and_then(|frame| self.program.code(frame.method).ok());
        let op = code.and_then(|code| code.ops.get(node.pc() as usize));
        matches!(op, Some(Op::Return(kind)) if *kind != LogKind::Reference)
    }

    /// What a call under way can have made a value of: what it was given, and what a call-back has just returned that is
    /// the same.
    fn given_so_far(&self, call: NodeId, bits: u64) -> Vec<Input> {
        let returned = self.frames.last().map(|frame| frame.passed.as_slice()).unwrap_or_default();
        let is_same = |origin: &&Origin| self.bits_of(**origin).is_none_or(|returned| returned == bits);
        let returned = returned.iter().rev().take(MOST_RETURNED).filter(is_same);
        let returned = returned.map(|&origin| Input { origin, role: Role::Value });
        self.graph.inputs_of(call).iter().copied().chain(returned).collect()
    }
}
