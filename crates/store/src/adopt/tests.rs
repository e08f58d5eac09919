use super::*;
use crate::meta::Ending;
use std::fs::File;
use tempfile::TempDir;
use whydunit_trace::block::{BlockKind, BlockWriter, Flags};
use whydunit_trace::record::{Definition, End, EndReason, MethodStatus, Refusal};
use whydunit_trace::{DefinitionId, LoaderId, MethodId, ThreadId};

/// Above every process id of Linux.
const NOBODY: u32 = 1 << 30;

struct Fixture {
    _folder: TempDir,
    store: Store,
    session: Session,
}

fn fixture(name: Option<&str>) -> Fixture {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path().join("runs"));
    let session = store.begin(SessionInfo {
        command: vec!["java".into(), "Main".into()],
        cwd: folder.path().to_owned(),
        started: Timestamp::now(),
        recorder_pid: NOBODY,
        name: name.map(|name| RunId::new(name).expect("a name")),
        source_roots: Vec::new(),
        exit: CommandExit::Unknown,
    });
    Fixture { session: session.expect("a session"), store, _folder: folder }
}

impl Fixture {
    fn jvm(&self, name: &str, pid: u32, started_ms: u64) -> PathBuf {
        let folder = self.session.dir.join(name);
        fs::create_dir(&folder).expect("a folder");
        let text = format!(r#"{{"pid":{pid},"started_ms":{started_ms},"class_path":null,"later":[1]}}"#);
        fs::write(folder.join("jvm.json"), text).expect("a file");
        folder.join(TRACE_FILE)
    }

    fn adopt(&self) -> Adopted {
        self.store.adopt(&self.session, CommandExit::Code(1)).expect("adopted")
    }
}

fn write_trace(path: &Path, definitions: usize, end: Option<EndReason>) {
    write_trace_of(path, definitions, &[ThreadId(1)], end);
}

fn write_trace_of(path: &Path, definitions: usize, threads: &[ThreadId], end: Option<EndReason>) {
    let mut out = BlockWriter::create(File::create(path).expect("a file"), Flags::default()).expect("a header");
    for index in 0..definitions {
        let definition = Definition {
            id: DefinitionId(index as u32 + 1),
            name: format!("com/acme/Class{index}"),
            loader: LoaderId::BOOT,
            first_method: MethodId(index as u32 * 2),
            methods: vec![MethodStatus::Recorded, MethodStatus::Refused(Refusal::TooLarge)],
            replaces: None,
            bytes: Vec::new(),
        };
        out.record(BlockKind::Definition, 0, &definition).expect("written");
    }
    for &thread in threads {
        out.stream(BlockKind::Values, thread, 0, &[7; 1000]).expect("written");
    }
    if let Some(reason) = end {
        out.record(BlockKind::End, 0, &End { reason }).expect("written");
    }
    out.finish().expect("written");
}

#[test]
fn folders_become_runs_in_the_order_of_their_start() {
    let fixture = fixture(Some("nightly"));
    write_trace(&fixture.jvm("b", NOBODY, 1_000), 2, Some(EndReason::Exit));
    write_trace(&fixture.jvm("a", NOBODY, 2_000), 1, Some(EndReason::SizeLimit));
    write_trace(&fixture.jvm("nothing-in-scope", NOBODY, 3_000), 0, Some(EndReason::Exit));
    let adopted = fixture.adopt();
    let ids: Vec<&str> = adopted.runs.iter().map(|run| run.id.as_str()).collect();
    assert_eq!(ids, ["nightly", "nightly-2"]);
    let meta = adopted.runs[0].meta.as_ref().expect("a description");
    assert_eq!((meta.classes, meta.threads, meta.exit), (2, 1, CommandExit::Code(1)));
    assert_eq!(meta.ending, Ending::Complete);
    assert!(!fixture.session.dir.exists());
    let latest = fixture.store.find("latest").expect("a run");
    assert_eq!(latest.id.as_str(), "nightly-2");
    assert_eq!(latest.notes.iter().map(ToString::to_string).collect::<Vec<_>>(), ["size limit reached"]);
    let facts = latest.facts().expect("readable");
    assert_eq!(facts.left_out[0].methods, ["com.acme.Class0.method #1"]);
    assert_eq!((facts.streams[0].raw, facts.methods_recorded), (1000, 1));
}

#[test]
fn a_jvm_in_which_nothing_ran_leaves_the_name_to_another() {
    let fixture = fixture(Some("nightly"));
    write_trace_of(&fixture.jvm("launcher", NOBODY, 1_000), 1, &[], Some(EndReason::Exit));
    write_trace(&fixture.jvm("program", NOBODY, 2_000), 2, Some(EndReason::Exit));
    write_trace(&fixture.jvm("second", NOBODY, 3_000), 2, Some(EndReason::Exit));
    let adopted = fixture.adopt();
    let ids: Vec<&str> = adopted.runs.iter().map(|run| run.id.as_str()).collect();
    assert_eq!(ids, ["nightly-3", "nightly", "nightly-2"]);
}

#[test]
fn a_trace_cut_at_any_byte_is_taken_in_or_reported() {
    let fixture = fixture(None);
    let path = fixture.jvm("a", NOBODY, 1);
    write_trace(&path, 1, Some(EndReason::Exit));
    let whole = fs::read(&path).expect("readable");
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).expect("written");
        match Recording::open(&path) {
            Err(_) => assert!(cut < 16),
            Ok(recording) => assert_eq!(RunFacts::of(&recording).ending, Ending::CutOff, "cut at {cut}"),
        }
    }
    fs::write(&path, &whole[..whole.len() - 1]).expect("written");
    let adopted = fixture.adopt();
    assert_eq!(adopted.runs[0].meta.as_ref().map(|meta| meta.ending), Some(Ending::CutOff));
}

#[test]
fn an_unreadable_trace_is_reported() {
    let fixture = fixture(None);
    fs::write(fixture.jvm("a", NOBODY, 1), "nonsense, nonsense").expect("written");
    fs::write(fixture.session.dir.join(UNSUPPORTED_FILE), r#"{"reason":"not HotSpot"}"#).expect("written");
    let adopted = fixture.adopt();
    assert!(adopted.runs.is_empty());
    assert_eq!(adopted.unreadable.len(), 1);
    assert_eq!(adopted.unsupported, ["not HotSpot"]);
}

#[test]
fn a_jvm_that_still_runs_is_taken_in_later() {
    let fixture = fixture(None);
    let alive = std::process::id();
    let path = fixture.jvm("a", alive, 1);
    write_trace(&path, 1, None);
    fs::write(fixture.session.dir.join(format!("{alive}.jvm")), "").expect("written");
    let adopted = fixture.adopt();
    assert_eq!((adopted.runs.len(), adopted.running), (0, vec![alive]));
    assert!(fixture.store.recover().is_empty());

    fs::write(path.with_file_name("jvm.json"), format!(r#"{{"pid":{NOBODY}}}"#)).expect("written");
    fs::remove_file(fixture.session.dir.join(format!("{alive}.jvm"))).expect("removed");
    let recovered = fixture.store.recover();
    assert_eq!(recovered.len(), 1);
    assert_eq!(recovered[0].meta.as_ref().map(|meta| meta.exit), Some(CommandExit::Code(1)));
    assert!(!fixture.session.dir.exists());
}
