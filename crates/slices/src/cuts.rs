//! Segments of which only some parts are recorded. A way back through consecutive ones will go on so: the next are cut by
//! another thread while the parts of this one are recorded.

use crate::dependences::Dependences;
use crate::recent::workers;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use whydunit_replay::index::{Cutter, Parts, ThreadIndex};
use whydunit_replay::objects::ObjectTable;
use whydunit_replay::{Program, ReplayError};
use whydunit_trace::ThreadId;

/// Segments that are cut one after the other: what is unpacked of the recording for one mostly has several.
const IN_A_ROW: usize = 8;

/// Segments of which the parts are kept.
const KEPT: usize = 4 * IN_A_ROW;

/// By thread and segment; `None` for a segment that cannot be cut.
type Known<'s> = ((ThreadId, usize), Option<Rc<Parts<'s>>>);

type Row<'s> = Vec<Result<Option<Parts<'s>>, ReplayError>>;

#[derive(Debug, Default)]
pub(crate) struct Cuts<'s> {
    known: VecDeque<Known<'s>>,
    cutter: Option<Cutter<'s>>,
    helper: Option<Helper<'s>>,
    /// What was asked for last.
    last: Option<(ThreadId, usize)>,
}

#[derive(Debug)]
struct Helper<'s> {
    requests: Sender<(&'s ThreadIndex, Range<usize>)>,
    rows: Receiver<Row<'s>>,
    /// What it was asked for and has not answered yet.
    under_way: Option<(ThreadId, Range<usize>)>,
}

impl<'s> Cuts<'s> {
    pub(crate) fn get(
        &mut self,
        program: &'s Program,
        objects: &'s ObjectTable,
        index: &'s ThreadIndex,
        segment: usize,
    ) -> Result<Option<Rc<Parts<'s>>>, ReplayError> {
        let thread = index.thread();
        let is_way_back = self.last == Some((thread, segment + 1));
        self.last = Some((thread, segment));
        self.take_answer_for((thread, segment));
        if self.position((thread, segment)).is_none() {
            let row = if is_way_back { row_before(segment + 1) } else { segment..segment + 1 };
            let cutter = self.cutter.get_or_insert_with(|| Cutter::new(program, objects));
            let mut cut = cutter.cut(index, row.clone());
            if let Some(error) = cut.pop_if(|asked| asked.is_err()).and_then(Result::err) {
                return Err(error);
            }
            self.keep(thread, row, cut);
        }
        // What comes next may take its place.
        let asked = self.position((thread, segment)).and_then(|position| self.known[position].1.clone());
        if is_way_back {
            self.ask_ahead(index, segment);
        }
        Ok(asked)
    }

    fn position(&self, place: (ThreadId, usize)) -> Option<usize> {
        self.known.iter().position(|(known, _)| *known == place)
    }

    /// Whatever is wrong with one of these is told when that one is asked for.
    fn keep(&mut self, thread: ThreadId, segments: Range<usize>, row: Row<'s>) {
        let good = segments.zip(row).filter_map(|(segment, parts)| Some((segment, parts.ok()?)));
        self.known.extend(good.map(|(segment, parts)| ((thread, segment), parts.map(Rc::new))));
        let oldest = self.known.len().saturating_sub(KEPT);
        self.known.drain(..oldest);
    }

    /// Waits for the helper if it cuts a segment.
    fn take_answer_for(&mut self, (thread, segment): (ThreadId, usize)) {
        let Some(helper) = &mut self.helper else { return };
        let is_it = |(known, row): &(ThreadId, Range<usize>)| *known == thread && row.contains(&segment);
        if helper.under_way.as_ref().is_some_and(is_it) {
            self.take_answer();
        }
    }

    fn take_answer(&mut self) {
        let Some(helper) = &mut self.helper else { return };
        if let Some((thread, segments)) = helper.under_way.take()
            && let Ok(row) = helper.rows.recv()
        {
            self.keep(thread, segments, row);
        }
    }

    /// Has the helper cut what comes before the segments that are known, if not enough of these are left.
    fn ask_ahead(&mut self, index: &'s ThreadIndex, segment: usize) {
        let thread = index.thread();
        let mut first = segment;
        while first > 0 && self.position((thread, first - 1)).is_some() {
            first -= 1;
        }
        let is_enough = segment - first >= IN_A_ROW || first == 0;
        let Some(helper) = self.helper.as_mut().filter(|_| !is_enough) else { return };
        if helper.under_way.as_ref().is_some_and(|(known, row)| (*known, row.end) == (thread, first)) {
            return;
        }
        // It may have gone ahead where nobody followed.
        self.take_answer();
        let row = row_before(first);
        if let Some(helper) = &mut self.helper
            && helper.requests.send((index, row.clone())).is_ok()
        {
            helper.under_way = Some((thread, row));
        }
    }
}

fn row_before(end: usize) -> Range<usize> {
    end.saturating_sub(IN_A_ROW)..end
}

impl<'s> Dependences<'s> {
    /// Finds an answer, with another thread at hand for what will be needed.
    pub(crate) fn with_helper<T>(&self, answer: impl FnOnce() -> T) -> T {
        if workers() == 1 {
            return answer();
        }
        let (program, objects) = (self.program, self.objects);
        thread::scope(|scope| {
            let (requests, asked) = channel::<(&'s ThreadIndex, Range<usize>)>();
            let (answers, rows) = channel();
            scope.spawn(move || {
                let mut cutter = None;
                for (index, row) in asked {
                    let cutter = cutter.get_or_insert_with(|| Cutter::new(program, objects));
                    if answers.send(cutter.cut(index, row)).is_err() {
                        break;
                    }
                }
            });
            self.cuts.borrow_mut().helper = Some(Helper { requests, rows, under_way: None });
            let _dismissed = Dismissed(&self.cuts);
            answer()
        })
    }
}

/// Lets the helper end when nobody asks any more, however that comes.
struct Dismissed<'c, 's>(&'c RefCell<Cuts<'s>>);

impl Drop for Dismissed<'_, '_> {
    fn drop(&mut self) {
        if let Ok(mut cuts) = self.0.try_borrow_mut() {
            cuts.helper = None;
        }
    }
}
