//! Files that were damaged after the recording: what stands before the damage is readable, and nothing that is
//! said about it is wrong.

use crate::support::{FixedRandom, Workplace};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use whydunit_debugger::{Session, SessionError, VerifyReport};
use whydunit_trace::block::{BLOCK_HEADER_SIZE, BlockKind, FILE_HEADER_SIZE};
use whydunit_trace::reader::{DamageKind, OpenError};
use whydunit_trace::version::FormatVersion;

const SAMPLES: usize = 100;

/// A recording of several threads, and where its blocks are.
struct Sample {
    place: Workplace,
    bytes: Vec<u8>,
    blocks: Vec<Range<usize>>,
    intact: VerifyReport,
}

fn sample() -> &'static Sample {
    static SAMPLE: OnceLock<Sample> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let place = Workplace::with_busy_program();
        let recorded = place.recording(&["--check", "--name", "intact"], &["Busy", "40"]).output();
        assert!(recorded.expect("whydunit starts").status.success());
        let trace = place.store().join("intact/trace.wdt");
        let bytes = fs::read(&trace).expect("a recording");
        let intact = Session::open(&trace).and_then(|session| session.verify(&|_| {})).expect("a replay");
        assert_eq!((&intact.divergences, &intact.ended_early), (&vec![], &vec![]));
        Sample { blocks: blocks(&bytes), place, bytes, intact }
    })
}

fn blocks(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut start = FILE_HEADER_SIZE;
    while start < bytes.len() {
        let stored = u32::from_le_bytes(bytes[start + 24..start + 28].try_into().expect("4 bytes"));
        let end = start + BLOCK_HEADER_SIZE + stored as usize;
        blocks.push(start..end);
        start = end;
    }
    blocks
}

/// The kind and the thread of a block.
fn kind_and_thread(block: &[u8]) -> (u8, u32) {
    (block[4], u32::from_le_bytes(block[8..12].try_into().expect("4 bytes")))
}

/// Every thread of the sample comes to its end, so the replay cannot stop before that without notice.
#[test]
fn a_log_that_ends_too_soon_is_a_difference() {
    let sample = sample();
    let scratch = tempfile::tempdir().expect("a folder");
    let mut found = 0;
    for (index, block) in sample.blocks.iter().enumerate() {
        let header = kind_and_thread(&sample.bytes[block.clone()]);
        let is_last = !sample.blocks[index + 1..].iter().any(|b| kind_and_thread(&sample.bytes[b.clone()]) == header);
        if header.0 > BlockKind::Control as u8 || !is_last {
            continue;
        }
        let contents = [&sample.bytes[..block.start], &sample.bytes[block.end..]].concat();
        let file = scratch.path().join("trace.wdt");
        fs::write(&file, contents).expect("a file");
        let report = Session::open(&file).and_then(|session| session.verify(&|_| {})).expect("a replay");
        assert_eq!(report.ended_early, [], "without block {index}");
        assert_ne!(report.divergences, [], "without block {index}");
        found += 1;
    }
    assert!(found > 2, "{found} blocks left out");
}

impl Sample {
    /// The end of the last whole block before `position`.
    fn readable_before(&self, position: usize) -> usize {
        self.blocks.iter().map(|block| block.end).rfind(|&end| end <= position).unwrap_or(FILE_HEADER_SIZE)
    }

    /// Opens a file with these contents and asserts that its replay has no difference.
    fn examine(&self, contents: &[u8], scratch: &Path, what: &str) -> Result<(Session, VerifyReport), OpenError> {
        fs::write(scratch, contents).expect("a file");
        let session = match Session::open(scratch) {
            Ok(session) => session,
            Err(SessionError::Open(error)) => return Err(error),
            Err(error) => panic!("{what}: {error:?}"),
        };
        let report = session.verify(&|_| {}).unwrap_or_else(|error| panic!("{what}: {error:?}"));
        assert_eq!(report.divergences, [], "{what}");
        assert!(report.bytecodes <= self.intact.bytecodes, "{what}: {report:?}");
        Ok((session, report))
    }

    /// A run of this name with these contents.
    fn plant(&self, name: &str, contents: &[u8]) -> PathBuf {
        let folder = self.place.store().join(name);
        fs::create_dir_all(&folder).expect("a folder");
        for file in ["run.json", "jvm.json"] {
            fs::copy(self.place.store().join("intact").join(file), folder.join(file)).expect("a copy");
        }
        fs::write(folder.join("trace.wdt"), contents).expect("a file");
        folder
    }
}

#[test]
fn cut_at_any_byte() {
    let sample = sample();
    let scratch = sample.place.path().join("cut.wdt");
    let size = sample.bytes.len();
    let mut random = FixedRandom::new(1);
    let ends = sample.blocks.iter().map(|block| block.end);
    let near_boundaries = ends.flat_map(|end| [end - 1, end, end + 1]).filter(|&cut| cut <= size);
    let mut cuts: Vec<usize> = near_boundaries.chain(0..=FILE_HEADER_SIZE + 1).collect();
    cuts.extend((0..SAMPLES).map(|_| random.below(size)));
    cuts.sort_unstable();
    let mut replayed = 0;
    for cut in cuts {
        let what = format!("cut at byte {cut} of {size}");
        let (session, report) = match sample.examine(&sample.bytes[..cut], &scratch, &what) {
            Err(OpenError::NotARecording { .. }) if cut < FILE_HEADER_SIZE => continue,
            other => other.unwrap_or_else(|error| panic!("{what}: {error}")),
        };
        let readable = sample.readable_before(cut);
        assert_eq!(session.recording().readable, readable as u64, "{what}");
        let expected = (cut != readable).then_some(DamageKind::CutOff);
        assert_eq!(session.recording().damage.as_ref().map(|damage| damage.kind), expected, "{what}");
        assert!(report.bytecodes >= replayed, "{what}: a longer file has less to replay");
        replayed = report.bytecodes;
    }
    assert_eq!(replayed, sample.intact.bytecodes);
}

#[test]
fn changed_at_any_byte() {
    let sample = sample();
    let scratch = sample.place.path().join("changed.wdt");
    let mut random = FixedRandom::new(2);
    let in_blocks = sample.bytes.len() - FILE_HEADER_SIZE;
    for _ in 0..SAMPLES {
        let position = FILE_HEADER_SIZE + random.below(in_blocks);
        let change = 1 + random.below(255) as u8;
        let mut bytes = sample.bytes.clone();
        bytes[position] ^= change;
        check_damage(sample, &bytes, &scratch, position, &format!("byte {position} changed by {change:#x}"));
    }
}

#[test]
fn a_page_of_zeros() {
    let sample = sample();
    let scratch = sample.place.path().join("zeros.wdt");
    for page in 0..sample.bytes.len() / 4096 {
        let mut bytes = sample.bytes.clone();
        let span = (page * 4096).max(FILE_HEADER_SIZE)..(page + 1) * 4096;
        let Some(first) = span.clone().find(|&position| bytes[position] != 0) else { continue };
        bytes[span].fill(0);
        check_damage(sample, &bytes, &scratch, first, &format!("page {page} is zero"));
    }
}

fn check_damage(sample: &Sample, bytes: &[u8], scratch: &Path, position: usize, what: &str) {
    let (session, _) = sample.examine(bytes, scratch, what).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(session.recording().damage.is_some(), "{what}: nobody noticed");
    assert_eq!(session.recording().readable, sample.readable_before(position) as u64, "{what}");
}

/// The header says how all that follows is to be read.
#[test]
fn every_bit_of_the_header_counts() {
    let sample = sample();
    let scratch = sample.place.path().join("header.wdt");
    for bit in 0..FILE_HEADER_SIZE * 8 {
        let mut bytes = sample.bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let opened = sample.examine(&bytes, &scratch, &format!("bit {bit} of the header"));
        assert!(opened.is_err(), "bit {bit} of the header: nobody noticed");
    }
}

#[test]
fn messages() {
    let sample = sample();
    let place = &sample.place;
    sample.plant("cut", &sample.bytes[..sample.bytes.len() * 2 / 3]);
    let info = place.run(&["info", "cut"]);
    assert_eq!(info.code, Some(0));
    assert!(info.stdout.contains("recording      cut off\n"), "{info:#?}");
    assert!(info.stdout.contains("the file ends in the middle of a block (at byte "), "{info:#?}");
    let verify = place.run(&["verify", "cut"]);
    assert_eq!(verify.code, Some(0), "{verify:#?}");
    assert!(verify.stdout.contains("was cut off") && verify.stdout.contains("no differences"), "{verify:#?}");

    let mut changed = sample.bytes.clone();
    changed[sample.bytes.len() / 2] ^= 0x55;
    sample.plant("changed", &changed);
    let info = place.run(&["info", "changed"]);
    assert_eq!(info.code, Some(0));
    assert!(info.stdout.contains("recording      damaged\n"), "{info:#?}");
    assert_eq!(place.run(&["verify", "changed"]).code, Some(0));

    let mut newer = sample.bytes.clone();
    newer[8..12].copy_from_slice(&(FormatVersion::CURRENT.0 + 1).to_le_bytes());
    sample.plant("newer", &newer);
    sample.plant("empty", b"");
    sample.plant("other", b"PK\x03\x04 this is something else altogether");
    let missing = sample.plant("missing", b"");
    fs::remove_file(missing.join("trace.wdt")).expect("removed");
    for command in ["info", "verify"] {
        place.run(&[command, "newer"]).explains(&["has format ", "this version reads format"]);
        place.run(&[command, "empty"]).explains(&["is not a Whydunit recording"]);
        place.run(&[command, "other"]).explains(&["is not a Whydunit recording"]);
        place.run(&[command, "missing"]).explains(&["missing"]);
    }
    let listed = place.run(&["runs"]);
    assert_eq!(listed.code, Some(0));
    for name in ["cut", "changed", "newer", "empty", "other", "missing"] {
        assert!(listed.stdout.contains(name), "{listed:#?}");
    }
}

#[test]
fn a_run_without_its_description() {
    let sample = sample();
    let place = &sample.place;
    let without = sample.plant("without", &sample.bytes);
    fs::remove_file(without.join("run.json")).expect("removed");
    fs::remove_file(without.join("jvm.json")).expect("removed");
    let garbled = sample.plant("garbled", &sample.bytes);
    fs::write(garbled.join("run.json"), "{\"id\": ").expect("written");
    fs::write(garbled.join("jvm.json"), [0xff, 0xfe, 0]).expect("written");
    for run in ["without", "garbled"] {
        let info = place.run(&["info", run]);
        assert!(info.code == Some(0) && info.stdout.contains("recording      complete\n"), "{info:#?}");
        let verify = place.run(&["verify", run]);
        assert!(verify.code == Some(0) && verify.stdout.contains("no differences"), "{verify:#?}");
    }
}

#[test]
fn a_damaged_export_imports_nothing() {
    let sample = sample();
    let place = &sample.place;
    let exported = place.run(&["export", "intact", "-o", "intact.whydunit"]);
    assert_eq!(exported.code, Some(0), "{exported:#?}");
    let bytes = fs::read(place.path().join("intact.whydunit")).expect("the export");
    let mut random = FixedRandom::new(3);
    for number in 0..20 {
        let mut damaged = bytes.clone();
        let position = random.below(bytes.len());
        if number % 2 == 0 {
            damaged.truncate(position);
        } else {
            damaged[position] ^= 0x40;
        }
        fs::write(place.path().join("damaged.whydunit"), &damaged).expect("written");
        let name = format!("imported-{number}");
        place.run(&["import", "damaged.whydunit", "--as", &name]).explains(&["cannot import damaged.whydunit"]);
        assert!(!place.store().join(&name).exists());
    }
}
