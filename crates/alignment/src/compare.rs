//! The comparison of two runs.

use crate::cursor::Cursor;
use crate::difference::{ComparedThread, Report};
use crate::filters::Filters;
use crate::lockstep::{Common, Lockstep};
use crate::methods::{Methods, Relation};
use crate::objects::Renaming;
use crate::report::Collector;
use crate::shapes::Shapes;
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
}

/// Two events that correspond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aligned {
    /// Of the instructions, in their threads.
    pub numbers: Pair<u64>,
}

/// Compares two runs thread by thread. `progress` is told how many instructions were replayed since it was last called,
/// `visit` of all events that correspond.
pub fn compare(
    runs: Pair<Run<'_>>,
    filters: &Filters,
    progress: &dyn Fn(u64),
    mut visit: Option<&mut dyn FnMut(Aligned)>,
) -> Result<Report, CompareError> {
    let shapes = runs.map(|run| Shapes::new(run.program));
    let programs = runs.map(|run| run.program);
    let mut common = Common {
        shapes: shapes.as_ref(),
        filters,
        methods: Methods::new(shapes.as_ref()),
        renaming: Renaming::new(programs, runs.map(|run| run.objects), filters.ignores_hashes()),
        collector: Collector::default(),
        excused: FxHashSet::default(),
        builders: FxHashMap::default(),
    };
    let mut compared = Vec::new();
    for ids in threads::matched(programs.map(|program| &**program.recording())) {
        let mut thread = ComparedThread { ids, steps: Pair::default(), ends: Pair::default(), aligned: 0 };
        if let Pair { left: Some(left), right: Some(right) } = ids {
            let visit: Option<&mut (dyn FnMut(Aligned) + '_)> = match &mut visit {
                Some(visit) => Some(&mut **visit),
                None => None,
            };
            compare_threads(&mut common, runs, Pair { left, right }, &mut thread, progress, visit)?;
        }
        compared.push(thread);
    }
    let changed = common.methods.all().iter().filter(|pair| pair.relation == Relation::Changed);
    let changed = changed.map(|pair| pair.methods).collect();
    let (groups, ignored) = common.collector.finish();
    Ok(Report { threads: compared, groups, changed, ignored })
}

fn compare_threads<'c>(
    common: &'c mut Common<'_>,
    runs: Pair<Run<'_>>,
    threads: Pair<ThreadId>,
    thread: &mut ComparedThread,
    progress: &'c dyn Fn(u64),
    visit: Option<&'c mut (dyn FnMut(Aligned) + 'c)>,
) -> Result<(), CompareError> {
    let has_values = !common.filters.control_only;
    let shapes = common.shapes;
    std::thread::scope(|scope| {
        let cursors = Pair {
            left: Cursor::new(watch::start(scope, shapes.left, runs.left.objects, threads.left, has_values), progress),
            right: Cursor::new(
                watch::start(scope, shapes.right, runs.right.objects, threads.right, has_values),
                progress,
            ),
        };
        let mut lockstep = Lockstep::new(common, threads, cursors, visit);
        lockstep.run()?;
        thread.aligned = lockstep.aligned;
        thread.steps = lockstep.cursors.as_ref().map(|cursor| cursor.steps);
        thread.ends = lockstep.cursors.as_ref().map(|cursor| cursor.end);
        Ok(())
    })
}
