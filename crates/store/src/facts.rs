//! What a trace holds, counted.

use crate::meta::Ending;
use serde::Serialize;
use std::collections::BTreeMap;
use whydunit_classfile::{ClassFile, Member};
use whydunit_trace::block::BlockKind;
use whydunit_trace::reader::{DamageKind, Recording, ThreadStreams};
use whydunit_trace::record::{Definition, EndReason, MethodStatus, Refusal};
use whydunit_trace::version::FormatVersion;

#[derive(Clone, Debug, Serialize)]
pub struct RunFacts {
    pub format_version: u32,
    pub check: bool,
    pub ending: Ending,
    /// What is wrong with the file, in words.
    pub damage: Option<String>,
    /// Bytes of the file that could be read.
    pub readable: u64,
    /// Class files with at least one recorded method.
    pub classes_recorded: usize,
    pub methods_recorded: usize,
    /// Recorded classes compiled without line numbers, by name.
    pub without_lines: Vec<String>,
    /// Classes met at run time, recorded or not.
    pub classes_met: usize,
    pub threads: Vec<ThreadFacts>,
    pub streams: Vec<StreamFacts>,
    pub left_out: Vec<LeftOut>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ThreadFacts {
    pub id: String,
    pub name: String,
    /// Bytes of the thread's log before compression, and in the file.
    pub raw: u64,
    pub stored: u64,
}

/// One of the four streams over all threads.
#[derive(Clone, Debug, Serialize)]
pub struct StreamFacts {
    pub name: &'static str,
    pub raw: u64,
    pub stored: u64,
}

/// Methods that were left as they were, for one reason.
#[derive(Clone, Debug, Serialize)]
pub struct LeftOut {
    pub reason: &'static str,
    pub explanation: &'static str,
    /// `com.acme.Foo.bar(I)V`
    pub methods: Vec<String>,
}

const STREAMS: [(BlockKind, &str); 4] = [
    (BlockKind::Values, "values"),
    (BlockKind::Control, "control"),
    (BlockKind::Objects, "objects"),
    (BlockKind::Check, "check"),
];

impl RunFacts {
    pub fn of(recording: &Recording) -> RunFacts {
        RunFacts {
            format_version: FormatVersion::CURRENT.0,
            check: recording.flags.check,
            ending: ending(recording),
            damage: recording.damage.as_ref().map(ToString::to_string),
            readable: recording.readable,
            classes_recorded: recording.definitions.iter().filter(|definition| is_recorded(definition)).count(),
            methods_recorded: recording.definitions.iter().map(recorded_methods).sum(),
            without_lines: without_lines(&recording.definitions),
            classes_met: recording.classes.len(),
            threads: recording.threads.iter().map(|(id, streams)| thread(id.to_string(), streams)).collect(),
            streams: STREAMS.iter().map(|&(kind, name)| stream(recording, kind, name)).collect(),
            left_out: left_out(&recording.definitions),
        }
    }
}

fn ending(recording: &Recording) -> Ending {
    match (&recording.damage, &recording.end) {
        (Some(damage), _) if damage.kind != DamageKind::CutOff => Ending::Damaged,
        (Some(_), _) | (None, None) => Ending::CutOff,
        (None, Some(end)) => match end.reason {
            EndReason::Exit => Ending::Complete,
            EndReason::SizeLimit => Ending::SizeLimit,
            EndReason::WriteFailed => Ending::WriteFailed,
            EndReason::OutOfIds => Ending::OutOfIds,
        },
    }
}

pub(crate) fn is_recorded(definition: &Definition) -> bool {
    recorded_methods(definition) > 0
}

fn recorded_methods(definition: &Definition) -> usize {
    definition.methods.iter().filter(|&&status| status == MethodStatus::Recorded).count()
}

fn thread(id: String, streams: &ThreadStreams) -> ThreadFacts {
    ThreadFacts {
        id,
        name: streams.info.as_ref().map_or_else(String::new, |info| info.name.clone()),
        raw: STREAMS.iter().map(|&(kind, _)| streams.raw_size(kind)).sum(),
        stored: STREAMS.iter().map(|&(kind, _)| streams.stored_size(kind)).sum(),
    }
}

fn stream(recording: &Recording, kind: BlockKind, name: &'static str) -> StreamFacts {
    let threads = recording.threads.values();
    let (raw, stored) =
        threads.fold((0, 0), |(raw, stored), thread| (raw + thread.raw_size(kind), stored + thread.stored_size(kind)));
    StreamFacts { name, raw, stored }
}

fn left_out(definitions: &[Definition]) -> Vec<LeftOut> {
    let mut by_reason: BTreeMap<Refusal, Vec<String>> = BTreeMap::new();
    for definition in definitions {
        let class = ClassFile::parse(&definition.bytes).ok();
        for (index, status) in definition.methods.iter().enumerate() {
            if let MethodStatus::Refused(refusal) = *status {
                by_reason.entry(refusal).or_default().push(method_name(definition, class.as_ref(), index));
            }
        }
    }
    by_reason
        .into_iter()
        .map(|(refusal, methods)| LeftOut { reason: refusal.name(), explanation: refusal.explanation(), methods })
        .collect()
}

/// A method of a class file that cannot be read goes by its number.
fn method_name(definition: &Definition, class: Option<&ClassFile<'_>>, index: usize) -> String {
    let in_class = class.and_then(|class| {
        let method = class.methods.get(index)?;
        let name = method.name(&class.pool).ok()?;
        Some(format!("{name}{}", method.descriptor(&class.pool).ok()?))
    });
    let class_name = definition.name.replace('/', ".");
    format!("{class_name}.{}", in_class.unwrap_or_else(|| format!("method #{index}")))
}

fn without_lines(definitions: &[Definition]) -> Vec<String> {
    definitions.iter().filter(|definition| lacks_lines(definition)).map(|d| d.name.replace('/', ".")).collect()
}

/// Whether the class has code and not one line number.
fn lacks_lines(definition: &Definition) -> bool {
    let Ok(class) = ClassFile::parse(&definition.bytes) else {
        return false;
    };
    let has_lines = |method: &Member<'_>| {
        let code = method.code(&class.pool).ok().flatten();
        code.is_some_and(|code| code.line_numbers(&class.pool).is_ok_and(|lines| !lines.is_empty()))
    };
    is_recorded(definition) && !class.methods.iter().any(has_lines)
}
