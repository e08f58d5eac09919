//! The comparison of two runs.

use crate::changes::Changes;
use crate::cursor::Cursor;
use crate::difference::{ChangedMethod, ComparedThread, Report};
use crate::filters::Filters;
use crate::listener::{Listener, Visitor};
use crate::lockstep::{Common, Lockstep};
use crate::methods::{Methods, Relation};
use crate::objects::Renaming;
use crate::report::Collector;
use crate::shapes::{Detail, Shapes};
use crate::side::Pair;
use crate::threads;
use crate::watch;
use rustc_hash::{FxHashMap, FxHashSet};
use whydunit_replay::{ObjectTable, Program, ReplayError};
use whydunit_trace::ThreadId;
use whydunit_trace::stream::StreamError;

/// One of the runs.
#[derive(Clone, Copy, Debug)]
pub struct Run<'p> {
    pub program: &'p Program,
    pub objects: &'p ObjectTable,
}

#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error("the recording's objects cannot be read")]
    Objects(#[from] StreamError),
    #[error("so many values differ that not all of them can be kept")]
    TooManyDifferences,
}

/// Two events that correspond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aligned {
    pub threads: Pair<ThreadId>,
    /// Of the instructions, in their threads.
    pub numbers: Pair<u64>,
    pub steps: Pair<u64>,
    /// It is the first event of a step of the right run. Known only when steps are asked for.
    pub(crate) starts_step: bool,
}

/// Compares two runs thread by thread. `progress` is told how many instructions were replayed since it was last called,
/// `visit` of all events that correspond.
pub fn compare(
    runs: Pair<Run<'_>>,
    filters: &Filters,
    progress: &dyn Fn(u64),
    visit: Option<&mut dyn FnMut(Aligned)>,
) -> Result<Report, CompareError> {
    let detail = Detail { has_values: !filters.control_only, ..Detail::default() };
    let mut visitor = visit.map(Visitor);
    let listener = visitor.as_mut().map(|visitor| visitor as &mut dyn Listener);
    compare_in_detail(runs, filters, detail, progress, listener)
}

pub(crate) fn compare_in_detail(
    runs: Pair<Run<'_>>,
    filters: &Filters,
    detail: Detail,
    progress: &dyn Fn(u64),
    mut listener: Option<&mut dyn Listener>,
) -> Result<Report, CompareError> {
    let changes = Changes::find(runs.map(|run| run.program), detail);
    let points = changes.points();
    let shapes = Pair {
        left: Shapes::new(runs.left.program, detail, points.left),
        right: Shapes::new(runs.right.program, detail, points.right),
    };
    let programs = runs.map(|run| run.program);
    let mut common = Common {
        shapes: shapes.as_ref(),
        filters,
        methods: Methods::new(shapes.as_ref(), &changes),
        renaming: Renaming::new(programs, runs.map(|run| run.objects), filters.ignores_hashes()),
        collector: Collector::default(),
        excused: FxHashSet::default(),
        builders: FxHashMap::default(),
    };
    let mut compared = Vec::new();
    for ids in threads::matched(programs.map(|program| &**program.recording())) {
        let mut thread = ComparedThread { ids, steps: Pair::default(), ends: Pair::default(), aligned: 0 };
        if let Pair { left: Some(left), right: Some(right) } = ids {
            let listener: Option<&mut (dyn Listener + '_)> = match &mut listener {
                Some(listener) => Some(&mut **listener),
                None => None,
            };
            compare_threads(&mut common, runs, Pair { left, right }, &mut thread, progress, listener)?;
        }
        compared.push(thread);
    }
    let changed = common.methods.all().iter().filter_map(|pair| match pair.relation {
        Relation::Edited => Some(ChangedMethod { methods: pair.methods, is_aligned: true }),
        Relation::Changed => Some(ChangedMethod { methods: pair.methods, is_aligned: false }),
        Relation::Same | Relation::Different => None,
    });
    let changed = changed.collect();
    let (groups, ignored) = common.collector.finish();
    Ok(Report { threads: compared, groups, changed, ignored })
}

fn compare_threads<'c>(
    common: &'c mut Common<'_>,
    runs: Pair<Run<'_>>,
    threads: Pair<ThreadId>,
    thread: &mut ComparedThread,
    progress: &'c dyn Fn(u64),
    listener: Option<&'c mut (dyn Listener + 'c)>,
) -> Result<(), CompareError> {
    let shapes = common.shapes;
    std::thread::scope(|scope| {
        let cursors = Pair {
            left: Cursor::new(watch::start(scope, shapes.left, runs.left.objects, threads.left), progress),
            right: Cursor::new(watch::start(scope, shapes.right, runs.right.objects, threads.right), progress),
        };
        let mut lockstep = Lockstep::new(common, threads, cursors, listener);
        lockstep.run()?;
        thread.aligned = lockstep.aligned;
        thread.steps = lockstep.cursors.as_ref().map(|cursor| cursor.steps);
        thread.ends = lockstep.cursors.as_ref().map(|cursor| cursor.end);
        Ok(())
    })
}
