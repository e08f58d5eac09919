//! Backward dynamic slices: everything that a value or a decision was made of.

use crate::beside::{Needed, Since};
use crate::cutting::Cutting;
use crate::dependences::{Dependences, Executed, Found, Position};
use crate::gathered::Gathered;
use crate::graph::{About, Input, Node, NodeId, Origin, OriginKind, Place, Role};
use crate::makers::made_with_its_object;
use crate::potential::{Names, Standing, Sweep, Windows, object_of};
use crate::rivals::{Contested, Rivals};
use crate::stretch::Stretch;
use crate::timeline::Held;
use crate::waited::Delay;
use crate::wants::{Answer, Unknown, Want};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::rc::Rc;
use whydunit_replay::ReplayError;
use whydunit_replay::program::{MethodIndex, Op, Pc};
use whydunit_trace::{ObjectId, ThreadId};

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

/// The steps that a value was made of.
#[derive(Clone, Debug, Default)]
pub struct Slice {
    /// By thread and its step: the method of the frame and which of its instructions belong to the slice.
    pub steps: BTreeMap<(ThreadId, u64), SliceStep>,
    /// Where the slice ends because nothing is known.
    pub unknown: BTreeSet<Unknown>,
    /// The number of a step, among those of all threads: whoever watched has had enough, or there is no more room, and what
    /// comes before it was not looked at. Without addresses, what has made the objects that nobody has written to is looked
    /// for last, and is missing after it, too.
    pub cut_before: Option<u64>,
    /// What other threads could have changed was not all looked at before that.
    pub lacks_others: bool,
    /// It ends there because more would have to be looked for at once than there is room for.
    pub cut_for_room: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceStep {
    pub method: MethodIndex,
    pub depth: u32,
    /// In the order of the code.
    pub instructions: Box<[Pc]>,
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

impl<'s> Dependences<'s> {
    /// The slice of some instructions, themselves included. `progress` is told of each stretch that was looked at.
    pub fn slice(
        &self,
        criterion: &[Executed],
        kind: SliceKind,
        progress: &mut dyn FnMut(),
    ) -> Result<Slice, ReplayError> {
        let mut watch = |_| {
            progress();
            ControlFlow::Continue(())
        };
        self.slice_until(criterion, &[], kind, &mut watch)
    }

    /// The same for values that some instructions take up later: with what could have changed them before that.
    /// `users` are not part of it. `watch` is told of the steps that were found after each stretch that was looked at, the
    /// latest first.
    pub fn slice_until(
        &self,
        criterion: &[Executed],
        users: &[Executed],
        kind: SliceKind,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Slice, ReplayError> {
        self.with_helper(|| self.slice_alone(criterion, users, kind, watch))
    }

    fn slice_alone(
        &self,
        criterion: &[Executed],
        users: &[Executed],
        kind: SliceKind,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Slice, ReplayError> {
        let asked_at = users.iter().min().copied();
        let users = if kind.potential { self.uses(criterion, users)? } else { FxHashMap::default() };
        let mut slicer = Slicer {
            dependences: self,
            kind,
            gathered: Gathered::default(),
            unknown: BTreeSet::new(),
            names: kind
                .potential
                .then(|| Rc::new(Names::new(self.program, self.objects, self.flows.may_write(self.program)))),
            passed: Wants::default(),
            unanswered: Vec::new(),
            unwritten: FxHashMap::default(),
            contested: Vec::new(),
            standing: Standing::default(),
            open: BTreeMap::new(),
            starts: FxHashMap::default(),
            cutting: Cutting::default(),
            has_come_back: false,
            searched_elsewhere: FxHashMap::default(),
            delays: FxHashSet::default(),
            seen: FxHashMap::default(),
            users,
            windows: Windows::default(),
            made: FxHashMap::default(),
        };
        let users: Vec<Executed> = slicer.users.keys().copied().collect();
        for &executed in criterion.iter().chain(&users) {
            slicer.needs(executed)?;
        }
        // Nobody there uses it: it has its value until then all the same.
        if let Some(asked_at) = asked_at.filter(|_| kind.potential && users.is_empty()) {
            for &writer in criterion.iter().filter(|&&writer| writer.thread() == asked_at.thread() && writer < asked_at)
            {
                if let Some(want) = self.variable_written(writer)? {
                    slicer.level(asked_at.at)?.kept.push(Kept { until: asked_at.node, want, writer });
                }
            }
        }
        let (mut cut_before, mut cut_for_room) = (None, false);
        while let Some((at, level)) = slicer.next_or_made()? {
            let at = slicer.look_at(at, level)?;
            slicer.settle()?;
            slicer.pass_all(at)?;
            slicer.take_standing_on(at)?;
            let unanswered = std::mem::take(&mut slicer.unanswered);
            if !unanswered.is_empty() {
                for (want, asker, found) in self.before_thread(at.thread, unanswered)? {
                    slicer.note_before_thread(want, asker, found)?;
                    slicer.has_come_back |= found.is_ok_and(|executed| executed.at >= at);
                    match found {
                        // With addresses, the slice has the object from where the instruction has it.
                        Err(Unknown::NotWritten(place)) if !kind.addresses => slicer.note_unwritten(place, asker),
                        _ => slicer.take_for(asker, found)?,
                    }
                }
            }
            if slicer.goes_on_in(at) {
                continue;
            }
            cut_for_room = slicer.wants_left() > MOST_WANTS;
            if (watch(slicer.gathered.count()).is_break() || cut_for_room) && !slicer.is_done() {
                cut_before = Some(slicer.complete_from()?);
                break;
            }
        }
        let lacks_others = cut_before.is_some() && slicer.has_others_left();
        let cut_for_room = cut_for_room && cut_before.is_some();
        Ok(Slice {
            steps: slicer.gathered.into_steps(),
            unknown: slicer.unknown,
            cut_before,
            lacks_others,
            cut_for_room,
        })
    }

    /// The variable that an instruction has given a value.
    fn variable_written(&self, writer: Executed) -> Result<Option<Want>, ReplayError> {
        let stretch = self.stretch(writer.at)?;
        let Some(node) = stretch.node(writer.node) else { return Ok(None) };
        if let Some(place @ (Place::Static(_) | Place::Field(..) | Place::Element(..))) = stretch.place(node) {
            return Ok(Some(Want::Written(place)));
        }
        let Some(frame) = stretch.frame(node.frame) else { return Ok(None) };
        let code = self.program.code(frame.method).ok();
        Ok(match code.and_then(|code| code.ops.get(node.pc() as usize)) {
            Some(&Op::Store { local, .. } | &Op::StoreWide { local, .. } | &Op::Increment { local, .. }) => {
                Some(Want::Slot { frame: frame.key(), slot: local })
            }
            _ => None,
        })
    }

    /// Which inputs of some instructions are made by some others.
    fn uses(&self, sources: &[Executed], users: &[Executed]) -> Result<FxHashMap<Executed, Vec<Origin>>, ReplayError> {
        let mut uses: FxHashMap<Executed, Vec<Origin>> = FxHashMap::default();
        for &user in users.iter().filter(|user| !sources.contains(user)) {
            for input in self.stretch(user.at)?.all_inputs(user.node).collect::<Vec<_>>() {
                let found = self.source(user, input.origin)?;
                if self.written_or_made(user, found)?.is_ok_and(|source| sources.contains(&source)) {
                    uses.entry(user).or_default().push(input.origin);
                }
            }
        }
        Ok(uses)
    }
}

/// An instruction and what it has from somewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asker {
    pub(crate) executed: Executed,
    pub(crate) origin: Origin,
    /// The value, if it comes from the heap.
    pub(crate) held: Option<Held>,
    /// The last sequence number of its thread when it has that, in runs of several threads.
    pub(crate) read: u64,
    /// The first step of the lowest frame below it, in runs of several threads.
    pub(crate) lowest_entered: u64,
}

/// What the own stretch says to what an instruction asks for.
#[derive(Debug)]
pub(crate) enum Asked {
    /// That is the answer.
    Own(Answer),
    /// Another thread has given the answer, or may have it.
    Settled,
}

/// Something that is found out together with others: who was the last to write it.
#[derive(Debug)]
struct Deferred {
    contested: Contested,
    asker: Asker,
    /// What its own thread says to it, in this stretch.
    own: (Position, Answer),
}

/// What is left to look at in a stretch.
#[derive(Debug, Default)]
pub(crate) struct Level {
    /// Instructions that belong to the slice.
    nodes: Vec<NodeId>,
    /// What later stretches of the thread want to know of the time up to its end, with one of those that want it. For
    /// another value another thread may have the answer.
    pub(crate) wants: Wants,
    /// What is wanted of stretches further back.
    pub(crate) standing: Standing,
    kept: Vec<Kept>,
    /// What other threads need while it runs.
    pub(crate) elsewhere: Needed,
}

/// What has made an object, for all who have read something in it that nobody has written.
#[derive(Debug, Default)]
struct MadeBy {
    known: Option<Executed>,
    /// Readers that have it from nobody knows where.
    failed: usize,
}

impl MadeBy {
    /// For a reader, of which the latest come first. One that comes before the maker has the object from elsewhere.
    fn of(
        &mut self,
        dependences: &Dependences<'_>,
        reader: Executed,
        object: ObjectId,
    ) -> Result<Option<Executed>, ReplayError> {
        let is_earlier = |maker: &Executed| maker.thread() != reader.thread() || *maker < reader;
        if let Some(maker) = self.known.filter(is_earlier) {
            return Ok(Some(maker));
        }
        if self.failed >= MOST_FAILED {
            return Ok(None);
        }
        let maker = dependences.maker(reader, object)?;
        self.known = maker.or(self.known);
        self.failed += usize::from(maker.is_none());
        Ok(maker)
    }
}

/// A variable that has its value until an instruction of the stretch.
#[derive(Clone, Copy, Debug)]
struct Kept {
    until: NodeId,
    want: Want,
    writer: Executed,
}

pub(crate) type Wants = FxHashMap<(Want, Option<Held>), Asker>;

pub(crate) fn add(wants: &mut Wants, want: Want, asker: Asker) {
    let known = wants.entry((want, asker.held)).or_insert(asker);
    // What nobody answers may have to be told from all that was known then: the latest knows what others do.
    if known.executed < asker.executed {
        *known = asker;
    }
}

/// Walks the stretches of all threads backwards, the latest first. Those of one thread are looked at once, unless
/// another thread leads back into them.
pub(crate) struct Slicer<'d, 's> {
    pub(crate) dependences: &'d Dependences<'s>,
    kind: SliceKind,
    pub(crate) gathered: Gathered,
    unknown: BTreeSet<Unknown>,
    /// For what could have changed a value.
    pub(crate) names: Option<Rc<Names<'s>>>,
    /// What is to be asked of stretches before the one that is looked at.
    pub(crate) passed: Wants,
    /// What no stretch of the thread that was looked at last knows.
    pub(crate) unanswered: Vec<(Want, Asker)>,
    /// What nobody has written, and the last instruction of each thread that has read it; `None` when it was found out
    /// where its object was made.
    unwritten: FxHashMap<(ThreadId, Place), Option<Asker>>,
    /// What many stretches of other threads may have written.
    contested: Vec<Deferred>,
    /// What is wanted of stretches before the one that is looked at.
    pub(crate) standing: Standing,
    /// By the number of the stretch's first step among the steps of all threads.
    pub(crate) open: BTreeMap<(u64, Position), Level>,
    starts: FxHashMap<Position, u64>,
    cutting: Cutting,
    has_come_back: bool,
    /// What was found in collections, by thread: whoever of another thread has put it there is known.
    searched_elsewhere: FxHashMap<(ThreadId, Place), Executed>,
    /// Times in which it was looked for what threads have waited at.
    delays: FxHashSet<Delay>,
    /// Instructions that were followed, and up to which later one.
    seen: FxHashMap<Position, FxHashMap<NodeId, NodeId>>,
    /// Instructions of which only these inputs count: what else they do is not asked about.
    pub(crate) users: FxHashMap<Executed, Vec<Origin>>,
    /// When threads have needed what others could have written.
    pub(crate) windows: Windows,
    /// Instructions that have made objects of which nobody has written something.
    pub(crate) made: FxHashMap<ObjectId, Option<Executed>>,
}

impl<'s> Slicer<'_, 's> {
    /// Whether something may lead back into a stretch that was looked at: another thread, or what is told from the
    /// contents of an object because nobody has put it there.
    fn may_come_back(&self) -> bool {
        self.dependences.threads.len() > 1 || self.has_come_back
    }

    fn next(&mut self) -> Option<(Position, Level)> {
        self.open.pop_last().map(|((_, at), level)| (at, level))
    }

    /// When nothing is left, goes on with where the objects were made that nobody has written to, then with what other
    /// threads could have written. Which reader is asked where it has its object from must not depend on how often a stretch
    /// was come back to.
    fn next_or_made(&mut self) -> Result<Option<(Position, Level)>, ReplayError> {
        if self.open.is_empty() {
            let mut open: Vec<(Place, Asker)> =
                self.unwritten.iter_mut().filter_map(|((_, place), asker)| Some((*place, asker.take()?))).collect();
            // Those of one stretch one after the other, so that it is recorded once.
            open.sort_unstable_by_key(|(place, asker)| (Reverse(asker.executed), *place));
            let mut made_by: FxHashMap<(ThreadId, ObjectId), MadeBy> = FxHashMap::default();
            for (place, asker) in open {
                let reader = asker.executed;
                let maker = match made_with_its_object(place) {
                    Some(object) => {
                        let made_by = made_by.entry((reader.thread(), object)).or_default();
                        made_by.of(self.dependences, reader, object)?
                    }
                    None => None,
                };
                let made = match maker {
                    Some(maker) => self.dependences.as_made(reader, place, maker)?,
                    None => Err(Unknown::NotWritten(place)),
                };
                self.has_come_back |= made.is_ok();
                self.take(made)?;
            }
        }
        if self.open.is_empty() {
            self.open_elsewhere()?;
        }
        Ok(self.next())
    }

    fn note_unwritten(&mut self, place: Place, asker: Asker) {
        let known = self.unwritten.entry((asker.executed.thread(), place)).or_insert(Some(asker));
        if known.is_some_and(|known| known.executed < asker.executed) {
            *known = Some(asker);
        }
    }

    pub(crate) fn level(&mut self, at: Position) -> Result<&mut Level, ReplayError> {
        let number = self.start_of(at)?;
        Ok(self.open.entry((number, at)).or_default())
    }

    /// The number of the first step of a stretch among the steps of all threads.
    pub(crate) fn start_of(&mut self, at: Position) -> Result<u64, ReplayError> {
        Ok(match self.starts.get(&at) {
            Some(&known) => known,
            None => *self.starts.entry(at).or_insert(self.dependences.start_of(at)?),
        })
    }

    /// What is wanted of stretches that were not looked at yet.
    fn wants_left(&self) -> usize {
        self.open.values().map(|level| level.wants.len()).sum::<usize>() + self.unwritten.len()
    }

    fn is_done(&self) -> bool {
        self.open.is_empty() && !self.has_others_left()
    }

    /// Whether it was not looked at yet what other threads could have changed.
    fn has_others_left(&self) -> bool {
        self.windows.has_fresh() || self.open.values().any(|level| !level.elsewhere.is_empty())
    }

    /// The number of the first step from which on nothing is left to look at, but for what other threads could have changed.
    fn complete_from(&self) -> Result<u64, ReplayError> {
        let end_of = |((_, at), level): (&(u64, Position), _)| Ok((self.dependences.last_number_of(*at)?, *at, level));
        let mut levels = self.open.iter().map(end_of).collect::<Result<Vec<(u64, Position, &Level)>, ReplayError>>()?;
        levels.sort_by_key(|(end, ..)| Reverse(*end));
        let mut complete_from = 0;
        for (end, at, level) in levels {
            if complete_from > end {
                break;
            }
            complete_from = complete_from.max(self.wanted_up_to(at, level, end)? + 1);
        }
        Ok(complete_from)
    }

    /// The last step of which something is left to look at in a stretch that ends with a step, or one after it.
    fn wanted_up_to(&self, at: Position, level: &Level, end: u64) -> Result<u64, ReplayError> {
        if !level.wants.is_empty() {
            return Ok(end);
        }
        let stretch = self.dependences.stretch(at)?;
        let mut last = 0;
        for node in level.nodes.iter().copied().chain(level.kept.iter().map(|kept| kept.until)) {
            // A call depends on what its call-backs give back.
            let is_later = |input: Input| matches!(input.origin.kind(), OriginKind::Node(other) if other > node);
            last = match stretch.all_inputs(node).any(is_later) {
                true => end,
                false => last.max(self.dependences.number(Executed { at, node })?),
            };
        }
        Ok(last.min(end))
    }

    fn needs(&mut self, executed: Executed) -> Result<(), ReplayError> {
        self.level(executed.at)?.nodes.push(executed.node);
        Ok(())
    }

    /// What another thread has written, with what the reader has waited at for it.
    fn needs_of_another(&mut self, writer: Executed, reader: Asker) -> Result<(), ReplayError> {
        if self.kind.control
            && let Some(delay) = self.dependences.delay(reader, writer)?
            && self.delays.insert(delay.clone())
        {
            for wait in self.dependences.waits(&delay)? {
                self.needs(wait)?;
            }
        }
        self.needs(writer)
    }

    /// What has made the task fail that an instruction has waited for.
    pub(crate) fn add_failed_task(
        &mut self,
        stretch: &Stretch<'_>,
        reader: Executed,
        node: &Node,
    ) -> Result<(), ReplayError> {
        if node.about != About::THREW {
            return Ok(());
        }
        match self.dependences.failed_task(reader)? {
            Some(thrown) if thrown.thread() != reader.thread() => {
                self.needs_of_another(thrown, self.asker(stretch, reader, Origin::NONE, None))
            }
            Some(thrown) => self.needs(thrown),
            None => Ok(()),
        }
    }

    /// What an instruction has from somewhere, of whatever thread.
    fn take_for(&mut self, asker: Asker, found: Found) -> Result<(), ReplayError> {
        let reader = asker.executed;
        match found {
            Ok(writer)
                if writer.thread() != reader.thread() && !self.dependences.is_control(reader, asker.origin)? =>
            {
                self.needs_of_another(writer, asker)
            }
            _ => self.take(found),
        }
    }

    fn take(&mut self, found: Found) -> Result<(), ReplayError> {
        match found {
            Ok(executed) => self.needs(executed)?,
            Err(Unknown::Nothing) => {}
            Err(unknown) => {
                self.unknown.insert(unknown);
            }
        }
        Ok(())
    }

    /// Asks the stretches before this one when all of it was looked at.
    fn pass_on(&mut self, want: Want, asker: Asker) {
        add(&mut self.passed, want, asker);
    }

    /// Looks at a stretch, or cuts it into parts that are to be looked at. Gives back the stretch behind all that is left.
    fn look_at(&mut self, at: Position, level: Level) -> Result<Position, ReplayError> {
        self.cutting.note(at);
        if let Some(end) = self.cut(at, &level)? {
            self.standing = level.standing;
            for ((want, _), asker) in level.wants {
                if let Some(names) = &self.names {
                    self.standing.remove(names, want);
                }
                self.pass_on(want, asker);
            }
            return Ok(end);
        }
        self.follow(at, level)?;
        Ok(at)
    }

    /// Where to go on with the parts of a segment; `None` when it is to be looked at as a whole.
    fn cut(&mut self, at: Position, level: &Level) -> Result<Option<Position>, ReplayError> {
        let is_little = level.nodes.is_empty()
            && level.kept.is_empty()
            && level.elsewhere.is_empty()
            && level.wants.len() <= MOST_WANTS_OF_PARTS;
        if at.part().is_some() || at.segment == 0 || self.has_other_threads() || !is_little || !self.cutting.is_due() {
            return Ok(None);
        }
        let parts = self.dependences.cut(at)?;
        self.cutting.start(at, parts.as_ref().map_or(0, |parts| parts.len()));
        Ok(parts.map(|parts| at.of_part(parts.len())))
    }

    /// Whether there is more to look at in the segment that a stretch is a part of.
    fn goes_on_in(&self, at: Position) -> bool {
        self.open.last_key_value().is_some_and(|((_, next), _)| next.is_part_of_same(at))
    }

    /// Looks at a stretch.
    fn follow(&mut self, at: Position, level: Level) -> Result<(), ReplayError> {
        let Level { mut nodes, wants, standing, kept, elsewhere } = level;
        self.standing = standing;
        let rivals = self.dependences.rivals(at)?;
        let mut answerable = Vec::new();
        let mut opened: Vec<Want> = Vec::new();
        let mut jumps = Vec::new();
        for ((want, _), asker) in wants {
            if let Some(names) = &self.names {
                self.standing.remove(names, want);
            }
            let is_known = self.dependences.may_answer(want, at)?;
            if let Want::Jump { frame, pc } = want
                && is_known
            {
                jumps.push((frame, pc));
                continue;
            }
            if self.is_rivals_answer(&rivals, at, want, asker, is_known)? {
                continue;
            }
            if !is_known {
                opened.push(want);
            }
            if is_known {
                answerable.push((want, asker));
            } else {
                self.pass_on(want, asker);
            }
        }
        // Those who ask in one stretch one after the other: what they find nowhere may lead back to them.
        answerable.sort_unstable_by_key(|(want, asker)| (Reverse(asker.executed), *want));
        let Some(names) = self.names.clone() else {
            if nodes.is_empty() && answerable.is_empty() {
                return Ok(());
            }
            let stretch = self.dependences.stretch(at)?;
            self.answers(at, &stretch, answerable, &mut nodes)?;
            return self.follow_nodes(at, &stretch, nodes, &rivals);
        };
        let is_of_interest = !nodes.is_empty()
            || !answerable.is_empty()
            || !opened.is_empty()
            || !jumps.is_empty()
            || !kept.is_empty()
            || !elsewhere.is_empty();
        if is_of_interest || self.could_change(&names, &self.standing, at)? {
            let stretch = self.dependences.stretch(at)?;
            let answers = self.answers(at, &stretch, answerable, &mut nodes)?;
            let seen = self.seen.remove(&at).unwrap_or_default();
            let elsewhere = stretch.needed_elsewhere(at, &names, elsewhere);
            let mut sweep = Sweep::new(self.dependences, &stretch, at, names, &self.standing, elsewhere, &seen);
            opened.into_iter().for_each(|want| sweep.open_want(want, None));
            answers.iter().for_each(|(&want, answer)| sweep.open_answered(want, answer));
            jumps.into_iter().for_each(|(frame, pc)| sweep.open_jump(frame, pc));
            for Kept { until, want, writer } in kept {
                let asker = self.asker(&stretch, Executed { at, node: until }, Origin::NONE, None);
                if writer.at == at {
                    if let Want::Written(place) = want {
                        self.note_written(place, writer, asker)?;
                    }
                    sweep.open_before(until, want, Answer::Node(writer.node));
                } else {
                    sweep.open_before(until, want, Answer::Before(vec![want]));
                    self.pass_on(want, asker);
                }
            }
            sweep.run(nodes, self, &rivals)?;
            let asker = self.asker(&stretch, Executed { at, node: NodeId(0) }, Origin::NONE, None);
            sweep.jumps_before().for_each(|want| self.pass_on(want, asker));
            // Nobody has written anything of an object before it was made; what other threads have written since, they
            // have in a stretch that was looked at.
            for ((want, held), asker) in std::mem::take(&mut self.passed) {
                let made_by = object_of(want).and_then(|object| sweep.made.get(&object));
                match (made_by, want) {
                    (Some(&node), Want::Written(place)) => {
                        let sequence = stretch.sequence_after(node.0);
                        let since = Since { writer: Some(Executed { at, node }), sequence };
                        self.note_needed(place, since, asker, false);
                        self.take(Err(want.unanswered()))?;
                    }
                    _ => {
                        self.passed.insert((want, held), asker);
                    }
                }
            }
            if self.may_come_back() {
                self.seen.insert(at, sweep.seen());
            }
        }
        Ok(())
    }

    /// What a stretch says to what later ones want to know of it.
    fn answers(
        &mut self,
        at: Position,
        stretch: &Stretch<'s>,
        wants: Vec<(Want, Asker)>,
        nodes: &mut Vec<NodeId>,
    ) -> Result<FxHashMap<Want, Answer>, ReplayError> {
        let mut answers: FxHashMap<Want, Answer> = FxHashMap::default();
        for (want, asker) in wants {
            if let Want::AlsoPut(place) = want {
                self.add_putters(stretch, place, LAST, asker, nodes)?;
                continue;
            }
            let answer = answers.entry(want).or_insert_with(|| stretch.answer(want)).clone();
            if let (Want::Written(place), &Answer::Node(node)) = (want, &answer) {
                self.note_own(stretch, place, Executed { at, node }, asker);
            }
            self.heed(answer, asker, nodes)?;
        }
        Ok(answers)
    }

    /// What an instruction has from somewhere, as its own stretch knows it; what other threads have to do with it is
    /// taken care of.
    pub(crate) fn ask(&mut self, asker: Asker, stretch: &Stretch<'s>, rivals: &Rivals) -> Result<Asked, ReplayError> {
        let own = stretch.meaning(asker.origin);
        let contested = self.dependences.contested(rivals, stretch, asker.executed, asker.origin)?;
        Ok(match self.is_settled(rivals, contested, asker, (asker.executed.at, own.clone()))? {
            true => Asked::Settled,
            false => Asked::Own(own),
        })
    }

    pub(crate) fn asker(&self, stretch: &Stretch<'_>, executed: Executed, origin: Origin, held: Option<Held>) -> Asker {
        let node = executed.node;
        let (read, lowest_entered) = match self.has_other_threads() {
            true => (stretch.sequence_of(self.dependences.program, node), stretch.lowest_entered(node)),
            false => (0, 0),
        };
        Asker { executed, origin, held, read, lowest_entered }
    }

    /// Whether another thread has the answer to a want.
    fn is_rivals_answer(
        &mut self,
        rivals: &Rivals,
        at: Position,
        want: Want,
        asker: Asker,
        is_known: bool,
    ) -> Result<bool, ReplayError> {
        if rivals.is_empty() || !matches!(want, Want::Written(_)) {
            return Ok(false);
        }
        let answer = match is_known {
            true => self.dependences.stretch(at)?.answer(want),
            false => Answer::Before(vec![want]),
        };
        let own = match answer {
            Answer::Node(node) => Some(node),
            Answer::Before(_) | Answer::Unknown(_) => None,
        };
        let contested = self.dependences.contested_want(rivals, at, want, asker.held, own)?;
        self.is_settled(rivals, contested, asker, (at, answer))
    }

    /// Whether another thread was the last to write something. When there are many stretches to look at, that is found
    /// out later.
    fn is_settled(
        &mut self,
        rivals: &Rivals,
        contested: Option<Contested>,
        asker: Asker,
        own: (Position, Answer),
    ) -> Result<bool, ReplayError> {
        let Some(contested) = contested else { return Ok(false) };
        if rivals.are_many() {
            self.contested.push(Deferred { contested, asker, own });
            return Ok(true);
        }
        let Some(writer) = self.dependences.settle(&contested)? else { return Ok(false) };
        self.note_written(contested.place, writer, asker)?;
        self.needs_of_another(writer, asker)?;
        Ok(true)
    }

    /// Finds out what was left for later.
    fn settle(&mut self) -> Result<(), ReplayError> {
        if self.contested.is_empty() {
            return Ok(());
        }
        let mut deferred = std::mem::take(&mut self.contested);
        self.dependences.settle_all(deferred.iter_mut().map(|one| &mut one.contested).collect())?;
        // What one stretch has written one after the other, so that it is recorded once.
        deferred.sort_by_key(|one| (one.contested.best.map(|(_, source)| source), one.asker.executed));
        for Deferred { contested, asker, own: (at, answer) } in deferred {
            match contested.best {
                Some((_, source)) => {
                    self.note_written(contested.place, source, asker)?;
                    self.needs_of_another(source, asker)?;
                }
                None => {
                    match answer {
                        Answer::Node(node) => self.note_written(contested.place, Executed { at, node }, asker)?,
                        // Needed in all of the stretch, and perhaps before.
                        Answer::Before(_) | Answer::Unknown(_) => {
                            let sequence = self.dependences.index(at.thread)?.sequences_of(at.segment)?.start;
                            self.note_unwritten_since(contested.place, sequence, asker)?;
                        }
                    }
                    let mut nodes = Vec::new();
                    self.heed(answer, asker, &mut nodes)?;
                    nodes.into_iter().try_for_each(|node| self.needs(Executed { at, node }))?;
                }
            }
        }
        Ok(())
    }

    /// All that may have put something where an instruction has found it.
    fn add_putters(
        &mut self,
        stretch: &Stretch<'s>,
        place: Place,
        until: NodeId,
        asker: Asker,
        nodes: &mut Vec<NodeId>,
    ) -> Result<(), ReplayError> {
        let (origins, before) = stretch.all_putters(place, until);
        for origin in origins {
            let putter = Asker { origin, ..asker };
            self.heed(stretch.meaning(origin), putter, nodes)?;
        }
        before.into_iter().for_each(|place| self.pass_on(Want::AlsoPut(place), asker));
        Ok(())
    }

    /// The same of other threads. A later instruction of the thread has asked for all that an earlier one asks for.
    fn add_putters_elsewhere(&mut self, place: Place, reader: Executed) -> Result<(), ReplayError> {
        let latest = self.searched_elsewhere.get(&(reader.thread(), place));
        if self.dependences.threads.len() > 1 && latest.is_none_or(|&latest| latest < reader) {
            self.searched_elsewhere.insert((reader.thread(), place), reader);
            for putter in self.dependences.putters_elsewhere(reader, place)? {
                self.needs(putter)?;
            }
        }
        Ok(())
    }

    pub(crate) fn heed(&mut self, answer: Answer, asker: Asker, nodes: &mut Vec<NodeId>) -> Result<(), ReplayError> {
        match answer {
            Answer::Node(node) => nodes.push(node),
            Answer::Before(wants) => {
                wants.into_iter().for_each(|want| self.pass_on(want, asker));
            }
            Answer::Unknown(Unknown::Nothing) => {}
            Answer::Unknown(unknown) => {
                let found = self.dependences.in_all_threads(asker.executed, asker.origin, Err(unknown))?;
                self.note_found(unknown, found, asker)?;
                self.take_for(asker, found)?;
            }
        }
        Ok(())
    }

    /// Adds what instructions of a stretch depend on.
    fn follow_nodes(
        &mut self,
        at: Position,
        stretch: &Stretch<'s>,
        seeds: Vec<NodeId>,
        rivals: &Rivals,
    ) -> Result<(), ReplayError> {
        // With each instruction the one that needs it, which comes later: a call-back depends on its call, but not on
        // what later call-backs give to the call.
        let mut open: Vec<(NodeId, NodeId)> = seeds.into_iter().map(|seed| (seed, LAST)).collect();
        let mut seen = self.seen.remove(&at).unwrap_or_default();
        // The latest instruction that has found something at a place: it has asked for all that was put there before.
        let mut latest: FxHashMap<Place, NodeId> = FxHashMap::default();
        let mut found = Vec::new();
        while let Some((id, needed_by)) = open.pop() {
            if seen.get(&id).is_some_and(|&before| before >= needed_by) {
                continue;
            }
            let Some(node) = stretch.node(id) else { continue };
            self.gathered.add(at.thread, stretch, node);
            let executed = Executed { at, node: id };
            let held = stretch.held(self.dependences.program, node);
            let mut has_later = false;
            let kind = self.kind;
            for input in stretch.possible_inputs(id).filter(|input| kind.addresses || input.role == Role::Value) {
                let asker = self.asker(stretch, executed, input.origin, held);
                // What is in a collection several times is followed by its identity alone; with addresses, the slice has
                // all that has changed the collection.
                if !kind.addresses
                    && let Some(place) = stretch.place_searched(self.dependences.program, id, input.origin)
                    && latest.get(&place).is_none_or(|&latest| latest < id)
                {
                    latest.insert(place, id);
                    self.add_putters(stretch, place, id, asker, &mut found)?;
                    self.add_putters_elsewhere(place, executed)?;
                }
                match self.ask(asker, stretch, rivals)? {
                    Asked::Own(Answer::Node(later)) if later > id => {
                        has_later = true;
                        found.extend((later < needed_by).then_some(later));
                    }
                    Asked::Own(answer) => self.heed(answer, asker, &mut found)?,
                    Asked::Settled => {}
                }
            }
            self.add_failed_task(stretch, executed, node)?;
            if self.kind.control {
                let asker = self.asker(stretch, executed, node.control, None);
                self.heed(stretch.meaning(node.control), asker, &mut found)?;
            }
            seen.insert(id, if has_later { needed_by } else { LAST });
            open.extend(found.drain(..).map(|one| (one, if one < id { id } else { needed_by })));
        }
        // Only other threads lead back.
        if self.may_come_back() {
            self.seen.insert(at, seen);
        }
        Ok(())
    }
}

/// Readers of one object of which it is looked for where they have it from, and not found.
const MOST_FAILED: usize = 16;

/// Of a segment of which more is wanted, no parts are worth looking for.
const MOST_WANTS_OF_PARTS: usize = 64;

/// What is wanted at once of the time before a stretch: elements of thousands of long arrays. Each takes some two hundred
/// bytes.
const MOST_WANTS: usize = 1 << 21;

/// Later than all instructions.
const LAST: NodeId = NodeId(u32::MAX);
