//! Recordings of test programs and their indexes.

use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;
use whydunit_replay::index::ThreadIndex;
use whydunit_replay::{ObjectTable, Program};
use whydunit_testkit::{Jdk, record, whydunit_binary};
use whydunit_trace::reader::Recording;

pub(crate) const PROGRAMS: &[&str] =
    &["Constructors", "ExceptionsInConstructors", "CallbackComparators", "StaticInitialisers", "Concurrency"];

/// Short enough that nearly every answer comes from another checkpoint.
pub(crate) const INTERVAL: u64 = 61;

const SAMPLES: u64 = 60;

/// Knuth's generator: the samples are the same in every run.
pub(crate) fn samples(largest: u64) -> impl Iterator<Item = u64> {
    let mut state = 42u64;
    (0..SAMPLES).map(move |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        1 + (state >> 33) % largest.max(1)
    })
}

pub(crate) struct Run {
    pub(crate) program: Program,
    pub(crate) objects: ObjectTable,
    folder: TempDir,
}

impl Run {
    pub(crate) fn record(name: &str) -> Run {
        let folder = tempfile::tempdir().expect("a folder");
        let jdk = Jdk::all().into_iter().next().expect("a JDK");
        let program = whydunit_testkit::Program::named(name).expect("readable programs").expect("the program");
        let whydunit = whydunit_binary().expect("whydunit is built");
        record(&program, &jdk, &["--name", "run"], &whydunit, folder.path()).expect("it runs");
        let recording = Recording::open(&folder.path().join("run/trace.wdt")).expect("a recording");
        let recording = Arc::new(recording);
        let objects = ObjectTable::load(&recording).expect("objects");
        Run { program: Program::new(&recording), objects, folder }
    }

    pub(crate) fn trace(&self) -> PathBuf {
        self.folder.path().join("run/trace.wdt")
    }

    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn index_folder(&self) -> PathBuf {
        self.folder.path().join("index")
    }

    pub(crate) fn indexes(&self) -> Vec<ThreadIndex> {
        let threads = self.program.recording().threads.keys();
        let open = |&thread| {
            let folder = self.index_folder();
            ThreadIndex::open_or_build(&folder, &self.program, &self.objects, thread, INTERVAL, &|_| ())
        };
        threads.map(open).collect::<Result<_, _>>().expect("an index")
    }
}
